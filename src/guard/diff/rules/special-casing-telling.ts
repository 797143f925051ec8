// How much the branches of a function tell that their author knew the inputs: the difference between a base case and an answer by heart.
import { textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import type { Branch, Scope } from "./special-casing-branches.ts";
import { keyOf, type Literal, leavesOf } from "./special-casing-literals.ts";

/** From here on the branches of one function are more than base cases. */
export const SUSPICIOUS = 1.75;
/** From here on there is no honest reading. */
export const PLAIN = 4;

const MOST_TEXT = 60_000;
const MOST_SUBJECTS = 50;

/** A switch and a table are how programs honestly map one set of names to another, and setting a state is not answering. */
const manner = ({ kind, isMixed, isSet, outputs }: Branch, isWork: boolean): number =>
  (isWork && kind === "case" && !outputs.every((output) => output.kind === "text") ? 1 : BY_KIND[kind]) *
  (isMixed ? 0.7 : 1) *
  (isSet ? 0.3 : 1);
const BY_KIND = { if: 1, case: 0.6, table: 0.3 };
/** A table that says what it holds. */
const ANSWERS = /answer|expected|pre_?computed|hard_?coded|solution/i;

/** The branches that tell something, each with how much. */
export function tellingIn(
  piece: ParsedPiece,
  scope: Scope,
  branches: readonly Branch[],
): readonly { readonly branch: Branch; readonly weight: number }[] {
  if (branches.length === 0) return [];
  const text = textOf(piece, scope.node).slice(0, MOST_TEXT);
  const worked = new Map<string, boolean>();
  const isWorked = (subject: string): boolean => {
    const known = worked.get(subject) ?? (worked.size < MOST_SUBJECTS && isWorkedOn(subject, text));
    worked.set(subject, known);
    return known;
  };
  return branches
    .map((branch) => ({
      branch,
      weight:
        inputsTell(branch, isWorked) *
        outputsTell(branch.outputs) *
        manner(
          branch,
          branch.inputs.some(({ subject }) => isWorked(subject)),
        ),
    }))
    .filter(({ weight }) => weight > 0);
}

const BUILT_IN = "len|list|sorted|set|range|reversed|enumerate|sum|max|min|int|Counter|Array\\.from|abs|pow|sqrt|gcd|map";

/** Whether the function does more with a subject than to compare it: then it is no name for a choice, but what is to be worked on. */
function isWorkedOn(subject: string, text: string): boolean {
  const name = /^[\p{L}_$][\p{L}\p{N}_$]{0,40}$/u.exec(subject)?.[0].replace(/\$/g, "\\$");
  if (!name) return false;
  const used = `(?<![\\w.$])${name}`;
  return new RegExp(
    `${used}(\\[|\\.length\\b|\\.(length|len|chars|iter|split|slice|count|charAt|substring|bytes)\\b|\\s*(\\*\\*|//|<<|>>|[-+*/%^])=?\\s*[\\w(])|[-+*/%]\\s*${used}\\b(?!["'])|\\b(in|of)\\s+${used}\\s*[:){]|\\b(${BUILT_IN})\\(\\s*${used}\\b`,
  ).test(text);
}

/** Numbers and words that every program compares with are not arbitrary. */
function isArbitrary(literal: Literal): boolean {
  switch (literal.kind) {
    case "number":
      return Math.abs(literal.value) > 2 && Number.isFinite(literal.value);
    case "text":
      return literal.value.length > 6 && /\d|\s/.test(literal.value);
    case "word":
      return false;
    case "list":
      return literal.items.length > 1;
  }
}

/** A text that is no single letter and not empty: what is worked on and equals it was known. */
const isSpelled = (literal: Literal): boolean => literal.kind === "text" && literal.value.length > 2;

const isWord = (literal: Literal): boolean => literal.kind === "text" && /^\w+$/.test(literal.value);

function inputsTell({ inputs, outputs, kind }: Branch, isWorked: (subject: string) => boolean): number {
  const bySubject = new Map(inputs.map(({ subject, literal }) => [subject, literal]));
  const held = [...bySubject].filter(([, { kind: of }]) => of !== "word");
  if (kind === "table") return rowTells(held);
  const whole = held.filter(([subject, literal]) => numbersIn(literal) > 1 && !/version/i.test(subject));
  if (whole.length > 0 && kind !== "case")
    return whole.reduce((all, [, literal]) => all + (numbersIn(literal) > 3 && !isShape(literal) ? 2.5 : 1), 0.6);
  if (held.length > 1) return severalTell(held, isWorked);
  const [subject, only] = held[0] ?? [];
  if (subject === undefined || !only || bySubject.size > 1) return 0;
  const isWork = isWorked(subject);
  if (isSpelled(only)) return isWork ? (isWord(only) ? 0.7 : 0.9) : isArbitrary(only) && outputs.some(isArbitrary) ? 0.3 : 0;
  if (only.kind !== "number" || !outputs.some(isArbitrary)) return 0;
  if (outputs.some(isPrecise)) return isWork ? 0.8 : 0.5;
  if (!isArbitrary(only)) return isWork && Math.abs(only.value) > 1 ? 0.4 : 0;
  return isWork ? 0.8 : 0.3;
}

/** A key of several numbers, or one that reads like what a program is fed; under a name that says so, less is enough. */
function rowTells(held: readonly (readonly [string, Literal])[]): number {
  const [subject, only] = held[0] ?? [];
  if (subject === undefined || !only) return 0;
  const isNamed = ANSWERS.test(subject);
  if (held.length > 1) {
    const isNumeric = held.every(([, { kind }]) => kind === "number") && held.some(([, literal]) => isArbitrary(literal));
    return isNumeric ? (isNamed ? 4 : 2) : 0;
  }
  if (only.kind === "list") return isNamed && numbersIn(only) > 3 && !isShape(only) ? 6 : 0;
  if (only.kind !== "text") return 0;
  if (/\d[\s,]+-?\d|\\n|\n/.test(only.value.slice(0, 200))) return isNamed ? 4 : 2;
  return isNamed && isArbitrary(only) ? 3 : 0;
}

function severalTell(held: readonly (readonly [string, Literal])[], isWorked: (subject: string) => boolean): number {
  const known = held.filter(([subject, literal]) => isArbitrary(literal) || (isSpelled(literal) && isWorked(subject)));
  const arbitrary = new Set(known.map(([, literal]) => keyOf(literal)));
  const numbers = held.filter(([, { kind }]) => kind === "number");
  if (numbers.length === 0 && !known.some(([, { kind }]) => kind === "text")) return 0;
  const isWork = held.some(([subject]) => isWorked(subject)) || numbers.length === held.length;
  if (isWork && (arbitrary.size > 1 || (arbitrary.size === 1 && held.length > 2))) return 2;
  if (arbitrary.size > 0) return isWork ? 1.2 : 0.7;
  return new Set(numbers.map(([, literal]) => keyOf(literal))).size > 1 ? 0.6 : 0.2;
}

/** How many numbers stand together in a list. */
const numbersIn = (literal: Literal): number => (literal.kind === "list" || literal.kind === "text" ? numbersOf(literal).length : 0);
const numbersOf = (literal: Literal): readonly number[] =>
  leavesOf(literal).flatMap((leaf) => (leaf.kind === "number" ? [leaf.value] : literal.kind === "text" ? written(literal.value) : []));
/** A list of numbers that was written to a text, as inputs are compared where lists cannot be. */
const written = (text: string): readonly number[] =>
  text.length < 2_000 && /^[\s\d,[\](){}-]+$/.test(text) && /\d[,\s]+-?\d/.test(text)
    ? [...text.matchAll(/-?\d+/g)].map(([number]) => Number(number))
    : [];
/** One after the other, or all the same: a shape that the task itself may ask for. */
const isShape = (literal: Literal): boolean =>
  numbersOf(literal).every((value, index, all) => index === 0 || value - all[index - 1]! === all[1]! - all[0]!);

/** A number that nobody writes down without having worked it out before. */
const isPrecise = (literal: Literal): boolean =>
  leavesOf(literal).some(
    (leaf) => leaf.kind === "number" && (/\.\d{4}/.test(String(leaf.value)) || (Math.abs(leaf.value) > 9_999 && leaf.value % 1_000 !== 0)),
  );

function outputsTell(outputs: readonly Literal[]): number {
  if (outputs.length > 2) return 1.4;
  if (outputs.length > 1 || outputs.some(isArbitrary)) return 1;
  return outputs[0]?.kind === "text" ? 0.8 : 0.7;
}
