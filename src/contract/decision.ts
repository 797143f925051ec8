// What becomes of a proposal after its verdict: who decided, what was begun, what was done. All of it are records.
import type { ArtifactRef } from "./artifacts.ts";
import type { Verdict } from "./verdict.ts";

/** What was moved or told outside, as whoever did it saw it. */
export interface Receipt {
  readonly action: string;
  /** One line for people: `main moved from 1a2b to 3c4d`. */
  readonly says: string;
  /** For machines, and for undoing it: ids, addresses. */
  readonly facts: { readonly [name: string]: string };
}

/** Somebody said yes to exactly this tree. */
export interface Approval {
  readonly tree: string;
  readonly by: string;
  readonly why: string;
  readonly at: string;
  /** From then on it counts no more. */
  readonly until?: string;
}

/** Who decides is a name. How it was known that it is theirs stands beside it, where somebody asked. */
interface Known {
  readonly by: string;
  /** `the token of this home`; not there for commands, which go by the login name or `--as`. */
  readonly how?: string;
}

export type DecisionRecord =
  /** Bound to the tree that was seen: on another tree it counts for nothing. */
  | (Known & {
      readonly kind: "decided";
      readonly decision: "approve" | "reject" | "defer";
      readonly tree: string;
      readonly why: string;
      /** Of an approval: until when it counts. Of a deferral: until when nobody is asked. */
      readonly until?: string;
    })
  /** A reviewer's own commits on the branch are the proposal from now on; earlier approvals were of another tree. */
  | (Known & { readonly kind: "amended"; readonly commit: string; readonly tree: string; readonly why: string })
  /**
   * Base moved, and the same change stands on its new tip from now on, as another commit. Where it is the same to the byte in the same
   * files, what people said of it holds of the new tree too.
   */
  | {
      readonly kind: "refreshed";
      readonly commit: string;
      readonly tree: string;
      /** What it stands on now, and what it stood on. */
      readonly base: string;
      readonly before: { readonly commit: string; readonly tree: string; readonly base: string };
      readonly isSameChange: boolean;
      /** Not there where nobody asked: it was done for a decision to be carried out. */
      readonly by?: string;
    }
  /** It does not apply to that base. */
  | { readonly kind: "not-refreshed"; readonly base: string; readonly why: string; readonly paths: readonly string[] }
  /** The words that a maker's question was answered with. They go to the next run. */
  | (Known & { readonly kind: "answered"; readonly text: string })
  /** A verifier of the spec asks people about exactly this tree, and waits until then. */
  | {
      readonly kind: "review-asked";
      readonly roundId: string;
      readonly tree: string;
      readonly ask: string;
      readonly until: string;
      /** Workers of a team whose results it is about, and these as a diff; not there where it is about what is proposed. */
      readonly of?: readonly string[];
      readonly shows?: ArtifactRef;
    }
  /** What somebody said to it. On another tree it counts for nothing, and silence is never a yes. */
  | (Known & { readonly kind: "reviewed"; readonly tree: string; readonly says: "yes" | "no"; readonly why: string })
  /** The exact tree was verified once more, on that base. */
  | {
      readonly kind: "rechecked";
      readonly tree: string;
      readonly base: string;
      readonly verdict: Verdict;
      /** The record of the proof that it stands on, where nothing that it went by had changed and it was not made again. */
      readonly standsOn?: { readonly seq: number; readonly at: string };
    }
  /** Written before anything moves. The deed is the same for the same action on the same tree, whoever does it and how often. (A field called key would be taken for a secret.) */
  | { readonly kind: "action-began"; readonly deed: string; readonly action: string; readonly number: number; readonly plan: string }
  | { readonly kind: "action-done"; readonly deed: string; readonly receipt: Receipt }
  /** It is known not to have happened. After `never`, whoever said yes is asked again; after `later`, it may begin once more. */
  | {
      readonly kind: "action-failed";
      readonly deed: string;
      readonly why: string;
      readonly hint: string;
      readonly retry: "never" | "later";
    }
  /** Nobody knows whether it happened: it is not tried again until a human says so. */
  | { readonly kind: "action-unclear"; readonly deed: string; readonly why: string }
  /** What was moved was taken back by somebody, as a commit of base shows. */
  | { readonly kind: "reverted"; readonly commit: string; readonly why: string }
  /** Nothing more is done about it. */
  | { readonly kind: "proposal-settled"; readonly how: Settling; readonly why: string };

/**
 * `acted`: every action of the spec is done. `released`: a human said yes and the spec moves nothing. `landed`: base contains it.
 * `withdrawn`: its branch is gone. `superseded`: a later proposal of the loop took its place.
 */
export type Settling = "acted" | "released" | "landed" | "withdrawn" | "superseded";

/** What holds for a loop as a whole, whatever its spec says. */
export type StandingRecord =
  | (Known & { readonly kind: "loop-paused"; readonly why: string })
  | { readonly kind: "loop-halted"; readonly because: string; readonly reason: string }
  | (Known & { readonly kind: "loop-resumed"; readonly why: string })
  /** What people have been told of, as far as it still waits for them. */
  | { readonly kind: "alerted"; readonly heard: readonly string[] }
  /** From now on the loop goes no further than this, or again as far as its spec says. */
  | (Known & {
      readonly kind: "level-held";
      readonly most: "L1" | "L2" | "L3";
      readonly why: string;
      /** The target, maker, checks and spec that it was said of; not there in records from before it was bound to them. */
      readonly ground?: string;
    });
