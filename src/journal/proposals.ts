// The life of a proposal, folded from the records of its run, and what may be done about it next. Pure.
//
//   open ──approve──► approved ──recheck, gates──► acting ──receipt──► acted
//    │ ▲  ╲                │ expired, amended         │
//    │ │   reject          ▼                          ├─ known not to have happened ─► open again, with the reason
//  defer └────────────── open                         └─ nobody knows ─► unclear, until a human says
//
// Whatever happens, a proposal is either settled or in the inbox.
import type { Settling } from "../contract/decision.ts";
import type { Entry } from "../contract/record.ts";
import type { ProposalView, Stage } from "../contract/views.ts";

/** Records that change what may be done about a proposal: who writes one must have seen the newest of them. */
export const DECIDING = [
  "decided",
  "amended",
  "refreshed",
  "not-refreshed",
  "rechecked",
  "action-began",
  "action-done",
  "action-failed",
  "action-unclear",
  "proposal-settled",
] as const;

/** The number of the newest of these among the records of a run; 0 where there is none. */
export const newestDeciding = (entries: readonly Entry[]): number => {
  const kinds: readonly string[] = DECIDING;
  return entries.findLast(({ record }) => kinds.includes(record.kind))?.seq ?? 0;
};

/** What the records come to is what is shown of it. */
export type ProposalState = ProposalView;

export const proposedAs = ({ commit, tree }: { readonly commit: string; readonly tree: string }): ProposalState => ({
  commit,
  tree,
  amendedBy: undefined,
  approvals: [],
  deferredUntil: undefined,
  rejected: undefined,
  recheck: undefined,
  acting: undefined,
  unclear: undefined,
  failed: undefined,
  receipts: [],
  settled: undefined,
});

export const foldProposal = (first: ProposalState, entries: readonly Entry[]): ProposalState => entries.reduce(next, first);

function next(state: ProposalState, { record, at, seq }: Entry): ProposalState {
  switch (record.kind) {
    case "decided":
      return decided(state, record, { at, seq });
    case "amended": {
      if (isClosed(state) || state.acting) return state;
      const { commit, tree, by } = record;
      // Nothing that was said of the old tree says anything of this one.
      const { receipts, deferredUntil, refreshed } = state;
      const standing = refreshed ? { refreshed: { ...refreshed, from: commit } } : {};
      return { ...proposedAs({ commit, tree }), amendedBy: by, receipts, deferredUntil, ...standing };
    }
    case "refreshed":
      return refreshed(state, record);
    case "not-refreshed": {
      const { base, why, paths } = record;
      return { ...state, stuck: { base, why, paths } };
    }
    case "rechecked": {
      const { tree, base, verdict, standsOn } = record;
      const why = verdict.kind === "accept" ? "" : verdict.kind === "retry" ? verdict.lesson : verdict.reason;
      return { ...state, recheck: { tree, base, holds: verdict.kind === "accept", why, seq, ...(standsOn ? { standsOn } : {}) } };
    }
    case "action-began": {
      const { deed, action, number, plan } = record;
      return { ...state, acting: { deed, action, number, plan }, failed: undefined };
    }
    case "action-done":
      return state.acting?.deed === record.deed
        ? { ...state, acting: undefined, unclear: undefined, receipts: [...state.receipts, record.receipt] }
        : state;
    case "action-failed": {
      if (state.acting?.deed !== record.deed) return state;
      const stopped = { ...state, acting: undefined, unclear: undefined };
      if (record.retry === "later") return stopped;
      return { ...stopped, approvals: [], failed: { why: record.why, hint: record.hint } };
    }
    case "action-unclear":
      return state.acting?.deed === record.deed ? { ...state, unclear: record.why } : state;
    case "proposal-settled":
      return isClosed(state) ? state : { ...state, settled: { how: record.how, why: record.why } };
    default:
      return state;
  }
}

