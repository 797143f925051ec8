// The Loop Specification Standard as a dialect: how its files are recognised, checked and translated.
import { type Path, showPath } from "../../spec/path.ts";
import { answersIn } from "../answers.ts";
import { inNotation } from "../notation.ts";
import { createNotes } from "../notes.ts";
import { sheetOf } from "../sheet.ts";
import type { DialectCheck, SpecDialect } from "../spec-dialect.ts";
import type { Bindings, DialectProblem, Reference, Shelf, Translation } from "../translation.ts";
import { NO_COUNTERPART, untold } from "../untold.ts";
import { claimsAtTop, lssAnatomy } from "./anatomy.ts";
import { type LssForm, looksLikeLss, MENTIONED } from "./forms.ts";
import { migrateOld } from "./migrate-old.ts";
import { type LssReading, readLss, readLssSheet } from "./read-lss.ts";
import { isElsewhere, referencesIn } from "./references.ts";
import { type Settled, settled } from "./settle.ts";
import { translateLss } from "./translate.ts";

export const lss: SpecDialect = {
  name: "lss",
  title: "Loop Specification Standard",
  recognises: (_, { text, plain }) => MENTIONED.test(text) && looksLikeLss(plain().value),
  check(file, sheet, shelf) {
    const reading = readLssSheet(file, sheet);
    const { form, warnings } = reading;
    const referred = referencesIn(reading.value).flatMap(({ path, ref }) =>
      isElsewhere(ref) ? [] : told(file, reading, path, shelf.find(ref)),
    );
    return {
      form: FORMS[form],
      problems: [...("problems" in reading ? reading.problems : []), ...referred.filter(({ code }) => code !== MISSING)],
      warnings: [...warnings, ...referred.filter(({ code }) => code === MISSING)],
      note: noteOn(reading),
    };
  },
  references: (sheet) => referencesIn(sheet.plain().value).flatMap(({ ref }) => (isElsewhere(ref) ? [] : [ref])),
  translate(file, sheet, bindings, native, shelf): Translation {
    const reading = readLssSheet(file, sheet);
    return withTheRest(translateReading(file, reading, bindings, native, shelf), reading);
  },
  anatomy: (sheet, shelf) => lssAnatomy(sheet.plain().value, shelf),
};

function translateReading(
  file: string,
  reading: LssReading,
  bindings: Bindings,
  native: Parameters<SpecDialect["translate"]>[3],
  shelf: Shelf,
): Translation {
  const form = FORMS[reading.form];
  if (reading.kind === "read") {
    const { spec, fates, called } = translateLss(reading.document, bindings, native, reading.placeOf, shelf);
    return spec === undefined ? { kind: "stuck", form, fates } : { kind: "translated", form, spec, fates, called };
  }
  if (reading.kind === "broken") {
    const mended = settled(reading.document, reading.problems, bindings);
    if (mended !== undefined) return translateSettled(mended, reading, bindings, native, shelf);
  }
  if (reading.kind === "refused" && reading.form === "old") return translateOld(file, reading, bindings, native, shelf);
  return { kind: "refused", form, problems: "problems" in reading ? reading.problems : [cutShort(file)] };
}

/** Whatever nobody spoke of is lost, and said to be. */
function withTheRest(translation: Translation, { value, placeOf }: LssReading): Translation {
  if (translation.kind === "refused") return translation;
  const notes = createNotes(placeOf);
  const told = new Set(translation.fates.map(({ path }) => path));
  for (const key of claimsAtTop(value))
    if (!told.has(key)) notes.tell("inert", [key], "", "what a file says of its own worth means nothing: that is measured");
  for (const path of untold(value, [...translation.fates, ...notes.fates])) notes.tell("lost", path, "", NO_COUNTERPART);
  return { ...translation, fates: [...translation.fates, ...notes.fates] };
}

const MISSING = "reference-missing";

