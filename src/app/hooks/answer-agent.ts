// What `lw hook run` does: reads an agent's question from standard input and answers in the agent's own protocol.
import type { HookAnswer } from "../../contract/adapters.ts";
import { environmentOf, type StandardInput, type Variables } from "../../contract/around.ts";
import type { Texts } from "../../contract/files.ts";
import type { CommandDecision } from "../../guard/command/decision.ts";
import { shellWord } from "../../std/shell-word.ts";
import { userFolder } from "../home.ts";
import { readAll } from "../read-all.ts";
import { askWithPolicy } from "./ask-with-policy.ts";
import { loadPolicy } from "./load-policy.ts";
import { type Ask, runHook } from "./run-hook.ts";

const MOST_BYTES = 4 * 1024 * 1024;

/** What a loop says about the agent that it started; without it, the agent's own folder is its workspace. */
export interface HookBounds {
  readonly workspace: string;
  /** Where the policy lies. */
  readonly policy: string;
  readonly level: "L1" | "L2" | "L3";
  readonly network?: "open" | "closed";
}

/** Whatever goes wrong on the way, the command is not cleared. */
export async function answerAgentBy(
  texts: Policies,
  agent: string,
  { cwd, env, input }: AgentAround,
  flags: readonly string[],
): Promise<HookAnswer> {
  const asked = await readAll(input, MOST_BYTES).catch(() => "");
  return runHook(agent, asked, askWithin(texts, { cwd, env }, flags));
}

/** What policies are read with. */
type Policies = Pick<Texts, "readOptional">;

export interface AgentAround {
  readonly cwd: string;
  readonly env: Variables;
  readonly input: StandardInput;
}

export function askWithin(texts: Policies, { cwd, env }: Omit<AgentAround, "input">, flags: readonly string[]): Ask {
  const user = userFolder(environmentOf(env));
  if (flags.length === 0)
    return async (command, at) => askWithPolicy(command, at, await loadPolicy(texts, { project: at.workspace ?? cwd, user }));
  return async (command, at) => {
    const { workspace, policy, level, network } = readBounds(flags);
    const inPlace = at.workspace === undefined || at.workspace === workspace ? command : `cd ${shellWord(at.workspace)}\n${command}`;
    const surroundings = { workspace, level, ...(network ? { network } : {}) };
    return unattended(askWithPolicy(inPlace, surroundings, await loadPolicy(texts, { project: policy, user })));
  };
}

/** Nobody is there to be asked while a loop runs. */
const unattended = (decided: CommandDecision): CommandDecision => (decided.decision === "ask" ? { ...decided, decision: "deny" } : decided);

function readBounds(flags: readonly string[]): HookBounds {
  const said = new Map<string, string>();
  for (let at = 0; at < flags.length; at += 2) said.set(flags[at]!, flags[at + 1] ?? "");
  const [workspace, policy, level, network] = ["--workspace", "--policy", "--level", "--network"].map((name) => said.get(name));
  const isKnown = [...said.keys()].every((name) => ["--workspace", "--policy", "--level", "--network"].includes(name));
  if (!isKnown || !workspace || !policy || (level !== "L1" && level !== "L2" && level !== "L3"))
    throw new TypeError(`the bounds of the hook cannot be read: ${flags.join(" ")}`);
  if (network !== undefined && network !== "open" && network !== "closed") throw new TypeError(`no network is called ${network}`);
  return { workspace, policy, level, ...(network ? { network } : {}) };
}
