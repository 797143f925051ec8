// Everything that waking a loop asks of the journal, read once. What follows from it is decided elsewhere, from these values alone.
import type { Cursors, RunOpened } from "../contract/record.ts";
import type { Level } from "../contract/spec.ts";
import { foldRun, type RunState } from "./fold.ts";
import { type EntryOf, type JournalReader, lastOf, type Story } from "./journal.ts";

export interface LoopFacts {
  readonly loop: string;
  /** The newest record of the journal before any of this was read: whatever is older is in it. */
  readonly upTo: number;
  readonly last: LastRun | undefined;
  /** How far each watched ref has been read. */
  readonly cursors: Cursors;
  readonly standing: Standing;
  /** How its runs came to rest, what became of proposals, and what was taken back; newest first. */
  readonly rested: readonly EntryOf<"run-rested">[];
  readonly settled: readonly EntryOf<"proposal-settled">[];
  readonly reverted: readonly EntryOf<"reverted">[];
}

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

/** How far back is looked: what is older is neither shown nor moved any more. */
const MOST = 200;

type Reader = Pick<JournalReader, "newestOf" | "story" | "head">;

export async function readLoopFacts(journal: Reader, loop: string): Promise<LoopFacts> {
  const upTo = (await journal.head())?.seq ?? 0;
  const [last, remembered, standing, rested, settled, reverted] = await Promise.all([
    readLastRun(journal, loop),
    lastOf(journal, loop, "remembered"),
    readStanding(journal, loop),
    journal.newestOf(loop, "run-rested", { most: MOST }),
    journal.newestOf(loop, "proposal-settled", { most: MOST }),
    journal.newestOf(loop, "reverted", { most: MOST }),
  ]);
  return { loop, upTo, last, cursors: remembered?.record.cursors ?? {}, standing, rested, settled, reverted };
}

export async function readLastRun(journal: Pick<Reader, "newestOf" | "story">, loop: string): Promise<LastRun | undefined> {
  const entry = await lastOf(journal, loop, "run-opened");
  if (!entry) return undefined;
  const { run, at, record } = entry;
  const story = await journal.story(run);
  const state = foldRun(story.entries);
  return { loop, run, opened: state.opened ?? record, openedAt: at, story, state, damaged: story.damaged };
}

export async function readStanding(journal: Pick<Reader, "newestOf">, loop: string): Promise<Standing> {
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

/** Runs that proposed something which is not settled yet, newest first. */
export function unsettledRuns({ rested, settled }: Pick<LoopFacts, "rested" | "settled">): readonly string[] {
  const over = new Set(settled.map(({ run }) => run));
  return [...new Set(rested.filter(({ run, record }) => record.rest.kind === "accept" && !over.has(run)).map(({ run }) => run))];
}

/** Runs that acted and were not taken back since, newest first. */
export function standingDeeds({ settled, reverted }: Pick<LoopFacts, "settled" | "reverted">): readonly string[] {
  const back = new Set(reverted.map(({ run }) => run));
  return [
    ...new Set(
      settled.filter(({ run, record }) => (record.how === "acted" || record.how === "landed") && !back.has(run)).map(({ run }) => run),
    ),
  ];
}
