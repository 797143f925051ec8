// A diff of any length: files with their findings, and only as much of it drawn as is near to what one sees.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Finding } from "../../src/contract/evidence.ts";
import { type DiffFile, looseNotes, pairedRows, type Row, readDiff, unifiedRows } from "../diff/model.ts";
import { readText } from "../live/api.ts";
import { countOf, plural, sizeOf } from "../words/format.ts";
import { StateLine } from "./bits.tsx";
import { DiffRows, FindingNote, type FoundNote } from "./diff-lines.tsx";
import { Shown } from "./shown.tsx";

/** So much is read at first; more on request. */
const FIRST_BYTES = 4 * 1024 * 1024;
/** Up to so many lines all of it is drawn; beyond, only what is near. */
const DRAWN_AT_ONCE = 500;
const ROWS_OF_CHUNK = 100;
const LINE_HEIGHT = 20;

interface DiffProps {
  readonly path: string;
  readonly findings: readonly Finding[];
  readonly isPaired: boolean;
  /** Whether it is there to be looked at. */
  readonly onShown?: (isShown: boolean) => void;
}

type Read =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "read"; readonly text: string; readonly left: number };

export function Diff({ path, findings, isPaired, onShown }: DiffProps) {
  const [read, setRead] = useState<Read>({ kind: "reading" });
  const [wanted, setWanted] = useState(FIRST_BYTES);
  useEffect(() => {
    const stop = new AbortController();
    setRead((before) => (before.kind === "read" ? before : { kind: "reading" }));
    void readText(path, 0, wanted, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.kind === "ok") setRead({ kind: "read", text: answer.value.text, left: answer.value.total - answer.value.bytes });
      else setRead({ kind: "failed", why: answer.kind === "refused" ? answer.refusal.error.message : "The server does not answer." });
    });
    return () => stop.abort();
  }, [path, wanted]);
  useEffect(() => onShown?.(read.kind === "read"), [read.kind]);
  if (read.kind === "reading") return <p class="out dimmer">Reading the diff</p>;
  if (read.kind === "failed") return <StateLine mark="unknown" says={`The diff could not be read. ${read.why}`} />;
  return (
    <>
      <DiffText text={read.text} findings={findings} isPaired={isPaired} />
      {read.left > 0 ? (
        <button class="btn quiet" type="button" onClick={() => setWanted(wanted * 2)}>
          Show more of the diff, {sizeOf(read.left)} are left
        </button>
      ) : null}
    </>
  );
}

export function DiffText({
  text,
  findings,
  isPaired,
}: {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly isPaired: boolean;
}) {
  const files = useMemo(() => readDiff(text), [text]);
  const notes = useMemo(() => findings.map((finding): FoundNote => ({ file: finding.file, line: finding.line, finding })), [findings]);
  const lines = files.reduce((sum, { hunks }) => sum + hunks.reduce((inner, hunk) => inner + hunk.lines.length, 0), 0);
  if (files.length === 0) return <p class="out dimmer">Nothing changed.</p>;
  return (
    <div class="diffs">
      {files.length > 3 ? <FileList files={files} /> : null}
      {looseNotes(files, notes).map(({ finding }) => (
        <FindingNote key={`${finding.rule} ${finding.where}`} finding={finding} />
      ))}
      {files.map((file, index) => (
        <File key={index} index={index} file={file} notes={notes} isPaired={isPaired} isLong={lines > DRAWN_AT_ONCE} />
      ))}
    </div>
  );
}

const FileList = ({ files }: { readonly files: readonly DiffFile[] }) => (
  <details class="files">
    <summary class="s out">
      {plural(new Set(files.map(({ path }) => path)).size, "file")}, +{countOf(files.reduce((sum, { added }) => sum + added, 0))} −
      {countOf(files.reduce((sum, { removed }) => sum + removed, 0))}
    </summary>
    <ul>
      {files.slice(0, 2000).map((file, index) => (
        <li key={index}>
          <a class="mono" href={`#file-${index}`}>
            <Shown text={file.path} />
          </a>
          <span class="mono dimmer">
            +{file.added} −{file.removed}
          </span>
        </li>
      ))}
    </ul>
  </details>
);

interface FileProps {
  readonly index: number;
  readonly file: DiffFile;
  readonly notes: readonly FoundNote[];
  readonly isPaired: boolean;
  readonly isLong: boolean;
}

function File({ index, file, notes, isPaired, isLong }: FileProps) {
  const rows = useMemo(() => (isPaired ? pairedRows(file, notes) : unifiedRows(file, notes)), [file, notes, isPaired]);
  const chunks = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / ROWS_OF_CHUNK) }, (_, at) => rows.slice(at * ROWS_OF_CHUNK, (at + 1) * ROWS_OF_CHUNK)),
    [rows],
  );
  return (
    <div class="diff code" role="group" tabIndex={0} aria-label={`Diff of file ${index + 1}`} id={`file-${index}`}>
      <div class="file">
        <span>
          {file.from === undefined ? null : (
            <>
              <Shown text={file.from} /> →{" "}
            </>
          )}
          <Shown text={file.path} />
        </span>
        {file.how === "changed" ? null : <span class="tag">{file.how}</span>}
        {file.marks?.map((says) => (
          <span class="tag" key={says}>
            {says}
          </span>
        ))}
        <span class="stat">
          +{file.added} −{file.removed}
        </span>
      </div>
      {file.how === "binary" ? <div class="fold">Its bytes are no text, and are not shown.</div> : null}
      {chunks.map((chunk, at) => (
        <Chunk key={at} path={file.path} rows={chunk} isLong={isLong} />
      ))}
    </div>
  );
}

/** A piece of a file. Where the whole is long, it is drawn only while it is near, and keeps its height when it is not. */
function Chunk({ path, rows, isLong }: { readonly path: string; readonly rows: readonly Row<FoundNote>[]; readonly isLong: boolean }) {
  const [isNear, setNear] = useState(!isLong);
  const frame = useRef<HTMLDivElement>(null);
  const height = useRef(rows.length * LINE_HEIGHT);
  useEffect(() => {
    const element = frame.current;
    if (!isLong || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries.at(-1)?.isIntersecting ?? false;
        if (!near && element.offsetHeight > 0) height.current = element.offsetHeight;
        setNear(near);
      },
      { rootMargin: "800px 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLong]);
  const hasNotes = rows.some(({ kind }) => kind === "note");
  return (
    <div
      ref={frame}
      style={isNear ? { height: "auto" } : { height: `${height.current}px` }}
      {...(!isNear && hasNotes ? { "data-finding": "" } : {})}
    >
      {isNear ? <DiffRows path={path} rows={rows} /> : null}
    </div>
  );
}
