// Checks what somebody gave a loop against the inputs that its spec declares. Pure: all problems at once, before anything is spent.
import type { GivenInput, GivenInputs, InputValue, InputWish, RunInput, RunInputs } from "../contract/inputs.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { closest } from "../std/closest.ts";
import { patternProblem } from "../std/simple-pattern.ts";

export type InputsReading =
  /** Undefined where the spec declares none: then nothing is on record of any. */
  { readonly kind: "read"; readonly inputs: RunInputs | undefined } | { readonly kind: "refused"; readonly problems: readonly string[] };

/** All of them together, as they go on record. */
const MOST_CHARS = 400_000;
export const LONGEST = 20_000;
/** A pattern that is slow is slow only on long texts. */
const LONGEST_WITH_PATTERN = 500;
const MOST_ENTRIES = 1_000;

export function readInputs({ inputs: declared }: Pick<LoopSpec, "inputs">, given: GivenInputs): InputsReading {
  const names = Object.keys(declared ?? {});
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => unknownInput(name, names));
  const read = Object.entries(declared ?? {}).map(([name, wish]) => ({ name, ...readOne(name, wish, own(given, name)) }));
  const problems = [...unknown, ...read.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))];
  const inputs = Object.fromEntries(read.flatMap(({ name, input }) => (input ? [[name, input] as const] : [])));
  if (JSON.stringify(inputs).length > MOST_CHARS)
    problems.push(`the inputs have more than ${MOST_CHARS} characters together. Give the long ones as files of the repository.`);
  if (problems.length > 0) return { kind: "refused", problems };
  return { kind: "read", inputs: declared === undefined ? undefined : inputs };
}

/** What is wrong with a declared input, as the spec is read: bounds that cannot be, a default that does not fit. */
export function wishProblem(wish: InputWish): { readonly at: keyof InputWish; readonly problem: string } | undefined {
  if (wish.type === "choice" && wish.values === undefined) return { at: "type", problem: "is a choice, and `values` does not say of what" };
  if (wish.type !== "choice" && wish.values !== undefined) return { at: "values", problem: "has a meaning for a choice only" };
  const pattern = wish.pattern === undefined ? undefined : patternProblem(wish.pattern);
  if (pattern !== undefined) return { at: "pattern", problem: pattern };
  if (wish.from !== undefined && (wish.type === "list" || wish.type === "map"))
    return { at: "from", problem: `gives one text, and this is a ${wish.type}` };
  if (wish.default === undefined) return undefined;
  const problem = valueProblem(wish, wish.default);
  return problem === undefined ? undefined : { at: "default", problem };
}

interface ReadOne {
  readonly input?: RunInput;
  readonly problem?: string;
}

function readOne(name: string, wish: InputWish, given: GivenInput | undefined): ReadOne {
  if (given === undefined || (given.text.trim() === "" && mayNotBeEmpty(wish))) {
    if (wish.default !== undefined) return { input: { value: wish.default as InputValue, trust: "owner", by: "default" } }; // checked with the spec
    return wish.required ? { problem: `the input ${name} is missing (${wish.about}). Give it with --input ${name}=…` } : {};
  }
  const value = asWritten(wish, given.text);
  const problem = valueProblem(wish, value);
  if (problem !== undefined) return { problem: `the input ${name} ${problem}` };
  return { input: { value: value as InputValue, trust: TRUST[given.by], by: given.by } }; // has no problem, so it is one
}

/** A text of nothing is nothing that was given, unless the spec says that it may be that short. */
const mayNotBeEmpty = ({ type, required, shortest }: InputWish): boolean => type === "text" && required === true && shortest === undefined;

/** Whoever runs a loop says what is asked of it. What stands in a file somebody may have sent them: it is fenced, as what members write is. */
const TRUST = { hand: "owner", file: "member", trigger: "outsider", worker: "outsider" } as const;

/** A text is itself; everything else is as JSON writes it. */
function asWritten({ type, values = [] }: InputWish, text: string): unknown {
  if (type === "text") return text;
  if (type === "choice") return values.find((value) => String(value) === text.trim()) ?? text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function valueProblem(wish: InputWish, value: unknown): string | undefined {
  switch (wish.type) {
    case "text":
      return textProblem(wish, value);
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? boundProblem(wish, value, "") : "must be a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "choice":
      return (wish.values ?? []).some((one) => one === value) ? undefined : `must be one of: ${(wish.values ?? []).map(String).join(", ")}`;
    case "list":
      if (!Array.isArray(value) || !value.every(isPlain)) return 'must be a list of texts or numbers, such as ["a", "b"]';
      return boundProblem(wish, value.length, " entries");
    case "map":
      if (!isRecord(value) || !Object.values(value).every(isPlain)) return 'must be a map of texts or numbers, such as {"a": 1}';
      return boundProblem(wish, Object.keys(value).length, " entries");
  }
}

function textProblem({ shortest = 0, longest = LONGEST, pattern }: InputWish, value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a text";
  const chars = [...value].length;
  if (chars < shortest) return `must have at least ${shortest} characters, and has ${chars}`;
  if (chars > longest) return `must have at most ${longest} characters, and has ${chars}`;
  if (pattern === undefined) return undefined;
  if (chars > LONGEST_WITH_PATTERN) return `has a pattern, and may then have at most ${LONGEST_WITH_PATTERN} characters`;
  return new RegExp(`^(?:${pattern})$`, "u").test(value) ? undefined : `does not match ${pattern}`;
}

function boundProblem({ least, most }: InputWish, amount: number, what: string): string | undefined {
  if (least !== undefined && amount < least) return `must be at least ${least}${what}`;
  if (most !== undefined && amount > most) return `must be at most ${most}${what}`;
  return what !== "" && amount > MOST_ENTRIES ? `must be at most ${MOST_ENTRIES}${what}` : undefined;
}

const isPlain = (value: unknown): boolean =>
  (typeof value === "string" && value.length <= LONGEST) ||
  (typeof value === "number" && Number.isFinite(value)) ||
  typeof value === "boolean";

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const own = (given: GivenInputs, name: string): GivenInput | undefined => (Object.hasOwn(given, name) ? given[name] : undefined);

function unknownInput(name: string, names: readonly string[]): string {
  const guess = closest(name, names);
  const instead = guess ? `Did you mean ${guess}?` : names.length > 0 ? `There is: ${names.join(", ")}.` : "Its spec declares none.";
  return `the loop has no input called ${name}. ${instead}`;
}
