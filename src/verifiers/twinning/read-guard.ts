// What the guard of a run with twins wrote: which functions were replaced, and whether every process that began also ended. Pure.
import { fieldsOf } from "../../std/json-record.ts";

export interface GuardReport {
  readonly replaced: readonly string[];
  /** Processes that began and did not come to say how they ended. */
  readonly silent: number;
  readonly heard: number;
}

const MOST_NAMES = 50;

export function readGuard(text: string): GuardReport {
  const replaced = new Set<string>();
  const begun = new Set<string>();
  const ended = new Set<string>();
  for (const line of text.split("\n")) {
    const said = parseLine(line);
    const [began, left, names] = [said?.get("begun"), said?.get("ended"), said?.get("replaced")];
    if (typeof began === "string") begun.add(began);
    if (typeof left === "string") ended.add(left);
    for (const name of Array.isArray(names) ? names : [])
      if (typeof name === "string" && replaced.size < MOST_NAMES) replaced.add(name.slice(0, 100));
  }
  return { replaced: [...replaced].sort(), silent: [...begun].filter((id) => !ended.has(id)).length, heard: begun.size };
}

function parseLine(line: string): ReturnType<typeof fieldsOf> {
  try {
    return line.trim() === "" ? undefined : fieldsOf(JSON.parse(line));
  } catch {
    return undefined; // cut off, or not ours
  }
}

/** What the code does that base's does not. */
export function strangeIn(proposal: GuardReport | undefined, base: GuardReport | undefined): readonly string[] {
  if (!proposal || !base) return [];
  const habits = new Set(base.replaced);
  return [
    ...proposal.replaced.filter((name) => !habits.has(name)),
    ...(proposal.heard === 0 && base.heard > 0 ? ["nothing was heard of the guard, which base let speak"] : []),
    ...(proposal.silent > 0 && base.silent === 0
      ? [`${proposal.silent} processes ended without a word of the guard, and none of base's`]
      : []),
  ];
}
