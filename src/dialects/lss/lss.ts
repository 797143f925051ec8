// The Loop Specification Standard as a dialect: how its files are recognised, checked and translated.
import { readSpecText } from "../../spec/text.ts";
import type { DialectCheck, SpecDialect } from "../spec-dialect.ts";
import { lssAnatomy } from "./anatomy.ts";
import { type LssForm, looksLikeLss, MENTIONED } from "./forms.ts";
import { type LssReading, OF_LSS, readLss } from "./read-lss.ts";

export const lss: SpecDialect = {
  name: "lss",
  title: "Loop Specification Standard",
  recognises: (_, text) => MENTIONED.test(text) && looksLikeLss(readSpecText(text, OF_LSS).value),
  check(file, text) {
    const reading = readLss(file, text);
    const { form, warnings } = reading;
    return { form: FORMS[form], problems: "problems" in reading ? reading.problems : [], warnings, note: noteOn(reading) };
  },
  anatomy: (text) => lssAnatomy(readSpecText(text, OF_LSS).value),
};

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
