// Records: what is written down, line by line, and never changed.
import type { ArtifactRef } from "./artifacts.ts";
import type { Baseline } from "./baseline.ts";
import type { Calibrated } from "./calibration.ts";
import type { CalledFrom } from "./calling.ts";
import type { ClientAsked } from "./client-asked.ts";
import type { EgressFact } from "./commands.ts";
import type { DecisionRecord, StandingRecord } from "./decision.ts";
import type { ErrorCode } from "./errors.ts";
import type { Evidence, Spend } from "./evidence.ts";
import type { Improved, ImprovementProposed, Undone, Version } from "./improve.ts";
import type { RunInputs } from "./inputs.ts";
import type { Amounts, Basis, Owner, PlaceAbove, Spender } from "./ledger.ts";
import type { Heard } from "./maker-events.ts";
import type { ToolsAccepted } from "./mcp.ts";
import type { Checkpoint } from "./receipt.ts";
import type { RefereeFact } from "./referee.ts";
import type { Round } from "./round.ts";
import type { LoopSpec } from "./spec.ts";
import type { TeamBudgets } from "./team-budgets.ts";
import type { Untrusted } from "./text.ts";
import type { Rest, Verdict } from "./verdict.ts";
import type { Cause, ScheduleRecord } from "./waking.ts";
import type { CommittedWork } from "./workshop.ts";

/** One journal line. The journal is only ever appended to; all state is a fold over it. */
export type LoopRecord =
  | RunOpened
  /** A process took the run up again after it was stopped or killed, or after its budget was raised. */
  | {
      readonly kind: "run-resumed";
      /** What it may use from now on, where the spec says something else by now. */
      readonly budget?: LoopSpec["budget"];
      /** The same for its workers and the loops that they call; there with `budget`, where some have any. */
      readonly team?: TeamBudgets;
    }
  | BaselineTaken
  /** Somebody ended the quarantine of a test before its time. */
  | { readonly kind: "flake-forgotten"; readonly id: string; readonly by: string }
  | { readonly kind: "round-opened"; readonly round: Round }
  | { readonly kind: "step-done"; readonly roundId: string; readonly step: string; readonly result: unknown; readonly tookMs: number }
  | Spent
  | Reserved
  | Settled
  /** What a maker had done when its budget ended it. It lies in the target under a name of its own, and the round goes on from it. */
  | { readonly kind: "kept"; readonly roundId: string; readonly work: CommittedWork }
  | Noted
  | Improved
  | ImprovementProposed
  | Undone
  | Calibrated
  /** Somebody threw the loop's notes away: those from before count no more. */
  | { readonly kind: "notes-cleared"; readonly by: string }
  /** An agent opened a conversation that a later try at the same round can take up, or was heard before it failed. */
  | {
      readonly kind: "maker-heard";
      readonly roundId: string;
      readonly session?: string;
      readonly heard?: Heard;
      /** Which of the spec's makers it was, from 1. Not there where it is the first. */
      readonly place?: number;
    }
  /** Where the commands of a maker went through the proxy of its box. */
  | { readonly kind: "maker-reached"; readonly roundId: string; readonly egress: EgressFact }
  | RoundClosed
  | {
      readonly kind: "round-failed";
      readonly roundId: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
      readonly retry: "never" | "later";
      /** When it may be tried again, where that is known. Not there in records from before agents were asked. */
      readonly until?: string;
      /** Work that no step recorded; it counts against the run's time all the same. */
      readonly tookMs: number;
    }
  /** Somebody asked for the run to stop; the process that runs it reads this. */
  | { readonly kind: "stop-requested"; readonly by: string }
  /** What the loop knows from now on: how far each watched ref has been read. */
  | { readonly kind: "remembered"; readonly roundId: string; readonly cursors: Cursors }
  | { readonly kind: "run-rested"; readonly rest: Rest; readonly report: ArtifactRef }
  | DecisionRecord
  | StandingRecord
  | ScheduleRecord
  | JournalMended
  | Receipted
  | Checkpointed
  | ClientAsked
  | ToolsAccepted
  /** Another key signs from now on. Both are named by the hash of their public halves. */
  | { readonly kind: "signer-changed"; readonly from: string; readonly to: string; readonly by: string };

/** A receipt of the run up to here was signed and kept. */
export interface Receipted {
  readonly kind: "receipted";
  /** How many came before it. */
  readonly number: number;
  readonly receipt: ArtifactRef;
  readonly subject: {
    readonly commit?: string;
    readonly tree?: string;
    /** Trees that were verified again, where they are others. */
    readonly others?: readonly string[];
  };
  /** Every run of the loop has its receipt as far as this record. */
  readonly covers: number;
}

/** A signed checkpoint was written outside of the journal. It is on record after it was written, so nobody can take it away unnoticed. */
export interface Checkpointed {
  readonly kind: "checkpointed";
  readonly checkpoint: Checkpoint;
  /** Of the line that was written. */
  readonly sha256: string;
  /** Where it was written. */
  readonly anchors: readonly string[];
  readonly failed: readonly { readonly anchor: string; readonly why: string }[];
}

