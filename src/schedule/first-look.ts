// When a loop is to be looked at for the first time after a start: told by the newest record of each kind, without its whole schedule. Pure.
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Slots } from "../contract/trigger.ts";
import { isMetBy } from "./expectations.ts";
import type { LoopPlan } from "./ports.ts";

/** What is needed of a loop, the newest of each. */
export const FIRST_LOOK_KINDS = [
  "waking",
  "heard",
  "loop-known",
  "loop-wrong",
  "loop-removed",
  "loop-paused",
  "loop-halted",
  "loop-resumed",
  "run-opened",
  "run-rested",
  "run-resumed",
  "answered",
] as const satisfies readonly LoopRecord["kind"][];

type Recorded = Pick<Entry, "seq" | "at" | "run" | "record">;

export interface Newest {
  readonly entry: Recorded;
  /** The number of the first of that kind. */
  readonly first: number;
}

export interface FirstLook {
  readonly newest: readonly Newest[];
  /** The number of the newest record that the clock was set back; 0 where it never was. */
  readonly setBack: number;
  readonly slots: Slots | undefined;
  readonly expect: LoopPlan["expect"];
}

const AT_ONCE = Number.NEGATIVE_INFINITY;

/**
 * Never later than there is something to do, and often much earlier than at once: of ten thousand loops that rest, none is looked at before
 * its next slot. Whatever is not plain (a run that is open, something heard, an edit, a pause, a clock that was set back) is looked at.
 */
export function firstLook({ newest, setBack, slots, expect }: FirstLook): number {
  const known = newestOf(newest, "loop-known");
  const waking = newestOf(newest, "waking");
  const rested = newestOf(newest, "run-rested");
  if (!known) return AT_ONCE;
  const seqOf = (kind: Kind): number => newestOf(newest, kind)?.seq ?? 0;
  const others = ["loop-wrong", "loop-removed", "loop-paused", "loop-halted", "loop-resumed"] as const;
  const isEdited = known.seq !== newest.find(({ entry }) => entry.record.kind === "loop-known")?.first;
  const changed = Math.max(known.seq, ...others.map(seqOf));
  const isFresh = !waking && !isEdited && changed === known.seq && others.every((kind) => seqOf(kind) === 0);
  const isBarred =
    Math.max(seqOf("loop-wrong"), seqOf("loop-removed")) > known.seq ||
    Math.max(seqOf("loop-paused"), seqOf("loop-halted")) > seqOf("loop-resumed");
  if (isBarred || (!isFresh && changed > (waking?.seq ?? 0)) || setBack > (waking?.seq ?? known.seq)) return AT_ONCE;
  if (seqOf("heard") > (waking?.record.answered ?? 0)) return AT_ONCE;
  const begun = Math.max(seqOf("run-opened"), seqOf("run-resumed"), seqOf("answered"));
  if (begun > (rested?.seq ?? 0) || (begun > 0 && newestOf(newest, "run-opened")?.run !== rested?.run)) return AT_ONCE;
  return Math.min(nextSlot(), nextAbsence());

  function nextSlot(): number {
    if (!slots) return Number.POSITIVE_INFINITY;
    if (waking && (waking.record.since === undefined || waking.record.open || waking.record.taken)) return AT_ONCE;
    const since = Date.parse(waking?.record.since ?? known?.at ?? "");
    return slots.due(since, since, 0).next ?? Number.POSITIVE_INFINITY;
  }

  /** What it is counted from may be later than this, and never earlier. */
  function nextAbsence(): number {
    if (!expect) return Number.POSITIVE_INFINITY;
    if (rested && isMetBy(expect.ending, rested.record.rest)) return Date.parse(rested.at) + expect.withinMs;
    return known && !isEdited && setBack < known.seq ? Date.parse(known.at) + expect.withinMs : AT_ONCE;
  }
}

/** When the latest record says that it was written, as far as the clock was not known to be set back since. */
export const latestOf = (newest: readonly Newest[], setBack: number): number =>
  newest.reduce((latest, { entry }) => (entry.seq > setBack ? Math.max(latest, Date.parse(entry.at)) : latest), Number.NEGATIVE_INFINITY);

type Kind = (typeof FIRST_LOOK_KINDS)[number];
type RecordedAs<K extends Kind> = Recorded & { readonly record: Extract<LoopRecord, { kind: K }> };

const newestOf = <K extends Kind>(newest: readonly Newest[], kind: K): RecordedAs<K> | undefined =>
  newest.map(({ entry }) => entry).find((entry): entry is RecordedAs<K> => entry.record.kind === kind);
