// What the page shows of runs: one line each, and everything about one.
import type { RecordsPage, RunDocument, RunRow, RunsPage, TalkLine, TalkView, TimelineStep } from "../../contract/api.ts";
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { factsOf, PROPOSAL_ARTIFACTS } from "../../contract/proposal.ts";
import type { Entry } from "../../contract/record.ts";
import { Level } from "../../contract/spec.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { RoundView, RunView } from "../../contract/views.ts";
import type { Story } from "../../journal/journal.ts";
import { stageOf } from "../../journal/proposals.ts";
import { restedView, viewRun } from "../../journal/views.ts";
import type { Records } from "../open-records.ts";
import { reportIn } from "../records/report-of.ts";
import { isRunning } from "../records/views.ts";
import { type Amending, amendedIn, diffNow } from "./amended.ts";
import { amendedClaim, claimsOf, unseenOf } from "./claims.ts";
import { clipped } from "./clip.ts";
import { metersOf } from "./meters.ts";
import { type NothingThere, nothingThere } from "./nothing-there.ts";
import { outcomeOfView } from "./outcome.ts";

type Reading = Pick<Records, "journal" | "locks" | "clock">;

/** How many records are looked at for one page of runs. */
const LOOK = 20_000;

/** The newest first, by the records that opened them. */
export async function readRuns(
  records: Reading,
  {
    before = Number.MAX_SAFE_INTEGER,
    most,
    loop,
  }: { readonly before?: number | undefined; readonly most: number; readonly loop?: string | undefined },
): Promise<RunsPage> {
  const { journal } = records;
  const asOf = (await journal.head())?.seq ?? 0;
  const { entries, next } =
    loop === undefined ? await journal.entriesBefore(before, { most, look: LOOK }, { kinds: ["run-opened"] }) : await ofLoop();
  const rows = await Promise.all(entries.map((entry) => readRow(records, entry)));
  return { items: rows.flatMap((row) => row ?? []), next: next === 0 ? null : next, asOf };

  async function ofLoop() {
    const found = await journal.newestOf(loop ?? "", "run-opened", { before, most });
    return { entries: found, next: found.length < most ? 0 : (found.at(-1)?.seq ?? 0) };
  }
}

export async function readRow(records: Reading, { run, loop, seq }: Pick<Entry, "run" | "loop" | "seq">): Promise<RunRow | undefined> {
  const story = await records.journal.story(run);
  const view = viewRun({ loop, run }, story);
  const isOpen = view?.rest === null && (await isRunning(records, loop));
  return view && rowOf(view, { seq, restedAt: restedAtOf(story), isRunning: isOpen, now: records.clock.now() });
}

const restedAtOf = ({ entries }: Pick<Story, "entries">): string | undefined =>
  entries.findLast(({ record }) => record.kind === "run-rested")?.at;

function rowOf(
  view: RunView,
  {
    seq,
    restedAt,
    isRunning,
    now,
  }: { readonly seq: number; readonly restedAt: string | undefined; readonly isRunning: boolean; readonly now: Date },
): RunRow {
  const { run, loop, openedAt, lastAt, rounds, workedMs, used, cost, proposal } = view;
  return {
    run,
    loop,
    outcome: outcomeOfView(view, { seq, restedAt, isRunning }),
    level: Level.catch("L1").parse(view.level),
    openedAt,
    lastAt,
    rounds: rounds.length,
    workedMs,
    microUsd: used.microUsd ?? 0,
    basis: cost.basis,
    stage: proposal ? stageOf(proposal, now) : null,
    seq,
  };
}

/** The run of exactly this id. */
export async function mustRead(
  { journal }: Pick<Records, "journal">,
  run: string,
): Promise<{ readonly view: RunView; readonly story: Story }> {
  const story = await journal.story(run);
  const first = story.entries[0];
  const view = first && viewRun(first, story);
  if (!view) throw noRun(run);
  return { view, story };
}

