// Conditions in a small language of their own, such as `quality >= 0.8 and round > 1`: parsed, checked and worked out, never run as code.
import { closest } from "./closest.ts";

/** What a name stands for. `truth` can stand alone. */
export type WhenType = "number" | "text" | "truth";

/** What is known of a name; null is not known. */
export type WhenValue = number | string | boolean | null;

/** Which names there are, each with its parts joined by dots. */
export type WhenNames = ReadonlyMap<string, WhenType>;

/** `unknown`: it hangs on something that nobody knows. */
export type WhenAnswer = boolean | "unknown";

export const WHEN_MOST_CHARS = 500;
export const WHEN_MOST_DEPTH = 20;

const OPERATORS = ["<", "<=", ">", ">=", "==", "!="] as const;
type Operator = (typeof OPERATORS)[number];

interface Span {
  /** Offsets into the text. */
  readonly at: number;
  readonly end: number;
}

type Operand = Span &
  ({ readonly kind: "literal"; readonly value: number | string | boolean | null } | { readonly kind: "name"; readonly name: string });

export type When = Span &
  (
    | { readonly kind: "and" | "or"; readonly parts: readonly When[] }
    | { readonly kind: "not"; readonly part: When }
    | { readonly kind: "is"; readonly value: Operand }
    | { readonly kind: "compare"; readonly operator: Operator; readonly left: Operand; readonly right: Operand }
  );

/** What is wrong, where it stands in the text, and what to write instead. */
export interface WhenProblem {
  readonly at: number;
  readonly problem: string;
  readonly instead: string;
}

export type WhenReading =
  | { readonly kind: "read"; readonly when: When }
  | { readonly kind: "refused"; readonly problems: readonly [WhenProblem, ...WhenProblem[]] };

/** Parses a condition and checks it against the names there are. Never throws, whatever the text. */
export function readWhen(text: string, names: WhenNames): WhenReading {
  const parsed = parseWhen(text);
  if (parsed.kind === "refused") return parsed;
  const [first, ...others] = problemsIn(parsed.when, names);
  return first ? { kind: "refused", problems: [first, ...others] } : parsed;
}

/** The form alone, whatever its names are. */
export function parseWhen(text: string): WhenReading {
  if (text.length > WHEN_MOST_CHARS)
    return refused(WHEN_MOST_CHARS, `is longer than ${WHEN_MOST_CHARS} characters`, "Write a shorter condition, or several of them.");
  const tokens = tokensOf(text);
  if ("problem" in tokens) return { kind: "refused", problems: [tokens] };
  const reader = { tokens, next: 0, depth: 0 };
  try {
    const when = readOr(reader);
    const left = peek(reader);
    if (left.kind !== "end") throw new Unreadable(left.at, `${shown(left)} is not expected here`, hintAfter(left));
    return { kind: "read", when };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return refused(error.at, error.message, error.instead);
  }
}

/** Three answers, as Kleene has them: what nobody knows decides nothing, and is decided by what is known beside it. */
export function answerWhen(when: When, lookUp: (name: string) => WhenValue): WhenAnswer {
  switch (when.kind) {
    case "and":
    case "or":
      return combined(
        when.parts.map((part) => answerWhen(part, lookUp)),
        when.kind === "or",
      );
    case "not": {
      const answer = answerWhen(when.part, lookUp);
      return answer === "unknown" ? answer : !answer;
    }
    case "is": {
      const value = knownValue(when.value, lookUp);
      return typeof value === "boolean" ? value : "unknown";
    }
    case "compare":
      return compared(when, lookUp);
  }
}

/** The names that a condition hangs on, each once. */
export function namesInWhen(when: When): readonly string[] {
  return [...new Set(operandsOf(when).flatMap((operand) => (operand.kind === "name" ? [operand.name] : [])))];
}

/** One that decides is enough: true among alternatives, false among what must all hold. */
function combined(answers: readonly WhenAnswer[], deciding: boolean): WhenAnswer {
  if (answers.includes(deciding)) return deciding;
  return answers.includes("unknown") ? "unknown" : !deciding;
}

