// The newest run of a loop, with everything that is on record about it.
import type { RunOpened } from "../../contract/record.ts";
import { foldRun, type RunState } from "../../journal/fold.ts";
import type { JournalReader } from "../../journal/journal.ts";

export interface LastRun {
  readonly loop: string;
  readonly run: string;
  readonly opened: RunOpened;
  readonly openedAt: string;
  readonly state: RunState;
  readonly damaged: readonly number[];
}

export async function lastRun(journal: Pick<JournalReader, "newestOf" | "story">, loop: string): Promise<LastRun | undefined> {
  const [entry] = await journal.newestOf(loop, "run-opened", { most: 1 });
  if (!entry) return undefined;
  const { entries, damaged } = await journal.story(entry.run);
  const state = foldRun(entries);
  return { loop, run: entry.run, opened: state.opened ?? entry.record, openedAt: entry.at, state, damaged };
}
