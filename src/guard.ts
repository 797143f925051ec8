// The command guard as a library: `import { decideCommand } from "loopwright/guard"`.
export { type CommandDecision, type CommandFinding, type Decision, decideCommand } from "./guard/command/decide.ts";
export type { CommandPolicy, PolicyEntry } from "./guard/command/policy.ts";
export type { Surroundings } from "./guard/command/rule.ts";
export { commandRules } from "./guard/command/rules/index.ts";
