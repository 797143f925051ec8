// What was kept as bytes, by its hash: opened on request, read piece by piece, shown as text and nothing else.
import { useEffect, useState } from "preact/hooks";
import type { ArtifactRef } from "../../src/contract/artifacts.ts";
import { readText } from "../live/api.ts";
import { shortHash, sizeOf } from "../words/format.ts";
import { ShownBlock } from "./shown.tsx";

const PIECE = 65_536;

/** Closed until somebody wants to see it. */
export function Output({ name, artifact }: { readonly name: string; readonly artifact: ArtifactRef }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="inset output" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="s out">
        <span>{name}</span>
        <span class="dimmer">
          {shortHash(artifact.sha256)}, {sizeOf(artifact.bytes)}
          {artifact.truncated ? ", there was more than is kept" : ""}
        </span>
      </summary>
      {isOpen ? <OutputText path={`/api/artifacts/${artifact.sha256}`} /> : null}
    </details>
  );
}

type Read =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "read"; readonly text: string; readonly bytes: number; readonly total: number };

export function OutputText({ path }: { readonly path: string }) {
  const [read, setRead] = useState<Read>({ kind: "reading" });
  const [wanted, setWanted] = useState(PIECE);
  useEffect(() => {
    const stop = new AbortController();
    void readText(path, 0, wanted, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.kind === "ok") setRead({ kind: "read", ...answer.value });
      else setRead({ kind: "failed", why: answer.kind === "refused" ? answer.refusal.error.message : "The server does not answer." });
    });
    return () => stop.abort();
  }, [path, wanted]);
  if (read.kind === "reading") return <p class="out dimmer">Reading</p>;
  if (read.kind === "failed") return <p class="out">{read.why}</p>;
  if (read.total === 0) return <p class="out dimmer">It is empty.</p>;
  const left = read.total - read.bytes;
  return (
    <>
      <pre class="out code" tabIndex={0}>
        <ShownBlock text={read.text} />
      </pre>
      {left > 0 ? (
        <button class="btn quiet" type="button" onClick={() => setWanted(wanted * 4)}>
          Show {sizeOf(Math.min(left, wanted * 3))} more of {sizeOf(left)}
        </button>
      ) : null}
    </>
  );
}
