// The agents that can be taught the loops of a repository: one line each.
import type { AgentAdapter } from "../../contract/agents.ts";
import { agentsMd } from "./agents-md.ts";
import { aider } from "./aider.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { localModels } from "./local-models.ts";
import { opencode } from "./opencode.ts";
import { roo } from "./roo.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

export const agentAdapters: readonly AgentAdapter[] = [
  agentsMd,
  claudeCode,
  codex,
  cursor,
  windsurf,
  geminiCli,
  copilot,
  opencode,
  aider,
  cline,
  roo,
  zed,
  localModels,
];