export async function readRunDocument(records: Reading & Pick<Records, "home" | "texts">, run: string): Promise<RunDocument> {
  const asOf = (await records.journal.head())?.seq ?? 0;
  const { view, story } = await mustRead(records, run);
  const { entries } = story;
  const isOpen = view.rest === null && (await isRunning(records, view.loop));
  const opened = entries.find(({ record }) => record.kind === "run-opened");
  const claims = claimsOf(bestOf(view) ?? view.rounds.findLast(({ evidence }) => evidence !== null));
  const amendedBy = view.proposal?.amendedBy;
  return {
    asOf,
    row: rowOf(view, { seq: opened?.seq ?? 0, restedAt: restedAtOf(story), isRunning: isOpen, now: records.clock.now() }),
    view,
    claims: amendedBy === undefined ? claims : [amendedClaim(amendedBy, claims), ...claims],
    unseen: unseenOf(view),
    reasons: reasonsOf(view),
    timeline: timelineOf(view, entries),
    findings: view.rounds.flatMap(({ number, evidence }) => (evidence?.findings ?? []).map((finding) => ({ ...finding, round: number }))),
    meters: opened?.record.kind === "run-opened" ? await metersOf(records, opened.record.spec, { loop: view.loop, run }) : [],
    artifacts: artifactsOf(view, entries),
    records: { first: entries[0]?.seq ?? 0, last: entries.at(-1)?.seq ?? 0, count: entries.length },
    decisions: entries.flatMap(decisionIn),
    hasReceipt: entries.some(({ record }) => record.kind === "receipted"),
  };
}

/** The round that is proposed although the run did not end well. */
const bestOf = (view: RunView): RoundView | undefined => (view.rest?.kind === "accept" && view.rest.best ? restedView(view) : undefined);

const reasonsOf = ({ rounds }: RunView): RunDocument["reasons"] =>
  rounds.flatMap(({ number, verdict }) =>
    verdict
      ? [{ round: number, verdict: verdict.kind, because: verdict.kind === "accept" ? null : verdict.because, says: tellVerdict(verdict) }]
      : [],
  );

function tellVerdict(verdict: Verdict): string {
  if (verdict.kind === "accept")
    return verdict.action === "propose" ? "Proven: at least one proof holds, and nothing speaks against it." : "Proven.";
  return verdict.kind === "retry" ? verdict.lesson : verdict.reason;
}

/** Step records are written when a step ends, and say how long it took. */
function timelineOf({ rounds }: RunView, entries: readonly Entry[]): readonly TimelineStep[] {
  const byId = new Map(rounds.map((round) => [round.id, round]));
  const seen = new Map<string, number>();
  return entries.flatMap(({ record, at, seq }): readonly TimelineStep[] => {
    if (record.kind === "baseline-taken")
      return [{ round: 0, step: "base", kind: "base", outcome: null, startedAt: before(at, record.tookMs), tookMs: record.tookMs, seq }];
    if (record.kind !== "step-done") return [];
    const { roundId, step, tookMs } = record;
    const round = byId.get(roundId);
    const index = step.startsWith("verify-") ? (seen.get(roundId) ?? 0) : undefined;
    if (index !== undefined) seen.set(roundId, index + 1);
    const proof = index === undefined ? undefined : round?.evidence?.proofs[index];
    const kind = proof ? proof.kind : kindOf(step);
    return [{ round: round?.number ?? 0, step, kind, outcome: proof?.outcome ?? null, startedAt: before(at, tookMs), tookMs, seq }];
  });
}

function kindOf(step: string): TimelineStep["kind"] {
  if (step.startsWith("verify-")) return "proof";
  if (step === "scan" || step === "look-again") return "scan";
  if (step === "act") return "act";
  return ["gather", "make", "edit", "report", "prepare"].includes(step) ? "work" : "other";
}

