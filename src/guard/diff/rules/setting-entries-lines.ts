// Reads settings whose form is told by lines: TOML and INI by sections, YAML by indentation, XML by tags.
import { bare, type Entry } from "./setting-entry.ts";
import { indentOf, type SideLine } from "./side-lines.ts";

export function readSections(lines: readonly SideLine[]): readonly Entry[] {
  const entries: Entry[] = [];
  let section = "";
  let name = "";
  let isInList = false;
  for (const { text, line, isChanged } of lines) {
    const plain = withoutHash(text);
    if (plain.trim() === "") continue;
    const header = isInList ? undefined : /^\s*\[\[?\s*("[^"]*"|[^\]]+?)\s*\]\]?\s*$/.exec(plain)?.[1];
    if (header !== undefined) {
      section = header.replaceAll(/["']/g, "").replaceAll(":", ".");
      name = "";
      continue;
    }
    const named: NamedValue | undefined = isInList || (name !== "" && goesOn(plain)) ? undefined : namedValue(plain);
    name = named?.name ?? name;
    const value: string = named?.value ?? plain.trim();
    const isList = named ? value.startsWith("[") : true;
    if (named ? isList : isInList) isInList = !/\]\s*,?$/.test(value);
    const path = [section, name].filter((part) => part !== "").join(".");
    const values = isList ? itemsOf(value.replace(/^\[/, "").replace(/\]\s*,?$/, "")) : [bare(value)].filter((part) => part !== "");
    for (const item of values) entries.push({ path, value: item, line, isChanged, isItem: isList });
  }
  return entries;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

function namedValue(text: string): NamedValue | undefined {
  const found = /^\s*("[^"]+"|'[^']+'|(?!-)[\w.*/$-]+)\s*(?:=(?!=)|:(?=\s|$))\s*(.*)$/.exec(text);
  return found ? { name: bare(found[1]!), value: found[2]!.trim() } : undefined;
}

/** An indented line of an INI file goes on with the value above it, even where it looks like a name. */
const goesOn = (text: string): boolean => /^\s/.test(text) && !/^\s*\w[\w-]*\s*=\s*\S/.test(text);

/** A # inside quotes is part of the value, and one right after a word as well. */
function withoutHash(text: string): string {
  if (/^\s*[#;]/.test(text)) return "";
  const mark = /\s#/.exec(text);
  return mark && text.slice(0, mark.index).split('"').length % 2 === 1 ? text.slice(0, mark.index) : text;
}

const itemsOf = (text: string): readonly string[] =>
  text
    .split(/,(?=\s|$|["'])/)
    .map(bare)
    .filter((item) => item !== "");

export function readYaml(lines: readonly SideLine[]): readonly Entry[] {
  const entries: Entry[] = [];
  const open: { readonly name: string; readonly column: number }[] = [];
  for (const { text, line, isChanged } of lines) {
    const plain = withoutHash(text);
    if (plain.trim() === "" || /^(---|\.\.\.)/.test(plain)) continue;
    const dashes = /^\s*((?:-\s+)*)/.exec(plain)![1]!;
    const isItem = dashes !== "" || /^\s*-$/.test(plain);
    const column = indentOf(plain) + dashes.length;
    // A list may stand at the column of the name that holds it.
    while (open.length > 0 && open.at(-1)!.column >= (isItem ? indentOf(plain) + 1 : column)) open.pop();
    const rest = plain.trim().slice(dashes.length).trim();
    const keyed = /^("[^"]+"|'[^']+'|[^\s:{["'][^:{]*?)\s*:(?:\s+(.*))?$/.exec(rest);
    const trail = open.map(({ name }) => name);
    if (!keyed) {
      for (const item of listed(rest)) entries.push({ path: trail.join("."), value: item, line, isChanged, isItem: true });
      continue;
    }
    const name = bare(keyed[1]!);
    const value = keyed[2]?.trim() ?? "";
    const path = [...trail, name].join(".");
    if (value === "" || /^[|>][+-]?$/.test(value)) open.push({ name, column });
    else if (value.startsWith("[")) for (const item of listed(value)) entries.push({ path, value: item, line, isChanged, isItem: true });
    else entries.push({ path, value: bare(value), line, isChanged, isItem: false });
    if (isItem && value !== "") open.push({ name: "", column: column - 1 });
  }
  return entries.map((entry) => ({ ...entry, path: entry.path.replaceAll(/\.{2,}/g, ".").replace(/^\./, "") }));
}

const listed = (text: string): readonly string[] =>
  text.startsWith("[") ? itemsOf(text.replace(/^\[/, "").replace(/\]$/, "")) : [bare(text)];

const TAG = /<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*"[^"]*")*)\s*(\/?)>([^<]*)/g;

export function readMarkup(lines: readonly SideLine[]): readonly Entry[] {
  const entries: Entry[] = [];
  const open: string[] = [];
  // A plugin of Maven is told by a value inside it, not by its tag.
  let plugin = "";
  const pathOf = (...names: readonly string[]): string =>
    names.map((name) => (name === "plugin" && plugin !== "" ? plugin : name)).join(".");
  for (const { text, line, isChanged } of lines) {
    for (const [, close, name, attributes, selfClose, content] of text.matchAll(TAG)) {
      if (name === "plugin") plugin = "";
      if (name === "artifactId" && close === "") plugin = content!.trim();
      if (close === "/") {
        if (open.includes(name!)) open.splice(open.lastIndexOf(name!));
        continue;
      }
      open.push(name!);
      for (const [, key, value] of attributes!.matchAll(/([\w.:-]+)\s*=\s*"([^"]*)"/g)) {
        entries.push({ path: pathOf(...open, key!), value: value!, line, isChanged, isItem: false });
      }
      if (content!.trim() !== "")
        entries.push({
          path: pathOf(...open),
          value: content!.trim(),
          line,
          isChanged,
          isItem: /^(exclude|include|directory|file|goal)$/.test(name!),
        });
      if (selfClose === "/") open.pop();
    }
    // Attributes of a tag that spans lines.
    if (!text.includes("<"))
      for (const [, key, value] of text.matchAll(/([\w.:-]+)\s*=\s*"([^"]*)"/g))
        entries.push({ path: pathOf(...open, key!), value: value!, line, isChanged, isItem: false });
  }
  return entries;
}
