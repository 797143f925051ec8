// Who tells somebody how a run ended: one line each.
import type { Notifier } from "../contract/parts.ts";
import { command } from "./command.ts";
import { file } from "./file.ts";

export const notifiers: readonly Notifier[] = [file, command];
