// Cursor's agent in its headless mode, written from its documentation (cursor.com/docs/cli/headless, …/reference/output-format). Not tried:
// it needs an account.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { listIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine } from "./agent-events.ts";
import { AGENT_OPTIONS, runAgent } from "./run-agent.ts";

export const cursorAgent = defineMaker({
  name: "cursor-agent",
  summary:
    "Lets Cursor's agent work in the maker's copy. Written from its documentation and not tried; the guard does not see its commands.",
  program: {
    name: "cursor-agent",
    variables: ["CURSOR_API_KEY"],
    files: [".cursor/cli-config.json", ".config/cursor/auth.json"],
    says: [{ file: ".cursor/cli-config.json", at: ["authInfo", "email"] }],
    keeps: ["~/.cursor", "~/.config/cursor"],
    hosts: ["*.cursor.sh", "*.cursor.com", "cursor.com"],
    login: "run `cursor-agent login`, or set CURSOR_API_KEY",
  },
  options: z.strictObject(AGENT_OPTIONS),
  edit: (order, options, world) =>
    runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["cursor-agent", "-p", "--force", "--output-format", "stream-json"],
        ...(options.model ? ["--model", options.model] : []),
        ...(session ? ["--resume", session] : []),
        ...options.args,
        brief,
      ],
      read: readCursorAgent,
    })),
});

export const readCursorAgent: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  switch (type) {
    case "system": {
      const session = textIn(fields, "session_id");
      return session === undefined ? [] : [{ kind: "session", session }];
    }
    case "assistant":
      return listIn(fieldsOf(fields.get("message")), "content").flatMap((block) => textEvent(textIn(fieldsOf(block), "text")));
    case "tool_call": {
      if (textIn(fields, "subtype") !== "started") return [];
      const [kind, call] = [...(fieldsOf(fields.get("tool_call")) ?? [])][0] ?? [];
      const about = fieldsOf(call);
      return kind === undefined
        ? []
        : toolEvents(textIn(about, "name") ?? kind.replace(/ToolCall$/, ""), about?.get("args") ?? about?.get("arguments"));
    }
    case "result":
      return fields.get("is_error") === true ? troubleEvents(textIn(fields, "result") ?? "it failed", nowMs) : [];
    case "user":
    case "thinking":
      return [];
    default:
      return undefined;
  }
};
