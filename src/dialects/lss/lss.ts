// The Loop Specification Standard as a dialect: how its files are recognised, checked and translated.
import { readSpecText } from "../../spec/text.ts";
import { inNotation } from "../notation.ts";
import type { DialectCheck, SpecDialect } from "../spec-dialect.ts";
import type { Bindings, DialectProblem, Translation } from "../translation.ts";
import { lssAnatomy } from "./anatomy.ts";
import { type LssForm, looksLikeLss, MENTIONED } from "./forms.ts";
import { migrateOld } from "./migrate-old.ts";
import { type LssReading, OF_LSS, readLss } from "./read-lss.ts";
import { translateLss } from "./translate.ts";
import { createNotes } from "./translating.ts";

export const lss: SpecDialect = {
  name: "lss",
  title: "Loop Specification Standard",
  recognises: (_, text) => MENTIONED.test(text) && looksLikeLss(readSpecText(text, OF_LSS).value),
  check(file, text) {
    const reading = readLss(file, text);
    const { form, warnings } = reading;
    return { form: FORMS[form], problems: "problems" in reading ? reading.problems : [], warnings, note: noteOn(reading) };
  },
  translate(file, text, bindings, native): Translation {
    const reading = readLss(file, text);
    const form = FORMS[reading.form];
    if (reading.kind === "read") {
      const { spec, fates } = translateLss(reading.document, bindings, native, reading.placeOf);
      return spec === undefined ? { kind: "stuck", form, fates } : { kind: "translated", form, spec, fates };
    }
    if (reading.kind === "refused" && reading.form === "old") return translateOld(file, reading, bindings, native);
    return { kind: "refused", form, problems: "problems" in reading ? reading.problems : [cutShort(file)] };
  },
  anatomy: (text) => lssAnatomy(readSpecText(text, OF_LSS).value),
};

/** What is migrated is read like any document, so that it is held to the same rules. */
function translateOld(
  file: string,
  reading: Extract<LssReading, { readonly kind: "refused" }>,
  bindings: Bindings,
  native: Parameters<SpecDialect["translate"]>[3],
): Translation {
  const form = FORMS.old;
  if (reading.problems.some(({ code }) => code === "text")) return { kind: "refused", form, problems: reading.problems };
  const notes = createNotes(reading.placeOf);
  const { value, commands } = migrateOld(reading.value, bindings, notes);
  const migrated = readLss(file, inNotation(value, "yaml"));
  if (migrated.kind !== "read") return { kind: "refused", form, problems: "problems" in migrated ? atHome(migrated.problems) : [] };
  const set = new Map([...[...commands].map(([id, command]) => [`${id}.run`, command] as const), ...bindings.set]);
  // Where nobody says who works that is asked already, and there will be no spec.
  const use = bindings.use ?? { part: "somebody", model: undefined };
  const { spec, fates } = translateLss(migrated.document, { ...bindings, use, set }, native, reading.placeOf);
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
