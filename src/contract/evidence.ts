// Evidence: everything that was seen of a proposal in its round.
import type { ArtifactRef } from "./artifacts.ts";
import type { BoxFact } from "./commands.ts";
import type { Finding } from "./finding.ts";
import type { Measured, RoundMetrics } from "./measuring.ts";
import type { Proposal } from "./proposal.ts";
import type { Taint } from "./text.ts";

export type { Finding, Severity } from "./finding.ts";

/**
 * What one verifier saw. A `proof` was run by the engine itself; an `opinion` can sink a proposal but never float one.
 * `gap` means that two equivalent checks disagree, so that neither can be believed.
 * `unknown` means that the check could not be made: it is never read as success.
 */
export interface Proof {
  readonly verifier: string;
  readonly kind: "proof" | "opinion";
  readonly outcome: "holds" | "refuted" | "fabricated" | "gap" | "unknown";
  readonly detail: string;
  readonly output: ArtifactRef | undefined;
  /** Only where the proposal changed sealed files: with base's version of them, or with its own. */
  readonly room?: "sealed" | "own";
  /** What its commands were kept to. Not there in records from before there was a box. */
  readonly box?: BoxFact;
  /** Tool chains whose caches its rooms had from base's own look. Not there: all was compiled anew. */
  readonly caches?: readonly string[];
  /** The verifier's id in the spec; not there where it has none. */
  readonly id?: string;
  /** Its figures; not there where it has none, or no id. */
  readonly measured?: Measured;
  /** Tests that failed on base and still fail, of a change that only had to make progress: it holds in part. */
  readonly stillRed?: readonly string[];
  /** Why it had nothing to look at, where it holds all the same because the spec takes that for enough: then nobody acts alone. */
  readonly emptyHanded?: string;
  /** The workers whose results it looked at, where that is not what is proposed: it can sink a proposal and never carry it. */
  readonly of?: readonly string[];
}

export interface Spend {
  readonly usd: number;
  readonly tokens: number;
}

export interface SealEvidence {
  /** Verified in their base version. */
  readonly restored: readonly string[];
  /** Verified without them. */
  readonly dropped: readonly string[];
  /** Those of the restored ones that are no tests or settings by their names, but that base's checks read. Not there where there are none. */
  readonly read?: readonly string[];
}

/** Folders that were made from base by the spec's `prepare`, once, and are copied into every room. */
export interface PreparedEntry {
  /** The same for the same command, the same files that decide about it, and the same kind of machine. */
  readonly id: string;
  /** Of what lies there, with sizes and times: whoever writes into it changes this. */
  readonly sha256: string;
  readonly how: "made" | "reused";
  readonly files: number;
  readonly bytes: number;
  /** What a reader should know: links that were left out, and the like. */
  readonly notes: readonly string[];
}

export interface PreparedEvidence extends PreparedEntry {
  /** How often it had to be made again, because something had written into it. */
  readonly again: number;
  /** Files the proposal changed that would have decided what is prepared: it was verified with what base's versions gave. */
  readonly changed: readonly string[];
}

/** What was kept from the maker. While another maker of the run may come, only how many files and a hash of their names are told. */
export interface HeldOut {
  /** What checks of this round drew from; the next round has another. */
  readonly seed: number;
  readonly files: number;
  readonly sha256: string;
  /** There when the round's verdict ended the run. */
  readonly paths?: readonly string[];
}

/** Every fact gathered in one round. Plain data: it can be stored, shown, and judged again. */
export interface Evidence {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  /** Sealed files that the proposal changed; not there when it changed none. */
  readonly seal?: SealEvidence;
  /** Not there in records from before it was kept. */
  readonly taint?: Taint;
  /** Not there when the spec prepares nothing, nor in records from before it could. */
  readonly prepared?: PreparedEvidence;
  /** Not there when no verifier holds anything out, nor in records from before one could. */
  readonly heldOut?: HeldOut;
  /** What might help a person who reads of a failure. Not there when nothing comes to mind. */
  readonly hints?: readonly string[];
  /** Not there where the spec names no metrics and no ends. */
  readonly metrics?: RoundMetrics;
  /** Why it could not be told what base's checks read, so that what is sealed goes by names alone. Not there where it could, or nobody looked. */
  readonly notTraced?: string;
  /** What of this machine its checks went by. Not there where they may have gone by more, or nobody decides about it. */
  readonly surroundings?: string;
  /** Which instructions its makers worked by, where they were not those of the spec. */
  readonly version?: string;
}
