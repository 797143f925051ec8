// Reads of TOML what a look at a project needs: which tables there are, and the texts and lists of texts in them, each with its line.

export interface TomlReading {
  /** The line of a table's header; undefined where there is none. */
  readonly lineOfTable: (table: string) => number | undefined;
  /** Names of tables that begin with this. */
  readonly tablesIn: (prefix: string) => readonly string[];
  readonly keysOf: (table: string) => readonly string[];
  readonly text: (table: string, key: string) => string | undefined;
  readonly list: (table: string, key: string) => readonly string[] | undefined;
  readonly lineOf: (table: string, key: string) => number | undefined;
}

interface Entry {
  readonly raw: string;
  readonly line: number;
}

const HEADER = /^\[\[?\s*([^\]]{1,200}?)\s*\]\]?\s*(?:#.*)?$/;
const PAIR = /^([\w."'-]{1,200})\s*=\s*(.*)$/;
const MOST_LINES = 20_000;

/** What it does not understand it leaves out: nobody is told more than what is plainly there. */
export function readToml(text: string): TomlReading {
  const tables = new Map<string, number>();
  const entries = new Map<string, Map<string, Entry>>();
  const lines = text.split("\n", MOST_LINES);
  let table = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    const header = HEADER.exec(line);
    if (header) {
      table = plainName(header[1]!);
      if (!tables.has(table)) tables.set(table, at + 1);
      continue;
    }
    const pair = PAIR.exec(line);
    if (!pair) continue;
    const begun = at;
    let raw = pair[2]!;
    while (isOpen(raw) && at + 1 < lines.length && at - begun < 500) raw += `\n${lines[++at]!.trim()}`;
    const inside = entries.get(table) ?? new Map<string, Entry>();
    entries.set(table, inside.set(plainName(pair[1]!), { raw, line: begun + 1 }));
  }
  const entryOf = (name: string, key: string): Entry | undefined => entries.get(name)?.get(key);
  return {
    lineOfTable: (name) => tables.get(name),
    tablesIn: (prefix) => [...tables.keys()].filter((name) => name.startsWith(prefix)),
    keysOf: (name) => [...(entries.get(name)?.keys() ?? [])],
    text: (name, key) => stringsIn(entryOf(name, key)?.raw ?? "")[0],
    list: (name, key) => {
      const raw = entryOf(name, key)?.raw;
      // Tables inside a list say something else than what is listed.
      return raw?.startsWith("[") ? stringsIn(raw.replaceAll(/\{[^{}]{0,1000}\}/g, "")) : undefined;
    },
    lineOf: (name, key) => entryOf(name, key)?.line,
  };
}

const plainName = (name: string): string => name.replaceAll(/["']/g, "").replaceAll(/\s*\.\s*/g, ".");

/** Whether a list or a long text goes on in the next line. */
function isOpen(raw: string): boolean {
  if (raw.startsWith('"""') || raw.startsWith("'''")) return raw.split(raw.slice(0, 3)).length < 3;
  if (!raw.startsWith("[")) return false;
  const bare = raw.replaceAll(STRING, "").replaceAll(/#[^\n]*/g, "");
  return bare.split("[").length > bare.split("]").length;
}

const STRING = /"""[^"]{0,20000}"""|'''[^']{0,20000}'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;

const stringsIn = (raw: string): readonly string[] =>
  [...raw.matchAll(/#[^\n]*|"""[^"]{0,20000}"""|'''[^']{0,20000}'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g)].flatMap(([token]) => {
    if (token.startsWith("#")) return [];
    const quotes = /^(?:"""|'''|"|')/.exec(token)![0].length;
    return [token.slice(quotes, -quotes).replaceAll('\\"', '"')];
  });
