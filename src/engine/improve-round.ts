// After a round: undoes a change of instructions that did no good, and makes the next one, as one step. Both are on record with it, or neither.
import type { Evidence } from "../contract/evidence.ts";
import {
  AS_WRITTEN,
  type Improved,
  type ImprovementProposed,
  type Mark,
  MOST_STEPS,
  type Undone,
  type Version,
} from "../contract/improve.ts";
import type { LoopRecord, Noted } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { shown } from "../guard/text/admit.ts";
import type { RoundState } from "../journal/fold.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { measurementsIn } from "./ends.ts";
import { feedbackAfter } from "./feedback.ts";
import { improvableIn, instructionsOf, takeWish, whyUndone } from "./instructions.ts";
import { primaryOf, worth } from "./measure-round.ts";
import { timeLeftMs } from "./next-round.ts";
import type { Run } from "./run.ts";
import { meteredModels } from "./spending/models.ts";
import type { Steps } from "./steps.ts";
import type { Judged } from "./weigh-round.ts";
import { seedOf } from "./worlds/verifier-world.ts";

/** What the step came to, as it is on record. The changes themselves are records of their own. */
interface Came {
  readonly undone?: string;
  readonly improved?: string;
  readonly proposed?: string;
  readonly why?: string;
}

/** A round that only asks a question, or that ends the run well, changes nothing; one that was bad is judged whatever it ends. */
export async function improveAfter(round: Round, run: Run, judged: Judged, step: Steps): Promise<void> {
  const { spec } = run.opened;
  if (!run.crew.improve || !spec.improve || !judged.evidence.metrics) return;
  if (judged.verdict.kind === "retry" && judged.verdict.because === "question") return;
  await step.recording("improve", async (): Promise<Came> => {
    const undone = undoing(round, run, judged);
    const now = undone?.to ?? versionNow(round, run);
    const made = judged.verdict.kind === "retry" ? await changing(round, run, judged, now) : { why: "the run ends with this round" };
    const records: LoopRecord[] = [...(undone ? [undone] : []), ...("records" in made ? made.records : [])];
    // They go on record in the same write as this step: a crash before it leaves nothing of them.
    run.journal.hold(...records);
    return { ...(undone ? { undone: undone.version } : {}), ...("records" in made ? made.came : { why: made.why }) };
  });
}

const versionNow = (round: Round, { opened, journal }: Run): Version => ({
  version: round.version ?? AS_WRITTEN,
  instructions: instructionsOf(round, opened, journal.state),
});

const markOf = ({ spec }: Run["opened"], values: { readonly [metric: string]: number | null }): Mark => {
  const metric = primaryOf(spec.metrics) ?? "";
  return { metric, value: values[metric] ?? null };
};

/** The change that this round worked by is undone, if it did no good. Instructions of the spec itself have nothing before them. */
function undoing(round: Round, { opened, journal }: Run, { evidence, verdict }: Judged): Undone | undefined {
  const { lineage, rounds } = journal.state;
  const change = lineage.findLast((one): one is Improved => one.kind === "improved" && one.version === round.version);
  if (!change) return undefined;
  const after = markOf(opened, evidence.metrics?.values ?? {});
  const isFirst = !rounds.some(({ round: { id, version }, verdict: ended }) => ended && version === change.version && id !== round.id);
  const why = whyUndone({ spec: opened.spec, before: change.before, after, isFirst, verdict });
  if (why === undefined) return undefined;
  const { parent } = change;
  const to: Version = { version: parent, instructions: instructionsOf({ ...round, version: parent }, opened, journal.state) };
  return { kind: "undone", roundId: round.id, version: change.version, to, why, before: change.before, after };
}

type Made = { readonly records: readonly LoopRecord[]; readonly came: Came } | { readonly why: string };

async function changing(round: Round, run: Run, judged: Judged, now: Version): Promise<Made> {
  const { opened, journal, crew, meter, world } = run;
  const { spec } = opened;
  const { lineage } = journal.state;
  const strategy = crew.improve;
  if (!strategy) return { why: "there is no strategy" };
  const used = lineage.filter(({ kind }) => kind !== "undone").length;
  if (used >= (spec.improve?.steps ?? MOST_STEPS)) return { why: `all ${used} changes are used` };
  const best = bestMark(run, judged.evidence);
  const calls = meter.calls(round, { maker: strategy.name });
  try {
    const wish = await strategy.by(
      {
        intent: spec.intent,
        targets: improvableIn(spec),
        now: now.instructions,
        lessons: lessonsFor(run, judged),
        keep: spec.improve?.keep ?? [],
        space: spec.improve?.space ?? {},
        tried: lineage.flatMap((one) => (one.kind === "undone" ? [] : [one.instructions])),
        standing: `${best.metric} ${best.value === null ? "is not known" : `stands at ${tellFigure(best.value)}`}`,
      },
      {
        seed: seedOf(round.id, world),
        models: meteredModels({ purpose: strategy.name, timeLeftMs: timeLeftMs(opened, journal.state), meter: calls }, spec.budget, world),
        show: shown,
      },
    );
    if (wish.kind === "nothing") return { why: wish.why };
    const taken = takeWish(spec, now.instructions, wish);
    if (taken.kind === "refused") return { why: taken.why };
    const { version } = taken.version;
    if (version === now.version) return { why: "it would change nothing" };
    if (lineage.some((one) => one.kind === "undone" && one.version === version)) return { why: `${version} was undone before` };
    const isTainted = judged.evidence.taint?.kind === "tainted";
    const said = {
      roundId: round.id,
      ...taken.version,
      parent: now.version,
      use: strategy.name,
      why: wish.why,
      before: best,
      isTainted,
    };
    if (strategy.needsPerson) {
      const proposed: ImprovementProposed = { kind: "improvement-proposed", ...said };
      return { records: [proposed], came: { proposed: version } };
    }
    const noted: readonly Noted[] =
      wish.kind === "note" ? [{ kind: "noted", roundId: round.id, notes: wish.notes, isTainted, refused: [], version }] : [];
    return { records: [...noted, { kind: "improved", ...said }], came: { improved: version } };
  } finally {
    await calls.settleAll();
  }
}

/** The best that was measured so far: what a change has to hold. */
function bestMark({ opened, journal }: Run, { metrics }: Evidence): Mark {
  const { spec } = opened;
  const marks = [...measurementsIn(journal.state).map(({ values }) => markOf(opened, values)), markOf(opened, metrics?.values ?? {})];
  const value = (mark: Mark): number => worth(spec.metrics, mark.metric, mark.value);
  return marks.reduce((best, mark) => (value(mark) > value(best) ? mark : best));
}

/** What feedback sends to `improve`; where the spec sends nothing there, the lesson of the round. */
function lessonsFor({ opened, journal }: Run, { evidence, verdict }: Judged): readonly Untrusted[] {
  const { spec } = opened;
  const last = journal.state.rounds.at(-1);
  const isSent = spec.feedback?.some(({ to }) => to === "improve") === true;
  if (isSent && last) {
    const closed: RoundState = { ...last, evidence, verdict };
    return (feedbackAfter(spec, [closed]) ?? []).flatMap(({ to, text }) => (to === "improve" ? [text] : []));
  }
  return lessonIn(verdict);
}

const lessonIn = (verdict: Verdict): readonly Untrusted[] => (verdict.kind === "retry" ? [untrustedText(verdict.lesson)] : []);
