// One run: why it was judged so, with everything that was seen of it.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunDocument, TalkView } from "../../src/contract/api.ts";
import { useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { choose, go, inboxPath, loopPath, place, recordPath } from "../live/router.ts";
import { Argument, firstLine } from "../parts/argument.tsx";
import { Glyph, Hash, isTelling, Last, Loaded, Mark, Meter, Panel, When } from "../parts/bits.tsx";
import { Diff } from "../parts/diff.tsx";
import { Measured } from "../parts/measured.tsx";
import { Output } from "../parts/output.tsx";
import { Receipt } from "../parts/receipt.tsx";
import { Rounds } from "../parts/rounds.tsx";
import { Shown, ShownBlock } from "../parts/shown.tsx";
import { Team } from "../parts/team.tsx";
import { countOf, durationOf, microMoneyOf, plural } from "../words/format.ts";
import { wordOfRow } from "../words/outcomes.ts";

export function RunPage({ run }: { readonly run: string }) {
  const document = useResource<RunDocument>(`/api/runs/${encodeURIComponent(run)}`, (record) => record.run === run);
  return (
    <div class="page">
      <Loaded resource={document} what="This run" isPage>
        {(value) => <Run document={value} />}
      </Loaded>
    </div>
  );
}

function Run({ document }: { readonly document: RunDocument }) {
  const { row, view, claims, unseen, reasons, meters } = document;
  const isWaiting = row.outcome.kind === "waiting" && view.proposal?.settled === undefined;
  const word = wordOfRow(row);
  const made = view.rounds.findLast(({ evidence }) => evidence)?.evidence?.proposal;
  const team = made && "team" in made ? made.team : undefined;
  const shownRound = useShownRound(document);
  useKeys({
    d: () => go(inboxPath(row.run)),
    n: () => toFinding(1),
    p: () => toFinding(-1),
  });
  const refused = reasons.filter(({ verdict, round }) => verdict !== "accept" && round !== view.rounds.at(-1)?.number);
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <a href={loopPath(row.loop)}>
              <Shown text={row.loop} />
            </a>
            , run <Shown text={row.run.startsWith(`${row.loop}-`) ? row.run.slice(row.loop.length + 1) : row.run} />
          </h1>
          <p class="lead">
            <Shown text={view.intent} /> Opened <When at={view.openedAt} /> on <Shown text={view.base.ref} /> at{" "}
            <Hash hash={view.base.commit} />.
          </p>
        </div>
      </div>
      <div class="two">
        <div class="stack">
          <section class="panel" aria-label="Verdict">
            <div class={`verdict ${word.mark}`}>
              <Glyph mark={word.mark} size={20} />
              <p class="say">
                <span class="vh">{word.word}: </span>
                <Shown text={row.outcome.says} />
              </p>
              <div class="acts">
                {isWaiting ? (
                  <a class="btn first" href={inboxPath(row.run)}>
                    Decide <kbd>d</kbd>
                  </a>
                ) : (
                  <Mark {...word} />
                )}
              </div>
              <p class="because">
                {reasons.length === 0 ? "No round came to a verdict." : null}
                {reasons.length > MOST_SAID ? (
                  <span class="reason dimmer">After {plural(reasons.length - MOST_SAID, "earlier round")}. </span>
                ) : null}
                {reasons.slice(-MOST_SAID).map(({ round, says }) => (
                  <span class="reason" key={round}>
                    Round {round}: <Shown text={firstLine(says)} />{" "}
                  </span>
                ))}
              </p>
            </div>
          </section>
          <Rounds timeline={document.timeline} reasons={reasons} />
          {view.metrics ? <Measured measured={view.metrics} /> : null}
          {team ? <Team team={team} /> : null}
          <Panel
            title={`The argument${view.rounds.length > 0 ? `, round ${view.rounds.findLast(({ evidence }) => evidence)?.number ?? view.rounds.length}` : ""}`}
          >
            <Argument claims={claims} unseen={unseen} />
          </Panel>
          {shownRound.rounds.length > 0 ? <Changed document={document} {...shownRound} /> : null}
          <Last items={refused} most={MOST_SAID} say={(earlier) => `${plural(earlier, "earlier round")} not taken. Show some of them`}>
            {(reasons) =>
              reasons.map((reason) => (
                <Panel
                  key={reason.round}
                  title={`Why round ${reason.round} was not taken`}
                  aside={<span>{reason.because ?? reason.verdict}</span>}
                >
                  <div class="body">
                    <p class="dim prewrap">
                      <ShownBlock text={reason.says} />
                    </p>
                  </div>
                </Panel>
              ))
            }
          </Last>
          <Said document={document} />
        </div>
        <aside class="rail-side" aria-label="Facts">
          <Receipt run={row.run} />
          <Panel
            title={view.rest === null ? "Spent or reserved" : "Spent"}
            aside={<span>{view.rest === null ? "it goes on" : (row.basis ?? "nothing spent")}</span>}
          >
            <div class="body">
              {meters.length === 0 ? <p class="dim">{microMoneyOf(row.microUsd)}, without a cap.</p> : null}
              {meters
                .filter((meter) => meter.scope === "run" && isTelling(meter))
                .map((meter) => (
                  <Meter key={`${meter.scope} ${meter.measure}`} meter={meter} by="measure" />
                ))}
            </div>
          </Panel>
          <Facts document={document} />
          <Decisions document={document} />
        </aside>
      </div>
    </>
  );
}

