// The answer to an agent's hook, with the policies of this machine. The hook loads this and nothing more, and must answer quickly.
import type { HookAnswer } from "../contract/adapters.ts";
import { texts } from "../world/files/spec-files.ts";
import { type AgentAround, answerAgentBy } from "./hooks/answer-agent.ts";

export const answerAgent = (agent: string, around: AgentAround, flags: readonly string[] = []): Promise<HookAnswer> =>
  answerAgentBy(texts, agent, around, flags);
