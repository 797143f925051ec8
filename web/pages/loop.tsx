// One loop: how it stands, how it goes, what it costs, what it would need to be trusted further, and its spec with its problems.

import { useMemo, useState } from "preact/hooks";
import type { LoopDocument, RunsPage, SpecDocument, SpecProblemView } from "../../src/contract/api.ts";
import type { AutonomyView } from "../../src/contract/views.ts";
import { colourLines } from "../diff/colour.ts";
import { segmentsOf } from "../diff/segments.ts";
import { useResource } from "../live/resource.ts";
import { runPath } from "../live/router.ts";
import { Empty, Glyph, Hash, isTelling, Loaded, Mark, Meter, Panel, When } from "../parts/bits.tsx";
import { Bars } from "../parts/chart.tsx";
import { Graph } from "../parts/graph.tsx";
import { RunTable, useRowKeys } from "../parts/rows.tsx";
import { Shown, ShownBlock, ShownCode } from "../parts/shown.tsx";
import { Standing } from "../parts/standing.tsx";
import { countOutcomes, Strip } from "../parts/strip.tsx";
import { durationOf, microMoneyOf, plural } from "../words/format.ts";
import { wordOfOutcome, wordOfState } from "../words/outcomes.ts";
import { levelSays } from "../words/when-loop.ts";

export function LoopPage({ loop }: { readonly loop: string }) {
  const document = useResource<LoopDocument>(`/api/loops/${encodeURIComponent(loop)}`, (record) => record.loop === loop);
  useRowKeys(".rowlink");
  return (
    <div class="page">
      <Loaded resource={document} what="This loop" isPage>
        {(value) => <Loop document={value} />}
      </Loaded>
    </div>
  );
}

function Loop({ document }: { readonly document: LoopDocument }) {
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <Shown text={document.loop} />
          </h1>
          <p class="lead">
            <Shown text={document.intent} />
          </p>
        </div>
        <Standing loop={document.loop} state={document.state} />
      </div>
      <div class="stack">
        <HowItStands document={document} />
        <Panel
          title="How it goes"
          aside={
            <span class="opt">
              drawn from its spec{document.spec.ranHash ? ` ${document.spec.ranHash.slice(0, 7)}` : ""}, counts of the last{" "}
              {plural(document.graph.runs, "run")}
            </span>
          }
        >
          <Graph graph={document.graph} />
        </Panel>
        <Charts document={document} />
        <div class="half">
          {document.autonomy ? (
            <Autonomy autonomy={document.autonomy} />
          ) : (
            <Panel title="Autonomy">
              <Empty says="No run is on record yet.">What it may do alone follows from its record.</Empty>
            </Panel>
          )}
          <Panel title="Spend against caps">
            <div class="body stack">
              {document.caps.length === 0 ? (
                <p class="dim">Its spec sets no cap for a day or month. This month {microMoneyOf(document.microUsd.month)}.</p>
              ) : null}
              {document.caps.filter(isTelling).map((meter) => (
                <Meter key={`${meter.scope} ${meter.measure}`} meter={meter} by="scope" />
              ))}
              <p class="dim s">
                A run costs{" "}
                {document.cost.usual === null ? "nobody knows what yet" : `usually ${microMoneyOf(document.cost.usual.microUsd ?? 0)}`}
                {document.cost.most.microUsd === undefined
                  ? ""
                  : `, at most ${microMoneyOf(document.cost.most.microUsd)}${document.cost.basis === "history" ? " so far" : ""}`}
                . A forecast: <Shown text={document.cost.because} />
              </p>
            </div>
          </Panel>
        </div>
        <Runs document={document} />
        <Notes document={document} />
        <Spec spec={document.spec} />
      </div>
    </>
  );
}

const middle = (values: readonly number[]): number | undefined =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

