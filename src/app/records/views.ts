// Answers to "where does it stand": reads only the runs that are shown, never all of history.
import { LoopError } from "../../contract/errors.ts";
import type { Entry, RunOpened } from "../../contract/record.ts";
import type { LoopView, RunView } from "../../contract/views.ts";
import { viewRun } from "../../journal/views.ts";
import { standingOf } from "../decisions/standing.ts";
import type { Records } from "../open-records.ts";

export async function viewOf(records: Pick<Records, "journal">, run: string): Promise<RunView> {
  const story = await records.journal.story(run);
  const view = story.entries[0] && viewRun(story.entries[0], story);
  if (!view) {
    throw new LoopError("journal-damaged", `the first record of the run ${run} cannot be read`, {
      retry: "never",
      hint: "`lw doctor` says what is damaged; start a new run with `lw run`.",
    });
  }
  return view;
}

/** Finds a run by its id, the start of one, or a loop's name for its last run. */
export async function findRun(records: Pick<Records, "journal">, asked: string): Promise<string> {
  const [ofLoop] = await records.journal.runs(asked, 1);
  if (ofLoop) return ofLoop.run;
  const [first, second] = await records.journal.runsLike(asked, 2);
  if (first && (!second || first.run === asked)) return first.run;
  if (first && second) {
    throw new LoopError("bad-input", `${asked} fits more than one run: ${first.run}, ${second.run}, …`, {
      retry: "never",
      hint: "Write more of the run's id.",
    });
  }
  const loops = await records.journal.loops();
  throw new LoopError("bad-input", `no run or loop is called ${asked}`, {
    retry: "never",
    hint:
      loops.length > 0 ? `There are: ${loops.slice(0, 8).join(", ")}. \`lw status\` shows them.` : "No loop has run yet; try `lw demo`.",
  });
}

/** The loop somebody means who names a loop, a run, or the start of a run's id. */
export async function findLoop(records: Pick<Records, "journal">, asked: string): Promise<string> {
  return (await viewOf(records, await findRun(records, asked))).loop;
}

export async function viewLoops(records: Records): Promise<readonly LoopView[]> {
  const loops = await records.journal.loops();
  return Promise.all(loops.map((loop) => viewLoop(records, loop)));
}

async function viewLoop(records: Records, loop: string): Promise<LoopView> {
  const [entry] = await records.journal.runs(loop, 1);
  if (!entry) return { loop, state: "unreadable", last: null, nextDue: null };
  const last = await viewOf(records, entry.run);
  const { state: standing } = await standingOf(records, loop);
  const resting = standing === "free" ? "rested" : standing;
  const state = last.state === "rested" ? resting : (await isRunning(records, loop)) ? "running" : "interrupted";
  return { loop, state, last, nextDue: await nextDueAfter(entry) };
}

export const isRunning = ({ locks }: Pick<Records, "locks">, loop: string): Promise<boolean> => locks.isHeld(`loop ${loop}`);

/** As the run wrote it down. Those from before it was written down are worked out, which takes the triggers and the schema. */
async function nextDueAfter({ record, at }: Entry<RunOpened>): Promise<string | null> {
  // A referee is asked and never due.
  if (record.referee) return null;
  if (record.nextDue !== undefined) return record.nextDue;
  const { nextDueOf } = await import("./next-due.ts");
  return nextDueOf(record.spec, at);
}
