// Makes a dialect of a schema, a few rules and a translation: reading, places, and a fate for each thing that a file says.
import type * as z from "zod";
import { type Path, showPath } from "../spec/path.ts";
import { readSpecText, type SpecText, type TextLimits } from "../spec/text.ts";
import type { NativeSurface } from "./native-surface.ts";
import { createNotes, type Notes, type PlaceOf } from "./notes.ts";
import { complained, complaintsBy, inOrder, placeIn, type RuleComplaint, wrongText } from "./placed-problems.ts";
import { type FrontMatter, frontMatterOf } from "./sheet.ts";
import type { SpecDialect } from "./spec-dialect.ts";
import type { Bindings, DialectProblem, SpecValue, Translation } from "./translation.ts";
import { childrenOf, NO_COUNTERPART, toldIn, untold } from "./untold.ts";
import { type Fields, fieldsOf } from "./values.ts";

/** What a translation goes by, and where it writes down what became of the file. */
export interface Putting {
  readonly file: string;
  readonly bindings: Bindings;
  readonly native: NativeSurface;
  readonly notes: Notes;
  /** What stands below the front matter, for which the path is `body`; empty where there is none. */
  readonly body: string;
}

/** What always becomes of a field: `*` stands for any key or entry. */
export type Standing = readonly [field: string, kind: "inert" | "inherent" | "tightened" | "lost", why: string];

export interface DialectWish<Document> {
  readonly name: string;
  readonly title: string;
  /** Markdown has its fields in front matter, and a text below. */
  readonly written: "plain" | "markdown";
  /** A text without any of these words is not looked at further. */
  readonly mentioned: RegExp;
  readonly looksLike: (root: Fields, file: string) => boolean;
  readonly form: (root: Fields) => string;
  readonly schema: z.ZodType<Document>;
  /** Rules between fields; the value may have anything wrong with it. */
  readonly rules?: (root: Fields, body: string) => readonly RuleComplaint[];
  /** What is allowed and probably not meant. */
  readonly doubts?: (root: Fields, body: string) => readonly RuleComplaint[];
  readonly standing: readonly Standing[];
  /** Undefined where something is missing without which there is no spec, which is then told. */
  readonly put: (document: Document, at: Putting) => SpecValue | undefined;
}

/** What people write by hand is shorter. */
const OF_THESE: TextLimits = { kib: 512, tokens: 60_000, values: 15_000 };

export function defineDialect<Document>(wish: DialectWish<Document>): SpecDialect {
  const { name, title, mentioned, written, looksLike } = wish;
  return {
    name,
    title,
    recognises(file, sheet) {
      if (!mentioned.test(sheet.text)) return false;
      const value = written === "markdown" ? sheet.front()?.read.value : sheet.plain().value;
      return isMap(value) && looksLike(fieldsOf(value), file);
    },
    check(file, { text }) {
      const { form, problems, warnings } = readBy(wish, file, text);
      return { form, problems, warnings, note: "" };
    },
    // Nothing that such a file names is opened.
    references: () => [],
    translate: (file, { text }, bindings, native) => translateBy(wish, file, text, bindings, native),
  };
}

interface Reading<Document> {
  readonly form: string;
  readonly root: Fields;
  readonly body: string;
  /** Undefined where the schema has complaints. */
  readonly document: Document | undefined;
  readonly problems: readonly DialectProblem[];
  readonly warnings: readonly DialectProblem[];
  readonly placeOf: PlaceOf;
}

/** Never throws, whatever the text. */
function readBy<Document>(wish: DialectWish<Document>, file: string, text: string): Reading<Document> {
  const front = wish.written === "markdown" ? (frontMatterOf(text, OF_THESE) ?? onlyBody(text)) : undefined;
  const read = front?.read ?? readSpecText(text, OF_THESE);
  const root = fieldsOf(read.value);
  const body = front?.body ?? "";
  const { document, complaints } = complaintsBy(wish.schema, read.value);
  const rules = wish.rules?.(root, body) ?? [];
  const unclosed = front?.isClosed === false ? [notClosed(file)] : [];
  const told = (all: readonly RuleComplaint[]) => complained(file, read, all).map((problem) => inBody(problem, front));
  return {
    form: wish.form(root),
    root,
    body,
    document: read.problems.length > 0 ? undefined : document,
    problems: inOrder([...wrongText(file, read), ...unclosed, ...told([...complaints, ...rules])]),
    warnings: inOrder(told(wish.doubts?.(root, body) ?? [])),
    placeOf: placesIn(read, front),
  };
}

function translateBy<Document>(
  wish: DialectWish<Document>,
  file: string,
  text: string,
  bindings: Bindings,
  native: NativeSurface,
): Translation {
  const { form, root, body, document, problems, placeOf } = readBy(wish, file, text);
  if (document === undefined || problems.length > 0) return { kind: "refused", form, problems };
  const notes = createNotes(placeOf);
  const spec = wish.put(document, { file, bindings, native, notes, body });
  tellStanding(wish.standing, root, notes);
  for (const path of untold(body === "" ? root : { ...root, body }, notes.fates)) notes.tell("lost", path, "", NO_COUNTERPART);
  const { fates } = notes;
  const isStuck = spec === undefined || fates.some(({ kind }) => kind === "asked");
  return isStuck ? { kind: "stuck", form, fates } : { kind: "translated", form, spec, fates };
}

/** A file without front matter is a text, and says nothing else. */
const onlyBody = (text: string): FrontMatter => ({
  read: readSpecText("{}"),
  body: text.trim(),
  bodyAt: { line: 1, col: 1 },
  isClosed: true,
});

const notClosed = (file: string): DialectProblem => ({
  file,
  line: 1,
  col: 1,
  path: "spec",
  code: "text",
  problem: "the front matter is not closed",
  instead: "Write a line of three dashes below it.",
});

/** What is about the body stands where the body begins. */
const inBody = (problem: DialectProblem, front: FrontMatter | undefined): DialectProblem =>
  front !== undefined && problem.path === "body" ? { ...problem, ...front.bodyAt } : problem;

const placesIn = (read: SpecText, front: FrontMatter | undefined): PlaceOf => {
  const placeOf = placeIn(read);
  return (path) => (front !== undefined && path[0] === "body" && !read.place.inside.has("body") ? front.bodyAt : placeOf(path));
};

/** Says of fields that were not told yet what always becomes of them. */
function tellStanding(standing: readonly Standing[], root: Fields, notes: Notes): void {
  for (const [field, kind, why] of standing) {
    const told = toldIn(notes.fates);
    for (const path of pathsOf(field.split("."), root))
      if (!prefixesOf(path).some((prefix) => told.whole.has(prefix)) && !told.parts.has(showPath(path))) notes.tell(kind, path, "", why);
  }
}

const prefixesOf = (path: Path): readonly string[] => path.map((_, index) => showPath(path.slice(0, index + 1)));

function pathsOf([step, ...rest]: readonly string[], value: unknown, path: Path = []): readonly Path[] {
  if (step === undefined) return [path];
  return childrenOf(value)
    .filter(([key]) => step === "*" || key === step)
    .flatMap(([key, inner]) => pathsOf(rest, inner, [...path, key]));
}

const isMap = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
