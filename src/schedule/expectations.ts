// What is expected of a loop: how it should come to rest at least once in a while, and whether that did not come. Pure.

import type { Wake } from "../contract/spec.ts";
import type { Rest } from "../contract/verdict.ts";
import { isWhole } from "../contract/verdict.ts";
import type { Ending } from "../contract/waking.ts";
import { formatDuration, parseDuration } from "../std/duration.ts";
import type { LoopFacts, LoopPlan, Absence as Missing } from "./ports.ts";

export type Expectation = NonNullable<Wake["expect"]>;

/** What is on record of a loop, as far as an expectation goes by it. Times are ISO. */
export interface Attendance {
  readonly loop: string;
  /** When it last came to rest as is expected of it. */
  readonly rested: string | undefined;
  /** When it was added, or its spec last changed. */
  readonly known: string;
  /** When it was last freed from a pause or a halt. */
  readonly freed: string | undefined;
  /** Of what is kept from running by a person, nothing is expected. */
  readonly isPaused: boolean;
  /** Since when it had been waited for when somebody was told last. */
  readonly told: string | undefined;
}

/** What did not come. */
export interface Absence {
  readonly loop: string;
  /** Since when it was waited for; of one such time it is told once. */
  readonly since: string;
  readonly deadline: string;
  readonly ending: Ending | "any";
  readonly says: string;
}

/** How a run came to rest, as triggers and expectations ask for it. */
export const endingOf = (rest: Rest): Ending => (rest.kind === "accept" && !isWhole(rest) ? "handed-over" : ENDING_OF[rest.kind]);

const ENDING_OF: { readonly [K in Rest["kind"]]: Ending } = {
  accept: "proven",
  "nothing-to-do": "nothing-to-do",
  escalate: "handed-over",
  halt: "halted",
};

export const isMetBy = (ending: Ending | "any", rest: Rest): boolean => ending === "any" || endingOf(rest) === ending;

/** Until when it must have come: each of these gives it its whole time again. */
export function deadlineOf(
  { within }: Expectation,
  { rested, known, freed }: Attendance,
): { readonly since: string; readonly deadline: Date } {
  const since = [rested, freed].reduce<string>(
    (newest, at) => (at !== undefined && Date.parse(at) > Date.parse(newest) ? at : newest),
    known,
  );
  return { since, deadline: new Date(Date.parse(since) + (parseDuration(within) ?? 0)) };
}

/** What did not come and nobody was told of, if it is so now. */
export function absenceNow(expectation: Expectation, attendance: Attendance, now: Date): Absence | undefined {
  const { since, deadline } = deadlineOf(expectation, attendance);
  if (attendance.isPaused || now.getTime() < deadline.getTime() || attendance.told === since) return undefined;
  const { loop } = attendance;
  const { ending, within } = expectation;
  const lateMs = now.getTime() - deadline.getTime();
  const late = lateMs < 60_000 ? "" : `, and is late by ${formatDuration(lateMs)}`;
  return {
    loop,
    since,
    deadline: deadline.toISOString(),
    ending,
    says: `it should ${EXPECTED[ending]} at least once in ${within}, has not since ${since}${late}`,
  };
}

const EXPECTED: { readonly [E in Ending | "any"]: string } = {
  any: "come to rest",
  proven: "come to rest with something proven",
  "nothing-to-do": "come to rest with nothing to do",
  "handed-over": "come to rest with something for a human",
  halted: "come to rest halted",
};

/** Undefined where nothing is expected: the spec says nothing, or somebody paused or removed it. A halted loop is still expected. */
export function expectation(
  { expect }: Pick<LoopPlan, "expect">,
  facts: Pick<LoopFacts, "barred" | "begunAt" | "lastExpected">,
): Missing | undefined {
  if (!expect || facts.barred?.reason === "paused" || facts.barred?.reason === "removed") return undefined;
  const base = Math.max(facts.lastExpected ?? Number.NEGATIVE_INFINITY, facts.begunAt);
  if (!Number.isFinite(base)) return undefined;
  const deadline = base + expect.withinMs;
  const what = expect.ending === "any" ? "come to rest" : `come to rest ${expect.ending}`;
  return { base, deadline, ending: expect.ending, says: `it was to have ${what} by ${new Date(deadline).toISOString()}` };
}
