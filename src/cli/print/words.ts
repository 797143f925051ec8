// How runs are told to people, in few words.

import type { Rest, Verdict } from "../../contract/verdict.ts";
import type { RunView } from "../../journal/views.ts";
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
  return `${rest.kind === "halt" ? "halted" : "needs you"}: ${rest.because}`;
}

export function tellVerdict(verdict: Verdict): string {
  return verdict.kind === "retry" ? `refused (${verdict.because}); the lesson goes to the next round` : tellRest(verdict);
}

export const isGood = (verdict: Verdict): boolean => verdict.kind === "accept";
