// What the journal says of a loop, whoever asks: its last run, its standing, which proposals wait and which deeds stand.
import type { Entry, RunOpened } from "../contract/record.ts";
import type { Level } from "../contract/spec.ts";
import { foldRun, type RunState } from "./fold.ts";
import { type EntryOf, type JournalReader, lastOf, type Story } from "./journal.ts";

export interface LastRun {
  readonly loop: string;
  readonly run: string;
  readonly opened: RunOpened;
  readonly openedAt: string;
  readonly story: Story;
  readonly state: RunState;
  /** The numbers of its records that cannot be read any more. */
  readonly damaged: readonly number[];
}

/** What people and the loop's own ends have made of it, whatever its spec says. */
export interface Standing {
  readonly state: "free" | "paused" | "halted";
  /** Why nothing may begin; undefined while something may. */
  readonly barred: string | undefined;
  readonly since: string | undefined;
  /** How far it may go at most. */
  readonly most: Level;
}

export async function readLastRun(journal: Pick<JournalReader, "newestOf" | "story">, loop: string): Promise<LastRun | undefined> {
  const entry = await lastOf(journal, loop, "run-opened");
  if (!entry) return undefined;
  const { run, at, record } = entry;
  const story = await journal.story(run);
  const state = foldRun(story.entries);
  return { loop, run, opened: state.opened ?? record, openedAt: at, story, state, damaged: story.damaged };
}

export async function readStanding(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<Standing> {
  const [paused, halted, resumed, held] = await Promise.all([
    lastOf(journal, loop, "loop-paused"),
    lastOf(journal, loop, "loop-halted"),
    lastOf(journal, loop, "loop-resumed"),
    lastOf(journal, loop, "level-held"),
  ]);
  return standingAfter({ paused, halted, resumed, held });
}

/** The newest of what paused, halted or freed it counts. */
export function standingAfter({
  paused,
  halted,
  resumed,
  held,
}: {
  readonly paused: EntryOf<"loop-paused"> | undefined;
  readonly halted: EntryOf<"loop-halted"> | undefined;
  readonly resumed: EntryOf<"loop-resumed"> | undefined;
  readonly held: EntryOf<"level-held"> | undefined;
}): Standing {
  const most = held?.record.most ?? "L3";
  const freed = resumed?.seq ?? 0;
  if (halted && halted.seq > Math.max(freed, paused?.seq ?? 0)) {
    const { because, reason } = halted.record;
    return { state: "halted", barred: `the loop is halted (${because}): ${reason}`, since: halted.at, most };
  }
  if (paused && paused.seq > freed) {
    const { by, why } = paused.record;
    return { state: "paused", barred: `the loop was paused by ${by}${why === "" ? "" : `: ${why}`}`, since: paused.at, most };
  }
  return { state: "free", barred: undefined, since: undefined, most };
}

/** By whom a run is asked to stop because it is time for the next one. */
export const NEXT_WAKING = "its next waking";

/** Whether a run was stopped in favour of the next one: it is not taken up again, or the next would never come. */
export function madeWay(entries: readonly Pick<Entry, "record">[]): boolean {
  const since = entries.findLastIndex(({ record }) => record.kind === "run-opened" || record.kind === "run-resumed");
  return entries.slice(since + 1).some(({ record }) => record.kind === "stop-requested" && record.by === NEXT_WAKING);
}

type Settled = readonly EntryOf<"proposal-settled">[];

/** Runs that proposed something which is not settled yet, newest first. */
export function unsettledRuns({
  rested,
  settled,
}: {
  readonly rested: readonly EntryOf<"run-rested">[];
  readonly settled: Settled;
}): readonly string[] {
  const over = new Set(settled.map(({ run }) => run));
  return [...new Set(rested.filter(({ run, record }) => record.rest.kind === "accept" && !over.has(run)).map(({ run }) => run))];
}

/** Runs that acted and were not taken back since, newest first. */
export function standingDeeds({
  settled,
  reverted,
}: {
  readonly settled: Settled;
  readonly reverted: readonly EntryOf<"reverted">[];
}): readonly string[] {
  const back = new Set(reverted.map(({ run }) => run));
  return [
    ...new Set(
      settled.filter(({ run, record }) => (record.how === "acted" || record.how === "landed") && !back.has(run)).map(({ run }) => run),
    ),
  ];
}