function HowItStands({ document }: { readonly document: LoopDocument }) {
  const tried = document.history.filter(({ kind }) => kind !== "nothing-to-do" && kind !== "running" && kind !== "interrupted");
  const proven = tried.filter(({ kind }) => kind === "proven" || kind === "waiting").length;
  const [cost, took] = [middle(tried.map(({ microUsd }) => microUsd)), middle(tried.map(({ tookMs }) => tookMs))];
  return (
    <section class="panel" aria-label="Standing">
      <div class="body stack">
        <div class="factline">
          {document.waiting > 0 ? (
            <a href="/inbox">
              <Mark mark="waiting" word={`${plural(document.waiting, "thing")} ${document.waiting === 1 ? "waits" : "wait"} for you`} />
            </a>
          ) : (
            <Mark {...wordOfState(document.state)} />
          )}
          <span>
            Level <b>{levelSays(document.level)}</b>
            {document.held ? `, held at ${document.held}` : ""}
          </span>
          <span>
            Wakes{" "}
            <b>
              <Shown text={document.trigger} />
            </b>
          </span>
          <span>
            Next <b>{document.barred ? `not: ${document.barred}` : document.nextDue ? <When at={document.nextDue} /> : "by hand"}</b>
          </span>
        </div>
        <div class="standing">
          <Strip outcomes={document.outcomes} isBig />
          <div class="figures">
            <div>
              <b>{tried.length === 0 ? "none" : `${Math.round((100 * proven) / tried.length)}%`}</b>
              <span>proven, of {tried.length} tried</span>
            </div>
            <div>
              <b>{cost === undefined ? "none" : microMoneyOf(cost)}</b>
              <span>median cost</span>
            </div>
            <div>
              <b>{took === undefined ? "none" : durationOf(took)}</b>
              <span>median time</span>
            </div>
          </div>
        </div>
        <div class="legend">
          <span>
            <b>{document.outcomes.length === 0 ? "No runs yet" : `Last ${document.outcomes.length}`}</b>
          </span>
          {countOutcomes(document.outcomes).map(({ kind, count }) => {
            const { mark, word } = wordOfOutcome(kind);
            return <Mark key={kind} mark={mark} word={`${count} ${word}`} />;
          })}
        </div>
      </div>
    </section>
  );
}

function Charts({ document }: { readonly document: LoopDocument }) {
  // What the last runs cost at most is no cap; only a budget is one.
  const cap = document.cost.basis === "spec" ? document.cost.most.microUsd : undefined;
  const costs = useMemo(
    () =>
      document.history.map(({ run, at, microUsd }) => ({ label: shortRun(run), at: Date.parse(at) / 1000, value: microUsd / 1_000_000 })),
    [document.history],
  );
  const times = useMemo(
    () => document.history.map(({ run, at, tookMs }) => ({ label: shortRun(run), at: Date.parse(at) / 1000, value: tookMs / 60_000 })),
    [document.history],
  );
  if (document.history.length === 0) return null;
  return (
    <div class="half">
      <Panel title="Cost of a run" aside={<span>{cap === undefined ? "in dollars" : `cap of a run ${microMoneyOf(cap)}, dashed`}</span>}>
        <div class="body">
          <Bars
            name="Cost of the last runs in dollars, oldest first"
            points={costs}
            unit="dollars"
            cap={cap === undefined ? undefined : cap / 1_000_000}
          />
        </div>
      </Panel>
      <Panel title="Time of a run" aside={<span>worked</span>}>
        <div class="body">
          <Bars name="Time of the last runs, oldest first" points={times} unit="minutes" />
        </div>
      </Panel>
    </div>
  );
}

/** Runs are numbered within their loop, with something behind the number that no two have. */
const shortRun = (run: string): string => `run ${/-(\d+)(?:-[0-9a-z]+)?$/.exec(run)?.[1] ?? run.slice(-6)}`;

