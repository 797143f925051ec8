// A signal of the text scanner, as data.
import type { Concept } from "./lexicon/concept.ts";

/** One meaning that text from outside should not have. It is data: what it asks for, what it weighs, and the examples that prove it. */
export interface Signal {
  readonly id: string;
  readonly family: Family;
  /** What it adds to the score. Five make medium, nine make high. */
  readonly weight: number;
  /** What the words do, for the person who reads the finding. */
  readonly why: string;
  readonly seek: Seek;
  readonly examples: { readonly flags: readonly string[]; readonly passes: readonly string[] };
}

export type Family =
  | "override"
  | "spoofing"
  | "persona"
  | "disclosure"
  | "exfiltration"
  | "tool-use"
  | "tampering"
  | "persistence"
  | "authority"
  | "concealment"
  | "address"
  | "steering";

export type Seek =
  /** One sighting of every group, in any order, each so many words from the first at most. */
  | { readonly kind: "near"; readonly all: readonly (readonly Concept[])[]; readonly within: number }
  /** The same, each group behind the one before it. */
  | { readonly kind: "sequence"; readonly all: readonly (readonly Concept[])[]; readonly within: number }
  /** A mark in the folded text. The pattern must be global and take time in proportion to the text. */
  | { readonly kind: "mark"; readonly pattern: RegExp };
