// How runs are told to people, in few words.

import type { BaseCheck } from "../../contract/baseline.ts";
import type { Rest, Verdict } from "../../contract/verdict.ts";
import type { RunView } from "../../contract/views.ts";
import { firstLine } from "../../std/display-text.ts";
import { formatUsd } from "../../std/usd.ts";

export function tellAgo(at: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}

/** A figure never stands alone: what was not reported is said to be a guess. */
export function tellCost({ usd, tokens, basis }: Pick<RunView["cost"], "usd" | "tokens" | "basis">): string {
  if (basis === null) return "unknown";
  const figure = `${formatUsd(usd)}, ${tokens} tokens`;
  if (basis === "reported") return figure;
  return basis === "estimated" ? `about ${figure} (estimated)` : `up to ${figure} (not all of it known)`;
}

export function tellRest(rest: Rest): string {
  if (rest.kind === "accept") return rest.action === "report" ? "reported" : "proposed";
  if (rest.kind === "nothing-to-do") return "nothing to do";
  return `${rest.kind === "halt" ? "halted" : "needs you"}: ${rest.because}`;
}

/** One look at base, on one line; a look of an earlier run is said to be one. */
export function tellCheck({ verifiers, state, runs, detail, lookedBy }: BaseCheck, run: string): string {
  const names = [...new Set(verifiers.map(({ name }) => name))].join(", ");
  const how = lookedBy === run ? `${runs} run(s)` : `as ${lookedBy} saw it, not run again`;
  return `base: ${names} ${state} (${how}): ${firstLine(detail, 200)}`;
}

export function tellVerdict(verdict: Verdict): string {
  return verdict.kind === "retry" ? `refused (${verdict.because}); the lesson goes to the next round` : tellRest(verdict);
}

export const isGood = (verdict: Verdict): boolean => verdict.kind === "accept";

export const isGoodRest = (rest: Rest): boolean => rest.kind === "accept" || rest.kind === "nothing-to-do";