function compared({ operator, left, right }: Extract<When, { kind: "compare" }>, lookUp: (name: string) => WhenValue): WhenAnswer {
  const [a, b] = [knownValue(left, lookUp), knownValue(right, lookUp)];
  const isAskedForNothing = isNull(left) || isNull(right);
  if ((a === null || b === null) && !isAskedForNothing) return "unknown";
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  if (typeof a !== "number" || typeof b !== "number") return "unknown";
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

/** What is no number that can be compared is not known. */
function knownValue(operand: Operand, lookUp: (name: string) => WhenValue): WhenValue {
  const value = operand.kind === "literal" ? operand.value : lookUp(operand.name);
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

const isNull = (operand: Operand): boolean => operand.kind === "literal" && operand.value === null;

function operandsOf(when: When): readonly Operand[] {
  switch (when.kind) {
    case "and":
    case "or":
      return when.parts.flatMap(operandsOf);
    case "not":
      return operandsOf(when.part);
    case "is":
      return [when.value];
    case "compare":
      return [when.left, when.right];
  }
}

/** Everything that cannot be meant: names that there are not, texts in an order, a number that stands alone. */
function problemsIn(when: When, names: WhenNames): readonly WhenProblem[] {
  const unknown = operandsOf(when).flatMap((operand) =>
    operand.kind === "name" && !names.has(operand.name) ? [unknownName(operand, operand.name, names)] : [],
  );
  return unknown.length > 0 ? unknown : mismatchesIn(when, names);
}

function mismatchesIn(when: When, names: WhenNames): readonly WhenProblem[] {
  switch (when.kind) {
    case "and":
    case "or":
      return when.parts.flatMap((part) => mismatchesIn(part, names));
    case "not":
      return mismatchesIn(when.part, names);
    case "is": {
      const type = typeOf(when.value, names);
      if (type === "truth") return [];
      return [{ at: when.at, problem: `${told(when.value, type)} is neither true nor false`, instead: "Compare it, as in `score < 0.8`." }];
    }
    case "compare":
      return mismatchOf(when, typeOf(when.left, names), typeOf(when.right, names));
  }
}

function mismatchOf(
  { at, operator, left, right }: Extract<When, { kind: "compare" }>,
  a: WhenType | "null",
  b: WhenType | "null",
): readonly WhenProblem[] {
  const isOrder = operator !== "==" && operator !== "!=";
  const wrong = a === "number" ? { operand: right, type: b } : { operand: left, type: a };
  if (isOrder && (a !== "number" || b !== "number"))
    return [{ at, problem: `only numbers have an order, and ${told(wrong.operand, wrong.type)} is none`, instead: "Use == or !=." }];
  if (!isOrder && a !== b && a !== "null" && b !== "null")
    return [
      {
        at,
        problem: `${told(left, a)} can never be the same as ${told(right, b)}`,
        instead: "Compare a number with a number, a text with a text.",
      },
    ];
  return [];
}

const typeOf = (operand: Operand, names: WhenNames): WhenType | "null" => {
  if (operand.kind === "name") return names.get(operand.name) ?? "null";
  if (operand.value === null) return "null";
  if (typeof operand.value === "number") return "number";
  return typeof operand.value === "string" ? "text" : "truth";
};

const TYPES: { readonly [type in WhenType | "null"]: string } = {
  number: "a number",
  text: "a text",
  truth: "true or false",
  null: "nothing",
};

const told = (operand: Operand, type: WhenType | "null"): string =>
  operand.kind === "name" ? `\`${operand.name}\` (${TYPES[type]})` : operand.value === null ? "null" : TYPES[type];

const MOST_LISTED = 12;

function unknownName({ at }: Span, name: string, names: WhenNames): WhenProblem {
  const known = [...names.keys()];
  const guess = closest(name, known);
  const list = known.length === 0 ? "There are no names here." : `There is: ${known.slice(0, MOST_LISTED).join(", ")}.`;
  return { at, problem: `there is no \`${name}\` here`, instead: guess === undefined ? list : `Did you mean \`${guess}\`? ${list}` };
}

type Token = Span &
  (
    | { readonly kind: "word"; readonly text: string }
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "operator"; readonly operator: Operator }
    | { readonly kind: "open" | "close" | "end" }
  );

const SPACE = /[ \t\r\n]+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*/y;
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?/y;
const OPERATOR = /<=|>=|==|!=|<|>/y;
const STRING = /"(?:[^"\\\n]|\\["'\\])*"|'(?:[^'\\\n]|\\["'\\])*'/y;

function tokensOf(text: string): readonly Token[] | WhenProblem {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    at += take(SPACE)?.length ?? 0;
    if (at >= text.length) return [...tokens, { kind: "end", at, end: at }];
    const token = tokenAt(text, at, take);
    if ("problem" in token) return token;
    tokens.push(token);
    at = token.end;
  }
}

function tokenAt(text: string, at: number, take: (pattern: RegExp) => string | undefined): Token | WhenProblem {
  if (text[at] === "(") return { kind: "open", at, end: at + 1 };
  if (text[at] === ")") return { kind: "close", at, end: at + 1 };
  const number = take(NUMBER);
  if (number !== undefined) return numberAt(number, at, text);
  const word = take(WORD);
  if (word !== undefined) return { kind: "word", text: word, at, end: at + word.length };
  const operator = take(OPERATOR);
  const known = OPERATORS.find((one) => one === operator);
  if (known) return { kind: "operator", operator: known, at, end: at + known.length };
  const string = take(STRING);
  if (string !== undefined) return { kind: "string", value: string.slice(1, -1).replaceAll(/\\(.)/g, "$1"), at, end: at + string.length };
  return { at, ...unreadable(text[at] ?? "") };
}

/** `1.2.3` and `3rounds` are no numbers, and nobody should guess which they were meant to be. */
function numberAt(number: string, at: number, text: string): Token | WhenProblem {
  const end = at + number.length;
  const value = Number(number);
  if (/[A-Za-z0-9_.]/.test(text[end] ?? "") || !Number.isFinite(value))
    return { at, problem: "this number cannot be read", instead: "Write digits, such as 0.8 or 12, without a unit." };
  return { kind: "number", value, at, end };
}

