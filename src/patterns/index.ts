// Patterns of thought as ready-made specs: one line each.
import type { Pattern } from "../contract/pattern.ts";
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
import { simulation } from "./simulation.ts";
import { verification } from "./verification.ts";

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
];
