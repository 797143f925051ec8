// What agents have in common in how they tell what they do: tools that write, tools that ask, limits, and lost logins.
import type { MakerEvent } from "../contract/maker-events.ts";
import { untrustedText } from "../contract/text.ts";
import { type Fields, fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { readResetTime } from "./reset-time.ts";

/** The events of one line; undefined for a line that says nothing we know. */
export type ReadLine = (line: string, nowMs: number) => readonly MakerEvent[] | undefined;

const WRITERS = /^(write|edit|multiedit|notebookedit|write_file|writefile|replace|apply_patch|patch|create|str_replace_editor|delete)$/i;
const ASKERS = /^(askuserquestion|ask_user|ask_user_question|question|request_user_input|ask_followup_question|ask_question)$/i;
const PATHS = ["file_path", "filePath", "path", "abs_path", "absolute_path", "notebook_path"];
const COMMANDS = ["command", "cmd", "script"];

/** A line that is a JSON object, with its `type`. */
export function typedLine(line: string): { readonly type: string; readonly fields: Fields } | undefined {
  const read = line.startsWith("{") ? readRecord(line) : undefined;
  if (read?.kind !== "record") return undefined;
  const type = textIn(read.fields, "type");
  return type === undefined ? undefined : { type, fields: read.fields };
}

export const textEvent = (text: string | undefined): readonly MakerEvent[] =>
  text === undefined || text.trim() === "" ? [] : [{ kind: "text", text: untrustedText(text) }];

export function toolEvents(tool: string, input: unknown): readonly MakerEvent[] {
  const fields = fieldsOf(input);
  const path = firstText(fields, PATHS);
  const command = firstText(fields, COMMANDS) ?? wordsIn(fields?.get("command"));
  const about = command ?? path ?? (input === undefined ? "" : shortJson(input));
  return [
    { kind: "tool-call", tool, about: untrustedText(about) },
    ...(path !== undefined && WRITERS.test(tool) ? [{ kind: "file-change" as const, path: untrustedText(path) }] : []),
    ...(ASKERS.test(tool) ? [{ kind: "question" as const, text: untrustedText(questionIn(input)) }] : []),
  ];
}

const LIMIT =
  /\b429\b|rate.?limit|usage.?limit|too many requests|quota (?:exceeded|will reset)|exceeded your current quota|resource_?exhausted|hit your (?:[a-z0-9-]+ )?limit|limit reached|insufficient_quota/i;

/** What went wrong, told apart: a limit passes, and says when. */
export function troubleEvents(text: string, nowMs: number): readonly MakerEvent[] {
  if (!LIMIT.test(text)) return [{ kind: "error", text: untrustedText(text) }];
  const at = readResetTime(text, nowMs);
  return [{ kind: "limit", says: untrustedText(text), ...(at === undefined ? {} : { resetsAt: new Date(at).toISOString() }) }];
}

const LOGGED_OUT =
  /not logged in|please run \/login|\/login\b|invalid (?:x-)?api.?key|invalid authentication|authentication_error|unauthorized|\b401\b|no api key|api key (?:is )?(?:missing|not (?:set|found|valid))|set an auth method|missing (?:bearer|api key)|must specify the GEMINI_API_KEY/i;

/** Trouble that another try does not mend: nobody is logged in. */
export const isLoggedOut = (text: string): boolean => LOGGED_OUT.test(text);

/** The question that a text ends with, if it does. */
export function questionAtEnd(text: string): string | undefined {
  const last =
    text
      .trim()
      .split(/\n\s*\n/)
      .at(-1)
      ?.trim() ?? "";
  return /\?["')\]*_`]*$/.test(last) ? last.slice(-1000) : undefined;
}

/** A number above zero; what is zero, negative or no number is not known. */
export function amountIn(fields: Fields | undefined, ...names: readonly string[]): number | undefined {
  const sum = names.reduce((total, name) => {
    const value = fields?.get(name);
    return total + (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0);
  }, 0);
  return sum > 0 ? sum : undefined;
}

/** A usage event of what is known. */
export const usageEvent = (
  of: "part" | "all",
  { tokens, usd, part }: { readonly tokens: number | undefined; readonly usd?: number | undefined; readonly part?: string | undefined },
): MakerEvent => ({
  kind: "usage",
  of,
  ...(part === undefined ? {} : { part }),
  ...(tokens === undefined ? {} : { tokens }),
  ...(usd === undefined ? {} : { usd }),
});

function firstText(fields: Fields | undefined, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textIn(fields, name);
    if (text !== undefined) return text;
  }
  return undefined;
}

const wordsIn = (value: unknown): string | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string") ? value.join(" ") : undefined;

function questionIn(input: unknown): string {
  const fields = fieldsOf(input);
  const first = fieldsOf(listIn(fields, "questions")[0]);
  return textIn(first, "question") ?? textIn(fields, "question") ?? textIn(fields, "prompt") ?? shortJson(input);
}

export const listIn = (fields: Fields | undefined, name: string): readonly unknown[] => {
  const value = fields?.get(name);
  return Array.isArray(value) ? value : [];
};

const shortJson = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, 500);
