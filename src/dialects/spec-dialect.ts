// What another system's format for loops is to us: something that is recognised, checked and put into our words.
import type { Anatomy } from "../contract/anatomy.ts";
import type { NativeSurface } from "./native-surface.ts";
import type { Sheet } from "./sheet.ts";
import type { Bindings, DialectProblem, Shelf, Translation } from "./translation.ts";

export interface DialectCheck {
  /** Which of its forms the file is in, as people call it. */
  readonly form: string;
  readonly problems: readonly DialectProblem[];
  readonly warnings: readonly DialectProblem[];
  /** What else there is to say about it, in a line. */
  readonly note: string;
}

/** Pure: a text that is read once in, words out. What a file names was read before, and nothing is opened or fetched here. */
export interface SpecDialect {
  readonly name: string;
  readonly title: string;
  /** Whether somebody meant this file as one of its; whether it is sound is another question. */
  readonly recognises: (file: string, sheet: Sheet) => boolean;
  readonly check: (file: string, sheet: Sheet, shelf: Shelf) => DialectCheck;
  /** The files that it refers to, as it writes them; those that are addresses or whole paths are its rules' to refuse, and not here. */
  readonly references: (sheet: Sheet) => readonly string[];
  readonly translate: (file: string, sheet: Sheet, bindings: Bindings, native: NativeSurface, shelf: Shelf) => Translation;
  /** What a loop of it is made of, as far as it can be made out. Left out where that is what its translation is made of. */
  readonly anatomy?: (sheet: Sheet, shelf: Shelf) => Anatomy;
}
