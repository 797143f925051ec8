// What a run is held to that its spec does not say alone: a referee looks once, and at whatever base is.
import type { RunOpened } from "../contract/record.ts";
import type { LoopSpec } from "../contract/spec.ts";

export interface Terms {
  readonly rounds: number;
  /** What base must be for there to be work; runs from before base was looked at want nothing of it. */
  readonly want: LoopSpec["baseline"]["want"];
  /** Whether what is accepted may be proposed, or is only said to be proven. */
  readonly proposes: boolean;
}

/** What does not hold goes to who asked the referee. What a loop wants of base says when it has work, and there is some. */
export const termsOf = ({ spec, referee, parent }: Pick<RunOpened, "spec" | "referee" | "parent">): Terms =>
  referee
    ? { rounds: 1, want: "any", proposes: false }
    : // What a loop that was called makes is for its caller, and for nobody's inbox.
      { rounds: spec.budget.rounds, want: spec.baseline?.want ?? "any", proposes: parent === undefined };
