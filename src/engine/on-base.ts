// Which copies of a run base may lie under, so that they cost what the change costs: those that nobody looks at but commands in a box, where
// checks of base ended there as they did in copies that were checked out.
import type { BaseCheck } from "../contract/baseline.ts";
import type { KindName } from "../contract/proposal.ts";
import type { Verify } from "../contract/verifier.ts";
import type { Apart, OnBase } from "../contract/workshop.ts";
import { isBoxed } from "./box-wish.ts";
import { isThroughUs } from "./is-through-us.ts";
import type { Run } from "./run.ts";

/** Of a tree of base; `apart`: what somebody else than commands touches. */
export const wishForBase = ({ opened }: Pick<Run, "opened">, tree: string, apart: readonly string[]): OnBase | undefined =>
  isBoxed("maker", { opened }) && isBoxed("verifiers", { opened })
    ? { tree, apart: [...apart, ...(opened.spec.prepare?.keep ?? [])] }
    : undefined;

/** For the room of a verifier. */
export function baseUnderRoom(run: Run<KindName>, number: number, { onlyRuns }: Pick<Verify, "onlyRuns">): OnBase | undefined {
  const { baseline } = run.journal.state;
  const check = baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number));
  if (!baseline || !onlyRuns || !check || !isSeen(check)) return undefined;
  return wishForBase(run, baseline.tree, onlyRuns);
}

/** For the copy of a maker. A team hands work from one copy to the next, and who works through us reads and writes there itself. */
export function baseUnderMaker(run: Run<KindName>, { hidden }: Pick<Apart, "hidden">): OnBase | undefined {
  const { baseline } = run.journal.state;
  const checks = baseline?.checks.filter(({ isHidden }) => !isHidden) ?? [];
  if (!baseline || checks.length === 0 || !checks.every(isSeen)) return undefined;
  if (run.crew.team || hidden.length > 0 || run.crew.makers.some(isThroughUs)) return undefined;
  return wishForBase(run, baseline.tree, []);
}

const isSeen = ({ rooms }: BaseCheck): boolean => rooms === "on-base";