/** What is not there may be put there; what is there and cannot be taken is wrong, and so is a child that is not sound itself. */
function told(file: string, reading: LssReading, path: Path, reference: Reference): readonly DialectProblem[] {
  const complain = (code: string, problem: string, instead: string): readonly DialectProblem[] => [
    { file, ...reading.placeOf(path), path: showPath(path), code, problem, instead },
  ];
  if (reference.kind === "missing") return complain(MISSING, reference.why, "Nothing is made up in its place.");
  if (reference.kind === "refused") return complain("reference-refused", reference.why, "Refer to a file that can be taken.");
  if (path[0] !== "composition") return [];
  const child = lss.check(reference.file, sheetOf(reference.text), reference.shelf);
  const [first] = child.problems;
  return first === undefined
    ? []
    : complain(
        "child-sound",
        `${reference.file} is not sound: ${child.problems.length} problem(s), the first in line ${first.line}: ${first.problem}`,
        `\`lw validate\` says what is wrong with it.`,
      );
}

/** As if it had been written so, with what was settled told beside the rest. */
function translateSettled(
  { document, told }: Settled,
  reading: LssReading,
  bindings: Bindings,
  native: Parameters<SpecDialect["translate"]>[3],
  shelf: Shelf,
): Translation {
  const form = FORMS[reading.form];
  const notes = createNotes(reading.placeOf);
  for (const { path, why } of told) notes.tell("translated", path, "", why);
  const { spec, fates, called } = translateLss(document, bindings, native, reading.placeOf, shelf);
  const all = [...notes.fates, ...fates];
  return spec === undefined ? { kind: "stuck", form, fates: all } : { kind: "translated", form, spec, fates: all, called };
}

/** What is migrated is read like any document, so that it is held to the same rules. */
function translateOld(
  file: string,
  reading: Extract<LssReading, { readonly kind: "refused" }>,
  bindings: Bindings,
  native: Parameters<SpecDialect["translate"]>[3],
  shelf: Shelf,
): Translation {
  const form = FORMS.old;
  if (reading.problems.some(({ code }) => code === "text")) return { kind: "refused", form, problems: reading.problems };
  const notes = createNotes(reading.placeOf);
  const { value, commands } = migrateOld(reading.value, bindings, notes);
  const migrated = readLss(file, inNotation(value, "yaml"));
  if (migrated.kind !== "read") return { kind: "refused", form, problems: "problems" in migrated ? atHome(migrated.problems) : [] };
  const set = answersIn(bindings.set).over(new Map([...commands].map(([id, command]) => [`${id}.run`, command])));
  // Where nobody says who works that is asked already, and there will be no spec.
  const use = bindings.use ?? { part: "somebody", model: undefined };
  const { spec, fates } = translateLss(migrated.document, { ...bindings, use, set }, native, reading.placeOf, shelf);
  const all = [...notes.fates, ...fates];
  const isStuck = spec === undefined || all.some(({ kind }) => kind === "asked");
  return isStuck ? { kind: "stuck", form, fates: all } : { kind: "translated", form, spec, fates: all };
}

/** Lines of what was migrated are in no file that anybody has. */
const atHome = (problems: readonly DialectProblem[]): readonly DialectProblem[] =>
  problems.map((problem) => ({ ...problem, line: 1, col: 1 }));

const cutShort = (file: string): DialectProblem => ({
  file,
  line: 1,
  col: 1,
  path: "spec",
  code: "cut-short",
  problem: "LSS-min has no inputs, memory, feedback, metrics or costs, and cannot be run",
  instead: "Import the document that it was cut from.",
});

const FORMS: { readonly [form in LssForm]: string } = {
  "1.0": "LSS 1.0",
  "1.1": "LSS 1.1",
  old: "LSS before 1.0",
  min: "LSS-min",
};

function noteOn({ form, kind, counts }: LssReading): DialectCheck["note"] {
  if (kind === "min") return "It is cut for a prompt, and cannot be run: inputs, memory, feedback, metrics and costs are missing.";
  if (kind === "read") return "";
  const parts = [
    ...(counts.schema > 0 ? [`${counts.schema} by the schema of LSS ${form === "min" ? "min" : "1.0"}`] : []),
    ...(counts.composition > 0 ? [`${counts.composition} by the schema of compositions`] : []),
    ...(counts.rules > 0 ? [`${counts.rules} by the rules`] : []),
  ];
  const counted = parts.length > 0 ? `As the standard counts: ${parts.join(", ")}.` : "";
  return form === "old" ? `${counted} It is the list dialect from before the schema.` : counted;
}
