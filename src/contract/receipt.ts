// What is signed: receipts of runs and checkpoints of journals, as plain values. The forms are others': in-toto statements in DSSE envelopes.

import type { ArtifactRef } from "./artifacts.ts";
import type { BoxFact } from "./commands.ts";
import type { Receipt, Settling } from "./decision.ts";
import type { Finding, Proof } from "./evidence.ts";
import type { Amounts, Basis } from "./ledger.ts";
import type { MetricsView } from "./measuring.ts";
import type { JoinFact } from "./proposal.ts";
import type { Level } from "./spec.ts";
import type { Rest } from "./verdict.ts";

/** A DSSE envelope (v1). The payload and the signatures are base64. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PAYLOAD_TYPE = "application/vnd.in-toto+json";
export const RECEIPT_TYPE = "urn:loopwright:receipt:v1";
export const CHECKPOINT_TYPE = "urn:loopwright:checkpoint:v1";
export const ROTATION_TYPE = "urn:loopwright:key-rotation:v1";

/** An in-toto statement (v1): about these things, this is said. */
export interface Statement<Predicate = unknown> {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Subject[];
  readonly predicateType: string;
  readonly predicate: Predicate;
}

/** Digests by their in-toto names: `gitCommit`, `gitTree`, `sha256`. */
export interface Subject {
  readonly name: string;
  readonly digest: { readonly [algorithm: string]: string };
}

/** One place in a journal. The chain is the journal's own name: the hash of its first record. */
export interface ChainPlace {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/** The journal had exactly these records at that time: whoever cuts or changes it afterwards is at odds with this. */
export interface Checkpoint extends ChainPlace {
  readonly at: string;
  /** Hash of the journal's checkpoint before this one, as it was written; null for the first. */
  readonly after: string | null;
}

/** Everything a run came to, from its records. What nobody looked at is not there; it never says that something is in order. */
export interface RunReceipt {
  /** Who made the change: a maker of the loop, or somebody whose checkout a referee judged. */
  readonly kind: "run" | "referee";
  readonly loop: string;
  readonly run: string;
  /** The run that called it; not there where nobody did. */
  readonly calledBy?: string;
  /** How many receipts of the run came before: the newest one counts. */
  readonly number: number;
  readonly at: string;
  readonly version: string;
  readonly asked: {
    readonly intent: string;
    readonly level: Level;
    readonly specHash: string;
    /** Of the rules for commands and of the caps on spending. Not there in runs from before it was kept. */
    readonly policyHash?: string;
    readonly base: { readonly ref: string; readonly commit: string };
    readonly openedAt: string;
  };
  readonly maker: {
    readonly name: string;
    /** The models that were asked for it, as it or its provider named them. Not there where nobody said. */
    readonly models?: readonly string[];
    readonly rounds: number;
    readonly box?: BoxFact;
    readonly taint?: "clean" | "tainted";
    /** Those before it in the spec's list, who had reached a limit or could not be reached. Not there when there are none. */
    readonly insteadOf?: readonly string[];
    /** Of a team: who worked, and what each handed over, by its hash or its commit. */
    readonly workers?: readonly {
      readonly id: string;
      readonly use: string;
      readonly ended: string;
      readonly result?: string;
      readonly commit?: string;
      /** Of a worker that is another loop: its run, and the receipt of that by its hash. */
      readonly child?: { readonly run: string; readonly receipt?: string };
      readonly tries?: number;
      /** Why there is nothing of it. */
      readonly why?: string;
      readonly tookMs?: number;
      readonly used?: { readonly usd: number; readonly tokens: number };
      /** What it was given. */
      readonly from?: readonly string[];
    }[];
    /** What was brought together, and who says something else. */
    readonly joins?: readonly JoinFact[];
  };
  /** What was tested, by objects. Not there when no round came so far. */
  readonly tested?: {
    /** Not there for a work tree that is no commit. */
    readonly commit?: string;
    readonly tree: string;
    readonly base: string;
    readonly files: number;
  };
  readonly checks: readonly ReceiptCheck[];
  readonly findings: readonly Pick<Finding, "rule" | "severity" | "where">[];
  readonly rest: Rest;
  /** The newest of what was measured. Not there where the spec names no metrics. */
  readonly metrics?: MetricsView;
  readonly cost: { readonly amounts: Amounts; readonly basis?: Basis };
  readonly decisions: readonly ReceiptDecision[];
  /** Trees that were verified once more before anything moved, a reviewer's among them. The last look at a tree counts. */
  readonly rechecks: readonly {
    readonly commit?: string;
    readonly tree: string;
    readonly base: string;
    readonly verdict: string;
    readonly at: string;
    /** The record of the proof that it stands on, where it was not made again. */
    readonly standsOn?: number;
  }[];
  readonly moved: readonly Receipt[];
  readonly settled?: { readonly how: Settling; readonly why: string };
  /** Everything that was kept of it, by what it is and its hash. */
  readonly artifacts: readonly ({ readonly name: string } & ArtifactRef)[];
  /** The run's records, from its first to the last one that this receipt tells of. */
  readonly journal: { readonly chain: string; readonly from: number; readonly to: number; readonly records: number; readonly head: string };
}

export type ReceiptCheck = Pick<Proof, "verifier" | "kind" | "outcome" | "detail" | "output" | "room" | "box" | "of">;

export interface ReceiptDecision {
  readonly decision: string;
  readonly by: string;
  readonly why: string;
  readonly at: string;
  readonly tree?: string;
}

/** How a run ended, for those who only want to know whether it was proven. `unknown` is never a pass. */
export type RunResult = "passed" | "refused" | "unknown" | "nothing-to-do";

/** One run of any system, as it is counted. */
export interface LedgerRun {
  /** The same for the same run wherever a copy of it lies. */
  readonly id: string;
  readonly system: "loopwright" | "loopgen" | "strive";
  readonly loop: string;
  readonly at: string;
  readonly result: RunResult;
  /** Who made it, as far as the source says. */
  readonly maker?: string;
  readonly actor?: string;
  readonly commit?: string;
  readonly tree?: string;
  readonly rounds?: number;
  readonly usd?: number;
  readonly findings?: number;
}

/** One file or store that runs were read from, and whether it can be believed. */
export interface LedgerSource {
  readonly label: string;
  readonly system: LedgerRun["system"];
  readonly runs: readonly LedgerRun[];
  /** `unchained`: the system keeps no chain, so nothing can be checked. */
  readonly chain:
    | { readonly kind: "whole"; readonly entries: number; readonly note?: string }
    | { readonly kind: "broken"; readonly entries: number; readonly at: number; readonly why: string }
    | { readonly kind: "unchained"; readonly why: string }
    | { readonly kind: "unreadable"; readonly why: string };
}
