// opencode in its headless mode, with the guard's plugin in a configuration folder of its own. Tried with 1.18.33.
//
// Format: opencode.ai/docs/cli (`opencode run --format json`) and what the program prints.
import { dirname } from "node:path";
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { untrustedText } from "../contract/text.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { amountIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, PROVIDER_HOSTS, runAgent } from "./run-agent.ts";

export const opencode = defineMaker({
  name: "opencode",
  summary: "Lets opencode work in the maker's copy; each of its shell commands asks the guard first.",
  program: {
    name: "opencode",
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY"],
    files: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
    keeps: ["~/.local/share/opencode", "~/.config/opencode", "~/.cache/opencode", "~/.local/state/opencode"],
    hosts: ["opencode.ai", "models.dev", ...PROVIDER_HOSTS],
    login: "run `opencode auth login`, or set the key of a provider",
  },
  options: z.strictObject(AGENT_OPTIONS),
  async edit(order, options, world) {
    const plugin = await world.agent.lay("opencode/plugins/loopwright.js", world.agent.hookSettings("opencode"));
    return runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["opencode", "run", "--format", "json"],
        ...(options.model ? ["--model", options.model] : []),
        ...(session ? ["--session", session] : []),
        ...options.args,
      ],
      env: { OPENCODE_CONFIG_DIR: dirname(dirname(plugin)), OPENCODE_DISABLE_AUTOUPDATE: "true" },
      input: brief,
      read: readOpencode,
    }));
  },
});

export const readOpencode: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  const part = fieldsOf(fields.get("part"));
  switch (type) {
    case "step_start": {
      const session = textIn(fields, "sessionID");
      return session === undefined ? [] : [{ kind: "session", session }];
    }
    case "text":
      return textEvent(textIn(part, "text"));
    case "tool_use": {
      const state = fieldsOf(part?.get("state"));
      const error = textIn(state, "error") ?? "";
      return [
        ...toolEvents(textIn(part, "tool") ?? "?", state?.get("input")),
        ...(error.includes("Loopwright") ? [{ kind: "refused" as const, what: untrustedText(error) }] : []),
      ];
    }
    case "step_finish": {
      const tokens = amountIn(fieldsOf(part?.get("tokens")), "input", "output", "reasoning");
      return [usageEvent("part", { tokens, usd: amountIn(part, "cost"), part: textIn(part, "id") })];
    }
    case "error": {
      const error = fieldsOf(fields.get("error"));
      return troubleEvents(textIn(fieldsOf(error?.get("data")), "message") ?? textIn(error, "name") ?? "it failed", nowMs);
    }
    case "reasoning":
      return [];
    default:
      return undefined;
  }
};
