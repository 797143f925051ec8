// The hook settings that several agents share: under an event, groups of a matcher and the commands that it starts.
import type { JsonEntry } from "./json-entry.ts";
import type { Json } from "./json-tree.ts";

export function hookGroup(event: string, matcher: string, command: string): JsonEntry {
  const isOurs = (group: Json): boolean => {
    const [hook, ...others] = listOf(fieldOf(group, "hooks"));
    return others.length === 0 && hook !== undefined && fieldOf(hook, "command") === command;
  };
  return {
    path: ["hooks", event],
    item: { matcher, hooks: [{ type: "command", command }] },
    isOurs,
    isHere: (group) => isOurs(group) && fieldOf(group, "matcher") === matcher,
    besides: {},
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** A field of what may or may not be an object. */
export function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
