// How things of a run are called: its branch, its commits, the rounds that are none. The same words make two tries the same.
import { relative } from "node:path";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Accepted } from "../contract/verdict.ts";

/** Where an accepted proposal waits for a human. One that is proven in part says so where people choose a branch. */
export const branchOf = (roundId: string, on?: Accepted["on"]): string => `loopwright/${roundId}${on === "part" ? "-partly" : ""}`;

/** The steps that keep the best of a run's rounds, and propose it at its end. */
export const KEEP_BEST = "keep-best";
export const PROPOSE_BEST = "propose-best";

export const commitMessage = ({ spec }: RunOpened, round: Round): string =>
  `${spec.name}: ${spec.intent}\n\nLoopwright-Round: ${round.id}\nLoopwright-Receipt: ${round.run}\n`;

/** Where the loop's own files lie, if they lie in the target. */
export const ownPaths = ({ repo, specPath }: Pick<RunOpened, "repo" | "specPath">): readonly string[] => {
  const way = relative(repo, specPath);
  return way.startsWith("..") ? [] : [way];
};

/** Where a worker of a team has its copy, in one of its tries. */
export const workerPlace = (roundId: string, worker: string, number: number): string => `${roundId}.${worker}-${number}`;

/** Stands for the round that this would be: its copies and processes go by this name. */
export const baseRoundOf = ({ loop, run }: Pick<Round, "loop" | "run">, { base }: Pick<RunOpened, "base">, openedAt: string): Round => ({
  id: `${run}.base`,
  run,
  loop,
  number: 0,
  base: base.commit,
  openedAt,
  lessons: [],
});

/** The place where it is made: beside the rounds of the run, so that it is swept with them. */
export const preparingAt = (loop: string, run: string) => ({ loop, id: `${run}.prepare` });
