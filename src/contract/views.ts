// What is shown of loops, runs, proposals, the inbox and spending, to people and to programs: one set of types for whoever shows it.
import type { Baseline } from "./baseline.ts";
import type { CalledFrom } from "./calling.ts";
import type { EgressFact } from "./commands.ts";
import type { Approval, Receipt, Settling } from "./decision.ts";
import type { Evidence } from "./evidence.ts";
import type { RunInputs } from "./inputs.ts";
import type { Amounts, AskedModel, Basis } from "./ledger.ts";
import type { MetricsView } from "./measuring.ts";
import type { RefereeFact } from "./referee.ts";
import type { Level } from "./spec.ts";
import type { Rest, Verdict } from "./verdict.ts";
import type { Cause } from "./waking.ts";

/** Where a loop stands. */
export interface LoopView {
  readonly loop: string;
  /** `running` in some process, `interrupted` and resumable, or at rest; then perhaps kept from running. `known`: it has not run yet. */
  readonly state: "running" | "interrupted" | "rested" | "paused" | "halted" | "all-stopped" | "wrong" | "known" | "unreadable";
  readonly last: RunView | null;
  readonly nextDue: string | null;
  /** Of a loop that the home looks after. */
  readonly known?: KnownView;
  /** Of a loop whose spec says L3: whether its next run may act alone. */
  readonly alone?: Alone;
}

/** A loop that the home looks after. */
export interface KnownView {
  readonly loop: string;
  /** Where its spec lies. */
  readonly path: string;
  /** What wakes it, in words. */
  readonly trigger: string;
  /** When it is woken next by a time; null where no time does, or something keeps it. */
  readonly next: string | null;
  readonly standing: "free" | "paused" | "halted" | "all-stopped";
  /** Whether its spec can be read and obeyed; else it is not woken. */
  readonly isRight: boolean;
  /** What keeps it from being woken. */
  readonly why: string | null;
}

export interface RunView {
  readonly run: string;
  readonly loop: string;
  readonly intent: string;
  readonly level: string;
  readonly repo: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly specPath: string;
  readonly specHash: string;
  /** `open` means not at rest: it is running, or waits for `lw resume`. */
  readonly state: "open" | "rested";
  readonly openedAt: string;
  readonly lastAt: string;
  readonly resumed: number;
  readonly workedMs: number;
  /** `known` is whether all of it was reported; `basis` is the weakest footing of any figure in it. */
  readonly cost: { readonly known: boolean; readonly usd: number; readonly tokens: number; readonly basis: Basis | null };
  readonly used: Amounts;
  /** Which models were asked, and for whom; not there where nobody said. */
  readonly models?: readonly AskedModel[];
  /** Caps that what was reported afterwards went past; not there where none was. */
  readonly passedCaps?: readonly string[];
  /** What was seen of base before the first round; null where nobody looked. */
  readonly baseline: Baseline | null;
  readonly rounds: readonly RoundView[];
  readonly rest: Rest | null;
  /** Not there while it is open. */
  readonly restedAt?: string;
  /** Somebody took from the inbox what needed a human; not there where nobody did. */
  readonly dismissed?: { readonly by: string; readonly why: string };
  readonly exit: { readonly code: number; readonly means: string } | null;
  readonly branch: string | null;
  /** What became of the proposal since; null where there is none. */
  readonly proposal: ProposalView | null;
  readonly report: string | null;
  /** Of a proposal of an L3 loop: whether it may go on alone. */
  readonly alone?: Alone;
  /** There when somebody else's change was judged. */
  readonly referee?: RefereeFact;
  /** What woke it; not there in a run by hand. */
  readonly cause?: { readonly key: string; readonly causes: readonly Cause[] };
  /** Not there where the spec declares none. */
  readonly inputs?: RunInputs;
  /** Not there where the spec names no metrics. */
  readonly metrics?: MetricsView;
  /** The run that called it. */
  readonly parent?: CalledFrom;
  /** The runs that it called; not there where it called none. */
  readonly children?: readonly ChildView[];
  readonly damagedRecords: readonly number[];
}

/** A run that was called for a worker. */
export interface ChildView {
  readonly run: string;
  readonly loop: string;
  readonly roundId: string;
  readonly worker: string;
  /** Null while it is open. */
  readonly rest: Rest | null;
}

export interface RoundView {
  readonly id: string;
  readonly number: number;
  readonly openedAt: string;
  readonly steps: readonly { readonly step: string; readonly tookMs: number }[];
  readonly evidence: Evidence | null;
  readonly verdict: Verdict | null;
  /** The commit of what was done when its budget ended it. */
  readonly kept: string | null;
  /** Where the maker's commands went through the proxy of their box; not there when they went nowhere. */
  readonly egress?: readonly EgressFact[];
  readonly failures: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
  /** Why notes of its makers were not kept; not there where all were. */
  readonly refusedNotes?: readonly string[];
}

