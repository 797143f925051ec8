// Now: what happened, what waits, what runs.

import { useEffect, useState } from "preact/hooks";
import type { InboxCard, NextWaking, NowView, RunningRun, TalkLine } from "../../src/contract/api.ts";
import { useResource } from "../live/resource.ts";
import { inboxPath, loopPath, runPath } from "../live/router.ts";
import { onLive, viewer } from "../live/store.ts";
import { Age, Empty, Glyph, Loaded, Mark, Meter, Panel, Tag, Until } from "../parts/bits.tsx";
import { RunTable, useRowKeys } from "../parts/rows.tsx";
import { Shown, ShownName, ShownSentence } from "../parts/shown.tsx";
import { durationOf, exactTime, microMoneyOf, plural, timeOf } from "../words/format.ts";
import { wordOfItem } from "../words/outcomes.ts";

export function NowPage() {
  const now = useResource<NowView>("/api/now");
  useRowKeys(".wait, .runcard h3 a, .rowlink");
  return (
    <div class="page">
      <Loaded resource={now} what="What happened" isPage>
        {(view) => <NowDocument view={view} />}
      </Loaded>
    </div>
  );
}

function NowDocument({ view }: { readonly view: NowView }) {
  const spentMicroUsd = view.rested.reduce((sum, { microUsd }) => sum + microUsd, 0);
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <Shown text={view.says} />
          </h1>
          <p class="lead">
            {plural(view.loops, "loop")} known here. {view.rested.length === 0 ? "None came to rest yet." : null}
            {view.rested.length > 0 ? (
              <>
                The last {plural(view.rested.length, "run")} cost <b>{microMoneyOf(spentMicroUsd)}</b>.
              </>
            ) : null}
          </p>
        </div>
      </div>
      <div class="stack">
        <div class="two now-two">
          <Panel
            title="Waiting for you"
            count={view.waiting.count}
            aside={
              <>
                <a class="link" href="/inbox">
                  Open the inbox
                </a>{" "}
                <span class="keys">
                  <kbd>g</kbd> <kbd>i</kbd>
                </span>
              </>
            }
          >
            {view.waiting.first.length === 0 ? <Empty says="Nothing waits for you." /> : null}
            {view.waiting.first.map((card) => (
              <WaitLine key={card.id} card={card} />
            ))}
          </Panel>
          <Panel
            title="Wakes next"
            aside={
              <a class="link" href="/schedule">
                Schedule
              </a>
            }
          >
            {view.next.length === 0 ? (
              <Empty says="Nothing is due.">Loops without a time wake by hand: lw run, or Run now on their page.</Empty>
            ) : null}
            <ul class="next">
              {view.next.slice(0, 8).map((next) => (
                <NextLine key={`${next.loop} ${next.at}`} next={next} />
              ))}
            </ul>
          </Panel>
        </div>
        {view.running.length > 0 ? (
          <section aria-label="Running" class="stack">
            <h2 class="vh">Running</h2>
            <div class="runs">
              {view.running.map((run) => (
                <RunCard key={run.run} run={run} />
              ))}
            </div>
          </section>
        ) : null}
        <Panel title="Came to rest" class="now-rest" count={view.rested.length === 0 ? undefined : `the last ${view.rested.length}`}>
          {view.rested.length === 0 ? (
            <Empty says="No run came to rest yet." commands={["lw run fix-tests.loop.yaml", "lw demo"]}>
              Run a loop, or see one go all the way through without a key or a network.
            </Empty>
          ) : (
            <RunTable rows={view.rested} hasLoop caption="Runs that came to rest, newest first" />
          )}
        </Panel>
      </div>
    </>
  );
}

