// Answers to "where does it stand": reads only the runs that are shown, never all of history.
import { LoopError } from "../../contract/errors.ts";
import type { Due } from "../../contract/trigger.ts";
import { standingOf } from "../../journal/standing.ts";
import { type RunView, viewRun } from "../../journal/views.ts";
import { specSchema } from "../../spec/schema.ts";
import { assembleCrew } from "../crew.ts";
import type { House } from "../open-house.ts";
import { findRun } from "./find-run.ts";

export async function viewOf(house: House, run: string): Promise<RunView> {
  const story = await house.journal.story(run);
  const view = story.entries[0] && viewRun(story.entries[0], story);
  if (!view) {
    throw new LoopError("journal-damaged", `the first record of the run ${run} cannot be read`, {
      retry: "never",
      hint: "`lw doctor` says what is damaged; start a new run with `lw run`.",
    });
  }
  return view;
}

/** The loop somebody means who names a loop, a run, or the start of a run's id. */
export async function findLoop(house: House, asked: string): Promise<string> {
  return (await viewOf(house, await findRun(house, asked))).loop;
}

export interface LoopView {
  readonly loop: string;
  /** `running` in some process, `interrupted` and resumable, or at rest; then perhaps kept from running. */
  readonly state: "running" | "interrupted" | "rested" | "paused" | "halted" | "all-stopped" | "unreadable";
  readonly last: RunView | null;
  readonly nextDue: string | null;
}

export async function viewLoops(house: House): Promise<readonly LoopView[]> {
  const loops = await house.journal.loops();
  return Promise.all(loops.map((loop) => viewLoop(house, loop)));
}

async function viewLoop(house: House, loop: string): Promise<LoopView> {
  const [entry] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (!entry) return { loop, state: "unreadable", last: null, nextDue: null };
  const last = await viewOf(house, entry.run);
  const { state: standing } = await standingOf(house.journal, house.world.killSwitch, loop);
  const resting = standing === "free" ? "rested" : standing;
  const state = last.state === "rested" ? resting : (await isRunning(house, loop)) ? "running" : "interrupted";
  // A referee is asked and never due.
  return { loop, state, last, nextDue: entry.record.referee ? null : nextDueOf(house, entry.record.spec, last.openedAt) };
}

export const isRunning = ({ locks }: Pick<House, "locks">, loop: string): Promise<boolean> => locks.isHeld(`loop ${loop}`);

/** A spec of another version may name parts we do not have: then it is not said when it is due. */
function nextDueOf(house: House, spec: unknown, lastOpened: string): string | null {
  const parsed = specSchema(house.registries).safeParse(spec);
  if (!parsed.success) return null;
  const due: Due = assembleCrew(parsed.data, house.registries).nextDue(new Date(lastOpened));
  return due.kind === "at" ? due.time.toISOString() : null;
}
