// Which mark, word and cell of the strip stands for what came out. Every kind has its answer here and nowhere else.
import type { Claim, LaneMark, OutcomeKind, RunRow, TimelineStep } from "../../src/contract/api.ts";
import type { InboxItem, LoopView } from "../../src/contract/views.ts";

/** The shapes of the sprite, which are also the classes that colour them. */
export type MarkName =
  | "proven"
  | "partly"
  | "refused"
  | "tampering"
  | "waiting"
  | "halted"
  | "running"
  | "skipped"
  | "missed"
  | "nothing"
  | "unknown"
  | "opinion"
  | "planned"
  | "step";

export interface Word {
  readonly mark: MarkName;
  readonly word: string;
}

export function wordOfOutcome(kind: OutcomeKind): Word {
  switch (kind) {
    case "proven":
      return { mark: "proven", word: "proven" };
    case "waiting":
      return { mark: "waiting", word: "waiting for you" };
    case "refused":
      return { mark: "refused", word: "refused" };
    case "tampering":
      return { mark: "tampering", word: "tampering" };
    case "halted":
      return { mark: "halted", word: "halted" };
    case "stopped":
      return { mark: "halted", word: "stopped" };
    case "nothing-to-do":
      return { mark: "nothing", word: "nothing to do" };
    case "rejected":
      return { mark: "refused", word: "rejected" };
    case "running":
      return { mark: "running", word: "running" };
    case "interrupted":
      return { mark: "unknown", word: "interrupted" };
    case "skipped":
      return { mark: "skipped", word: "skipped" };
    case "missed":
      return { mark: "missed", word: "missed" };
    case "failed":
      return { mark: "unknown", word: "failed" };
  }
}

/** Proven and then moved says both. */
export function wordOfRow({ outcome, stage }: Pick<RunRow, "outcome" | "stage">): Word {
  const word = wordOfOutcome(outcome.kind);
  if (outcome.kind !== "proven" || stage === null || stage === "open") return word;
  return { ...word, word: `proven, ${stage}` };
}

export function wordOfState(state: LoopView["state"]): Word {
  switch (state) {
    case "running":
      return { mark: "running", word: "running" };
    case "interrupted":
      return { mark: "unknown", word: "interrupted" };
    case "rested":
      return { mark: "nothing", word: "at rest" };
    case "paused":
      return { mark: "skipped", word: "paused" };
    case "halted":
      return { mark: "halted", word: "halted" };
    case "all-stopped":
      return { mark: "halted", word: "all stopped" };
    case "wrong":
      return { mark: "refused", word: "spec is wrong" };
    case "known":
      return { mark: "nothing", word: "has not run" };
    case "unreadable":
      return { mark: "unknown", word: "unreadable" };
  }
}

export function wordOfItem({ kind }: Pick<InboxItem, "kind">): Word {
  switch (kind) {
    case "proposal":
      return { mark: "waiting", word: "proposal" };
    case "question":
      return { mark: "opinion", word: "question" };
    case "review":
      return { mark: "opinion", word: "review" };
    case "needs-you":
      return { mark: "refused", word: "needs you" };
    case "halted":
      return { mark: "halted", word: "halted" };
    case "absent":
      return { mark: "missed", word: "did not come" };
  }
}

export function wordOfClaim(mark: Claim["mark"]): Word {
  switch (mark) {
    case "holds":
      return { mark: "proven", word: "holds" };
    case "refuted":
      return { mark: "refused", word: "refuted" };
    case "fabricated":
      return { mark: "tampering", word: "fabricated" };
    case "gap":
      return { mark: "refused", word: "gap" };
    case "unknown":
      return { mark: "unknown", word: "not checked" };
    case "opinion":
      return { mark: "opinion", word: "opinion" };
    case "finding":
      return { mark: "refused", word: "finding" };
  }
}

export function wordOfLane({ kind, outcome }: Pick<LaneMark, "kind" | "outcome">): Word {
  switch (kind) {
    case "ran":
    case "by-hand":
      return outcome ? wordOfOutcome(outcome) : { mark: "running", word: "running" };
    case "skipped":
      return { mark: "skipped", word: "skipped" };
    case "missed":
      return { mark: "missed", word: "missed" };
    case "coalesced":
      return { mark: "nothing", word: "joined" };
    case "failed":
      return { mark: "unknown", word: "failed" };
    case "planned":
      return { mark: "planned", word: "planned" };
  }
}

/** How a step is drawn in the timeline: work grey, proofs by outcome, opinions hollow. */
export function classOfStep({ kind, outcome }: Pick<TimelineStep, "kind" | "outcome">): "work" | "ok" | "no" | "op" | "bad" {
  if (outcome === "fabricated") return "bad";
  if (outcome === "refuted" || outcome === "gap") return "no";
  if (kind === "opinion") return "op";
  return kind === "proof" && outcome === "holds" ? "ok" : "work";
}

/** Findings that speak against a change; the others are told and not held against it. */
export const isGrave = (severity: string): boolean => severity === "critical" || severity === "high";
