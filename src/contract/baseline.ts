// The baseline: what was seen of base before anything was spent.
import type { ArtifactRef } from "./artifacts.ts";
import type { CacheEntry } from "./caches.ts";
import type { BoxFact } from "./commands.ts";
import type { ErrorCode } from "./errors.ts";

/** One test of one run, by the id that it has in every checkout. */
export interface TestFact {
  readonly id: string;
  readonly outcome: "passed" | "failed" | "skipped" | "todo";
}

/** What one run of a check on base came to. */
export interface BaseSight {
  readonly state: "red" | "green" | "cannot-run";
  readonly detail: string;
  /** What to do about it, where that is known. */
  readonly hint?: string;
  /** Only where the results of every test were read, are complete, and agree with the exit code. */
  readonly tests: readonly TestFact[] | undefined;
  readonly output: ArtifactRef | undefined;
}

/**
 * What a check reads on base, as far as it decides how work is checked: whatever is no product source, and not sealed by its name
 * already. And what it writes to by habit, of the files that are there.
 */
export type BaseReads =
  | {
      readonly kind: "traced";
      readonly decides: readonly string[];
      readonly touched: readonly string[];
      /** Stands for how every test ended. Not there where that was not read. */
      readonly outcomes?: string;
    }
  | { readonly kind: "not-traced"; readonly why: string; readonly touched: readonly string[] };

/** What all runs of a check on base came to. Verifiers that run the same thing lean on one look. */
export interface BaseCheck {
  /** Stands for what is run and how: the same on the same base is not looked at again for a day. */
  readonly matter: string;
  /** Who leans on it, by their numbers in the spec and their names. */
  readonly verifiers: readonly { readonly number: number; readonly name: string }[];
  readonly state: "green" | "red" | "unstable" | "cannot-run";
  readonly detail: string;
  readonly hint?: string;
  /** How often it was run, and how often the spec asked for. */
  readonly runs: number;
  readonly asked: number;
  /** Tests that failed every time, the first of them. */
  readonly red: readonly string[];
  readonly redCount: number;
  /** Tests that ended now this way, now that way. */
  readonly flaky: readonly string[];
  /** Tests of base that are left out of this run's verdicts: the flaky ones, and those of earlier looks that are still in quarantine. */
  readonly quarantined: readonly string[];
  /** Whether the maker may hear of it; a hold-out it may not. */
  readonly isHidden: boolean;
  readonly output: ArtifactRef | undefined;
  /** When it was looked at, and by which run: another one where the look was used again. */
  readonly lookedAt: string;
  readonly lookedBy: string;
  /** The least that the box enforced in any of the runs. */
  readonly box?: BoxFact;
  /**
   * `copied`: it ended otherwise where what is prepared lay under its room than where it was copied: this loop's rooms have copies.
   * `on-base`: it ended the same, test by test, in a copy that was checked out and in one that base lay under.
   */
  readonly rooms?: "copied" | "on-base";
  /** What tool chains left in their caches, for rooms of this base. */
  readonly caches?: readonly CacheEntry[];
  /** Not there for hold-outs, nor in records from before it was traced: then names alone decide what is sealed. */
  readonly reads?: BaseReads;
}

/** A test in quarantine. Only base can put one there: a maker that could would have its failing test forgiven. */
export interface Flake {
  readonly id: string;
  readonly matter: string;
  /** The verifier that saw it, by name. */
  readonly verifier: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** From then on it counts again. */
  readonly until: string;
  /** In how many runs on base it was seen, and in how many of those it failed. */
  readonly runs: number;
  readonly failed: number;
}

/** What was seen of base before anything was spent. */
export interface Baseline {
  /** The tree of base. */
  readonly tree: string;
  readonly checks: readonly BaseCheck[];
  /** The loop's whole quarantine after this look. */
  readonly quarantine: readonly Flake[];
  /** Something outside failed for good while base was looked at. */
  readonly failure?: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
}
