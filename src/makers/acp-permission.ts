// What an agent may do that asks for permission over the Agent Client Protocol: inside its copy what it likes, commands as the guard says.
import type { AgentWorld } from "../contract/part-worlds.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";
import { shellWord } from "../std/shell-word.ts";
import { listIn } from "./agent-events.ts";

export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/** Below the copy, its path from there; undefined for any other. Links are for whoever opens the file to see. */
export function pathInside(work: string, path: string): string | undefined {
  if (!path.startsWith("/")) return isPlain(path) ? path : undefined;
  if (!path.startsWith(`${work}/`)) return undefined;
  const inner = path.slice(work.length + 1);
  return isPlain(inner) ? inner : undefined;
}

const isPlain = (path: string): boolean => path.split("/").every((part) => part !== ".." && part !== "." && part !== "");

/** What is not understood is not allowed. */
export function permit(toolCall: unknown, work: string, askGuard: AgentWorld["askGuard"]): Permission {
  const call = fieldsOf(toolCall);
  const input = fieldsOf(call?.get("rawInput"));
  const kind = textIn(call, "kind") ?? "other";
  const command = commandIn(input);
  if (command !== undefined) return asked(command, askGuard);
  const paths = pathsIn(call, input);
  const outside = paths.find((path) => path !== work && pathInside(work, path) === undefined);
  if (outside !== undefined) return { allowed: false, why: `${outside} is outside its copy` };
  switch (kind) {
    case "edit":
    case "delete":
    case "move":
      return paths.length > 0 ? { allowed: true } : { allowed: false, why: "it does not say which file it means" };
    case "read":
    case "search":
    case "think":
      return { allowed: true };
    case "fetch": {
      const url = textIn(input, "url");
      return url === undefined ? { allowed: false, why: "it does not say what it fetches" } : asked(`curl -sS ${shellWord(url)}`, askGuard);
    }
    case "execute":
      return { allowed: false, why: "it does not say which command it means" };
    default:
      return { allowed: false, why: `nobody here can answer for a tool of the kind ${kind}` };
  }
}

function asked(command: string, askGuard: AgentWorld["askGuard"]): Permission {
  const { decision, why } = askGuard(command);
  return decision === "allow" ? { allowed: true } : { allowed: false, why: `${command}\n${why}` };
}

function commandIn(input: Fields | undefined): string | undefined {
  const command = textIn(input, "command") ?? textIn(input, "cmd");
  const words = input?.get("command");
  const line =
    command ?? (Array.isArray(words) && words.every((word) => typeof word === "string") && words.length > 0 ? wordsLine(words) : undefined);
  const folder = textIn(input, "cwd") ?? textIn(input, "workdir") ?? textIn(input, "dir_path");
  return line === undefined || folder === undefined ? line : `cd ${shellWord(folder)}\n${line}`;
}

/** `["bash", "-lc", "…"]` as a line that means the same. */
const wordsLine = (words: readonly string[]): string => words.map(shellWord).join(" ");

const PATH_NAMES = ["file_path", "filePath", "path", "abs_path", "absolute_path", "notebook_path", "filepath"];

function pathsIn(call: Fields | undefined, input: Fields | undefined): readonly string[] {
  const named = PATH_NAMES.flatMap((name) => textIn(input, name) ?? []);
  const placed = [...listIn(call, "locations"), ...listIn(call, "content")].flatMap((one) => textIn(fieldsOf(one), "path") ?? []);
  return [...named, ...placed];
}
