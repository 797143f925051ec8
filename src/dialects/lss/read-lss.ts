// Reads a document of the Loop Specification Standard: the document, or everything that is wrong with it, and where.
import { showPath } from "../../spec/path.ts";
import type { SpecText } from "../../spec/text.ts";
import type { PlaceOf } from "../notes.ts";
import { complained, complaintsBy, inOrder, placeIn, type RuleComplaint, wrongText } from "../placed-problems.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import type { DialectProblem } from "../translation.ts";
import { compositionProblems } from "./composition-rules.ts";
import { LssDocument, LssMin } from "./document.ts";
import { formOf, type LssForm } from "./forms.ts";
import { brokenRules, lssDoubts } from "./rules.ts";
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
  readonly placeOf: PlaceOf;
}

export type LssReading =
  | (Told & { readonly kind: "read"; readonly document: LssDocument })
  /** It has the shape of a document and breaks rules: good enough to be looked at, not to be run. */
  | (Told & { readonly kind: "broken"; readonly document: LssDocument; readonly problems: readonly LssProblem[] })
  | (Told & { readonly kind: "min"; readonly document: LssMin })
  | (Told & { readonly kind: "refused"; readonly problems: readonly LssProblem[] });

/** Never throws, whatever the text. */
export const readLss = (file: string, text: string): LssReading => readLssSheet(file, sheetOf(text));

export function readLssSheet(file: string, sheet: Sheet): LssReading {
  const read = sheet.plain();
  const form = formOf(read.value);
  if (form === "min") return readMin(file, read);
  const bySchema = complaintsBy(LssDocument, read.value);
  const schema = [...bySchema.complaints, ...conditionsUnmet(read.value)];
  const sketch = sketchOf(read.value);
  const rules = [...brokenRules(sketch), ...compositionProblems(sketch)];
  const problems = inOrder([...wrongText(file, read), ...complained(file, read, [...schema, ...rules])]);
  const told: Told = {
    value: read.value,
    form,
    warnings: inOrder(complained(file, read, lssDoubts(sketch))),
    counts: { ...countAsTheStandard(schema), rules: rules.length },
    placeOf: placeIn(read),
  };
  const { document } = bySchema;
  if (document === undefined || read.problems.length > 0) return { kind: "refused", ...told, problems };
  return problems.length > 0 ? { kind: "broken", ...told, document, problems } : { kind: "read", ...told, document };
}

function readMin(file: string, read: SpecText): LssReading {
  const bySchema = complaintsBy(LssMin, read.value);
  const problems = inOrder([...wrongText(file, read), ...complained(file, read, bySchema.complaints)]);
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
