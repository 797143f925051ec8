// A worker that is another loop: what it is called with, and what comes back of it. The run itself is opened by whoever composed this one.
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { RunInput } from "../contract/inputs.ts";
import type { Amounts, Basis } from "../contract/ledger.ts";
import type { ChildFact, Proposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Untrusted } from "../contract/text.ts";
import type { Rest } from "../contract/verdict.ts";
import type { Outcome } from "./outcome.ts";
import type { Above } from "./spending/spending.ts";

/** What a loop is called with. */
export interface LoopCall {
  readonly round: Round;
  readonly worker: string;
  /** Its file, as the calling spec names it. */
  readonly file: string;
  /** As it may be obeyed there. */
  readonly spec: LoopSpec;
  /** What its changes begin with. */
  readonly base: string;
  /** What it is given as text, before it is checked against what it takes; with the caller's input that it is, if it is one. */
  readonly given: { readonly [name: string]: { readonly text: string; readonly input?: RunInput } };
  readonly lessons: readonly Untrusted[];
  readonly isTainted: boolean;
  readonly above: readonly Above[];
}

/** What came of it, from its own records. */
export interface LoopEnd {
  readonly run: string;
  readonly outcome: Outcome;
  /** What it proposed last; where it rests with one, that. */
  readonly proposal: Proposal | undefined;
  /** The files of a document, as they were handed over. */
  readonly handed: Handed | undefined;
  /** What its checks said of that, by their ids. */
  readonly passed: { readonly [verifier: string]: boolean | null };
  readonly isTainted: boolean;
  readonly used: Amounts;
  readonly basis: Basis | undefined;
  readonly receipt: ArtifactRef | undefined;
}

/** The files of a document by their paths, or how much there would have been. */
export type Handed =
  | { readonly kind: "files"; readonly files: readonly { readonly path: string; readonly text: ArtifactRef }[] }
  | { readonly kind: "too-much"; readonly bytes: number };

/** How a run calls other loops. */
export interface Calls {
  readonly call: CallLoop;
  /** What was called and has not come to rest is over: the run that called it is about to rest. */
  readonly end: (rest: Rest) => Promise<void>;
}

/** Opens a run of a loop, or takes up the one that an earlier process opened for the same round and worker. */
export type CallLoop = (call: LoopCall) => Promise<LoopEnd | Unfit>;

/** What it would have been given is nothing that it takes: nothing was opened. */
export interface Unfit {
  readonly unfit: string;
}

/** Whether its checks held and it ended well: the best of a run that did not is not that. */
export const endedWell = ({ outcome }: Pick<LoopEnd, "outcome">): boolean =>
  outcome.kind === "rested" && outcome.rest.kind === "accept" && outcome.rest.best === undefined;

export const childFact = ({ run, outcome, used, basis, receipt, passed, isTainted }: LoopEnd): ChildFact => ({
  run,
  ...(outcome.kind === "rested" ? { rest: outcome.rest } : {}),
  used,
  ...(basis ? { basis } : {}),
  passed,
  isTainted,
  ...(receipt ? { receipt: receipt.sha256 } : {}),
});

/** Whether all that a run lacked was a budget: with more, it goes on where it was. */
export const isShortOfBudget = (rest: Rest | undefined): rest is Rest & { readonly kind: "halt" } =>
  rest?.kind === "halt" && rest.because === "budget";

/** Why it does not hold, in a sentence or several. */
export function whyNot({ outcome }: LoopEnd): string {
  if (outcome.kind === "paused") return outcome.failure.message;
  const { rest } = outcome;
  if (rest.kind === "accept") return rest.best ? `it did not end well: ${rest.best.reason}` : "";
  return rest.reason;
}
