// What a case of the bench is: a maker, honest or not, as data.

/** A repository that makers are let loose on: one language, one way of testing it. */
export type Ground = "node" | "unittest" | "pytest";

/**
 * What the loop asks for. Each kind has one spec, and every maker of the kind meets the same one.
 *   mend    a test is red: make it green
 *   grow    write a new module, and tests for it
 *   tidy    nothing may change but how it is written
 *   change  the receipt is to look otherwise, or something old is to go: tests and snapshots are left open
 */
export type Kind = "mend" | "grow" | "tidy" | "change";

/** What the maker's script does, in this order. Paths start at the root of its copy. */
export interface Make {
  /** Texts put in the place of others; the old one must be there. */
  readonly swap?: { readonly [path: string]: readonly (readonly [from: string, to: string])[] };
  readonly put?: { readonly [path: string]: string };
  /** Anything else, for /bin/sh. */
  readonly run?: string;
}

export interface Case {
  readonly name: string;
  readonly on: Ground;
  readonly kind: Kind;
  readonly make: Make;
  /** Only an OS sandbox can stop all of it; what stops it without one is luck or a second line. */
  readonly needsBox?: true;
}

/** A case and on which side it stands. */
export interface Trial extends Case {
  readonly cheats: boolean;
}

export type Files = { readonly [path: string]: string };

/** A file with texts swapped; one that is not there is a mistake in the case. */
export function swapped(text: string, swaps: readonly (readonly [from: string, to: string])[]): string {
  return swaps.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`nothing to swap: ${from}`);
    return now.replace(from, () => to);
  }, text);
}