/** What was said of the same change holds; whether it still passes on the new base is another question, and asked again. */
function refreshed(
  { stuck: _, ...state }: ProposalState,
  { commit, tree, base, before, isSameChange }: Extract<Entry["record"], { kind: "refreshed" }>,
): ProposalState {
  if (isClosed(state) || state.acting || before.commit !== state.commit) return state;
  return {
    ...state,
    commit,
    tree,
    approvals: isSameChange ? state.approvals.map((approval) => ({ ...approval, tree })) : [],
    recheck: undefined,
    refreshed: {
      base,
      from: before.commit,
      isSameChange: isSameChange && (state.refreshed?.isSameChange ?? true),
      times: (state.refreshed?.times ?? 0) + 1,
    },
  };
}

function decided(
  state: ProposalState,
  { decision, tree, by, why, until }: Extract<Entry["record"], { kind: "decided" }>,
  { at, seq }: Pick<Entry, "at" | "seq">,
): ProposalState {
  if (isClosed(state)) return state;
  switch (decision) {
    case "approve": {
      if (tree !== state.tree || (state.acting && !state.unclear)) return state;
      // A human who has looked may let an unclear action be looked at again.
      const others = state.approvals.filter((approval) => approval.by !== by);
      const approval = { tree, by, why, at, seq, ...(until === undefined ? {} : { until }) };
      return { ...state, unclear: undefined, approvals: [approval, ...others], deferredUntil: undefined };
    }
    case "reject":
      // What has begun is not undone by a no that came later; the no stops whatever would come after it.
      return { ...state, rejected: { by, why }, approvals: [], ...(state.unclear ? { acting: undefined, unclear: undefined } : {}) };
    case "defer":
      return { ...state, deferredUntil: until };
  }
}

/** Nothing can happen to it any more. */
export const isClosed = ({ settled, rejected, acting }: ProposalState): boolean =>
  settled !== undefined || (rejected !== undefined && acting === undefined);

/** Approvals that count at this moment. */
export const countingApprovals = ({ approvals, tree }: ProposalState, now: Date): ProposalState["approvals"] =>
  approvals.filter((approval) => approval.tree === tree && (approval.until === undefined || new Date(approval.until) > now));

export function stageOf(state: ProposalState, now: Date): Stage {
  if (state.settled) return state.settled.how;
  if (state.unclear) return "unclear";
  if (state.acting) return "acting";
  if (state.rejected) return "rejected";
  if (countingApprovals(state, now).length > 0) return "approved";
  return state.deferredUntil !== undefined && new Date(state.deferredUntil) > now ? "deferred" : "open";
}

/** What is seen outside at the moment of moving. */
export interface Sighted {
  readonly now: Date;
  /** How far the loop may go now, after everything that caps it. */
  readonly level: "L1" | "L2" | "L3";
  /** The tip of the proposal's branch; undefined when it is gone. */
  readonly branch: { readonly commit: string } | undefined;
  /** The tip of base, and whether it contains the proposal. */
  readonly base: { readonly commit: string | undefined; readonly contains: boolean };
  /** The commit of base that the round was verified on. */
  readonly verifiedOn: string;
  /** Why nothing may move in this loop at all, if so: paused, halted, the kill switch. */
  readonly barred: string | undefined;
  /** How many actions the spec asks for. */
  readonly actions: number;
  /** Whether every gate says yes with these approvals, or what they say instead. */
  readonly gates: { readonly kind: "open" } | { readonly kind: "closed"; readonly why: string };
  /** Whether gates alone let it go on: an allowlist that the change is inside of, and no gate that asks for people. */
  readonly mayGoAlone: boolean;
  /** Why an L3 loop has not earned to go alone; not there where it has, or where its level is lower. */
  readonly unearned?: string;
}

/** What to do next. Everything but `wait` ends in a record, after which this is asked again. */
export type Move =
  | { readonly kind: "wait"; readonly why: string }
  | { readonly kind: "settle"; readonly how: Settling; readonly why: string }
  /** An action was begun and nobody wrote down how it ended. */
  | { readonly kind: "find-out"; readonly deed: string; readonly number: number }
  /** Base moved: the change is put on its new tip. */
  | { readonly kind: "refresh"; readonly onto: string }
  /** It was put on another base, and its branch does not say so yet. */
  | { readonly kind: "move-branch"; readonly from: string }
  | { readonly kind: "recheck" }
  | { readonly kind: "begin"; readonly number: number };

