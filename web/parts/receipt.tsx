// The receipt of a run, verified in this browser when somebody comes to see it.
import { useEffect, useState } from "preact/hooks";
import type { ReceiptDocument } from "../../src/contract/api.ts";
import { useResource } from "../live/resource.ts";
import { type Checked, verifyReceipt } from "../receipt/verify.ts";
import type { Word } from "../words/outcomes.ts";
import { Glyph, Mark, Panel } from "./bits.tsx";

const WORDS: { readonly [K in Checked["kind"]]: Word } = {
  genuine: { mark: "proven", word: "genuine" },
  "not-genuine": { mark: "tampering", word: "not genuine" },
  "not-checked": { mark: "unknown", word: "not checked" },
};
const MARKS = { holds: "proven", refuted: "tampering", unknown: "unknown" } as const;

export function Receipt({ run }: { readonly run: string }) {
  const document = useResource<ReceiptDocument>(
    `/api/runs/${encodeURIComponent(run)}/receipt`,
    (record) => record.run === run && record.kind === "receipted",
  );
  const [checked, setChecked] = useState<Checked | null | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    if (document.value)
      void verifyReceipt(document.value, crypto.subtle).then((found) => {
        if (!isGone) setChecked(found);
      });
    return () => {
      isGone = true;
    };
  }, [document.value]);
  const envelope = document.value?.envelope ?? null;
  const save = (): void => {
    if (envelope === null) return;
    const link = window.document.createElement("a");
    link.href = URL.createObjectURL(new Blob([envelope], { type: "application/json" }));
    link.download = "receipt.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <Panel title="Receipt" aside={checked ? <Mark {...WORDS[checked.kind]} /> : undefined}>
      <div class="body">
        {checked === undefined ? <p class="dimmer">Reading</p> : null}
        {checked === null ? <p class="dim">None was signed. lw receipt {run} makes one.</p> : null}
        {checked ? (
          <>
            <ul class="ticks">
              {checked.checks.map(({ mark, says, detail }) => (
                <li class={MARKS[mark]} key={says}>
                  <Glyph mark={MARKS[mark]} />
                  <span>{says}</span>
                  <small>{detail}</small>
                </li>
              ))}
            </ul>
            <button class="btn" type="button" onClick={save}>
              Save receipt
            </button>
          </>
        ) : null}
      </div>
    </Panel>
  );
}
