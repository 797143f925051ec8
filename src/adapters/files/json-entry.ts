// Puts one entry into a list inside somebody else's JSON file and takes it out again, leaving every other byte as it was.
import { type Json, type JsonList, type JsonMember, type JsonNode, type JsonObject, jsonValue, readJsonTree } from "./json-tree.ts";

export interface JsonEntry {
  /** The names that lead from the root to the list. */
  readonly path: readonly string[];
  readonly item: Json;
  /** Whether an item of the list does the work of ours already. */
  readonly isHere: (item: Json) => boolean;
  /** Whether an item of the list is one that we put there. */
  readonly isOurs: (item: Json) => boolean;
  /** What the file must say besides, to be read at all. */
  readonly besides: { readonly [name: string]: Json };
}

export type Edit<Kind extends string> =
  | { readonly kind: "changed"; readonly text: string }
  | { readonly kind: Kind | "unchanged" }
  | { readonly kind: "refused"; readonly why: string };

type Way =
  | { readonly kind: "way"; readonly nodes: readonly (JsonObject | JsonList)[]; readonly missing: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/**
 * How `removeEntry` knows what `addEntry` made: a list or object of ours starts with a blank or a line break, and what
 * is put into an empty one that was there before starts right behind its bracket.
 */
export function addEntry(text: string | undefined, entry: JsonEntry): Edit<never> {
  if (text === undefined) return { kind: "changed", text: newFile(entry) };
  const way = wayTo(text, entry);
  if (way.kind === "refused") return way;
  const last = way.nodes.at(-1)!;
  if (last.kind === "list" && last.parts.some((part) => entry.isHere(jsonValue(part)))) return { kind: "unchanged" };
  const lacking = Object.entries(entry.besides).find(([name, value]) => jsonOf(way.nodes[0]!, name) !== value);
  if (lacking) {
    return {
      kind: "refused",
      why: `it does not say ${JSON.stringify(lacking[0])}: ${JSON.stringify(lacking[1])}. Add that, then try again`,
    };
  }
  const [name, ...deeper] = way.missing;
  return { kind: "changed", text: inserted(text, last, name, name === undefined ? entry.item : nested(deeper, [entry.item])) };
}

export function removeEntry(text: string, entry: JsonEntry): Edit<"removed"> {
  if (text === newFile(entry)) return { kind: "removed" };
  const way = wayTo(text, entry);
  if (way.kind === "refused") return way;
  const list = way.nodes.at(-1)!;
  const index = list.kind === "list" ? list.parts.findIndex((part) => entry.isOurs(jsonValue(part))) : -1;
  if (index < 0) return { kind: "unchanged" };
  const rest = without(text, way.nodes, entry.path, index);
  const again = removeEntry(rest, entry);
  return again.kind === "unchanged" ? { kind: "changed", text: rest } : again;
}

/** The same for several entries, one after the other. */
export function addEntries(text: string | undefined, entries: readonly JsonEntry[]): Edit<never> {
  let now = text;
  for (const entry of entries) {
    const edit = addEntry(now, entry);
    if (edit.kind === "refused") return edit;
    if (edit.kind === "changed") now = edit.text;
  }
  return now === undefined || now === text ? { kind: "unchanged" } : { kind: "changed", text: now };
}

/** In the other order, so that what was made to hold the first goes last. */
export function removeEntries(text: string, entries: readonly JsonEntry[]): Edit<"removed"> {
  let now = text;
  for (const entry of entries.toReversed()) {
    const edit = removeEntry(now, entry);
    if (edit.kind === "refused" || edit.kind === "removed") return edit;
    if (edit.kind === "changed") now = edit.text;
  }
  return now === text ? { kind: "unchanged" } : { kind: "changed", text: now };
}

// The list comes before the rest, so that no file with only the rest in it turns into this text.
const newFile = (entry: JsonEntry): string =>
  `${rendered({ ...record(nested(entry.path, [entry.item])), ...entry.besides }, { unit: "  ", newline: "\n" }, "")}\n`;

export const nested = (names: readonly string[], inner: Json): Json => names.reduceRight<Json>((value, name) => ({ [name]: value }), inner);
const record = (value: Json): { readonly [name: string]: Json } => (isRecord(value) ? value : {});
const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The nodes from the root towards the list, as far as they exist. */
function wayTo(text: string, { path }: JsonEntry): Way {
  const reading = readJsonTree(text);
  if (reading.kind === "broken") return { kind: "refused", why: `it is not valid JSON: ${reading.why}. Mend it, then try again` };
  const nodes: (JsonObject | JsonList)[] = [];
  let node: JsonNode = reading.root;
  for (const [depth, name] of [...path, undefined].entries()) {
    const wanted = name === undefined ? "list" : "object";
    if (node.kind !== wanted)
      return {
        kind: "refused",
        why: `${depth === 0 ? "it" : `\`${path.slice(0, depth).join(".")}\``} is not ${wanted === "list" ? "a list" : "an object"}. Mend it, then try again`,
      };
    nodes.push(node);
    if (node.kind === "list") break;
    const next = memberOf(node, name!);
    if (!next) return { kind: "way", nodes, missing: path.slice(depth) };
    node = next.node;
  }
  return { kind: "way", nodes, missing: [] };
}

/** Where a name stands twice, readers take the last. */
export const memberOf = (node: JsonObject, name: string): JsonMember | undefined => node.parts.findLast(({ key }) => key === name);

function jsonOf(node: JsonObject | JsonList, name: string): Json | undefined {
  const member = node.kind === "object" ? memberOf(node, name) : undefined;
  return member && jsonValue(member.node);
}

interface Layout {
  readonly unit: string;
  readonly newline: string;
}

export function inserted(text: string, into: JsonObject | JsonList, name: string | undefined, value: Json): string {
  const label = name === undefined ? "" : `${JSON.stringify(name)}: `;
  const last = into.parts.at(-1);
  const blank = last ? blankBefore(text, last.start) : "";
  const isOnLines = last ? blank.includes("\n") : text.trim().includes("\n");
  const layout = isOnLines ? { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ", newline: text.includes("\r\n") ? "\r\n" : "\n" } : undefined;
  const indent = last ? blank.slice(blank.lastIndexOf("\n") + 1) : indentAt(text, into.start);
  const part = label + rendered(value, layout, indent);
  if (!last) return spliced(text, into.start + 1, into.start + 1, part);
  return spliced(text, last.end, last.end, `,${layout ? layout.newline + indent : blank}${part}`);
}

/** Takes one part out of the last node; what was made only to hold it goes with it. */
export function without(text: string, nodes: readonly (JsonObject | JsonList)[], path: readonly string[], index: number): string {
  const holder = nodes.at(-1)!;
  const part = holder.parts[index]!;
  const before = holder.parts[index - 1];
  const after = holder.parts[index + 1];
  if (before) return spliced(text, before.end, part.end, "");
  if (after) return spliced(text, part.start, after.start, "");
  const outer = nodes.at(-2);
  const isMade = /\s/.test(text[holder.start + 1] ?? "");
  if (!isMade || outer?.kind !== "object") return spliced(text, part.start, part.end, "");
  return without(
    text,
    nodes.slice(0, -1),
    path.slice(0, -1),
    outer.parts.findLastIndex(({ key }) => key === path.at(-1)),
  );
}

export const spliced = (text: string, start: number, end: number, part: string): string => text.slice(0, start) + part + text.slice(end);

function blankBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && /\s/.test(text[start - 1]!)) start -= 1;
  return text.slice(start, at);
}

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))![0];

/** On lines of its own, or on one line with blanks inside the brackets. */
export function rendered(value: Json, layout: Layout | undefined, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = layout ? indent + layout.unit : "";
  const parts = Array.isArray(value)
    ? value.map((item: Json) => rendered(item, layout, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${rendered(item, layout, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!layout) return `${open} ${parts.join(", ")} ${close}`;
  return `${open}${parts.map((part) => layout.newline + inner + part).join(",")}${layout.newline}${indent}${close}`;
}