export interface RunOpened {
  readonly kind: "run-opened";
  readonly number: number;
  readonly spec: LoopSpec;
  /** Hash of the spec's canonical form: the same hash is the same spec, whatever its layout. */
  readonly specHash: string;
  /** Of the rules for commands and the caps on spending that the run goes by. Not there in runs from before receipts. */
  readonly policyHash?: string;
  readonly specPath: string;
  /** Where the spec lies; its relative paths start here. */
  readonly folder: string;
  readonly repo: string;
  readonly base: { readonly ref: string; readonly commit: string };
  /** How far the loop had read each watched ref before this run. */
  readonly cursors: Cursors;
  readonly version: string;
  /** When the loop is due again, by its trigger; null where it never is. Not there in records from before it was asked then. */
  readonly nextDue?: string | null;
  /** There when somebody else's change was judged and no maker worked. Not there in records from before there was a referee. */
  readonly referee?: RefereeFact;
  /** What woke it, and what else joined that; its own cause first. Not there in runs by hand, nor in records from before loops woke by themselves. */
  readonly waking?: { readonly key: string; readonly causes: readonly Cause[] };
  /** The repository that the spec names, where its proposals are documents; `repo` is then the loop's own. */
  readonly target?: { readonly repo: string; readonly ref: string; readonly commit?: string };
  /** What it was told, with who said so. Not there where the spec declares no inputs. */
  readonly inputs?: RunInputs;
  /** The run that called it. Not there in a run that somebody or something woke. */
  readonly parent?: CalledFrom & {
    /** What earlier rounds there taught. */
    readonly lessons: readonly Untrusted[];
    /** Whether strangers' text was read there before. */
    readonly isTainted: boolean;
  };
  /** An earlier proposal of the loop, which does not apply to base as it is now. Not there where there is none. */
  readonly outrun?: { readonly run: string; readonly lessons: readonly Untrusted[] };
  /** What earlier runs gained by changing their own instructions. Not there where it begins with those of the spec. */
  readonly improved?: Version;
}

/** What a maker wrote down for those who come after it. */
export interface Noted {
  readonly kind: "noted";
  readonly roundId: string;
  readonly notes: readonly Untrusted[];
  /** Whether the round had read outsiders' text: then only a round that did so too is shown them. */
  readonly isTainted: boolean;
  /** Why others were not kept. Their words are not on record. */
  readonly refused: readonly string[];
  /** The name that they are kept under, where the spec has such names. (A field called key would be taken for a secret.) */
  readonly under?: string;
  /** The worker of a team that wrote them, or tried to. */
  readonly by?: string;
  /** The version of the loop's instructions that it makes; undone, it is shown to nobody any more. */
  readonly version?: string;
}

/** What was seen of base before the first maker was called. Runs from before it was looked at have none. */
export interface BaselineTaken {
  readonly kind: "baseline-taken";
  readonly baseline: Baseline;
  readonly tookMs: number;
}

/** Something was spent, and is on record before anything goes on. */
export interface Spent {
  readonly kind: "spent";
  readonly roundId: string;
  readonly spend: Spend;
  /** All that was counted. Not there in records from before there was a ledger, and neither is the rest. */
  readonly amounts?: Amounts;
  readonly basis?: Basis;
  readonly who?: Spender;
  /** The reservation it came out of, by the number of its record. */
  readonly reservation?: number;
  readonly day?: string;
  /** The runs above, nearest first, and how much of the time nobody else of each had counted; only where it comes out of no reservation. */
  readonly above?: readonly PlaceAbove[];
  readonly timeAbove?: readonly number[];
  /** Why the figure is what it is, where that is not plain: a price that was not known, an estimate. */
  readonly note?: string;
  /** What of it is not known, in records from before there was a ledger: dollars are then 0, tokens an estimate. */
  readonly unknown?: readonly ("usd" | "tokens")[];
  /** Tool calls in a word each, as hashes. */
  readonly did?: readonly string[];
}

/** Taken from what is left, before it is spent. Its own number in the journal is its name. */
export interface Reserved {
  readonly kind: "reserved";
  readonly roundId: string;
  readonly purpose: string;
  readonly who: Spender;
  readonly amounts: Amounts;
  /** In the user's zone, and never before an earlier one. What is settled later counts for this day. */
  readonly day: string;
  readonly owner: Owner;
  /** The reservation it is taken out of as far as that goes: a model call within a launch. */
  readonly within?: number;
  /** The runs above, nearest first, from which it is taken as well. Not there in a run that nobody calls. */
  readonly above?: readonly PlaceAbove[];
}

/** What became of a reservation: besides what was charged to it on the way, it came to this. */
export interface Settled {
  readonly kind: "settled";
  readonly roundId: string;
  readonly reservation: number;
  readonly amounts: Amounts;
  readonly basis: Basis;
  readonly who?: Spender;
  /** How much of the time counts in each run above: what others worked there at the same time is counted once. Default: all of it. */
  readonly timeAbove?: readonly number[];
  readonly note?: string;
}

export interface RoundClosed {
  readonly kind: "round-closed";
  readonly roundId: string;
  readonly evidence: Evidence;
  readonly verdict: Verdict;
}

/** Written when the journal was found damaged: it says for good what is missing, so that damage never passes as whole. */
export interface JournalMended {
  readonly kind: "journal-mended";
  readonly lost: readonly Range[];
  readonly why: string;
  /** The damaged file, kept aside, when the store itself had to be replaced. */
  readonly keptAs: string | undefined;
}

/** Sequence numbers, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Ref name → commit up to which it has been read. */
export type Cursors = { readonly [ref: string]: string };

/** A record as it stands in the journal. `hash` covers everything else, `prev` is the hash of the record before. */
export interface Entry<R extends LoopRecord = LoopRecord> {
  readonly seq: number;
  readonly at: string;
  readonly loop: string;
  readonly run: string;
  readonly record: R;
  readonly prev: string;
  readonly hash: string;
}
