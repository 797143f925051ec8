// A command line as the guard understands it: the calls that are in it, wherever they hide.
import type { Value } from "./value.ts";

/** One program call found anywhere in a command line: in pipelines, substitutions, wrappers, `sh -c` strings. */
export interface Call {
  /** The program's name without its folder, in lower case where it ends in .exe; empty when it cannot be known. */
  readonly program: string;
  readonly args: readonly Value[];
  /** What it was called through, outermost first: sudo, xargs, find… */
  readonly wrappers: readonly string[];
  /** Variables set for this call alone. */
  readonly assigned: readonly { readonly name: string; readonly value: Value }[];
  readonly redirects: readonly Redirection[];
  readonly stdin: Stdin;
  /** The folder it runs in, when the command line itself changed it. */
  readonly folder: Value | undefined;
  readonly text: string;
}

export interface Redirection {
  readonly operator: string;
  readonly target: Value;
}

/** What the program reads: nothing of interest, a text that is known, or what other programs print. */
export type Stdin =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "piped"; readonly from: readonly Call[] };

export interface CommandLine {
  readonly text: string;
  readonly calls: readonly Call[];
  /** Things that could not be understood, each in words; none means that all of it was. */
  readonly unclear: readonly string[];
  /** What the line does that no single call shows. */
  readonly traits: readonly Trait[];
}

/** A function that starts itself twice, without end. */
export type Trait = "fork-bomb";
