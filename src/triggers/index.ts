// The triggers there are: one line each.
import type { Trigger } from "../contract/trigger.ts";
import { every } from "./every.ts";
import { manual } from "./manual.ts";

export const triggers: readonly Trigger[] = [manual, every];
