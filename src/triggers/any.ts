// A loop that several triggers wake: made from the others, which check their own options.
import * as z from "zod";
import { partOf } from "../contract/part-refs.ts";
import type { PartRef } from "../contract/spec.ts";
import { type DueSlots, defineTrigger, type Slots, type Trigger } from "../contract/trigger.ts";

/** It is not among those that it is made from, so that it has none of itself inside. */
export function anyOf(parts: readonly Trigger[]): Trigger {
  const wakerOf = ({ use, with: options }: PartRef) => parts.find(({ name }) => name === use)!.configure(options);
  /**
   * What several name is counted by walking through the times of all but one, which takes too long where there are this many. It is
   * asked although something else may be wrong, which is said in its own place.
   */
  const isBusy = (ref: PartRef): boolean => {
    const isSound = parts.some(({ name, options }) => name === ref.use && options.safeParse(ref.with ?? {}).success);
    const slots = isSound ? wakerOf(ref).slots : undefined;
    return slots !== undefined && countOf(slots, SOME_HOUR, SOME_HOUR + HOUR_MS) > 60;
  };
  return defineTrigger({
    name: "any",
    summary: "Wakes whenever one of several triggers does. Times that several of them name count once.",
    options: z.strictObject({
      of: z
        .array(partOf(parts))
        .min(1)
        .max(20)
        .refine((of) => of.filter(isBusy).length <= 1, {
          error: "has two triggers or more that each name several times a minute: leave all but one of them out",
        })
        .meta({
          description: "The triggers, each with its own options; none of them may be `any` again.",
          examples: [
            [
              { use: "daily", with: { at: "06:00" } },
              { use: "git", with: { ref: "main" } },
            ],
          ],
        }),
    }),
    wakes({ of }) {
      const wakers = of.map(wakerOf);
      const slots = wakers.flatMap((waker) => (waker.slots ? [waker.slots] : []));
      const hears = wakers.flatMap((waker) => waker.hears);
      return slots.length === 0 ? { hears } : { slots: union(slots), hears };
    },
  });
}

/** Labels are read in the zone of the first. */
function union(all: readonly Slots[]): Slots {
  const [only, ...others] = all;
  if (only && others.length === 0) return only;
  return { zone: only?.zone ?? "UTC", due: (since, until, most) => dueOfAny(all, since, until, most) };
}

function dueOfAny(all: readonly Slots[], since: number, until: number, most: number): DueSlots {
  const due = all.map((slots) => slots.due(since, until, most));
  const newest = ascending(due.flatMap((one) => one.newest)).slice(most === 0 ? Number.POSITIVE_INFINITY : -most);
  const next = least(due.map((one) => one.next));
  const before = newest[0] === undefined ? until : newest[0] - 1;
  // Where there is room for more, all of them are there.
  const count = newest.length < most ? 0 : countOfAny(all, since, before);
  const last = greatest(all.map((slots) => slots.due(since, before, 1).newest[0]));
  const first = least(all.map((slots) => slots.due(since, since, 0).next));
  return {
    newest,
    ...(count === 0 || first === undefined || last === undefined ? {} : { older: { first, last, count } }),
    ...(next === undefined ? {} : { next }),
  };
}

/** All of the densest, and those of each other that no denser one names. Only sparser ones are walked. */
function countOfAny(all: readonly Slots[], since: number, until: number): number {
  const bySize = all.map((slots) => ({ slots, count: countOf(slots, since, until) })).sort((a, b) => b.count - a.count);
  return bySize.reduce((sum, { slots, count }, index) => {
    const denser = bySize.slice(0, index).map((one) => one.slots);
    if (denser.length === 0) return sum + count;
    return sum + [...walked(slots, since, until)].filter((slot) => !denser.some((other) => names(other, slot))).length;
  }, 0);
}

const countOf = (slots: Slots, since: number, until: number): number => slots.due(since, until, 0).older?.count ?? 0;

const names = (slots: Slots, instant: number): boolean => slots.due(instant - 1, instant, 1).newest.length > 0;

/** From the newest back, some at a time. */
function* walked(slots: Slots, since: number, until: number): Generator<number> {
  for (let end = until; ; ) {
    const { newest } = slots.due(since, end, AT_ONCE);
    yield* newest;
    if (newest.length < AT_ONCE) return;
    end = newest[0]! - 1;
  }
}
const AT_ONCE = 500;

const HOUR_MS = 3_600_000;
/** Late enough that whatever begins at some time has begun. */
const SOME_HOUR = Date.UTC(2090, 5, 1);

const ascending = (instants: readonly number[]): readonly number[] => [...new Set(instants)].sort((a, b) => a - b);
const known = (instants: readonly (number | undefined)[]): readonly number[] => instants.filter((instant) => instant !== undefined);
const least = (instants: readonly (number | undefined)[]): number | undefined => ascending(known(instants))[0];
const greatest = (instants: readonly (number | undefined)[]): number | undefined => ascending(known(instants)).at(-1);
