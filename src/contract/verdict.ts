// What follows from the evidence of a round, and how a run ends.
import type { Untrusted } from "./text.ts";

/** Why a loop hands over or stops, in one word; each has its exit code. */
export type Because =
  | "check-failed"
  | "fabricated"
  | "gap"
  | "cannot-verify"
  | "maker-unfinished"
  | "question"
  | "tampering"
  | "seal"
  | "outside-level"
  | "blocked"
  | "injection"
  | "budget"
  | "runaway"
  | "stalled"
  | "below-target"
  | "rejected"
  | "outside-failure"
  | "stopped"
  | "bug";

/** It is proven: `propose` where somebody decides about it, `report` where nobody does. */
export interface Accepted {
  readonly kind: "accept";
  readonly action: "report" | "propose";
  /** There where less is proven than was asked: nothing, so that only opinions speak for it, or a part of what was red. */
  readonly on?: "opinion" | "part";
  /** What still fails of what failed on base; there where it is proven in part. */
  readonly stillRed?: readonly string[];
  /** There where the run did not end well, and this is the best of its rounds. Never in the verdict of a round. */
  readonly best?: BestRound;
}

/** Whether all that was asked for is proven. */
export const isWhole = ({ on, best }: Accepted): boolean => on === undefined && best === undefined;

/** The round that is proposed although the run did not end well: the best one whose checks hold. */
export interface BestRound {
  readonly roundId: string;
  readonly number: number;
  /** The metric that it is the best by, and what that was; null where nobody could tell. */
  readonly metric: string | null;
  readonly value: number | null;
  /** How the run ended. */
  readonly because: Because;
  readonly reason: string;
}

/** What it may be called: without a figure nothing is the best. */
export const nameOfBest = ({ value }: Pick<BestRound, "value">): string => (value === null ? "the first whose checks hold" : "the best");

/** What follows from the evidence of one round. */
export type Verdict =
  | Accepted
  | { readonly kind: "retry"; readonly because: Because; readonly lesson: Untrusted }
  | { readonly kind: "escalate"; readonly because: Because; readonly reason: string }
  | { readonly kind: "halt"; readonly because: Because; readonly reason: string };

/** How a run ends: by the verdict of its last round, or before the first, since base needs nothing. */
export type Rest = Exclude<Verdict, { kind: "retry" }> | { readonly kind: "nothing-to-do"; readonly reason: string };