function WaitLine({ card }: { readonly card: InboxCard }) {
  const { mark, word } = wordOfItem(card);
  return (
    <a class={`wait ${mark}`} href={inboxPath(card.id)}>
      <Glyph mark={mark} />
      <div>
        <h3>
          <Shown text={card.loop} /> <Tag>{card.kind === "proposal" ? `${card.risk} risk` : word}</Tag>
        </h3>
        <p>
          <ShownSentence text={card.why} />
        </p>
      </div>
      <span class="when">
        <Age at={card.since} />
      </span>
    </a>
  );
}

const NextLine = ({ next }: { readonly next: NextWaking }) => (
  <li title={next.barred ?? next.trigger}>
    <time dateTime={next.at} title={exactTime(next.at, viewer.value)}>
      {timeOf(next.at, viewer.value)}
    </time>
    <a class="cut" href={loopPath(next.loop)}>
      <Shown text={next.loop} />
    </a>
    {next.barred ? <span>will not: {next.barred}</span> : <Until at={next.at} />}
  </li>
);

/** What the maker says comes as it is said; the rest of the card is read from the records. */
function useTalk(run: RunningRun): readonly TalkLine[] {
  const [heard, setHeard] = useState<readonly TalkLine[]>([]);
  useEffect(
    () =>
      onLive((event) => {
        if (event.event === "talk" && event.data.run === run.run) setHeard((before) => [...before, event.data].slice(-20));
      }),
    [run.run],
  );
  const lastAt = run.talk.at(-1)?.at ?? "";
  return [...run.talk, ...heard.filter(({ at }) => at > lastAt)];
}

/** A step that began is told before anything of it is on record. */
function useStep(run: RunningRun): RunningRun["step"] {
  const [heard, setHeard] = useState<RunningRun["step"]>(null);
  useEffect(
    () =>
      onLive((event) => {
        if (event.event === "step" && event.data.run === run.run) setHeard({ step: event.data.step, since: event.data.at });
      }),
    [run.run],
  );
  return heard && heard.since > (run.step?.since ?? "") ? heard : run.step;
}

function RunCard({ run }: { readonly run: RunningRun }) {
  const step = useStep(run);
  const said = useTalk(run).flatMap(({ event }) => (event.kind === "text" ? [event.text] : []));
  const meters = run.spend.filter(({ scope }) => scope === "run").slice(0, 3);
  return (
    <article class="panel" aria-label={`Run of a loop, round ${run.round}`}>
      <div class="runcard">
        <div class="id">
          <h3>
            <a href={runPath(run.run)}>
              <ShownName text={run.loop} />
            </a>
          </h3>
          <span class="dimmer s nowrap">
            round {run.round} of {run.mostRounds}
          </span>
          {run.state === "running" ? <Mark mark="running" word="running" /> : <Mark mark="unknown" word="interrupted" />}
        </div>
        <ul class="steps" aria-label="Steps">
          {run.steps.slice(-5).map(({ step, tookMs }, index) => (
            <li key={index}>
              <Glyph mark="step" />
              <span>
                <Shown text={step} />
              </span>
              <span class="took">{durationOf(tookMs)}</span>
            </li>
          ))}
          {step && run.state === "running" ? (
            <li class="here running">
              <Glyph mark="running" />
              <span>
                <Shown text={step.step} />
              </span>
              <span class="took">
                since <time dateTime={step.since}>{timeOf(step.since, viewer.value)}</time>
              </span>
            </li>
          ) : null}
          {run.state === "interrupted" ? (
            <li class="later">
              <Glyph mark="unknown" />
              <span>No process works on it. lw resume takes it up again.</span>
            </li>
          ) : null}
        </ul>
        {said.length > 0 ? (
          <p class="talk clamp">
            <span class="who">Maker's talk, no evidence:</span> <Shown text={said.at(-1) ?? ""} />
          </p>
        ) : (
          <p class="talk">
            <span class="who">The maker has said nothing yet.</span>
          </p>
        )}
        <div class="meters">
          {meters.map((meter) => (
            <Meter key={`${meter.scope} ${meter.measure}`} meter={meter} by="measure" />
          ))}
        </div>
      </div>
    </article>
  );
}
