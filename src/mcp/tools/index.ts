// Every tool of the server. What is not here cannot be asked for: no tool approves, changes a spec, a budget, a gate or a level.
import type { Desk } from "../desk.ts";
import type { Tool } from "../tool.ts";
import { guardTools } from "./guard.ts";
import { loopTools } from "./loops.ts";
import { movingTools } from "./moving.ts";
import { refereeTool } from "./referee.ts";
import { runTools } from "./runs.ts";

const TOOLS: readonly Tool[] = [...loopTools, ...runTools, ...guardTools, refereeTool, ...movingTools];

/** Who is started by a loop may look and ask the guard, and nothing else; where there is no checkout, there is no referee. */
export function toolsFor({ isLooking, referee }: Pick<Desk, "isLooking" | "referee">): readonly Tool[] {
  const all = referee === undefined ? TOOLS.filter((tool) => tool !== refereeTool) : TOOLS;
  return isLooking ? all.filter((tool) => tool.doing === "reads" || guardTools.includes(tool)) : all;
}