function unreadable(character: string): Omit<WhenProblem, "at"> {
  if (character === "=") return { problem: "one = compares nothing", instead: "Write == to ask whether two are the same." };
  if (character === "&" || character === "|" || character === "!")
    return { problem: `\`${character}\` is not used here`, instead: "Write and, or, not." };
  if (character === '"' || character === "'")
    return { problem: "this text does not end", instead: "Close it with the quote it began with; only quotes and \\ may follow a \\." };
  if ("+-*/%[]{},;`$".includes(character))
    return {
      problem: `\`${character}\` is not used here`,
      instead: "There are no sums, lists or calls: only names, values, and comparisons.",
    };
  return { problem: "a character that is not used here", instead: "Write names, values, comparisons, and, or, not." };
}

class Unreadable extends Error {
  readonly at: number;
  readonly instead: string;
  constructor(at: number, problem: string, instead: string) {
    super(problem);
    this.at = at;
    this.instead = instead;
  }
}

interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  depth: number;
}

const peek = ({ tokens, next }: Reader): Token => tokens[next] ?? tokens.at(-1)!;

const isWord = (token: Token, word: string): boolean => token.kind === "word" && token.text === word;

const readOr = (reader: Reader): When => readList(reader, "or", (inner) => readList(inner, "and", readNot));

function readList(reader: Reader, kind: "and" | "or", readPart: (reader: Reader) => When): When {
  const first = readPart(reader);
  const parts = [first];
  while (isWord(peek(reader), kind)) {
    reader.next += 1;
    parts.push(readPart(reader));
  }
  return parts.length === 1 ? first : { kind, parts, at: first.at, end: parts.at(-1)!.end };
}

function readNot(reader: Reader): When {
  const token = peek(reader);
  if (!isWord(token, "not")) return readTest(reader);
  reader.next += 1;
  if (isWord(peek(reader), "not"))
    throw new Unreadable(peek(reader).at, "not stands twice", "Leave both out, or write not (not …) if you mean it.");
  const part = readTest(reader);
  return { kind: "not", part, at: token.at, end: part.end };
}

function readTest(reader: Reader): When {
  const token = peek(reader);
  if (token.kind === "open") return readBracket(reader, token);
  const left = readOperand(reader);
  const compares = peek(reader);
  if (compares.kind !== "operator") return { kind: "is", value: left, at: left.at, end: left.end };
  reader.next += 1;
  const right = readOperand(reader);
  const chained = peek(reader);
  if (chained.kind === "operator") throw new Unreadable(chained.at, "comparisons cannot be chained", "Write two of them, joined by and.");
  return { kind: "compare", operator: compares.operator, left, right, at: left.at, end: right.end };
}

function readBracket(reader: Reader, opened: Token): When {
  reader.depth += 1;
  if (reader.depth > WHEN_MOST_DEPTH)
    throw new Unreadable(opened.at, `brackets go deeper than ${WHEN_MOST_DEPTH}`, "Write several conditions instead.");
  reader.next += 1;
  const inner = readOr(reader);
  const closed = peek(reader);
  if (closed.kind !== "close") throw new Unreadable(closed.at, "a bracket is not closed", `Close the one that opens at ${opened.at + 1}.`);
  reader.next += 1;
  reader.depth -= 1;
  const after = peek(reader);
  if (after.kind === "operator")
    throw new Unreadable(after.at, "what stands in brackets is compared", "Only names and values can be compared.");
  return { ...inner, at: opened.at, end: closed.end };
}

const KEYWORDS = new Set(["and", "or", "not"]);
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function readOperand(reader: Reader): Operand {
  const token = peek(reader);
  reader.next += 1;
  const { at, end } = token;
  if (token.kind === "number" || token.kind === "string") return { kind: "literal", value: token.value, at, end };
  if (token.kind === "word" && !KEYWORDS.has(token.text)) {
    const literal = LITERALS.get(token.text);
    return literal === undefined ? { kind: "name", name: token.text, at, end } : { kind: "literal", value: literal, at, end };
  }
  throw new Unreadable(
    at,
    token.kind === "end" ? "something is missing at the end" : `${shown(token)} is not expected here`,
    "Write a name or a value.",
  );
}

function shown(token: Token): string {
  switch (token.kind) {
    case "word":
      return `\`${token.text}\``;
    case "number":
      return `\`${token.value}\``;
    case "string":
      return "a text";
    case "operator":
      return `\`${token.operator}\``;
    case "open":
      return "`(`";
    case "close":
      return "`)`";
    case "end":
      return "the end";
  }
}

const hintAfter = ({ kind }: Token): string =>
  kind === "open" ? "There are no calls: only names, values, and comparisons." : "Join conditions with and, or.";

const refused = (at: number, problem: string, instead: string): WhenReading => ({ kind: "refused", problems: [{ at, problem, instead }] });
