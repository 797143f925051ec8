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
  /** What the spec wants to be told of the round before it, and to whom. Not there where it does not say. */
  readonly told?: readonly Told[];
  /** Which instructions its makers work by, where they are not those of the spec. */
  readonly version?: string;
}

/** What somebody hears of a verifier. It may quote what was verified, so it is a stranger's words. */
export interface Told {
  readonly from: string;
  /** `maker`, or a worker by its id. */
  readonly to: string;
  readonly text: Untrusted;
}
