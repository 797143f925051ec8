// Reads YAML that people write for their tools into plain values, bounded, with the line of everything.
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";

/** A value with the line it stands in. */
export type YamlValue =
  | { readonly kind: "map"; readonly line: number; readonly entries: readonly YamlEntry[] }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly YamlValue[] }
  | { readonly kind: "text"; readonly line: number; readonly text: string };

export interface YamlEntry {
  readonly key: string;
  readonly line: number;
  readonly value: YamlValue;
}

/** Undefined where it is no YAML, or is built to be hard to read. */
export function readYaml(text: string): YamlValue | undefined {
  if (isTooDeep(text)) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: "silent", strict: false, merge: false });
  if (document.errors.length > 0 || document.contents === null) return undefined;
  return readValue(document.contents, (node) => lines.linePos(node.range?.[0] ?? 0).line);
}

/** Aliases are left out: nobody's CI needs them to be understood, and they can grow without bound. */
function readValue(node: Node, lineOf: (node: Node) => number): YamlValue {
  const line = lineOf(node);
  if (isMap<Node, Node | null>(node)) return { kind: "map", line, entries: node.items.flatMap((pair) => entryOf(pair, lineOf)) };
  if (isSeq<Node>(node)) return { kind: "list", line, items: node.items.map((item) => readValue(item, lineOf)) };
  // A block begins in the line after its mark.
  const isBlock = isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
  const text = isScalar(node) ? (node.source ?? String(node.value ?? "")) : "";
  return { kind: "text", line: isBlock ? line + 1 : line, text };
}

function entryOf({ key, value }: Pair<Node, Node | null>, lineOf: (node: Node) => number): readonly YamlEntry[] {
  if (!isScalar(key)) return [];
  const line = lineOf(key);
  return [{ key: String(key.source ?? key.value), line, value: value ? readValue(value, lineOf) : { kind: "text", line, text: "" } }];
}

const MOST_DEEP = 60;
const MOST_INDENT = 200;

/** The parser recurses; so what nests deeply is not given to it. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === "[" || char === "{") open += 1;
    if (char === "]" || char === "}") open = Math.max(0, open - 1);
    if (open > MOST_DEEP) return true;
  }
  return text.split("\n").some((line) => /^ {200}/.test(line) || /^(?:\s*[-?:]\s){30}/.test(line.slice(0, MOST_INDENT)));
}

export const entry = (value: YamlValue | undefined, key: string): YamlEntry | undefined =>
  value?.kind === "map" ? value.entries.find((one) => one.key === key) : undefined;

export const inside = (value: YamlValue | undefined, ...keys: readonly string[]): YamlValue | undefined =>
  keys.reduce<YamlValue | undefined>((here, key) => entry(here, key)?.value, value);

export const textOf = (value: YamlValue | undefined): string | undefined => (value?.kind === "text" ? value.text : undefined);

export const entriesOf = (value: YamlValue | undefined): readonly YamlEntry[] => (value?.kind === "map" ? value.entries : []);

export const itemsOf = (value: YamlValue | undefined): readonly YamlValue[] => (value?.kind === "list" ? value.items : []);

/** One text, or a list of them. */
export const textsOf = (value: YamlValue | undefined): readonly { readonly text: string; readonly line: number }[] =>
  (value?.kind === "list" ? value.items : value ? [value] : []).flatMap((one) => (one.kind === "text" ? [one] : []));
