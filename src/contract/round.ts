// A round: one pass of a loop, as the order for its work.
import type { Untrusted } from "./text.ts";

/** The work order for one pass: maker, verifiers, verdict. */
export interface Round {
  readonly id: string;
  readonly run: string;
  readonly loop: string;
  readonly number: number;
  /** The commit work starts from, chosen when the run was opened. */
  readonly base: string;
  /** When it was opened; the proposal's commit carries this time, so that making it again gives the same commit. */
  readonly openedAt: string;
  /** What earlier rounds taught, oldest first. Lessons quote test output, so they are strangers' words. */
  readonly lessons: readonly Untrusted[];
}
