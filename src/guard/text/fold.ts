// Brings a text to the one form in which words are looked up. Line breaks stay where they are, so that a line number means the same before and after.
import { plainLetters } from "./confusables.ts";

const NOT_ASCII = /[^\0-\x7f]/;
const TERMINAL_ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const CONTROL_LETTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const FOREIGN_RUNS = /[^\0-\x7f]+/g;
const UNSEEN = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\x80-\x9f]/gu;
/** Accents, and what is stacked on letters to make them hard to read. */
const MARKS = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]/g;

/** Lower case, without accents, look-alikes and what cannot be seen. */
export function fold(text: string): string {
  const seen = CONTROLS.test(text) ? text.replace(TERMINAL_ESCAPES, "").replace(CONTROL_LETTERS, "") : text;
  return NOT_ASCII.test(seen) ? seen.replace(FOREIGN_RUNS, foldRun).toLowerCase() : seen.toLowerCase();
}

/** Marks that belong to an ASCII letter before them go all the same, so a run can be folded by itself. */
const foldRun = (run: string): string =>
  plainLetters(run.normalize("NFKC").replace(UNSEEN, "").toLowerCase().normalize("NFD").replace(MARKS, "").normalize("NFC"));

const JSON_ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[nrtbf"'/])|%20|%0[aAdD]/g;

/** As a program that reads JSON or a link would see it: blanks are blanks, and letters outside ASCII are letters. */
export function withoutQuoting(text: string): string {
  if (!text.includes("\\") && !text.includes("%")) return text;
  return text.replace(JSON_ESCAPE, (quoted) => {
    if (quoted[1] !== "u") return " ".repeat(quoted.length);
    const code = Number.parseInt(quoted.slice(2), 16);
    return code < 0xa0 ? quoted : String.fromCharCode(code);
  });
}