function Autonomy({ autonomy: { record, next, held, level } }: { readonly autonomy: AutonomyView }) {
  const decided = record.approved + record.amended + record.rejected;
  const lines = [
    ["Proven", record.accepted],
    ["Decided about by people", decided],
    ["Taken as they were", record.approved],
    ["Changed by a reviewer first", record.amended],
    ["Rejected", record.rejected],
    ["Taken back later", record.reverted],
    ["Tampering", record.tampering],
  ] as const;
  const title = next.level === level ? `It has what ${level} allows` : `What ${next.level} would need`;
  const aside = next.supports ? "its record supports it" : held < level ? `held at ${held}` : "not yet";
  return (
    <Panel title={title} aside={<span>{aside}</span>}>
      <div class="body">
        <ul class="needs">
          {next.reasons.map((reason) => (
            <li class={next.supports ? "proven" : "refused"} key={reason}>
              <Glyph mark={next.supports ? "proven" : "refused"} />
              <span>
                <Shown text={reason} />
              </span>
            </li>
          ))}
        </ul>
        <dl class="facts counts">
          {lines.map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

function Runs({ document }: { readonly document: LoopDocument }) {
  const [isAll, setAll] = useState(false);
  const [before, setBefore] = useState<readonly RunsPage["items"][number][]>([]);
  const [from, setFrom] = useState<number | undefined>(undefined);
  const page = useResource<RunsPage>(
    isAll ? `/api/runs?loop=${encodeURIComponent(document.loop)}&most=50${from === undefined ? "" : `&before=${from}`}` : null,
    (record) => from === undefined && record.loop === document.loop,
  );
  const rows = isAll ? [...before, ...(page.value?.items ?? [])] : document.recent;
  const next = page.value?.next ?? null;
  return (
    <Panel
      title="Runs"
      aside={
        isAll ? undefined : (
          <button class="btn quiet" type="button" onClick={() => setAll(true)}>
            All runs
          </button>
        )
      }
    >
      {rows.length === 0 ? (
        <Empty says="It has not run yet." commands={["lw run"]} />
      ) : (
        <RunTable rows={rows} hasLoop={false} caption="Runs of this loop, newest first" />
      )}
      {isAll && next !== null ? (
        <div class="more">
          <button
            type="button"
            onClick={() => {
              setBefore(rows);
              setFrom(next);
            }}
          >
            Older runs
          </button>
        </div>
      ) : null}
    </Panel>
  );
}

function Notes({ document: { notes, flakes } }: { readonly document: LoopDocument }) {
  if (notes.length === 0 && flakes.length === 0) return null;
  return (
    <div class="half">
      <Panel title="Notes" count={notes.length} aside={<span>makers' words, for those after them</span>}>
        <div class="body stack">
          {notes.length === 0 ? <p class="dim">None are kept.</p> : null}
          {notes.slice(-20).map(({ run, at, text, isTainted }, index) => (
            <p class="talk" key={index}>
              <ShownBlock text={text} />
              <span class="who">
                {" "}
                <a class="link" href={runPath(run)}>
                  <Shown text={run} />
                </a>
                , <When at={at} />
                {isTainted ? ", after reading an outsider's text" : ""}
              </span>
            </p>
          ))}
        </div>
      </Panel>
      <Panel title="Flaky tests" count={flakes.length} aside={<span>in quarantine they count for nothing</span>}>
        <div class="body">
          {flakes.length === 0 ? <p class="dim">None was seen to fail and pass on the same tree.</p> : null}
          <ul class="needs">
            {flakes.map((flake) => (
              <li class="unknown" key={flake.id}>
                <Glyph mark="unknown" />
                <span>
                  <Shown text={flake.matter} /> <span class="dimmer s">by {flake.verifier}</span>
                </span>
                <span class="v">
                  failed {flake.failed} of {flake.runs}, until <When at={flake.until} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      </Panel>
    </div>
  );
}

function Spec({ spec }: { readonly spec: SpecDocument }) {
  const problems = [...spec.problems, ...spec.warnings];
  const aside =
    problems.length === 0 ? "no problems" : `${plural(spec.problems.length, "problem")}, ${plural(spec.warnings.length, "warning")}`;
  return (
    <Panel
      title="Spec"
      count={spec.path ? <Shown text={spec.path.split("/").at(-1) ?? ""} /> : undefined}
      aside={
        <span>
          {aside}
          {spec.hash && spec.ranHash && spec.hash !== spec.ranHash ? ", changed since its last run" : ""}
        </span>
      }
    >
      {spec.text === null ? (
        <Empty says="The spec cannot be read where it was.">{spec.path ? <Shown text={spec.path} /> : "No path is on record."}</Empty>
      ) : (
        <SpecText text={spec.text} problems={problems} />
      )}
      {spec.hash ? (
        <p class="body dim s">
          As it lies there now: <Hash hash={spec.hash} />
          {spec.ranHash ? (
            <>
              ; its last run went by <Hash hash={spec.ranHash} />
            </>
          ) : null}
        </p>
      ) : null}
    </Panel>
  );
}

/** A spec is short; a long one is cut after this many lines. */
const MOST_LINES = 1500;

function SpecText({ text, problems }: { readonly text: string; readonly problems: readonly SpecProblemView[] }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n").slice(0, MOST_LINES), [text]);
  const tokens = useMemo(() => colourLines("spec.yaml", lines), [lines]);
  return (
    <div class="spec code">
      {lines.map((line, index) => (
        <SpecLine key={index} number={index + 1} problems={problems.filter((problem) => problem.line === index + 1)}>
          {line.length > 2000 ? (
            <ShownBlock text={line} />
          ) : (
            segmentsOf(line, tokens[index] ?? [], []).map(({ text: piece, as }, at) => (
              <span key={at} class={as}>
                <ShownCode text={piece} />
              </span>
            ))
          )}
        </SpecLine>
      ))}
    </div>
  );
}

function SpecLine({
  number,
  problems,
  children,
}: {
  readonly number: number;
  readonly problems: readonly SpecProblemView[];
  readonly children: preact.ComponentChildren;
}) {
  return (
    <>
      <div id={`line-${number}`}>
        <span class="ln">{number}</span>
        <span>{children}</span>
      </div>
      {problems.map(({ line, col, problem, instead, path }) => (
        <div class="problem" key={`${path} ${problem}`}>
          <span />
          <span>
            <b>
              {line}:{col}
            </b>{" "}
            <Shown text={`${path} ${problem}`} /> <Shown text={instead} />
          </span>
        </div>
      ))}
    </>
  );
}
