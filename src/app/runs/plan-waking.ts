// What a waking of a loop comes to, from what is on record: pure, so that it can be told before anything is done.
import type { GivenInputs, RunInputs } from "../../contract/inputs.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { type Budgets, budgetsOf, withoutBudgets } from "../../contract/team-budgets.ts";
import { nextSlot, type Waker } from "../../contract/trigger.ts";
import type { Rest } from "../../contract/verdict.ts";
import { isResumable } from "../../engine/rest-run.ts";
import { hasPlaceholder } from "../../guard/secrets/find-secrets.ts";
import { type LastRun, madeWay } from "../../journal/loop-facts.ts";
import { canonicalJson } from "../../std/hash.ts";
import type { BesideWish } from "./room.ts";

export interface RunWishes {
  /** Run only if the trigger says that it is time. */
  readonly onlyIfDue: boolean;
  /** Run although the last proposal still waits for a human. */
  readonly again: boolean;
  /** What it is told; undefined where nobody said anything. */
  readonly inputs?: GivenInputs;
  /** What it does where another run writes to its repository; default: it waits. */
  readonly beside?: BesideWish;
}

export type WakingPlan =
  /** An interrupted run of the same spec goes first; with another budget, if somebody changed it. */
  | { readonly kind: "finish"; readonly last: LastRun; readonly budget: Budgets | undefined }
  /** An old run that cannot go on is closed first, whatever comes then. */
  | { readonly kind: "not-due"; readonly nextDue: string; readonly givesUp: GivenUp | undefined }
  | { readonly kind: "open"; readonly givesUp: GivenUp | undefined };

export interface GivenUp {
  readonly last: LastRun;
  readonly rest: Rest;
}

interface Waking {
  readonly last: LastRun | undefined;
  /** Since when the home looks after the loop with this trigger; undefined where it does not. */
  readonly knownSince?: string | undefined;
  readonly spec: LoopSpec;
  /** Of the spec as it goes on record; and of what stands in its file, which earlier versions recorded. */
  readonly hashes: readonly string[];
  readonly wishes: RunWishes;
  /** What it is told this time; undefined where nobody said anything, and then an interrupted run goes on with what it was told. */
  readonly inputs?: RunInputs | undefined;
  readonly waker: Waker;
  readonly now: Date;
}

export function planWaking({ last, knownSince, spec, hashes, wishes, inputs, waker, now }: Waking): WakingPlan {
  const isOpen = last !== undefined && !last.state.rest;
  const isTold = inputs === undefined || isToldTheSame(last?.opened.inputs, inputs);
  const isSame = isOpen && isTold && (hashes.includes(last.opened.specHash) || differsInBudget(last.opened.spec, spec));
  const isOver = isOpen && madeWay(last.story.entries);
  if (isOpen && isSame && !isOver && last.damaged.length === 0)
    return { kind: "finish", last, budget: changedBudget(last.opened.spec, spec) };
  const givesUp = isOpen ? { last, rest: isOver ? MADE_WAY : whyGivenUp(last, isSame, isTold) } : undefined;
  const later = wishes.onlyIfDue ? dueLater(waker, last?.openedAt ?? knownSince, now) : undefined;
  return later === undefined ? { kind: "open", givesUp } : { kind: "not-due", nextDue: later, givesUp };
}

/** Whether and how a run that was stopped or killed goes on when somebody asks for it; undefined where there is none. */
export function planResuming(
  last: LastRun | undefined,
): { readonly kind: "finish"; readonly last: LastRun } | ({ readonly kind: "give-up" } & GivenUp) | undefined {
  if (!last || (last.state.rest && !isResumable(last.state.rest.verdict))) return undefined;
  // It goes on with the run that called it.
  if (last.opened.parent) return undefined;
  if (last.opened.referee) return { kind: "give-up", last, rest: REFEREE_GONE };
  if (last.damaged.length > 0) return { kind: "give-up", last, rest: whyGivenUp(last, true) };
  if (!last.state.rest && madeWay(last.story.entries)) return { kind: "give-up", last, rest: MADE_WAY };
  return { kind: "finish", last };
}

/** Where it was taken up again instead, the waking that it was stopped for would never have its run. */
export const MADE_WAY: Rest = { kind: "halt", because: "stopped", reason: "it was time for the next run, and `wake.overlap` is stop" };

/** What a referee judged may be another change by now. */
export const REFEREE_GONE: Rest = {
  kind: "halt",
  because: "stopped",
  reason: "the referee was interrupted; `lw referee` judges what is there now",
};

const whyGivenUp = ({ damaged }: LastRun, isSame: boolean, isTold = true): Rest =>
  damaged.length > 0 || isSame
    ? { kind: "halt", because: "cannot-verify", reason: `records ${damaged.join(", ")} of this run are damaged, so it cannot go on` }
    : { kind: "halt", because: "stopped", reason: `the ${isTold ? "spec was" : "inputs were"} changed while this run was interrupted` };

/** Other inputs are another work order, whoever gave them. */
export const isToldTheSame = (before: RunInputs | undefined, now: RunInputs | undefined): boolean =>
  canonicalJson(valuesOf(before)) === canonicalJson(valuesOf(now));

const valuesOf = (inputs: RunInputs = {}): unknown =>
  asJson(Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value])));

/** Another budget does not make it another work order. */
const differsInBudget = (before: LoopSpec, now: LoopSpec): boolean =>
  canonicalJson(asJson(withoutBudgets(before))) === canonicalJson(asJson(withoutBudgets(now)));

/** Without what is undefined. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What the run, its workers and the loops that they call may use from now on, if that is not what is on record. */
export const changedBudget = (before: LoopSpec, now: LoopSpec | undefined): Budgets | undefined =>
  now && differsInBudget(before, now) && canonicalJson(asJson(budgetsOf(now))) !== canonicalJson(asJson(budgetsOf(before)))
    ? budgetsOf(now)
    : undefined;

/**
 * When the loop is due, if that is not now: at its first slot after it was last opened or, where it never was, became
 * known. Of one that nobody looks after and that never ran nothing says since when it waits: it is due at once, else it never would be.
 */
function dueLater(waker: Waker, since: string | undefined, now: Date): string | undefined {
  if (!waker.slots) return "never: its trigger names no time";
  const due = since === undefined ? undefined : nextSlot(waker, new Date(since));
  if (since === undefined || (due && due <= now)) return undefined;
  return due?.toISOString() ?? "never: its times are over";
}

/** A secret that the spec spelled out is not on record, so that only the spec's file can go on with it. */
export const lacksSecrets = (parts: Partial<LoopSpec>): boolean => hasPlaceholder(JSON.stringify(parts));
