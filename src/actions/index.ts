// The actions that tell somebody how a run ended: one line each.
import type { Action } from "../contract/parts.ts";
import { command } from "./command.ts";
import { file } from "./file.ts";

export const actions: readonly Action[] = [file, command];
