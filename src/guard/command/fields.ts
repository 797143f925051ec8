// How the shell turns a word into fields: quoting, variables, substitutions, braces, as far as they can be known.
import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { isHidden, SOMETHING, UNKNOWN, type Value } from "./value.ts";

/** What is known about variables while a command line is read. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  /** The text a command substitution will give, if that can be told; it also reads the commands inside. */
  substitute(script: ParsedScript): string | undefined;
}

const MOST_FIELDS = 64;
const MOST_BRACES = 6;
const MOST_PARTS = 200;
/** A value longer than this is not followed: variables can double themselves. */
const MOST_CHARS = 65_536;

/** The fields one word becomes: none, one or several, as the shell would split and expand it. */
export function fieldsOf(word: Word, scope: Scope): readonly Value[] {
  if (!word.parts) return [bare(word.value, isPlainGlob(word.text))];
  const braced = expandBraces(word.parts, scope);
  return braced.slice(0, MOST_FIELDS).flatMap((pieces) => assemble(pieces));
}

/** The word as one value, where the shell does not split: assignments, redirections, here-strings. */
export function valueIn(word: Word, scope: Scope): Value {
  const fields = fieldsOf(word, scope);
  if (fields.length === 1) return fields[0]!;
  return { text: fields.map(({ text }) => text).join(" "), known: fields.every((field) => field.known), glob: false };
}

/** A piece of a word: its text, and whether the shell splits it at blanks. */
interface Piece {
  readonly text: string;
  readonly splits: boolean;
  readonly glob: boolean;
  readonly quoted: boolean;
}

const bare = (text: string, glob: boolean): Value => ({ text, known: !isHidden(text), glob });

const isPlainGlob = (text: string): boolean => /[*?]/.test(text) && !/^['"]/.test(text);

function assemble(pieces: readonly Piece[]): readonly Value[] {
  let fields: { text: string; glob: boolean; there: boolean }[] = [{ text: "", glob: false, there: false }];
  for (const piece of pieces) {
    const last = fields.at(-1)!;
    if (!piece.splits || !/\s/.test(piece.text)) {
      last.text += piece.text;
      last.glob ||= piece.glob;
      last.there ||= piece.quoted || piece.text !== "";
      continue;
    }
    const parts = piece.text.split(/\s+/);
    const [first = "", ...others] = parts;
    last.text += first;
    last.there ||= first !== "";
    fields.push(...others.map((text) => ({ text, glob: piece.glob, there: text !== "" })));
  }
  fields = fields.filter(({ there }) => there);
  return fields.map(({ text, glob }) => ({ text, glob, known: !isHidden(text) }));
}

/** One list of pieces for each way the braces of a word can be read. */
function expandBraces(parts: readonly WordPart[], scope: Scope): readonly (readonly Piece[])[] {
  const braces = parts.filter(({ type }) => type === "BraceExpansion").length;
  if (braces === 0) return [parts.flatMap((part) => piecesOf(part, scope))];
  if (braces > MOST_BRACES || parts.length > MOST_PARTS)
    return [parts.flatMap((part) => (part.type === "BraceExpansion" ? [plain(UNKNOWN)] : piecesOf(part, scope)))];
  return parts.reduce<readonly (readonly Piece[])[]>(
    (soFar, part) => {
      const ways = part.type === "BraceExpansion" ? braceWays(part.text) : [piecesOf(part, scope)];
      return soFar.flatMap((before) => ways.map((way) => [...before, ...way])).slice(0, MOST_FIELDS);
    },
    [[]],
  );
}

/** `{a,b}` and `{1..3}`; what is nested or strange stays one unknown piece. */
function braceWays(text: string): readonly (readonly Piece[])[] {
  const inner = text.slice(1, -1);
  const range = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inner);
  if (range) return [[plain(`${range[1]}..${range[2]}`)]];
  if (/[{}$`'"\\]/.test(inner)) return [[plain(UNKNOWN)]];
  return inner.split(",").map((way) => [{ ...plain(way), glob: /[*?]/.test(way) }]);
}

const plain = (text: string): Piece => ({ text, splits: false, glob: false, quoted: false });
const quoted = (text: string): Piece => ({ text, splits: false, glob: false, quoted: true });

function piecesOf(part: WordPart, scope: Scope): readonly Piece[] {
  switch (part.type) {
    case "Literal":
      return [plain(part.value)];
    case "Glob":
    case "ExtendedGlob":
      return [{ ...plain(part.text), glob: true }];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [quoted(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      return [quoted(part.parts.map((child) => insideQuotes(child, scope)).join(""))];
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return [{ ...plain(insideQuotes(part, scope)), splits: true }];
    case "ProcessSubstitution":
      if (part.script) scope.substitute(part.script);
      return [plain("/dev/fd/63")];
    case "BraceExpansion":
      return [plain(UNKNOWN)];
  }
}

function insideQuotes(part: DoubleQuotedChild, scope: Scope): string {
  switch (part.type) {
    case "Literal":
      return part.value;
    case "SimpleExpansion":
      return variable(part.text.slice(1), scope);
    case "ParameterExpansion":
      return parameter(part, scope);
    case "CommandExpansion":
      return (part.script && scope.substitute(part.script)?.replace(/\n+$/, "")) ?? UNKNOWN;
    case "ArithmeticExpansion":
      return UNKNOWN;
  }
}

/** What the shell or the system sets, as far as it matters for what a command can reach. */
const GIVEN: ReadonlyMap<string, string> = new Map([
  ["HOME", "~"],
  ["PWD", "."],
  ["IFS", " "],
  ["TMPDIR", "/tmp"],
]);

function variable(name: string, { variables }: Scope): string {
  const text = variables.get(name)?.text ?? GIVEN.get(name) ?? UNKNOWN;
  return text.length > MOST_CHARS ? UNKNOWN : text;
}

function parameter(part: ParameterExpansionPart, scope: Scope): string {
  if (part.prefix === "#") return UNKNOWN;
  const value = part.prefix || part.index ? UNKNOWN : variable(part.parameter, scope);
  const { operation } = part;
  if (!operation) return value;
  const isUnset = value === UNKNOWN;
  if (operation.type === "Default") {
    const other = valueIn(operation.operand, scope).text;
    switch (operation.operator) {
      case "-":
      case ":-":
      case "=":
      case ":=":
        // It is the one or the other: a constant default makes at least sure that it is not empty.
        return isUnset ? (other === "" ? UNKNOWN : SOMETHING) : value;
      case "?":
      case ":?":
        return isUnset ? SOMETHING : value;
      case "+":
      case ":+":
        return isUnset ? UNKNOWN : other;
    }
  }
  return UNKNOWN;
}
