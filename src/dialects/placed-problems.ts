// What is wrong with a file of another system, in plain words and at its place: by a schema, by rules, and by its text.
import * as z from "zod";
import { type Complaint, complaintsOf, OWN_WORDS_ONLY } from "../spec/complaints.ts";
import { valueAt } from "../spec/hints.ts";
import { quoted } from "../spec/path.ts";
import { formatProblem, placed, textProblems } from "../spec/read-spec.ts";
import type { JsonSchema } from "../spec/schema.ts";
import type { SpecText } from "../spec/text.ts";
import type { PlaceOf } from "./notes.ts";
import type { DialectProblem } from "./translation.ts";
import { fieldsOf, textOf } from "./values.ts";

/** A complaint, and the rule that it is about. */
export interface RuleComplaint extends Complaint {
  readonly code: string;
}

export interface BySchema<T> {
  readonly document: T | undefined;
  readonly complaints: readonly RuleComplaint[];
}

export function complaintsBy<T>(schema: z.ZodType<T>, value: unknown): BySchema<T> {
  const parsed = parsedBy(schema, value);
  if (parsed.success) return { document: parsed.data, complaints: [] };
  const json = jsonSchemaOf(schema);
  const complaints = parsed.issues
    .slice(0, MOST_ISSUES)
    .flatMap((issue) => complaintsOf(issue, value, json).map((complaint) => ({ code: codeOf(issue, value), ...complaint })));
  return { document: undefined, complaints: parsed.isAll ? complaints : [...complaints, TOO_MUCH] };
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[]; readonly isAll: boolean };

/** The schema library hands issues up by the stack, and has none left where a list has too much wrong in it: then its beginning is told. */
function parsedBy<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  try {
    const parsed = schema.safeParse(value, OWN_WORDS_ONLY);
    return parsed.success ? parsed : { success: false, issues: parsed.error.issues, isAll: true };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return { success: false, issues: schema.safeParse(shortened(value), OWN_WORDS_ONLY).error?.issues ?? [], isAll: false };
  }
}

/** How much of a list or map is looked at where all of it is too much. */
const MOST_ENTRIES = 500;

function shortened(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(shortened);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([key, inner]) => [key, shortened(inner)]),
  );
}

const TOO_MUCH: RuleComplaint = {
  code: "more",
  path: [],
  about: "value",
  problem: "more is wrong in it than can be told",
  instead: "Mend the first of it, and look again.",
};

/** Of a file in which everything is wrong so much is told, and that there is more is the last of it. */
const MOST_ISSUES = 2000;
const MOST_PROBLEMS = 500;

function codeOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "unrecognized_keys") return "unknown-key";
  if (
    valueAt(
      value,
      issue.path.map((step) => (typeof step === "number" ? step : String(step))),
    ) === undefined
  )
    return "missing";
  switch (issue.code) {
    case "invalid_type":
      return "wrong-type";
    case "invalid_value":
    case "invalid_union":
      return "unknown-value";
    case "too_small":
    case "too_big":
    case "not_multiple_of":
      return "out-of-range";
    case "invalid_format":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "wrong-form";
  }
}

const made = new WeakMap<z.ZodType, JsonSchema>();

/** Making one takes longer than reading a document, and is needed only for hints. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = made.get(schema) ?? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema); // zod's own output
  made.set(schema, known);
  return known;
}

export const complained = (file: string, read: SpecText, complaints: readonly RuleComplaint[]): readonly DialectProblem[] =>
  complaints.flatMap((complaint) => placed(file, read, [complaint]).map((problem) => ({ ...problem, code: complaint.code })));

export const wrongText = (file: string, read: SpecText): readonly DialectProblem[] =>
  textProblems(file, read).map((problem) => ({ ...problem, code: "text" }));

export function placeIn({ place, lineCol }: SpecText): PlaceOf {
  return (path) => {
    let here = place;
    for (const step of path) {
      const inner = here.inside.get(step);
      if (inner === undefined) break;
      here = inner;
    }
    return lineCol(here.at);
  };
}

export function inOrder(problems: readonly DialectProblem[]): readonly DialectProblem[] {
  const once = [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()];
  const sorted = once.sort((a, b) => a.line - b.line || a.col - b.col);
  const [first] = sorted;
  if (first === undefined || sorted.length <= MOST_PROBLEMS) return sorted;
  const more = `there are ${sorted.length - MOST_PROBLEMS} more problems`;
  return [...sorted.slice(0, MOST_PROBLEMS), { ...first, code: "more", path: "spec", problem: more, instead: "Mend these first." }];
}

/** Entries that go by a name which another one has already. */
export function repeated(entries: readonly unknown[], list: string): readonly RuleComplaint[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const id = textOf(fieldsOf(entry).id);
    const isNew = id === undefined || !seen.has(id);
    if (id !== undefined) seen.add(id);
    if (isNew) return [];
    const problem = `${quoted(id)} is there twice`;
    return [{ code: "ids-unique", path: [list, index, "id"], about: "value" as const, problem, instead: "Give it an id of its own." }];
  });
}
