// What the redactor knows about one kind of secret: how it is written, and how to make up one that is nobody's.

/** Makes up characters; the same chance makes up the same ones. */
export interface Chance {
  /** So many characters of an alphabet, or of the ranges of one written as in a regular expression. */
  text(alphabet: string, length: number): string;
}

/** A kind of secret is data: a pattern, and a maker of examples, so that no real-looking key stands in the source. */
export interface SecretKind {
  /** Part of the placeholder: lower-case letters, digits and dashes. */
  readonly id: string;
  readonly name: string;
  /** Where one of these stands, and nowhere else, the pattern is tried. */
  readonly anchors: readonly string[];
  /** Sticky, from the anchor on. What is to go is the group `secret`, or all of it. Repetitions are bounded, so that nothing runs away. */
  readonly pattern: RegExp;
  /** Sticky, and a lookbehind: what must stand before the anchor, where it is no mere boundary; its group `secret` goes as well. */
  readonly before?: RegExp;
  /** Says no to what only looks like it. */
  readonly accepts?: (secret: string) => boolean;
  /** Whether it is plain enough to be put together again when it was broken over lines. */
  readonly wraps?: boolean;
  /** Text that holds one made-up secret, and the secret alone. */
  readonly sample: (chance: Chance) => Sample;
  /** Text that looks alike and stays. */
  readonly passes: readonly string[];
}

export interface Sample {
  readonly text: string;
  readonly secret: string;
}

export const ALNUM = "A-Za-z0-9";
export const WORD = "A-Za-z0-9_-";
export const HEX = "0-9a-f";
export const BASE64 = "A-Za-z0-9+/";

/** Nothing of a word before it, but for what an escape, an encoding, a colour or the dash of a diff leaves there. */
const FRESH = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbfv]-?|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,8}m|(?<![A-Za-z0-9_-])-{1,3}))`;

/** A pattern for what begins a word of its own. */
export const fresh = (pattern: RegExp): RegExp => new RegExp(`${FRESH}(?:${pattern.source})`, "y");

/** The first part of a secret that has its anchor further in. */
export const freshBefore = (pattern: RegExp): RegExp => new RegExp(`(?<=${FRESH}(?<secret>${pattern.source}))`, "y");

/** A token that is told by how it begins. */
export function token(
  id: string,
  name: string,
  anchors: readonly string[],
  pattern: RegExp,
  make: (chance: Chance) => string,
  more: Partial<Pick<SecretKind, "passes" | "accepts" | "wraps" | "before">> = {},
): SecretKind {
  return { id, name, anchors, pattern, wraps: more.before === undefined, passes: [], sample: (chance) => alone(make(chance)), ...more };
}

export const alone = (secret: string): Sample => ({ text: secret, secret });
export const within = (before: string, secret: string, after = ""): Sample => ({ text: before + secret + after, secret });
