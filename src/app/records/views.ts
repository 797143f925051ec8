// Answers to "where does it stand": reads only the runs that are shown, never all of history.
import { isCalledLoop } from "../../contract/calling.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Entry, RunOpened } from "../../contract/record.ts";
import type { Alone, ChildView, KnownView, LoopView, RunView } from "../../contract/views.ts";
import { aloneNext, aloneWith, readPast } from "../../journal/earned.ts";
import { foldRun } from "../../journal/fold.ts";
import { lastOf } from "../../journal/journal.ts";
import { readKnownLoop } from "../../journal/known-loops.ts";
import { viewRun } from "../../journal/views.ts";
import { loopStanding } from "../decisions/standing.ts";
import type { Records } from "../open-records.ts";
import { findRun } from "./find-run.ts";

export async function viewOf(records: Pick<Records, "journal">, run: string): Promise<RunView> {
  const story = await records.journal.story(run);
  const view = story.entries[0] && viewRun(story.entries[0], story);
  if (!view) {
    throw new LoopError("journal-damaged", `the first record of the run ${run} cannot be read`, {
      retry: "never",
      hint: "`lw doctor` says what is damaged; start a new run with `lw run`.",
    });
  }
  const children = await childrenOf(records, story.entries[0]!);
  const alone = view.level === "L3" && view.proposal ? { alone: await aloneIn(records, story.entries) } : {};
  return { ...view, ...alone, ...(children.length > 0 ? { children } : {}) };
}

/** By what the loop has earned, and by what is on record of this proposal. */
async function aloneIn({ journal }: Pick<Records, "journal">, entries: readonly Entry[]): Promise<Alone> {
  const { loop = "", run = "" } = entries[0] ?? {};
  const [{ proposedIn }, { aloneOn, whyHeldBack }] = await Promise.all([
    import("../../engine/proposed.ts"),
    import("../../engine/level-of.ts"),
  ]);
  const proposed = proposedIn(entries);
  const earned = aloneWith(await readPast(journal, loop), run);
  return aloneOn(earned, proposed && whyHeldBack(proposed.opened.spec, proposed.evidence));
}

const MOST_CHILDREN = 200;

/** The runs that it called, as they stand. */
async function childrenOf({ journal }: Pick<Records, "journal">, { run, record }: Entry): Promise<readonly ChildView[]> {
  if (record.kind !== "run-opened" || !Object.values(record.spec.team?.workers ?? {}).some(({ loop }) => loop !== undefined)) return [];
  const below = await journal.runsLike(`${run}.`, MOST_CHILDREN);
  const own = below.filter((entry) => entry.record.parent?.run === run);
  return Promise.all(
    own.map(async (entry) => {
      const { rest } = foldRun((await journal.story(entry.run)).entries);
      const { roundId = "", worker = "" } = entry.record.parent ?? {};
      return { run: entry.run, loop: entry.loop, roundId, worker, rest: rest?.verdict ?? null };
    }),
  );
}

/** The loop somebody means who names a loop, a run, or the start of a run's id. One that is looked after need not have run. */
export async function findLoop(records: Pick<Records, "journal">, asked: string): Promise<string> {
  const known = await readKnownLoop(records.journal, asked);
  if (known && known.state !== "removed") return asked;
  return (await viewOf(records, await findRun(records, asked))).loop;
}

export async function viewLoops(records: Records): Promise<readonly LoopView[]> {
  const loops = (await records.journal.loops()).filter((loop) => !isCalledLoop(loop));
  return (await Promise.all(loops.map((loop) => viewLoop(records, loop)))).flatMap((view) => view ?? []);
}

/** One that never ran is shown as long as the home looks after it. */
async function viewLoop(records: Records, loop: string): Promise<LoopView | undefined> {
  const [entry] = await records.journal.newestOf(loop, "run-opened", { most: 1 });
  const known = await viewKnownLoop(records, loop);
  if (!entry) {
    const wasKnown = await lastOf(records.journal, loop, "loop-known");
    if (!known) return wasKnown ? undefined : { loop, state: "unreadable", last: null, nextDue: null };
    const state = !known.isRight ? "wrong" : known.standing === "free" ? "known" : known.standing;
    return { loop, state, last: null, nextDue: known.next, known };
  }
  const last = await viewOf(records, entry.run);
  const { state: standing } = await loopStanding(records, loop);
  const resting = standing !== "free" ? standing : known?.isRight === false ? "wrong" : "rested";
  const state = last.state === "rested" ? resting : (await isRunning(records, loop)) ? "running" : "interrupted";
  const alone = entry.record.spec.level === "L3" ? { alone: aloneNext(await readPast(records.journal, loop)) } : {};
  const nextDue = known ? known.next : await nextDueByHand(records, entry);
  return { loop, state, last, nextDue, ...(known ? { known } : {}), ...alone };
}

/** What the home knows of a loop takes the triggers to tell; most homes of people who run by hand know none. */
async function viewKnownLoop(records: Records, loop: string): Promise<KnownView | undefined> {
  const known = await readKnownLoop(records.journal, loop);
  if (!known || known.state === "removed") return undefined;
  const { viewKnownOne } = await import("../loops/view-known.ts");
  return viewKnownOne(records, known);
}

export const isRunning = ({ locks }: Pick<Records, "locks">, loop: string): Promise<boolean> => locks.isHeld(`loop ${loop}`);

/** Nothing wakes a loop that was looked after and is not any more. */
const nextDueByHand = async ({ journal }: Records, entry: Entry<RunOpened>): Promise<string | null> =>
  (await lastOf(journal, entry.loop, "loop-removed")) ? null : nextDueAfter(entry);

/** As the run wrote it down. Those from before it was written down are worked out, which takes the triggers and the schema. */
async function nextDueAfter({ record, at }: Entry<RunOpened>): Promise<string | null> {
  // A referee is asked and never due.
  if (record.referee) return null;
  if (record.nextDue !== undefined) return record.nextDue;
  const { nextDueOf } = await import("./next-due.ts");
  return nextDueOf(record.spec, at);
}
