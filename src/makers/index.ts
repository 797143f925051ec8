import type { Maker } from "../contract/parts.ts";
import { scripted } from "./scripted.ts";
import { shell } from "./shell.ts";
import { triage } from "./triage.ts";

export const makers: readonly Maker[] = [shell, scripted, triage];