interface ShownRound {
  /** Rounds that made a change. */
  readonly rounds: readonly number[];
  readonly round: number;
  readonly show: (round: number) => void;
}

/** Stands for what a reviewer made of it, which is of no round. */
const AMENDED = 0;

/** Which round's change is shown is in the address. */
function useShownRound({ view }: RunDocument): ShownRound {
  const made = view.rounds.filter(({ evidence }) => evidence?.proposal.kind === "commit").map(({ number }) => number);
  const rounds = view.proposal?.amendedBy === undefined ? made : [...made, AMENDED];
  const asked = Number(place.value.query.get("round") ?? Number.NaN);
  const round = rounds.includes(asked) ? asked : (rounds.at(-1) ?? 0);
  const show = (next: number): void => choose({ round: String(next) });
  const step = (by: number): void => {
    const next = rounds[rounds.indexOf(round) + by];
    if (next !== undefined) show(next);
  };
  useKeys({ "[": () => step(-1), "]": () => step(1) });
  return { rounds, round, show };
}

/** Makers' adapters keep the end of what was said as its summary; more than this was cut. */
const LONG_SUMMARY = 1_900;

const MOST_SAID = 6;
const MOST_KEPT = 40;

/** Of many rounds those around the one that is shown, and the last. */
function nearest(rounds: readonly number[], round: number): readonly number[] {
  const at = rounds.indexOf(round);
  return rounds.filter((_, index) => Math.abs(index - at) <= 3 || index === rounds.length - 1);
}

const nameOf = (round: number): string => (round === AMENDED ? "As amended" : `Round ${round}`);

/** Two columns of code need room. */
const WIDE = "(min-width: 1440px)";