const before = (at: string, ms: number): string => {
  const then = Date.parse(at) - ms;
  return Number.isFinite(then) ? new Date(then).toISOString() : at;
};

function artifactsOf({ rounds, baseline }: RunView, entries: readonly Entry[]): RunDocument["artifacts"] {
  const report = reportIn(entries);
  return [
    ...(report === undefined ? [] : [{ name: "report", round: null, ...report }]),
    ...(baseline?.checks ?? []).flatMap(({ output, matter }) =>
      output ? [{ name: `base: ${clipped(matter, 80)}`, round: 0, ...output }] : [],
    ),
    ...rounds.flatMap(artifactsOfRound),
  ];
}

function artifactsOfRound({ number, evidence }: RoundView): RunDocument["artifacts"] {
  if (!evidence) return [];
  const kept = factsOf(evidence.proposal).artifacts;
  const { talk } = factsOf(evidence.proposal);
  const named: readonly (readonly [string, ArtifactRef | undefined])[] = [
    ...PROPOSAL_ARTIFACTS.map((name) => [name, kept[name]] as const),
    ["talk", talk?.heard?.log],
    ...evidence.proofs.map(({ verifier, output }) => [`output of ${verifier}`, output] as const),
  ];
  return named.flatMap(([name, ref]) => (ref ? [{ name, round: number, ...ref }] : []));
}

function decisionIn({ record, at, seq }: Entry): RunDocument["decisions"] {
  switch (record.kind) {
    case "decided":
      return [{ at, seq, says: DECIDED[record.decision], by: record.by, why: record.why }];
    case "amended":
      return [{ at, seq, says: "amended", by: record.by, why: record.why }];
    case "refreshed":
      return [{ at, seq, says: "put on the new base", by: record.by ?? "loopwright", why: `base is ${record.base.slice(0, 12)} now` }];
    case "answered":
      return [{ at, seq, says: "answered", by: record.by, why: record.text }];
    default:
      return [];
  }
}

const DECIDED = { approve: "approved", reject: "rejected", defer: "deferred" } as const;

/** What a round's maker left: by its number, or what is proposed now, or the last that there is. */
export async function readDiffRef(
  records: Pick<Records, "journal"> & Amending,
  run: string,
  round: number | undefined,
): Promise<ArtifactRef> {
  const { view, story } = await mustRead(records, run);
  const amended = round === undefined ? amendedIn(story) : undefined;
  if (amended) return diffNow(records, amended);
  const asked = round ?? bestOf(view)?.number;
  const made = view.rounds.filter(({ number, evidence }) => evidence && (asked === undefined || number === asked));
  const diff = made.flatMap(({ evidence }) => (evidence ? (factsOf(evidence.proposal).artifacts.diff ?? []) : [])).at(-1);
  if (!diff) throw nothingThere(`the run ${run} has no diff`, "It proposed nothing, or a report.");
  return diff;
}

export async function readTalk(records: Pick<Records, "journal">, run: string, live: readonly TalkLine[]): Promise<TalkView> {
  const { view } = await mustRead(records, run);
  const logs = view.rounds.flatMap(({ number, evidence }) => {
    const heard = evidence && factsOf(evidence.proposal).talk?.heard;
    return heard ? [{ round: number, log: heard.log, counts: heard.counts }] : [];
  });
  return { run, live, logs };
}

/** The records of a run, oldest first. */
export async function readRecords(
  { journal }: Pick<Records, "journal">,
  run: string,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<RecordsPage> {
  const asOf = (await journal.head())?.seq ?? 0;
  const items = await journal.entriesAfter(after, most, { run });
  if (items.length === 0 && (await journal.entriesAfter(0, 1, { run })).length === 0) throw noRun(run);
  return { items, next: items.length < most ? null : (items.at(-1)?.seq ?? null), asOf };
}

const noRun = (run: string): NothingThere =>
  nothingThere(`no run is called ${clipped(run, 80)}, or its first record cannot be read`, "The list of runs has those that there are.");
