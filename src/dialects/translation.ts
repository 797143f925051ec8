// What comes of putting another system's loop into our words: a spec, and what became of each thing that was said.
import type { SpecProblem } from "../spec/read-spec.ts";

/** A problem as our own specs have them, and the rule of the dialect that it is about. */
export interface DialectProblem extends SpecProblem {
  readonly code: string;
}

/** An address, the variable that holds the key, and whose form is spoken there where it is not the provider's own. */
export interface ProviderPlace {
  readonly baseUrl: string;
  readonly keyVariable: string | undefined;
  readonly form?: "anthropic" | "openai" | undefined;
}

/** What a file cannot know, and whoever imports it says. */
export interface Bindings {
  /** Where models of a provider are asked. */
  readonly providers: ReadonlyMap<string, ProviderPlace>;
  /** Who works where the file names no model. */
  readonly use: { readonly part: string; readonly model: string | undefined } | undefined;
  /** The command that runs the tests. */
  readonly test: string | undefined;
  /** Anything else, by its name: `length.most` is 100. */
  readonly set: ReadonlyMap<string, string>;
  /** Whether results that are code become commits of the repository. */
  readonly commits: boolean;
  /** Folders in which files that it refers to are looked for, besides its own. */
  readonly libraries: readonly string[];
}

/** The files that a file refers to, read before it is translated: nothing is opened while that is done. */
export interface Shelf {
  find(ref: string): Reference;
}

export type Reference =
  | { readonly kind: "found"; readonly file: string; readonly text: string /** What it refers to in turn. */; readonly shelf: Shelf }
  | { readonly kind: "missing"; readonly why: string }
  /** It is there, and is not read: it lies elsewhere, is too large, or leads back to itself. */
  | { readonly kind: "refused"; readonly why: string };

/** Nothing is read: of a text that lies nowhere. */
export const EMPTY_SHELF: Shelf = { find: () => ({ kind: "missing", why: "nothing is read here" }) };

/** What became of one thing that the file says. */
export interface Fate {
  readonly kind:
    | "translated"
    /** Ours is stricter than what was asked for. */
    | "tightened"
    /** It holds in every loop of ours, whether or not it is asked for. */
    | "inherent"
    /** We have nothing for it. */
    | "lost"
    /** It says nothing that could be enforced. */
    | "inert"
    /** The file does not say it, and nobody else did. */
    | "asked"
    /** The file does not say it, and ours must. */
    | "added";
  /** Where it stands in the file. */
  readonly path: string;
  readonly line: number;
  readonly col: number;
  /** Where it went in our spec. */
  readonly to: string;
  readonly why: string;
}

export type Translation =
  | {
      readonly kind: "translated";
      readonly form: string;
      readonly spec: SpecValue;
      readonly fates: readonly Fate[];
      /** The specs of loops that it calls, by the names by which it does: they lie beside it. */
      readonly called?: ReadonlyMap<string, SpecValue>;
    }
  /** Something is missing without which there is no spec: it is among the fates, as lost or asked. */
  | { readonly kind: "stuck"; readonly form: string; readonly fates: readonly Fate[] }
  | { readonly kind: "refused"; readonly form: string; readonly problems: readonly DialectProblem[] };

/** A spec as somebody could have written it: plain, and not yet checked. */
export interface SpecValue {
  readonly [key: string]: unknown;
}

/** Whether all that matters was kept: what was lost could have stopped a run, or told it something. */
export const isWhole = (fates: readonly Fate[]): boolean => fates.every(({ kind }) => kind !== "lost" && kind !== "asked");
