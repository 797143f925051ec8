// How runs are told to people, in few words.

import type { BaseCheck } from "../../contract/baseline.ts";
import type { Rest, Verdict } from "../../contract/verdict.ts";
import type { RunView } from "../../journal/views.ts";
import { firstLine } from "../../std/display-text.ts";

export function tellAgo(at: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}

export function tellCost({ known, usd, tokens, unpriced }: RunView["cost"]): string {
  if (!known) return "unknown";
  return unpriced
    ? `at least $${usd.toFixed(2)} (not everything has a known price), ${tokens} tokens`
    : `$${usd.toFixed(2)}, ${tokens} tokens`;
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
