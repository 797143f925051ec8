// The agents whose hooks the command guard can sit in: one line each.
import type { HookAdapter } from "../contract/adapters.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { plain } from "./plain.ts";

export const hookAdapters: readonly HookAdapter[] = [claudeCode, codex, geminiCli, cursor, opencode, copilotCli, plain];
