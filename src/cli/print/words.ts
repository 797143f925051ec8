// How runs are told to people, in few words.

import type { Rest, Verdict } from "../../contract/verdict.ts";
import type { RunView } from "../../journal/views.ts";

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
  return `${rest.kind === "halt" ? "halted" : "needs you"}: ${rest.because}`;
}

export function tellVerdict(verdict: Verdict): string {
  return verdict.kind === "retry" ? `refused (${verdict.because}); the lesson goes to the next round` : tellRest(verdict);
}

export const isGood = (verdict: Verdict): boolean => verdict.kind === "accept";