function Changed({ document, rounds, round, show }: ShownRound & { readonly document: RunDocument }) {
  const [isWide, setWide] = useState(matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const look = (): void => setWide(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  const wantsPaired = place.value.query.get("diff") === "paired";
  const toggle = (): void => choose({ diff: wantsPaired ? undefined : "paired" });
  useKeys({ u: toggle });
  const findings = useMemo(() => document.findings.filter((finding) => finding.round === round), [document.findings, round]);
  return (
    <Panel
      title="What changed"
      count={nameOf(round)}
      aside={
        <>
          {rounds.length > 1
            ? nearest(rounds, round).map((number) => (
                <button key={number} class="btn quiet" type="button" aria-pressed={number === round} onClick={() => show(number)}>
                  {nameOf(number)}
                </button>
              ))
            : null}
          <button
            class="btn quiet"
            type="button"
            aria-pressed={wantsPaired}
            onClick={toggle}
            title={isWide ? undefined : "Shown from 1440 pixels on"}
          >
            Side by side <kbd>u</kbd>
          </button>
        </>
      }
    >
      <Diff
        path={`/api/runs/${encodeURIComponent(document.row.run)}/diff${round === AMENDED ? "" : `?round=${round}`}`}
        findings={findings}
        isPaired={wantsPaired && isWide}
      />
    </Panel>
  );
}

/** Findings in reading order; the next after the one that has the focus, or that is below the top of what one sees. */
function toFinding(step: number): void {
  const notes = [...document.querySelectorAll<HTMLElement>("[data-finding]")];
  const at = notes.findIndex((note) => note.contains(document.activeElement));
  const below = notes.findIndex((note) => note.getBoundingClientRect().top > 80);
  const next = at === -1 ? (step > 0 ? Math.max(0, below) : below - 1) : at + step;
  const note = notes[Math.max(0, Math.min(notes.length - 1, next))];
  note?.scrollIntoView({ block: "center" });
  note?.focus();
}

/** Brief, talk and outputs, by hash. */
function Said({ document: { view, artifacts, row } }: { readonly document: RunDocument }) {
  const talk = useResource<TalkView>(
    `/api/runs/${encodeURIComponent(row.run)}/talk`,
    (record) => record.run === row.run && record.kind === "maker-heard",
  );
  const summaries = view.rounds.flatMap(({ number, evidence }) =>
    evidence?.proposal.kind === "commit" ? [{ number, talk: evidence.proposal.talk }] : [],
  );
  return (
    <>
      {summaries.length > 0 || (talk.value?.logs.length ?? 0) > 0 ? (
        <Panel title="Talk" aside={<span>what makers said is no evidence</span>}>
          <div class="body stack">
            <Last
              items={summaries.filter(({ talk: said }) => (said.question ?? said.summary).trim() !== "")}
              most={MOST_SAID}
              say={(earlier) => `${plural(earlier, "earlier round")}. Show some of them`}
            >
              {(some) =>
                some.map(({ number, talk: said }) => (
                  <p class="talk" key={number}>
                    <span class="who">
                      Round {number}, {said.ended}:{" "}
                    </span>
                    {said.summary.length > LONG_SUMMARY ? <span class="dimmer">the end of what it said: … </span> : null}
                    <ShownBlock text={said.question ?? said.summary} />
                  </p>
                ))
              }
            </Last>
            {talk.value?.logs.map(({ round, log }) => (
              <Output key={log.sha256} name={`Everything heard in round ${round}`} artifact={log} />
            ))}
          </div>
        </Panel>
      ) : null}
      {artifacts.length > 0 ? (
        <Panel title="Kept" count={artifacts.length} aside={<span>by hash</span>}>
          <div class="body stack tight">
            <Last items={artifacts} most={MOST_KEPT} say={(earlier) => `${countOf(earlier)} before these. Show some of them`}>
              {(some) =>
                some.map(({ name, round, ...artifact }) => (
                  <Output
                    key={`${name} ${round} ${artifact.sha256}`}
                    name={round === null ? name : `${name}, round ${round}`}
                    artifact={artifact}
                  />
                ))
              }
            </Last>
          </div>
        </Panel>
      ) : null}
    </>
  );
}

function Facts({ document: { view, records, row } }: { readonly document: RunDocument }) {
  const proposal = view.proposal;
  return (
    <Panel title="Hashes">
      <div class="body">
        <dl class="facts">
          {proposal ? (
            <>
              <dt>Commit</dt>
              <dd>
                <Hash hash={proposal.commit} digits={12} />
              </dd>
              <dt>Tree</dt>
              <dd>
                <Hash hash={proposal.tree} digits={12} />
              </dd>
            </>
          ) : null}
          <dt>Base</dt>
          <dd>
            <Hash hash={view.base.commit} digits={12} />
          </dd>
          <dt>Spec</dt>
          <dd>
            <Hash hash={view.specHash} digits={12} />
          </dd>
          <dt>Records</dt>
          <dd>
            <a class="link" href={`/ledger?run=${encodeURIComponent(row.run)}`}>
              {countOf(records.first)} to {countOf(records.last)}
            </a>
            , {countOf(records.count)} of them
          </dd>
          <dt>Worked</dt>
          <dd>
            {durationOf(view.workedMs)}
            {view.resumed > 0 ? `, taken up again ${plural(view.resumed, "time")}` : ""}
          </dd>
          {view.branch ? (
            <>
              <dt>Branch</dt>
              <dd class="mono">
                <Shown text={view.branch} />
              </dd>
            </>
          ) : null}
        </dl>
        {view.damagedRecords.length > 0 ? (
          <p class="dim">
            {plural(view.damagedRecords.length, "record")} of it cannot be read. <a href="/ledger">See the ledger</a>.
          </p>
        ) : null}
      </div>
    </Panel>
  );
}

function Decisions({ document: { decisions, view } }: { readonly document: RunDocument }) {
  const receipts = view.proposal?.receipts ?? [];
  if (decisions.length === 0 && receipts.length === 0) return null;
  return (
    <Panel title="Decided">
      <div class="body">
        <ul class="ticks">
          {decisions.map(({ at, seq, says, by, why }) => (
            <li class="step" key={seq}>
              <Glyph mark="step" />
              <span>
                <Shown text={says} /> by <Shown text={by} />
                {why ? (
                  <>
                    {" "}
                    <Shown text={why} quoted />
                  </>
                ) : null}
              </span>
              <small>
                <When at={at} />,{" "}
                <a class="link" href={recordPath(seq)}>
                  record {countOf(seq)}
                </a>
              </small>
            </li>
          ))}
          {receipts.map(({ action, says }) => (
            <li class="proven" key={`${action} ${says}`}>
              <Glyph mark="proven" />
              <span>
                <Shown text={says} />
              </span>
              <small>{action}</small>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
