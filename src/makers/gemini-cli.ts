// Gemini CLI in its headless mode, with the guard's hook in system settings of its own. Tried with 0.61.0.
//
// Format: geminicli.com/docs/cli/headless (`--output-format stream-json`) and what the program prints.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import { untrustedText } from "../contract/text.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { amountIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, runAgent } from "./run-agent.ts";

export const geminiCli = defineMaker({
  name: "gemini-cli",
  summary: "Lets Gemini CLI work in the maker's copy; each of its shell commands asks the guard first.",
  program: {
    name: "gemini",
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_CLOUD_PROJECT"],
    files: [".gemini/oauth_creds.json", ".gemini/gemini-credentials.json"],
    says: [{ file: ".gemini/google_accounts.json", at: ["active"] }],
    keeps: ["~/.gemini"],
    hosts: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
    login: "run `gemini` and log in, or set GEMINI_API_KEY",
  },
  options: z.strictObject(AGENT_OPTIONS),
  async edit(order, options, world) {
    const settings = await world.agent.lay("gemini-settings.json", world.agent.hookSettings("gemini-cli"));
    return runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["gemini", "--approval-mode", "yolo", "--output-format", "stream-json"],
        ...(options.model ? ["--model", options.model] : []),
        ...(session ? ["--resume", session] : []),
        ...options.args,
      ],
      // The folder is a fresh copy that nobody could have trusted by hand.
      env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: settings, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      input: brief,
      read: readGeminiCli,
    }));
  },
});

export const readGeminiCli: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  switch (type) {
    case "init": {
      const session = textIn(fields, "session_id");
      return session === undefined ? [] : [{ kind: "session", session }];
    }
    case "message":
      return textIn(fields, "role") === "assistant" ? textEvent(textIn(fields, "content")) : [];
    case "tool_use":
      return toolEvents(textIn(fields, "tool_name") ?? "?", fields.get("parameters"));
    case "tool_result": {
      const said = textIn(fieldsOf(fields.get("error")), "message") ?? textIn(fields, "output") ?? "";
      return said.includes("Loopwright") ? [{ kind: "refused", what: untrustedText(said) }] : [];
    }
    case "error":
      return troubleEvents(textIn(fields, "message") ?? "it failed", nowMs);
    case "result": {
      const stats = fieldsOf(fields.get("stats"));
      const tokens = Math.max(0, (amountIn(stats, "input_tokens", "output_tokens") ?? 0) - (amountIn(stats, "cached") ?? 0));
      const failed: readonly MakerEvent[] =
        textIn(fields, "status") === "success" ? [] : troubleEvents(textIn(fieldsOf(fields.get("error")), "message") ?? "it failed", nowMs);
      return [usageEvent("all", { tokens: tokens > 0 ? tokens : undefined }), ...failed];
    }
    default:
      return undefined;
  }
};
