// Which test files get twins, and what these are. Pure: the same plan for the same seed.
import { posix } from "node:path";
import type { Language, Syntax } from "../../contract/syntax.ts";
import { sha256 } from "../../std/hash.ts";
import { twinGo } from "../../std/twins/go.ts";
import { twinJavascript } from "../../std/twins/javascript.ts";
import { twinPython } from "../../std/twins/python.ts";
import { twinRust } from "../../std/twins/rust.ts";
import { drawWord, TWIN_KINDS, type Twin, type TwinKind, type TwinOrder } from "../../std/twins/twin.ts";

/** Runners that find a new file by themselves get twins beside the known file. Of compiled ones the known file stays on the disk, and another is compiled. */
export type Way = "beside" | "overlay" | "put-back";

interface Writer {
  readonly language: Language;
  readonly way: Way;
  readonly write: (order: TwinOrder) => Twin;
}

const WRITERS: readonly (readonly [RegExp, Writer])[] = [
  [/\.(?:[cm]?js|jsx)$/, { language: "javascript", way: "beside", write: twinJavascript }],
  [/\.[cm]?ts$/, { language: "typescript", way: "beside", write: twinJavascript }],
  [/\.tsx$/, { language: "tsx", way: "beside", write: twinJavascript }],
  [/(?:^|\/)(?!conftest\.py$|__init__\.py$)[^/]+\.py$/, { language: "python", way: "beside", write: twinPython }],
  [/_test\.go$/, { language: "go", way: "overlay", write: twinGo }],
  [/\.rs$/, { language: "rust", way: "put-back", write: twinRust }],
];

export const TWINNED_RUNNERS = "node:test, vitest, jest, mocha, pytest, unittest, go test and cargo test";

const writerFor = (path: string): Writer | undefined => WRITERS.find(([pattern]) => pattern.test(path))?.[1];

export const languageToTwin = (path: string): Language | undefined => writerFor(path)?.language;

/** One command runs the tests of one tool: where files of several are there, those that it runs, by its format or its words. */
export function ofOneWay<T extends { readonly path: string }>(files: readonly T[], run: string, format: string): readonly T[] {
  const wayOf = ({ path }: T): Way | undefined => writerFor(path)?.way;
  const ways = new Set(files.map(wayOf));
  if (ways.size < 2) return files;
  const way =
    format === "cargo" || /\bcargo\b/.test(run) ? "put-back" : format === "go" || /\bgo\s+test\b/.test(run) ? "overlay" : "beside";
  return files.filter((file) => wayOf(file) === way);
}

export interface TestText {
  readonly path: string;
  readonly text: string;
}

export interface FileTwin {
  readonly known: string;
  readonly kind: TwinKind;
  readonly way: Way;
  /** Where it is put: beside the known file, or in place of it. */
  readonly path: string;
  /** What its names are told by. */
  readonly word: string;
  readonly text: string;
  readonly tests: Twin["tests"];
  /** The known bytes, which are put back. */
  readonly was: string;
}

export interface TwinWish {
  readonly seed: number;
  /** Tests that are red on base: what the change should turn green. */
  readonly red: readonly string[];
  /** How many tests to twin at most besides those. */
  readonly most: number;
}

export interface TwinPlan {
  readonly twins: readonly FileTwin[];
  /** Files of languages that twins are written in, and that none could be written of. */
  readonly untwinned: readonly string[];
}

