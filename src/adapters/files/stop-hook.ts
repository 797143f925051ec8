// What several agents share in how they tell of a session's start and end, and in where such hooks stand in their settings.

import { type Fields, readRecord, textIn } from "../../std/json-record.ts";
import { fieldOf } from "./hook-group.ts";
import { addEntries, type JsonEntry, removeEntries } from "./json-entry.ts";
import type { Json } from "./json-tree.ts";

export interface SessionEvents {
  readonly begin: string;
  readonly stop: string;
}

/** A call as Claude Code, Codex and Gemini CLI make it: `hook_event_name`, `session_id` and `cwd`. */
export function readSessionCall(input: string, events: SessionEvents) {
  const call = readRecord(input);
  if (call.kind === "unreadable") return call;
  const event = textIn(call.fields, "hook_event_name");
  if (event === undefined) return { kind: "unreadable" as const, why: "the call has no `hook_event_name`" };
  if (event !== events.begin && event !== events.stop) return { kind: "other" as const };
  return sessionCall(event === events.begin ? "begin" : "stop", call.fields, "session_id");
}

/** Without a session nobody could be counted. */
export function sessionCall(kind: "begin" | "stop", fields: Fields, name: string) {
  const session = textIn(fields, name);
  if (session === undefined) return { kind: "unreadable" as const, why: `the call has no \`${name}\`` };
  return { kind, session, cwd: textIn(fields, "cwd") };
}

/** Groups of hooks under two events, with no matcher: neither event has tools to choose from. */
export function sessionGroups(events: SessionEvents, timeout: number) {
  const entries = (command: string, flags: string): readonly JsonEntry[] =>
    [events.begin, events.stop].map((event) => {
      const full = `${command}${flags}`;
      const isOurs = (group: Json): boolean => {
        const hooks = fieldOf(group, "hooks");
        const [hook, ...others] = Array.isArray(hooks) ? hooks : [];
        return others.length === 0 && hook !== undefined && isCommand(fieldOf(hook, "command"), command);
      };
      return {
        path: ["hooks", event],
        item: { hooks: [{ type: "command", command: full, timeout }] },
        isOurs,
        isHere: (group: Json) =>
          isOurs(group) && JSON.stringify(group) === JSON.stringify({ hooks: [{ type: "command", command: full, timeout }] }),
        besides: {},
      };
    });
  return editsOf(entries);
}

/** Installing again, also with other flags, leaves one of each. */
export function editsOf(entries: (command: string, flags: string) => readonly JsonEntry[]) {
  return {
    install: (settings: string | undefined, command: string, flags: string) => {
      const wanted = entries(command, flags);
      const isThere = settings !== undefined && addEntries(settings, wanted).kind === "unchanged";
      if (isThere) return { kind: "unchanged" as const };
      const cleared = settings === undefined ? undefined : removeEntries(settings, wanted);
      if (cleared?.kind === "refused") return cleared;
      return addEntries(cleared?.kind === "changed" ? cleared.text : cleared?.kind === "removed" ? undefined : settings, wanted);
    },
    uninstall: (settings: string, command: string) => removeEntries(settings, entries(command, "")),
  };
}

/** The command, with whatever flags. */
export const isCommand = (value: Json | undefined, command: string): boolean =>
  typeof value === "string" && (value === command || value.startsWith(`${command} `));