/** A proposal as its records tell it. */
export interface ProposalView {
  /** What is proposed now: the maker's work, or a reviewer's amendment of it. */
  readonly commit: string;
  readonly tree: string;
  readonly amendedBy: string | undefined;
  /** Those of this very tree, one a person, newest first. Whether they still count is a question of time. */
  readonly approvals: readonly (Approval & { readonly seq: number })[];
  readonly deferredUntil: string | undefined;
  readonly rejected: { readonly by: string; readonly why: string } | undefined;
  readonly recheck: RecheckView | undefined;
  readonly acting: { readonly deed: string; readonly action: string; readonly number: number; readonly plan: string } | undefined;
  readonly unclear: string | undefined;
  /** Why the last try came to nothing. */
  readonly failed: { readonly why: string; readonly hint: string } | undefined;
  readonly receipts: readonly Receipt[];
  readonly settled: { readonly how: Settling; readonly why: string } | undefined;
  /** There where base moved since it was made and it was put on the new one: what it stands on, what its branch held before, whether it is still the change that was made, and how often. */
  readonly refreshed?: { readonly base: string; readonly from: string; readonly isSameChange: boolean; readonly times: number };
  /** A base that it does not apply to, and why. */
  readonly stuck?: { readonly base: string; readonly why: string; readonly paths: readonly string[] };
}

/** What came of verifying it again after somebody said yes. */
export interface RecheckView {
  readonly tree: string;
  readonly base: string;
  readonly holds: boolean;
  readonly why: string;
  readonly seq: number;
  /** The record of the proof that it stands on, where it was not made again because nothing that it went by had changed. */
  readonly standsOn?: { readonly seq: number; readonly at: string };
}

/** How a proposal stands, in one word. */
export type Stage = "open" | "deferred" | "approved" | "acting" | "unclear" | "acted" | "rejected" | Settling;

/** How far a loop may go by its record, and what it would need for the next level. */
export interface AutonomyView {
  readonly loop: string;
  /** As its spec says, and as it is held now. */
  readonly level: Level;
  readonly held: Level;
  readonly record: AutonomyRecord;
  readonly next: { readonly level: Level; readonly supports: boolean; readonly reasons: readonly string[] };
}

/** Whether a loop may act without anybody: it earned it here, somebody said so of exactly this, or not, and why. */
export type Alone =
  | { readonly kind: "earned" }
  | { readonly kind: "said"; readonly by: string }
  | { readonly kind: "not"; readonly why: string };

/** Whether a record is good enough for a level, with everything that speaks against it. */
export interface Advice {
  readonly supports: boolean;
  readonly reasons: readonly string[];
}

/** What people thought of a loop's work, and what had to be taken back. */
export interface AutonomyRecord {
  /** Reports and proposals that were proven. */
  readonly accepted: number;
  /** Proposals to which people said yes as they were, yes after they had changed them, or no. */
  readonly approved: number;
  readonly amended: number;
  readonly rejected: number;
  /** Proposals whose actions are all done, and those among them that no human was asked about. */
  readonly acted: number;
  readonly alone: number;
  readonly reverted: number;
  readonly escalated: number;
  readonly tampering: number;
}

/** Something that needs a human. */
export interface InboxItem {
  /** The run that it is about; `lw show` and every decision take it. */
  readonly id: string;
  readonly loop: string;
  /** `review`: a check of a run that is not over asks a person. `absent`: something that is expected of a loop did not come. */
  readonly kind: "proposal" | "question" | "review" | "needs-you" | "halted" | "absent";
  readonly stage: Stage;
  /** Of what was deferred: until when. */
  readonly until?: string;
  readonly since: string;
  /** What to look at first. */
  readonly why: string;
  readonly branch: string | null;
  readonly tree: string | null;
  readonly approvedBy: readonly string[];
  readonly next: string;
}

/** What spending can be summed up by. */
export type SpendBy = "loop" | "day" | "maker" | "model";

export interface SpendLine {
  /** The loop, day, maker or model; `unknown` where nobody said. */
  readonly key: string;
  readonly amounts: Amounts;
  /** How much of the money stands on which footing, in millionths of a dollar. */
  readonly microUsdBy: { readonly [B in Basis]: number };
}

export interface SpendView {
  readonly by: SpendBy;
  readonly since: string | null;
  readonly lines: readonly SpendLine[];
  readonly total: SpendLine;
  /** Reserved and not settled yet. */
  readonly reserved: Amounts;
  readonly today: string;
  /** What all loops together have taken of their caps. */
  readonly machine: readonly { readonly cap: string; readonly taken: string; readonly most: string }[];
}
