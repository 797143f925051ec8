// How runs are told to people, in few words.

import type { BaseCheck } from "../../contract/baseline.ts";
import type { Accepted, Rest, Verdict } from "../../contract/verdict.ts";
import type { ProposalView, RunView, Stage } from "../../contract/views.ts";
import { stageOf } from "../../journal/proposals.ts";
import { firstLine } from "../../std/display-text.ts";
import { tellShort } from "../../std/tell-tests.ts";
import { formatUsd } from "../../std/usd.ts";

export function tellAgo(at: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}

/** A moment as a day and, where it is not its beginning, the minute: `2027-01-01`, `2027-01-01 14:30 UTC`. */
export const tellDay = (at: string): string =>
  at.slice(11, 16) === "00:00" ? at.slice(0, 10) : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** How long until then; `due` where that has passed. */
export function tellIn(at: string, now: Date): string {
  const seconds = Math.round((Date.parse(at) - now.getTime()) / 1000);
  if (seconds <= 0) return "due";
  if (seconds < 120) return `in ${seconds}s`;
  if (seconds < 7200) return `in ${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `in ${Math.round(seconds / 3600)}h` : `in ${Math.round(seconds / 86_400)}d`;
}

/** A figure never stands alone: what was not reported is said to be a guess. */
export function tellCost({ usd, tokens, basis }: Pick<RunView["cost"], "usd" | "tokens" | "basis">): string {
  if (basis === null) return "unknown";
  const figure = `${formatUsd(usd)}, ${tokens} tokens`;
  if (basis === "reported") return figure;
  return basis === "estimated" ? `about ${figure} (estimated)` : `up to ${figure} (not all of it known)`;
}

const ACCEPTED: { readonly [A in Accepted["action"]]: string } = { report: "reported", propose: "proposed" };

export function tellRest(rest: Rest): string {
  if (rest.kind === "accept") {
    const opinion = rest.on === "opinion" ? " on opinion alone" : rest.on === "part" ? " PARTLY" : "";
    return rest.best
      ? `below target, ${rest.best.value === null ? "a" : "best"} round proposed${opinion}: ${rest.best.because}`
      : `${ACCEPTED[rest.action]}${opinion}`;
  }
  if (rest.kind === "nothing-to-do") return "nothing to do";
  return `${rest.kind === "halt" ? "halted" : "needs you"}: ${rest.because}`;
}

/** What a proposal came to, for people who do not know our words for it. */
const STAGES: { readonly [S in Stage]: string } = {
  open: "proposed",
  deferred: "deferred",
  approved: "approved",
  acting: "being carried out",
  unclear: "unclear",
  rejected: "rejected",
  acted: "carried out",
  released: "approved",
  landed: "merged",
  withdrawn: "withdrawn",
  superseded: "superseded",
};

type Standing = Pick<RunView, "proposal" | "dismissed"> & { readonly rest: Rest };

/** How a run that rested stands now: what it proposed may have been decided about since. */
export function tellStanding({ rest, proposal, dismissed }: Standing, now: Date): string {
  if (dismissed && rest.kind !== "accept" && rest.kind !== "nothing-to-do") return `seen: ${rest.because}`;
  if (!proposal) return tellRest(rest);
  const isMerged = proposal.settled?.how === "acted" && proposal.receipts.some(({ action }) => action === "merge");
  const stage = stageOf(proposal, now);
  const until = stage === "deferred" && proposal.deferredUntil ? ` until ${tellDay(proposal.deferredUntil)}` : "";
  const standing = `${isMerged ? STAGES.landed : STAGES[stage]}${until}`;
  return rest.kind === "accept" && rest.on ? `${standing}, ${rest.on === "part" ? "partly" : "on opinion alone"}` : standing;
}

/** Why it stands there: who said no, what was moved, what is in the way; undefined where there is nothing to add. */
export function whyStanding({ settled, rejected, unclear, failed, approvals }: ProposalView): string | undefined {
  if (settled) return settled.why;
  if (unclear) return unclear;
  if (rejected) return `by ${rejected.by}${rejected.why === "" ? "" : `: ${rejected.why}`}`;
  if (failed) return failed.why;
  return approvals.length > 0 ? `by ${approvals.map(({ by }) => by).join(", ")}` : undefined;
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

export const isGoodRest = (rest: Rest): boolean =>
  rest.kind === "accept" ? !rest.best && rest.on !== "part" : rest.kind === "nothing-to-do";

/** Why a run did not end well; undefined where it did. */
export const whyNotWell = (rest: Rest): string | undefined =>
  rest.kind === "accept"
    ? (rest.best?.reason ?? (rest.on === "part" ? tellShort(rest.on, rest.stillRed) : undefined))
    : rest.kind === "nothing-to-do"
      ? undefined
      : rest.reason;

/** Why an L3 loop only proposed, and what lets it go further. */
export const tellOnlyProposed = (why: string): string => `L3, and only proposed: ${why}. \`lw promote LOOP\` tells more.`;
