// Ready-made specs, one line each: ways of thinking, and below them whole loops for one kind of work.
import type { Pattern } from "../contract/pattern.ts";
import { autonomousDebugger } from "./autonomous-debugger.ts";
import { businessStrategyAgent } from "./business-strategy-agent.ts";
import { codingAgent } from "./coding-agent.ts";
import { critique } from "./critique.ts";
import { debate } from "./debate.ts";
import { envelope } from "./envelope.ts";
import { exploration } from "./exploration.ts";
import { human } from "./human.ts";
import { memory } from "./memory.ts";
import { multiAgent } from "./multi-agent.ts";
import { optimization } from "./optimization.ts";
import { planning } from "./planning.ts";
import { recursive } from "./recursive.ts";
import { reflection } from "./reflection.ts";
import { research } from "./research.ts";
import { researchAgent } from "./research-agent.ts";
import { simulation } from "./simulation.ts";
import { startupValidator } from "./startup-validator.ts";
import { verification } from "./verification.ts";
import { writingAssistant } from "./writing-assistant.ts";

export const patterns: readonly Pattern[] = [
  reflection,
  critique,
  planning,
  verification,
  research,
  simulation,
  debate,
  exploration,
  optimization,
  memory,
  human,
  envelope,
  multiAgent,
  recursive,
  researchAgent,
  codingAgent,
  autonomousDebugger,
  writingAssistant,
  startupValidator,
  businessStrategyAgent,
];
