// Ledger: is the record whole? The chain's verdict first, then every record, searchable.
import { useEffect, useState } from "preact/hooks";
import type { LedgerPage as LedgerAnswer, VerificationView } from "../../src/contract/api.ts";
import type { Entry } from "../../src/contract/record.ts";
import { read } from "../live/api.ts";
import { choose, go, loopPath, place, recordPath, runPath } from "../live/router.ts";
import { connection } from "../live/store.ts";
import { useVerification } from "../live/verification.ts";
import { Empty, Hash, Panel, Skeleton, StateLine, When } from "../parts/bits.tsx";
import { Shown, ShownBlock, ShownName } from "../parts/shown.tsx";
import { countOf, plural } from "../words/format.ts";

export function LedgerPage() {
  const verification = useVerification();
  const found = verification.value?.found ?? null;
  return (
    <div class="page">
      <div class="head">
        <div>
          <h1>{findingOf(found)}</h1>
          <p class="lead">
            {found
              ? `${plural(found.checkpoints, "checkpoint")} and ${plural(found.receipts, "receipt")} checked. Signed up to record ${countOf(found.signedUpTo)}.`
              : "The whole chain is looked at, from its first record."}
          </p>
        </div>
      </div>
      <div class="stack">
        {found?.problems.map(({ what, seq, why }) => (
          <StateLine
            key={`${what} ${seq}`}
            mark="tampering"
            says={<Shown text={seq === null ? what : `${what}, record ${countOf(seq)}`} />}
            {...(seq === null ? {} : { button: { label: "Show it", press: () => go(recordPath(seq)) } })}
          >
            <Shown text={why} />
          </StateLine>
        ))}
        {found && found.notChecked.length > 0 ? (
          <StateLine mark="unknown" says="Not everything was looked at.">
            <Shown text={found.notChecked.join("; ")} />
          </StateLine>
        ) : null}
        <Records />
      </div>
    </div>
  );
}

function findingOf(found: VerificationView["found"]): string {
  if (found === null) return "The chain is being checked";
  switch (found.kind) {
    case "whole":
      return `${plural(found.entries, "record")}, and the chain is whole`;
    case "broken":
      return found.firstBad === null
        ? "The journal is not as it was signed"
        : `Record ${countOf(found.firstBad)} is the first that does not fit`;
    case "empty":
      return "No record was written yet";
  }
}

type Filter = "loop" | "run" | "kind" | "q";
const FILTERS: readonly Filter[] = ["loop", "run", "kind", "q"];

/** What is asked for is in the address; older pages are read on request, and newer records wait until they are asked for. */
function Records() {
  const { query } = place.value;
  const at = Number(query.get("at"));
  const asked = new URLSearchParams({ most: "50" });
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value) asked.set(name, value);
  }
  if (at > 0) asked.set("before", String(at + 1));
  const path = `/api/ledger?${asked}`;
  const [pages, setPages] = useState<readonly LedgerAnswer[]>([]);
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const [look, setLook] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setFailed(undefined);
    void read<LedgerAnswer>(path, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.kind === "ok") setPages([answer.value]);
      else setFailed(answer.kind === "refused" ? answer.refusal.error.message : "The server does not answer.");
    });
    return () => stop.abort();
  }, [path, look]);
  const last = pages.at(-1);
  const older = async (): Promise<void> => {
    if (!last || last.next === null) return;
    const next = new URLSearchParams(asked);
    next.set("before", String(last.next));
    const answer = await read<LedgerAnswer>(`/api/ledger?${next}`);
    if (answer.kind === "ok") setPages([...pages, answer.value]);
  };
  const items = pages.flatMap((page) => page.items);
  const looked = pages.reduce((sum, page) => sum + page.looked, 0);
  const newer = at > 0 ? 0 : Math.max(0, connection.value.seq - (pages[0]?.asOf ?? connection.value.seq));
  return (
    <Panel
      title="Records"
      count="newest first"
      aside={
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            const words = new FormData(event.currentTarget).get("q");
            choose({ q: typeof words === "string" && words !== "" ? words : undefined, at: undefined });
          }}
        >
          <input
            class="field"
            type="search"
            name="q"
            aria-label="Words in a record"
            placeholder="Words in a record"
            defaultValue={query.get("q") ?? ""}
          />
          <button class="btn" type="submit">
            Search
          </button>
        </form>
      }
    >
      <p class="body filters-on">
        {(["loop", "run", "kind", "at"] as const).flatMap((name) => {
          const value = query.get(name);
          return value
            ? [
                <button class="btn quiet" type="button" key={name} onClick={() => choose({ [name]: undefined })}>
                  {name} <Shown text={value} quoted /> ×<span class="vh"> take away</span>
                </button>,
              ]
            : [];
        })}
      </p>
      {newer > 0 ? (
        <div class="more">
          <button type="button" onClick={() => setLook(look + 1)}>
            {plural(newer, "newer record")}. Show {newer === 1 ? "it" : "them"}
          </button>
        </div>
      ) : null}
      {failed ? <StateLine mark="unknown" says={failed} button={{ label: "Try again", press: () => setLook(look + 1) }} /> : null}
      {!last && !failed ? <Skeleton rows={10} /> : null}
      {last && items.length === 0 ? (
        <Empty says={query.get("q") ? "No record has that in it." : "There are no records."}>
          {countOf(looked)} records were searched.
        </Empty>
      ) : null}
      <ol class="records">
        {items.map((entry) => (
          <RecordLine key={entry.seq} entry={entry} isOpen={entry.seq === at} />
        ))}
      </ol>
      {last && last.next !== null ? (
        <div class="more">
          <button type="button" onClick={() => void older()}>
            Older records
          </button>
        </div>
      ) : null}
    </Panel>
  );
}

/** One record: closed it says what it is, open it is the whole of it. */
function RecordLine({ entry, isOpen: opens }: { readonly entry: Entry; readonly isOpen: boolean }) {
  const [isOpen, setOpen] = useState(opens);
  return (
    <li>
      <details open={opens} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="mono seq">{countOf(entry.seq)}</span>
          <b>{entry.record.kind}</b>
          <span class="cut dim">
            <ShownName text={entry.run || entry.loop} />
          </span>
          <span class="num">
            <When at={entry.at} />
          </span>
        </summary>
        {isOpen ? (
          <div class="record">
            <p class="s dim">
              {entry.loop ? (
                <a class="link" href={loopPath(entry.loop)}>
                  <Shown text={entry.loop} />
                </a>
              ) : null}{" "}
              {entry.run ? (
                <a class="link" href={runPath(entry.run)}>
                  <Shown text={entry.run} />
                </a>
              ) : null}{" "}
              hash <Hash hash={entry.hash} /> after <Hash hash={entry.prev} />{" "}
              <button class="btn quiet" type="button" onClick={() => choose({ kind: entry.record.kind, at: undefined })}>
                Only {entry.record.kind}
              </button>
            </p>
            <pre class="out code" tabIndex={0}>
              <ShownBlock text={JSON.stringify(entry.record, null, 2)} />
            </pre>
          </div>
        ) : null}
      </details>
    </li>
  );
}
