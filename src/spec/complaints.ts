// What the schema has against a value, in plain words: every problem, each with what to write instead.
import type { z } from "zod";
import type { Registries } from "../contract/crew.ts";
import { LoopSpec } from "../contract/spec.ts";
import { closest } from "../std/closest.ts";
import { choicesOf, keysOf, meantValue, sampleOf, schemaAt, TYPES, valueAt, whatToAdd, whatToWrite, withUnit } from "./hints.ts";
import { type Path, quoted } from "./path.ts";
import { type JsonSchema, specJsonSchema, specSchema, specSchemaFor } from "./schema.ts";

/** Something said about a path of the spec; where that stands in the text is looked up later. */
export interface Complaint {
  readonly path: Path;
  readonly about: "key" | "value";
  readonly problem: string;
  readonly instead: string;
}

type SchemaReading =
  | { readonly kind: "fits"; readonly spec: LoopSpec }
  | { readonly kind: "complaints"; readonly complaints: readonly Complaint[] };

export function readBySchema(value: unknown, registries: Registries): SchemaReading {
  const named = specSchemaFor(value, registries).safeParse(value, OWN_WORDS_ONLY);
  if (named.success) return { kind: "fits", spec: named.data };
  const full = specSchema(registries).safeParse(value, OWN_WORDS_ONLY);
  // The full schema stops at a part it does not know; the contract's looks on at what stands beside its name.
  const wide = LoopSpec.safeParse(value, OWN_WORDS_ONLY);
  const issues = [...(full.error?.issues ?? []), ...(wide.error?.issues ?? [])];
  const schema = specJsonSchema(registries);
  return { kind: "complaints", complaints: issues.flatMap((issue) => complaintsOf(issue, value, schema)) };
}

/** Empties the messages of the schema library, so that those which are left are a schema's own. */
export const OWN_WORDS_ONLY = { error: () => "" };

/** What one issue of the schema library says, in plain words. */
export function complaintsOf(issue: z.core.$ZodIssue, whole: unknown, schema: JsonSchema): readonly Complaint[] {
  const meant = issuesOfMeantForm(issue);
  if (meant) return meant.flatMap((inner) => complaintsOf({ ...inner, path: [...issue.path, ...inner.path] }, whole, schema));
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const value = valueAt(whole, path);
  const here = schemaAt(schema, path, whole);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, path, keysOf(here, value), emptyAbove(key, here, value)));
  if (value === undefined) return [missing(path, here)];
  const written = withUnit(here, value);
  if (written !== undefined) return [lacksUnit(path, written, here)];
  const read = meantValue(here, value);
  if (read !== undefined)
    return [
      { path, about: "value", problem: `${quoted(String(value))} is not how this is written`, instead: `Did you mean ${quoted(read)}?` },
    ];
  const choices = choicesOf(here);
  if (typeof value === "string" && choices.length > 0) return [unknownChoice(value, path, choices, ownParts(whole))];
  return [{ path, about: "value", problem: issue.message || inPlainWords(issue, value), instead: whatToWrite(here) }];
}

/** Where a value may have several forms, such as a map or a list, and has one of them: what is wrong with it as that one. */
function issuesOfMeantForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== "invalid_union" || issue.discriminator !== undefined) return undefined;
  const isOther = ({ path, code }: z.core.$ZodIssue): boolean => path.length === 0 && (code === "invalid_type" || code === "invalid_value");
  const meant = issue.errors.filter((issues) => issues.length > 0 && !issues.some(isOther));
  return meant.length === 1 ? meant[0] : undefined;
}

/** A map beside the key that has nothing in it and could have the key: whoever wrote it most likely forgot to indent. */
const emptyAbove = (key: string, here: JsonSchema | undefined, value: unknown): string | undefined =>
  keysOf(here, value).find((other) => valueAt(value, [other]) === null && here && keysOf(schemaAt(here, [other], value)).includes(key));

function unknownKey(key: string, parent: Path, known: readonly string[], above: string | undefined): Complaint {
  const guess = closest(key, known);
  const instead = above
    ? `It belongs below ${quoted(above)}: indent it by two more spaces.`
    : guess
      ? `Did you mean ${quoted(guess)}?`
      : known.length > 0
        ? `Leave it out, or write one of: ${known.join(", ")}.`
        : "Leave it out.";
  return { path: [...parent, key], about: "key", problem: `unknown key ${quoted(key)}`, instead };
}

function missing(path: Path, schema: JsonSchema | undefined): Complaint {
  if (path.length === 0) return { path, about: "value", problem: "there is nothing here", instead: "Write a spec." };
  return { path, about: "value", problem: "is missing", instead: whatToAdd(String(path.at(-1)), schema) };
}

function lacksUnit(path: Path, written: string, schema: JsonSchema | undefined): Complaint {
  if (!written.startsWith('"')) return { path, about: "value", problem: "needs a unit", instead: `Write e.g. ${written}.` };
  return {
    path,
    about: "value",
    problem: "needs a unit, or quotes",
    instead: `Write e.g. ${String(sampleOf(schema ?? {}))}, or ${written}.`,
  };
}

/** Files with parts of one's own that the spec names. */
function ownParts(whole: unknown): readonly string[] {
  const named = valueAt(whole, ["parts"]);
  return Array.isArray(named) ? named.filter((file) => typeof file === "string") : [];
}

function unknownChoice(value: string, path: Path, choices: readonly string[], own: readonly string[]): Complaint {
  const guess = closest(value, choices) ?? soleBeginning(value, choices);
  const list = choices.length > 1 ? `Write one of: ${choices.join(", ")}.` : `Write ${choices.join("")}.`;
  const what = path.at(-1) === "use" ? "part" : "value";
  return {
    path,
    about: "value",
    problem: `unknown ${what} ${quoted(value)}`,
    instead: [
      ...(guess ? [`Did you mean ${quoted(guess)}?`] : []),
      list,
      ...(what === "part" && own.length > 0 ? [trusting(own)] : []),
    ].join(" "),
  };
}

const trusting = (own: readonly string[]): string =>
  `If it is one of your own, read its file and trust it: ${own
    .slice(0, 3)
    .map((file) => `lw parts trust ${file}`)
    .join("; ")}.`;

/** `claude` is the beginning of `claude-code`, and of nothing else. */
function soleBeginning(value: string, choices: readonly string[]): string | undefined {
  const longer = choices.filter((choice) => choice.startsWith(`${value.toLowerCase()}-`));
  return longer.length === 1 ? longer[0] : undefined;
}

function inPlainWords(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "never"
        ? "no part of this kind is built in"
        : `must be ${TYPES[issue.expected] ?? issue.expected}, is ${kindOf(value)}`;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}, is ${kindOf(value)}`;
    case "too_small":
      return limit(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return limit(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return "does not have the right form";
    case "invalid_union":
      return issue.discriminator === undefined ? "has none of the forms that are allowed here" : `must be a text, is ${kindOf(value)}`;
    case "invalid_key":
    case "invalid_element":
      return issue.issues.map(({ message }) => message).find((message) => message !== "") ?? "has a key that is not allowed here";
    case "unrecognized_keys":
    case "custom":
      return "is not allowed here";
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "string") return value === "" ? "an empty text" : "a text";
  return String(value);
}

function limit(origin: string, bound: number, how: string): string {
  if (origin === "string") return bound === 1 && how === "at least" ? "is empty" : `must have ${how} ${bound} characters`;
  if (origin === "array" || origin === "set") return `must have ${how} ${bound} ${bound === 1 ? "entry" : "entries"}`;
  return `must be ${how} ${bound}`;
}
