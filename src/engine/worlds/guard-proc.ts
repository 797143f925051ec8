// Commands of parts pass the guard first, and never take more than the run has left.

import type { Environment } from "../../contract/clock.ts";
import type { Command, Proc } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Refusal } from "../../contract/ledger.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { World } from "../../contract/world.ts";
import { tellRemedy, tellTimeOver } from "../../guard/budget.ts";
import { type CommandDecision, POLICY_BROKEN } from "../../guard/command/decision.ts";
import type { Surroundings } from "../../guard/command/rule.ts";
import { isSecretVariable } from "../../guard/secrets/environment.ts";

/** Whether a command may run, with the policies that hold for this loop. */
export type AskGuard = (command: string, at: Surroundings) => CommandDecision;

/** What a command of a part must pass: the guard first, then it may take what it asks for, and never more than the run has left. */
export const guardProc = (
  world: World,
  guard: AskGuard,
  mark: string,
  bounds: Pick<Surroundings, "level" | "network">,
  timeLeftMs: number,
): Proc => ({
  async run(command: Command, dialogue) {
    mustAllow(command.run, guard(command.run, { workspace: command.cwd, ...bounds }));
    return world.proc.run({ ...command, mark, timeoutMs: Math.max(1, Math.min(command.timeoutMs, timeLeftMs)) }, dialogue);
  },
});

export function mustAllow(command: string, { decision, findings }: CommandDecision): void {
  if (decision !== "allow") throw blocked(command, findings);
}

/** Nobody is there to be asked while a loop runs, so what would need asking does not run either. */
function blocked(command: string, findings: CommandDecision["findings"]): LoopError {
  const grave = findings.filter(({ severity }) => severity !== "low");
  const broken = grave.filter(({ rule }) => rule === POLICY_BROKEN);
  if (broken.length > 0)
    return new LoopError(
      "command-blocked",
      `the guard lets nothing run, since its policy cannot be read: ${broken.map(({ where }) => where).join("; ")}`,
      {
        retry: "never",
        hint: "Mend that line of the policy; `lw guard rules` lists the rules that it may name.",
      },
    );
  return new LoopError(
    "command-blocked",
    `the guard did not let this run: ${command.slice(0, 200)}\n${grave.map(({ rule, why }) => `${rule}: ${why}`).join("\n")}`,
    {
      retry: "never",
      hint: `${grave[0]?.instead ?? "Write it another way."} If you mean it, allow it in .loopwright/policy.yaml beside the spec; \`lw guard --explain\` tells more.`,
    },
  );
}

/** A secret variable is there only for the part whose spec names it. A verifier runs what the maker wrote, so it never is there for one. */
export const withoutSecrets = (env: Environment, named: readonly string[]): Environment => ({
  get(name) {
    const value = env.get(name);
    return value === undefined || named.includes(name) || !isSecretVariable(name, value) ? value : undefined;
  },
});

export type Budget = RunOpened["spec"]["budget"];

/** `by` is the cap that was in the way, where that may be another than the run's own. */
export const outOfTime = ({ time }: Budget, before = "its checks were", by?: Refusal): LoopError =>
  by && (by.above || by.cap.scope !== "run")
    ? new LoopError("budget-spent", tellTimeOver(by, before), { retry: "never", hint: tellRemedy(by) })
    : new LoopError("budget-spent", `the run's ${time} were over before ${before}`, {
        retry: "never",
        hint: "Give it more with `budget.time` and go on with `lw resume`, or make it faster.",
      });