export function nextMove(state: ProposalState, seen: Sighted): Move {
  if (isClosed(state)) return { kind: "wait", why: "nothing more is done about it" };
  if (state.unclear !== undefined) return { kind: "wait", why: `nobody knows whether it happened: ${state.unclear}` };
  // Before everything else, also before a pause: what has begun is either done or not, and that is looked up, not repeated.
  if (state.acting) return { kind: "find-out", deed: state.acting.deed, number: state.acting.number };
  const isPartlyDone = state.receipts.length > 0;
  if (seen.actions > 0 && state.receipts.length >= seen.actions)
    return { kind: "settle", how: "acted", why: state.receipts.map(({ says }) => says).join("; ") };
  if (!isPartlyDone && seen.base.contains) return { kind: "settle", how: "landed", why: "base contains it" };
  if (!isPartlyDone && !seen.branch) return { kind: "settle", how: "withdrawn", why: "its branch is gone" };
  if (!isPartlyDone && state.refreshed && seen.branch?.commit === state.refreshed.from && seen.branch.commit !== state.commit)
    return { kind: "move-branch", from: state.refreshed.from };
  if (seen.barred !== undefined) return { kind: "wait", why: seen.barred };
  if (seen.level === "L1") return { kind: "wait", why: "an L1 loop moves nothing" };
  const yes = countingApprovals(state, seen.now);
  const isAsMade = state.amendedBy === undefined && state.refreshed?.isSameChange !== false;
  const isAlone = yes.length === 0 && seen.level === "L3" && seen.mayGoAlone && isAsMade && !state.failed;
  if (yes.length === 0 && !isAlone)
    return { kind: "wait", why: state.failed ? `${state.failed.why} ${state.failed.hint}` : whyAHuman(seen, state) };
  if (seen.gates.kind === "closed") return { kind: "wait", why: seen.gates.why };
  if (seen.branch && seen.branch.commit !== state.commit)
    return { kind: "wait", why: "the branch holds other commits than those that were decided about; take them over with `lw amend`" };
  if (!isPartlyDone && seen.base.commit !== seen.verifiedOn) return onMovedBase(state, seen.base.commit);
  if ((!isAlone || state.refreshed !== undefined) && !isRechecked(state, yes, seen)) {
    const last = state.recheck;
    const wasTried = last !== undefined && last.tree === state.tree && last.seq > newestOf(yes);
    return wasTried ? { kind: "wait", why: `it was verified again and does not hold: ${last.why}` } : { kind: "recheck" };
  }
  return seen.actions === 0
    ? { kind: "settle", how: "released", why: `approved by ${yes.map(({ by }) => by).join(", ")}` }
    : { kind: "begin", number: state.receipts.length + 1 };
}

/** So often it is put on a new base by itself; somebody who asks for it may do it as often as they like. */
export const MOST_REFRESHES = 10;

function onMovedBase({ stuck, refreshed }: ProposalState, base: string | undefined): Move {
  if (base === undefined) return { kind: "wait", why: "base is gone" };
  if (stuck?.base === base)
    return {
      kind: "wait",
      why: `base has moved since this was verified, and ${stuck.why}; \`lw run\` has it made again from where base is now`,
    };
  if ((refreshed?.times ?? 0) >= MOST_REFRESHES)
    return {
      kind: "wait",
      why: `base has moved again, after it was put on a new one ${MOST_REFRESHES} times; \`lw refresh\` does it once more`,
    };
  return { kind: "refresh", onto: base };
}

function whyAHuman({ unearned }: Sighted, { refreshed }: ProposalState): string {
  if (refreshed && !refreshed.isSameChange)
    return "a human must decide: base moved, and putting the change on it made it another one than was looked at";
  return unearned === undefined ? "a human must decide" : `a human must decide: ${unearned}`;
}

const newestOf = (approvals: readonly { readonly seq: number }[]): number => Math.max(0, ...approvals.map(({ seq }) => seq));

/** After the yes and not before it, of exactly this tree, on exactly this base. */
const isRechecked = ({ recheck, tree }: ProposalState, yes: ProposalState["approvals"], { verifiedOn }: Sighted): boolean =>
  recheck?.holds === true && recheck.tree === tree && recheck.base === verifiedOn && recheck.seq > newestOf(yes);
