// How a run or a waking came out, as it is drawn: one word, one sentence, and the record that says so. Pure.

import type { Outcome, OutcomeKind } from "../../contract/api.ts";
import { type BestRound, nameOfBest, type Rest } from "../../contract/verdict.ts";
import type { RunView } from "../../contract/views.ts";
import type { EntryOf } from "../../journal/journal.ts";
import { tellShort } from "../../std/tell-tests.ts";
import { clipped } from "./clip.ts";

/** What became of what a run proposed, as far as a list knows. */
export type Fate = "waits" | "settled" | "rejected";

const MOST_CHARS = 300;

export function outcomeOfRest({ run, at, seq, record: { rest } }: EntryOf<"run-rested">, fate: Fate): Outcome {
  return { ...tellOutcome(rest, fate), at, run, seq };
}

/** A waking that opened no run; one that did is told by its run. */
export function outcomeOfWaking({ at, seq, record: { fate, says, reason } }: EntryOf<"waking">): Outcome | undefined {
  if (fate === "ran" || fate === "coalesced") return undefined;
  return { kind: fate, at, says: short(says), run: null, because: reason, seq };
}

/** `restedAt`: what is decided afterwards is no other rest. */
export function outcomeOfView(
  { run, rest, lastAt, proposal }: RunView,
  { seq, restedAt, isRunning }: { readonly seq: number; readonly restedAt: string | undefined; readonly isRunning: boolean },
): Outcome {
  if (rest) return { ...tellOutcome(rest, fateOf(proposal)), at: restedAt ?? lastAt, run, seq };
  const kind = isRunning ? "running" : "interrupted";
  return { kind, at: lastAt, says: isRunning ? "It is running." : "It was interrupted, and can be resumed.", run, because: null, seq };
}

export function fateOf(proposal: RunView["proposal"]): Fate {
  if (!proposal || proposal.settled) return "settled";
  return proposal.rejected && !proposal.acting ? "rejected" : "waits";
}

type Told = Pick<Outcome, "kind" | "says" | "because">;

function tellOutcome(rest: Rest, fate: Fate): Told {
  if (rest.kind === "nothing-to-do") return { kind: "nothing-to-do", says: short(rest.reason), because: null };
  if (rest.kind === "accept" && rest.best) return { ...PROPOSED[fate], says: short(tellBest(rest.best)), because: rest.best.because };
  if (rest.kind === "accept" && rest.on === "opinion")
    return { ...PROPOSED[fate], kind: fate === "settled" ? "waiting" : PROPOSED[fate].kind, says: ON_OPINION[fate] };
  if (rest.kind === "accept" && rest.on)
    return {
      ...PROPOSED[fate],
      kind: fate === "settled" ? "waiting" : PROPOSED[fate].kind,
      says: short(`Proven ${tellShort(rest.on, rest.stillRed)}.`),
    };
  if (rest.kind === "accept") return rest.action === "report" ? PROVEN : PROPOSED[fate];
  const { because, reason } = rest;
  return { kind: endOf(rest), says: short(reason), because };
}

const tellBest = (best: BestRound): string =>
  `Below its target (${best.because}); round ${best.number} was ${nameOfBest(best)} and is proposed. ${best.reason}`;

const PROVEN: Told = { kind: "proven", says: "Proven.", because: null };
const PROPOSED: { readonly [F in Fate]: Told } = {
  settled: PROVEN,
  waits: { kind: "waiting", says: "Proven. It waits for a decision.", because: null },
  rejected: { kind: "rejected", says: "Proven, and rejected by a person.", because: null },
};

const ON_OPINION: { readonly [F in Fate]: string } = {
  settled: "Accepted on opinion alone: nothing was proven.",
  waits: "Opinions speak for it, and nothing is proven. It waits for a decision.",
  rejected: "Opinions spoke for it; rejected by a person.",
};

function endOf({ kind, because }: Extract<Rest, { kind: "escalate" | "halt" }>): OutcomeKind {
  if (because === "tampering") return "tampering";
  if (because === "question") return "waiting";
  if (because === "stopped") return "stopped";
  return kind === "halt" ? "halted" : "refused";
}

const short = (text: string): string => clipped(text, MOST_CHARS);