/** Files with red tests first, then others as the seed draws them. */
export function planTwins(files: readonly TestText[], syntax: Syntax, { seed, red, most }: TwinWish): TwinPlan {
  const lot = (path: string): string => sha256(`${seed} ${path}`);
  const written = files
    .toSorted((a, b) => (lot(a.path) < lot(b.path) ? -1 : 1))
    .map((file) => ({ file, twins: twinsOf(file, syntax, String(seed)), isAsked: red.some((id) => mayBeIn(file, id)) }));
  const twinned = written.filter(({ twins }) => twins.length > 0).toSorted((a, b) => Number(b.isAsked) - Number(a.isAsked));
  const chosen: FileTwin[] = [];
  let count = 0;
  for (const { twins, isAsked } of twinned) {
    if (!isAsked && count >= most) continue;
    chosen.push(...twins);
    count += twins[0]?.tests.length ?? 0;
  }
  return { twins: chosen, untwinned: written.filter(({ twins }) => twins.length === 0).map(({ file }) => file.path) };
}

/** Whether a test of that id may be one of this file: by the file's name in it, or by its own name in the text. */
function mayBeIn({ path, text }: TestText, id: string): boolean {
  if (id.includes(stemOf(path))) return true;
  const name = id
    .split(" :: ")
    .at(-1)!
    .replace(/ #\d+$/, "")
    .replace(/\[.*\]$/, "");
  return text.includes(name.split(" > ").at(-1)!.split("/")[0]!.split("::").at(-1)!);
}

function twinsOf({ path, text }: TestText, syntax: Syntax, seed: string): readonly FileTwin[] {
  const writer = writerFor(path);
  const tree = writer && syntax.parse(writer.language, text);
  if (!writer || !tree || tree.errors > 0 || !tree.isComplete) return [];
  return TWIN_KINDS.flatMap((kind) => {
    const word = drawWord(seed, path, kind);
    if (text.toLowerCase().includes(word)) return [];
    const twin = writer.write({ text, root: tree.root, kind, word, seed });
    if (twin.tests.length === 0 || (syntax.parse(writer.language, twin.text)?.errors ?? 1) > 0) return [];
    const place = writer.way === "beside" ? besidePath(path, word) : path;
    return [{ known: path, kind, way: writer.way, path: place, word, text: twin.text, tests: twin.tests, was: text }];
  });
}

/** A name such as its neighbours have, so that whoever collects those collects it as well. */
export function besidePath(path: string, word: string): string {
  const { dir, base } = posix.parse(path);
  const name = base
    .replace(/^(tests?)(\.\w+)$/i, base.endsWith(".py") ? `$1_${word}$2` : `$1-${word}$2`)
    .replace(/^(test[_-]).+?(\.\w+)$/i, base.includes(word) ? "$&" : `$1${word}$2`);
  const renamed = name === base ? base.replace(/^.*?(?=([._-](?:tests?|specs?|cy|e2e))?\.\w+$)/i, word) : name;
  return posix.join(dir, renamed);
}

/** As results name a file: without folders and the last ending. */
export const stemOf = (path: string): string => posix.basename(path).replace(/\.\w+$/, "");

/** The command with twins beside every known file that it names. */
export function nameTwins(run: string, twins: readonly FileTwin[]): string {
  const beside = twins.filter(({ way }) => way === "beside");
  return [...new Set(beside.map(({ known }) => known))].reduce((command, known) => {
    const places = beside.filter((twin) => twin.known === known).map(({ path }) => path);
    const named = besideName(command, known, places);
    return known.endsWith(".py") && known.includes("/") ? besideName(named, moduleOf(known), places.map(moduleOf)) : named;
  }, run);
}

/** A word in quotes, or with something before it such as `./`, is repeated with what is around it. */
function besideName(command: string, name: string, others: readonly string[]): string {
  const pattern = new RegExp(`(?<=^|[\\s"'=/])${escapePattern(name)}(?=$|[\\s"';&|)])`, "g");
  return command.replace(pattern, (found, at: number) => {
    const before = /\S*$/.exec(command.slice(0, at))![0];
    const after = /^["']?/.exec(command.slice(at + found.length))![0];
    return [found, ...others.map((other) => `${after} ${before}${other}`)].join("");
  });
}

export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const moduleOf = (path: string): string => path.slice(0, -3).replaceAll("/", ".");
