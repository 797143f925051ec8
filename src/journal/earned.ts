// What a loop may do alone: what it had earned on its ground before a run began, or what somebody said of exactly this ground.
import type { Entry, RunOpened } from "../contract/record.ts";
import type { Alone } from "../contract/views.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { adviseOn, type Deeds, RUNS_THAT_COUNT, readRecord } from "./autonomy.ts";
import { type EntryOf, type JournalReader, lastOf } from "./journal.ts";

/** By whom a level is held when nobody said so. */
export const OWN_DOING = "loopwright";

/**
 * What trust is bound to: the target, and everything of the spec that decides what is made, checked and moved.
 * When it wakes, what it may spend, who is told and the level itself may change without a loss.
 */
export function groundOf({ repo, base, target, spec }: Pick<RunOpened, "repo" | "base" | "target" | "spec">): string {
  const { $schema, level, trigger, wake, budget, alert, notify, referee, recheck, ...decides } = spec;
  return sha256(canonicalJson({ repo: target?.repo ?? repo, ref: target?.ref ?? base.ref, decides }));
}

/** What is on record of a loop when it is asked how far it may go alone. */
export interface Past extends Deeds {
  readonly opened: readonly EntryOf<"run-opened">[];
  readonly held: EntryOf<"level-held"> | undefined;
}

/** How far back runs are looked for. */
const MOST = RUNS_THAT_COUNT * 3;

export async function readPast(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<Past> {
  const [opened, rested, decided, amended, settled, reverted, held] = await Promise.all([
    journal.newestOf(loop, "run-opened", { most: MOST }),
    journal.newestOf(loop, "run-rested", { most: RUNS_THAT_COUNT }),
    journal.newestOf(loop, "decided", { most: MOST }),
    journal.newestOf(loop, "amended", { most: MOST }),
    journal.newestOf(loop, "proposal-settled", { most: MOST }),
    journal.newestOf(loop, "reverted", { most: MOST }),
    lastOf(journal, loop, "level-held"),
  ]);
  return { opened, rested, decided, amended, settled, reverted, held };
}

/** Whether what this run proposed may go on without anybody: only by what was there before it began. */
export function aloneWith(past: Past, run: string): Alone {
  const own = past.opened.find((entry) => entry.run === run);
  if (!own) return { kind: "not", why: "its run is too old to tell what had been earned before it" };
  return decide(past, groundOf(own.record), own.seq);
}

/** Whether the next run may, if it is as the last one was. */
export function aloneNext(past: Past): Alone {
  const [last] = past.opened;
  if (!last) return { kind: "not", why: "it has not run yet" };
  return decide(past, groundOf(last.record), Number.POSITIVE_INFINITY);
}

function decide(past: Past, ground: string, before: number): Alone {
  const { held } = past;
  if (held && held.record.most !== "L3") return { kind: "not", why: `it is held at ${held.record.most}: ${held.record.why}` };
  const isSaid = held !== undefined && held.record.by !== OWN_DOING;
  const isOfThis = isSaid && held.record.ground === ground;
  if (isOfThis && held.seq < before) return { kind: "said", by: held.record.by };
  const { supports, reasons } = adviseOn("L3", recordOn(past, ground, before));
  if (supports) return { kind: "earned" };
  const late = isOfThis ? `it was proposed before ${held.record.by} let the loop go further` : undefined;
  const other = isSaid && !isOfThis ? `what ${held.record.by} let go further was another target, maker, check or spec` : undefined;
  return {
    kind: "not",
    why: `it has not earned to act alone here: ${[late, other, ...reasons].filter((why) => why !== undefined).join("; ")}`,
  };
}

/** What counts of the record: runs on the same ground, and what was known of them by then. What was taken back counts whenever it was seen. */
export function recordOn(past: Past, ground: string, before: number): ReturnType<typeof readRecord> {
  const onGround = new Set(past.opened.filter(({ record }) => groundOf(record) === ground).map(({ run }) => run));
  const counting = <E extends Entry>(entries: readonly E[]): readonly E[] =>
    entries.filter(({ run, seq }) => onGround.has(run) && seq < before);
  return readRecord({
    rested: counting(past.rested),
    decided: counting(past.decided),
    amended: counting(past.amended),
    settled: counting(past.settled),
    reverted: past.reverted,
  });
}
