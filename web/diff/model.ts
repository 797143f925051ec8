// A unified diff as a value: files, hunks and numbered lines, and the rows in which they are shown.

export interface DiffLine {
  readonly kind: "same" | "add" | "del";
  /** Line numbers on base and now, where the line is there. */
  readonly old: number | undefined;
  readonly now: number | undefined;
  readonly text: string;
}

export interface Hunk {
  readonly oldStart: number;
  readonly nowStart: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  /** Its name on base, where that is another. */
  readonly from: string | undefined;
  readonly how: "changed" | "added" | "removed" | "renamed" | "binary";
  /** What is no line of it and changes all the same, in words: that it is a link, can be run, has another mode. */
  readonly marks?: readonly string[] | undefined;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

interface OpenFile {
  path: string;
  from: string | undefined;
  how: DiffFile["how"];
  marks?: readonly string[];
  hunks: { readonly oldStart: number; readonly nowStart: number; readonly lines: DiffLine[] }[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads what git writes. What it does not know it leaves out; it never throws. */
export function readDiff(text: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  let hunk: OpenFile["hunks"][number] | undefined;
  // How many lines the hunk still has: within it, a line that looks like a header is content.
  let [oldLeft, nowLeft, old, now] = [0, 0, 0, 0];
  for (const line of text.split("\n")) {
    if (hunk && (oldLeft > 0 || nowLeft > 0)) {
      const sign = line.charAt(0);
      if (sign === "+") {
        hunk.lines.push({ kind: "add", old: undefined, now: now++, text: line.slice(1) });
        nowLeft -= 1;
        continue;
      }
      if (sign === "-") {
        hunk.lines.push({ kind: "del", old: old++, now: undefined, text: line.slice(1) });
        oldLeft -= 1;
        continue;
      }
      if (sign === " " || line === "") {
        hunk.lines.push({ kind: "same", old: old++, now: now++, text: line.slice(1) });
        oldLeft -= 1;
        nowLeft -= 1;
        continue;
      }
      if (sign === "\\") {
        if (file) mark(file, NO_END);
        continue;
      }
      [oldLeft, nowLeft] = [0, 0];
    }
    if (line.startsWith("diff --git ")) {
      file = { path: pathOfHeader(line), from: undefined, how: "changed", hunks: [] };
      hunk = undefined;
      files.push(file);
      continue;
    }
    if (!file) continue;
    const at = HUNK.exec(line);
    if (at) {
      [old, now] = [Number(at[1]), Number(at[3])];
      [oldLeft, nowLeft] = [Number(at[2] ?? 1), Number(at[4] ?? 1)];
      hunk = { oldStart: old, nowStart: now, lines: [] };
      file.hunks.push(hunk);
      continue;
    }
    if (hunk) {
      if (line.startsWith("\\ No newline")) mark(file, NO_END);
      continue;
    }
    readHeader(line, file);
  }
  return files.map(closed);
}

const NO_END = "no line break at its end";
const MODES: { readonly [mode: string]: string } = { "120000": "a link", "100755": "can be run", "160000": "a submodule" };

function mark(file: OpenFile, says: string | undefined): void {
  if (says !== undefined && !file.marks?.includes(says)) file.marks = [...(file.marks ?? []), says];
}

const modeIn = (line: string): string => line.slice(line.lastIndexOf(" ") + 1);

function readHeader(line: string, file: OpenFile): void {
  if (line.startsWith("new file mode")) {
    file.how = "added";
    mark(file, MODES[modeIn(line)]);
  } else if (line.startsWith("deleted file mode")) {
    file.how = "removed";
    const was = MODES[modeIn(line)];
    mark(file, was === undefined ? undefined : `was ${was}`);
  } else if (line.startsWith("old mode ")) mark(file, `mode was ${modeIn(line)}`);
  else if (line.startsWith("new mode ")) mark(file, `mode is ${modeIn(line)}${modeIn(line) === "100755" ? ": it can be run" : ""}`);
  else if (line.startsWith("rename from ")) {
    file.how = "renamed";
    file.from = unquoted(line.slice("rename from ".length));
  } else if (line.startsWith("rename to ")) file.path = unquoted(line.slice("rename to ".length));
  else if (line.startsWith("Binary files ") || line.startsWith("GIT binary patch")) file.how = "binary";
  else if (line.startsWith("+++ ") && line !== "+++ /dev/null") file.path = withoutSide(line.slice(4));
  else if (line.startsWith("--- ") && line !== "--- /dev/null" && file.how === "removed") file.path = withoutSide(line.slice(4));
}

function closed(file: OpenFile): DiffFile {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: DiffLine["kind"]): number => lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0);
  return { ...file, added: count("add"), removed: count("del") };
}

/** `diff --git a/x b/x`: both sides are the same but for renames, which name them again. */
function pathOfHeader(line: string): string {
  const rest = line.slice("diff --git ".length);
  if (rest.startsWith('"')) return withoutSide(rest.slice(0, rest.indexOf('" ') + 1));
  return rest.slice(2, 2 + (rest.length - 5) / 2);
}

const withoutSide = (path: string): string => unquoted(path.replace(/\t$/, "")).replace(/^[ab]\//, "");

const ESCAPES: { readonly [char: string]: string } = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", v: "\v", f: "\f" };

/** Git quotes odd names, with bytes in octal. */
function unquoted(path: string): string {
  if (!/^".*"$/.test(path)) return path;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, escaped, plain] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (escaped) bytes.push(...encoder.encode(ESCAPES[escaped] ?? escaped));
    else bytes.push(...encoder.encode(plain));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Something that is said about a line, or about the file where it has no line that is shown. */
export interface Note {
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export type Row<N extends Note> =
  | { readonly kind: "line"; readonly line: DiffLine; readonly partner: DiffLine | undefined }
  | { readonly kind: "pair"; readonly left: DiffLine | undefined; readonly right: DiffLine | undefined }
  | { readonly kind: "fold"; readonly alike: number }
  | { readonly kind: "note"; readonly note: N };

/** The rows of one file, unified: notes stand under the line that they are about. */
export function unifiedRows<N extends Note>(file: DiffFile, notes: readonly N[]): readonly Row<N>[] {
  return withNotes(file, notes, (hunk) => {
    const partners = partnersOf(hunk.lines);
    return hunk.lines.map((line) => ({ kind: "line", line, partner: partners.get(line) }));
  });
}

/** The same side by side: what was removed stands beside what came in its place. */
export function pairedRows<N extends Note>(file: DiffFile, notes: readonly N[]): readonly Row<N>[] {
  return withNotes(file, notes, (hunk) => {
    const rows: Row<N>[] = [];
    for (const { same, dels, adds } of blocksOf(hunk.lines)) {
      if (same) rows.push({ kind: "pair", left: same, right: same });
      for (let index = 0; index < Math.max(dels.length, adds.length); index++)
        rows.push({ kind: "pair", left: dels[index], right: adds[index] });
    }
    return rows;
  });
}

function withNotes<N extends Note>(file: DiffFile, notes: readonly N[], rowsOf: (hunk: Hunk) => readonly Row<N>[]): readonly Row<N>[] {
  const mine = notes.filter((note) => note.file === file.path);
  const placed = new Set<N>();
  const numbers = new Set(file.hunks.flatMap(({ lines }) => lines.flatMap(({ now }) => now ?? [])));
  const rows: Row<N>[] = [];
  let next = 1;
  for (const hunk of file.hunks) {
    const alike = Math.max(0, hunk.nowStart - next);
    if (alike > 0 && file.how !== "added") rows.push({ kind: "fold", alike });
    for (const row of rowsOf(hunk)) {
      rows.push(row);
      const { now, old } = numbersOf(row);
      for (const note of mine) {
        // A finding goes by the line as it is now; only where there is none, by the line as it was.
        const isHere = note.line !== undefined && (note.line === now || (note.line === old && !numbers.has(note.line)));
        if (!isHere || placed.has(note)) continue;
        placed.add(note);
        rows.push({ kind: "note", note });
      }
    }
    next = hunk.nowStart + hunk.lines.filter(({ kind }) => kind !== "del").length;
  }
  const above = mine.filter((note) => !placed.has(note)).map((note): Row<N> => ({ kind: "note", note }));
  return [...above, ...rows];
}

function numbersOf<N extends Note>(row: Row<N>): { readonly now: number | undefined; readonly old: number | undefined } {
  if (row.kind === "line") return row.line;
  if (row.kind === "pair") return { now: row.right?.now, old: row.left?.old };
  return { now: undefined, old: undefined };
}

interface Block {
  readonly same: DiffLine | undefined;
  readonly dels: DiffLine[];
  readonly adds: DiffLine[];
}

/** Lines that stayed, each by itself, and what was removed together with what was added after it. */
function blocksOf(lines: readonly DiffLine[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (line.kind === "same") blocks.push({ same: line, dels: [], adds: [] });
    else if (!last || last.same || (line.kind === "del" && last.adds.length > 0))
      blocks.push({ same: undefined, dels: line.kind === "del" ? [line] : [], adds: line.kind === "add" ? [line] : [] });
    else (line.kind === "del" ? last.dels : last.adds).push(line);
  }
  return blocks;
}

function partnersOf(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, DiffLine> {
  const pairs = blocksOf(lines).flatMap(({ dels, adds }) =>
    dels.flatMap((del, index): [DiffLine, DiffLine][] => {
      const add = adds[index];
      return add
        ? [
            [del, add],
            [add, del],
          ]
        : [];
    }),
  );
  return new Map(pairs);
}

/** Notes that belong to no file of the diff. */
export function looseNotes<N extends Note>(files: readonly DiffFile[], notes: readonly N[]): readonly N[] {
  const paths = new Set(files.map(({ path }) => path));
  return notes.filter(({ file }) => file === undefined || !paths.has(file));
}
