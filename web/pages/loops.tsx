// Loops: how each is doing, one row a loop.
import { useState } from "preact/hooks";
import type { LoopRow, LoopsPage as LoopsAnswer } from "../../src/contract/api.ts";
import { useResource } from "../live/resource.ts";
import { choose, loopPath, place } from "../live/router.ts";
import { Empty, Loaded, Mark, When } from "../parts/bits.tsx";
import { useRowKeys } from "../parts/rows.tsx";
import { Shown, ShownName } from "../parts/shown.tsx";
import { Strip } from "../parts/strip.tsx";
import { countOf, listOf, microMoneyOf, plural } from "../words/format.ts";
import { wordOfState } from "../words/outcomes.ts";
import { needsSay } from "../words/when-loop.ts";

const PAGE = 100;

export function LoopsPage() {
  const q = place.value.query.get("q") ?? "";
  const [most, setMost] = useState(PAGE);
  const loops = useResource<LoopsAnswer>(`/api/loops?most=${most}${q ? `&q=${encodeURIComponent(q)}` : ""}`);
  useRowKeys(".rowlink");
  return (
    <div class="page">
      <Loaded resource={loops} what="The loops" isPage>
        {(page) => (
          <>
            <div class="head">
              <div>
                <h1>{findingOf(page)}</h1>
                <p class="lead">{plural(page.total, "loop")}, by name. The strip shows the last thirty runs, oldest left.</p>
              </div>
              <div class="acts">
                <input
                  class="field"
                  type="search"
                  aria-label="Part of a name"
                  placeholder="Part of a name"
                  value={q}
                  onInput={(event) => choose({ q: event.currentTarget.value || undefined })}
                />
              </div>
            </div>
            <section class="panel" aria-label="Loops">
              {page.items.length === 0 ? <NoLoops q={q} /> : <LoopTable rows={page.items} />}
              {page.next === null || most >= 500 ? null : (
                <div class="more">
                  <button type="button" onClick={() => setMost(Math.min(500, most + PAGE))}>
                    {plural(page.total - page.items.length, "more loop")}. Show {PAGE} of them
                  </button>
                </div>
              )}
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}

function findingOf({ items, total }: LoopsAnswer): string {
  if (total === 0) return "No loops are known to this home";
  // Only what was read is counted, and it is said of how many.
  const of = items.length < total ? `the first ${plural(items.length, "loop")} of ${countOf(total)}` : plural(total, "loop");
  const count = (state: LoopRow["state"]): number => items.filter((row) => row.state === state).length;
  const waiting = items.filter((row) => row.waiting > 0).length;
  const said = [
    [count("running"), "runs", "run"],
    [waiting, "waits for you", "wait for you"],
    [count("halted"), "is halted", "are halted"],
    [count("paused"), "is paused", "are paused"],
  ] as const;
  const parts = said.flatMap(([number, one, many]) => (number > 0 ? [`${number} ${number === 1 ? one : many}`] : []));
  if (parts.length > 0) return `Of ${of}, ${listOf(parts)}`;
  return items.length < total ? `Of ${of}, every one is at rest` : "Every loop is at rest, and none needs you";
}

const NoLoops = ({ q }: { readonly q: string }) =>
  q ? (
    <Empty says="No loop has that in its name.">
      <Shown text={q} quoted /> was looked for in every name.
    </Empty>
  ) : (
    <Empty says="No loops are known to this home." commands={["lw run fix-tests.loop.yaml", "lw demo"]}>
      Run a spec, or see one loop go all the way through without a key or a network.
    </Empty>
  );

const LoopTable = ({ rows }: { readonly rows: readonly LoopRow[] }) => (
  <table class="list fix">
    <caption class="vh">Loops by name</caption>
    <thead>
      <tr>
        <th class="w-mark">State</th>
        <th class="w-name">Loop</th>
        <th class="w-level late">Level</th>
        <th class="late">Wakes</th>
        <th class="w-strip">Last thirty</th>
        <th class="num w-num">Today</th>
        <th class="num w-time">Next</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <LoopLine key={row.loop} row={row} />
      ))}
    </tbody>
  </table>
);

function LoopLine({ row }: { readonly row: LoopRow }) {
  const state = wordOfState(row.state);
  const needs = needsSay(row);
  return (
    <tr>
      <td class="o1">{row.waiting > 0 ? <Mark mark="waiting" word={needs ?? "waits"} /> : <Mark {...state} />}</td>
      <td class="wide name">
        <a class="rowlink" href={loopPath(row.loop)}>
          <ShownName text={row.loop} />
        </a>
        <span class="s dim clamp">
          <Shown text={row.intent} />
        </span>
      </td>
      <td class="hide late">
        {row.level ?? "none"}
        {row.held ? <span class="s dimmer"> held at {row.held}</span> : null}
      </td>
      <td class="hide late dim">
        <Shown text={row.trigger} />
      </td>
      <td class="wide">
        <Strip outcomes={row.outcomes} />
      </td>
      <td class="num hide">{microMoneyOf(row.microUsd.today)}</td>
      <td class="num o2">
        {row.barred ? <span class="dimmer">will not</span> : row.nextDue ? <When at={row.nextDue} /> : <span class="dimmer">by hand</span>}
      </td>
    </tr>
  );
}
