// Every maker that is built in.
import type { Maker } from "../contract/maker.ts";
import { acp } from "./acp.ts";
import { aider } from "./aider.ts";
import { anthropic } from "./anthropic.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursorAgent } from "./cursor-agent.ts";
import { geminiCli } from "./gemini-cli.ts";
import { loop } from "./loop.ts";
import { nvidia } from "./nvidia.ts";
import { ollama } from "./ollama.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { scripted } from "./scripted.ts";
import { shell } from "./shell.ts";
import { team } from "./team.ts";
import { triage } from "./triage.ts";

export const makers: readonly Maker[] = [
  shell,
  scripted,
  triage,
  acp,
  claudeCode,
  codex,
  geminiCli,
  opencode,
  pi,
  aider,
  cursorAgent,
  copilotCli,
  anthropic,
  openaiCompatible,
  ollama,
  nvidia,
  team,
  loop,
];
