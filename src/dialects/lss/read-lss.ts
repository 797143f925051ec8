// Reads a document of the Loop Specification Standard: the document, or everything that is wrong with it, and where.
import * as z from "zod";
import { complaintsOf, OWN_WORDS_ONLY } from "../../spec/complaints.ts";
import { valueAt } from "../../spec/hints.ts";
import { type Path, showPath } from "../../spec/path.ts";
import { formatProblem, placed, textProblems } from "../../spec/read-spec.ts";
import type { JsonSchema } from "../../spec/schema.ts";
import { readSpecText, type SpecText, type TextLimits } from "../../spec/text.ts";
import type { DialectProblem } from "../translation.ts";
import { compositionProblems } from "./composition-rules.ts";
import { LssDocument, LssMin } from "./document.ts";
import { formOf, type LssForm } from "./forms.ts";
import { brokenRules, lssDoubts, type RuleComplaint } from "./rules.ts";
import { sketchOf } from "./sketch.ts";
import { conditionsUnmet } from "./unmet-conditions.ts";

export type LssProblem = DialectProblem;

/** How many problems there are, the schema's counted as the standard's own validator counts them. */
export interface LssCounts {
  /** By the schema of 1.0: unknown keys of one map count once, and so does all that is wrong with one evaluator. */
  readonly schema: number;
  /** By the schema that 1.1 has for compositions. */
  readonly composition: number;
  /** By the rules in prose, and by ours about references. */
  readonly rules: number;
}

interface Told {
  /** The plain value, whatever is wrong with it. */
  readonly value: unknown;
  readonly form: LssForm;
  readonly warnings: readonly LssProblem[];
  readonly counts: LssCounts;
  /** Where a path of the document stands in its text. */
  readonly placeOf: (path: Path) => { readonly line: number; readonly col: number };
}

export type LssReading =
  | (Told & { readonly kind: "read"; readonly document: LssDocument })
  /** It has the shape of a document and breaks rules: good enough to be looked at, not to be run. */
  | (Told & { readonly kind: "broken"; readonly document: LssDocument; readonly problems: readonly LssProblem[] })
  | (Told & { readonly kind: "min"; readonly document: LssMin })
  | (Told & { readonly kind: "refused"; readonly problems: readonly LssProblem[] });

/** A loop of a thousand workers is long; a file that is made to be long ends here. */
export const OF_LSS: TextLimits = { kib: 4096, tokens: 800_000, values: 120_000 };

/** Never throws, whatever the text. */
export function readLss(file: string, text: string): LssReading {
  const read = readSpecText(text, OF_LSS);
  const form = formOf(read.value);
  if (form === "min") return readMin(file, read);
  const bySchema = complaintsBy(LssDocument, read.value);
  const schema = [...bySchema.complaints, ...conditionsUnmet(read.value)];
  const sketch = sketchOf(read.value);
  const rules = [...brokenRules(sketch), ...compositionProblems(sketch)];
  const problems = inOrder([...wrongText(file, read), ...at(file, read, [...schema, ...rules])]);
  const told: Told = {
    value: read.value,
    form,
    warnings: inOrder(at(file, read, lssDoubts(sketch))),
    counts: { ...countAsTheStandard(schema), rules: rules.length },
    placeOf: placeIn(read),
  };
  const { document } = bySchema;
  if (document === undefined || read.problems.length > 0) return { kind: "refused", ...told, problems };
  return problems.length > 0 ? { kind: "broken", ...told, document, problems } : { kind: "read", ...told, document };
}

function readMin(file: string, read: SpecText): LssReading {
  const bySchema = complaintsBy(LssMin, read.value);
  const problems = inOrder([...wrongText(file, read), ...at(file, read, bySchema.complaints)]);
  const told: Told = {
    value: read.value,
    form: "min",
    warnings: [],
    counts: { schema: bySchema.complaints.length, composition: 0, rules: 0 },
    placeOf: placeIn(read),
  };
  const { document } = bySchema;
  return document === undefined || problems.length > 0 ? { kind: "refused", ...told, problems } : { kind: "min", ...told, document };
}

interface BySchema<T> {
  readonly document: T | undefined;
  readonly complaints: readonly RuleComplaint[];
}

function complaintsBy<T>(schema: z.ZodType<T>, value: unknown): BySchema<T> {
  const parsed = schema.safeParse(value, OWN_WORDS_ONLY);
  if (parsed.success) return { document: parsed.data, complaints: [] };
  const json = jsonSchemaOf(schema);
  const complaints = parsed.error.issues
    .slice(0, MOST_ISSUES)
    .flatMap((issue) => complaintsOf(issue, value, json).map((complaint) => ({ code: codeOf(issue, value), ...complaint })));
  return { document: undefined, complaints };
}

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

function countAsTheStandard(complaints: readonly RuleComplaint[]): Pick<LssCounts, "schema" | "composition"> {
  const asOne = new Set(
    complaints.map(({ code, path, problem }) => {
      if (path[0] === "evaluators" && path.length > 1) return showPath(path.slice(0, 2));
      if (code === "unknown-key") return `${showPath(path.slice(0, -1))} has unknown keys`;
      return `${showPath(path)} ${problem}`;
    }),
  );
  const composition = [...asOne].filter((one) => one.startsWith("composition")).length;
  return { schema: asOne.size - composition, composition };
}

const at = (file: string, read: SpecText, complaints: readonly RuleComplaint[]): readonly LssProblem[] =>
  complaints.flatMap((complaint) => placed(file, read, [complaint]).map((problem) => ({ ...problem, code: complaint.code })));

const wrongText = (file: string, read: SpecText): readonly LssProblem[] =>
  textProblems(file, read).map((problem) => ({ ...problem, code: "text" }));

function placeIn({ place, lineCol }: SpecText): Told["placeOf"] {
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

function inOrder(problems: readonly LssProblem[]): readonly LssProblem[] {
  const once = [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()];
  const sorted = once.sort((a, b) => a.line - b.line || a.col - b.col);
  const [first] = sorted;
  if (first === undefined || sorted.length <= MOST_PROBLEMS) return sorted;
  const more = `there are ${sorted.length - MOST_PROBLEMS} more problems`;
  return [...sorted.slice(0, MOST_PROBLEMS), { ...first, code: "more", path: "spec", problem: more, instead: "Mend these first." }];
}
