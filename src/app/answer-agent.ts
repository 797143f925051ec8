// What `lw hook run` does: reads an agent's question from standard input and answers in the agent's own protocol.
import type { HookAnswer } from "../contract/adapters.ts";
import { processEnvironment } from "../world/clock.ts";
import { readAllAtOnce } from "../world/standard-input.ts";
import { userFolder } from "./home.ts";
import { judgeCommand } from "./judge-command.ts";
import { loadPolicy } from "./load-policy.ts";
import { runHook } from "./run-hook.ts";

const MOST_BYTES = 4 * 1024 * 1024;

/** Whatever goes wrong on the way, the command is not cleared. */
export async function answerAgent(agent: string, cwd: string): Promise<HookAnswer> {
  const input = await readAllAtOnce(MOST_BYTES).catch(() => "");
  return runHook(agent, input, async (command, at) =>
    judgeCommand(command, at, await loadPolicy({ project: at.workspace ?? cwd, user: userFolder(processEnvironment) })),
  );
}
