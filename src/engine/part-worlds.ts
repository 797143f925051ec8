import { LoopError } from "../contract/errors.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Command, MakerWorld, NotifierWorld, Proc, VerifierWorld, Workspace, World } from "../contract/world.ts";
import { foldRun } from "../journal/fold.ts";
import type { RunJournal } from "../journal/journal.ts";
import { parseCount } from "../std/count.ts";
import { parseUsd } from "../std/usd.ts";

type Budget = RunOpened["spec"]["budget"];

/** How long a command may take: what it asks for, and never more than the run has left. */
const boundedProc = (world: World, mark: string, timeLeftMs: number): Proc => ({
  run: (command: Command) => world.proc.run({ ...command, mark, timeoutMs: Math.max(1, Math.min(command.timeoutMs, timeLeftMs)) }),
});

/** The only world a maker sees: its commands are bounded, and its spending is on record before it goes on. */
export function createMakerWorld(
  { roundId, workspace, timeLeftMs }: { readonly roundId: string; readonly workspace: Workspace; readonly timeLeftMs: number },
  { budget }: RunOpened["spec"],
  journal: RunJournal,
  world: World,
): MakerWorld {
  return {
    proc: boundedProc(world, roundId, timeLeftMs),
    files: world.workspaceFiles(workspace.work),
    env: world.env,
    readUsage: () => world.files.readText(workspace.usage),
    meter: {
      async charge(spend) {
        if (![spend.usd, spend.tokens].every((amount) => Number.isFinite(amount) && amount >= 0)) {
          throw new LoopError("maker-failed", `the maker reported a spend that is no amount: $${spend.usd}, ${spend.tokens} tokens`, {
            retry: "never",
            hint: "Mend how the maker reports its usage; unknown spending is left out, not written as a number.",
          });
        }
        await journal.append({ kind: "spent", roundId, spend });
        const { spent } = foldRun(journal.entries);
        return spent.usd >= (parseUsd(budget.usd) ?? 0) || spent.tokens >= (parseCount(budget.tokens) ?? 0) ? "budget-spent" : "go-on";
      },
    },
  };
}

/** A check that the run has no time left for was not made: that is a budget used up, and nothing about the proposal. */
export function createVerifierWorld(mark: string, timeLeftMs: number, budget: Budget, world: World): VerifierWorld {
  const proc = boundedProc(world, mark, timeLeftMs);
  return {
    proc: {
      async run(command) {
        const finished = await proc.run(command);
        if (finished.end.kind === "timed-out" && command.timeoutMs > timeLeftMs) throw outOfTime(budget);
        return finished;
      },
    },
    git: world.git,
    env: world.env,
  };
}

export const outOfTime = ({ time }: Budget): LoopError =>
  new LoopError("budget-spent", `the run's ${time} were over before its checks were`, {
    retry: "never",
    hint: "Give it more with `budget.time`, or make the checks faster.",
  });

export const createNotifierWorld = (mark: string, world: World): NotifierWorld => ({
  proc: boundedProc(world, mark, Number.MAX_SAFE_INTEGER),
  files: world.files,
  env: world.env,
});
