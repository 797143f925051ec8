// What a word of a command line is worth: its text as far as it can be known.

/** Stands in a value's text where something unknown will be at run time. */
export const UNKNOWN = "\u{f8ff}";
/** The same, where it is sure not to be empty. */
export const SOMETHING = "\u{f8fe}";
const HIDDEN = /[\u{f8fe}\u{f8ff}]/u;

export const isHidden = (text: string): boolean => HIDDEN.test(text);

export interface Value {
  /** The text, with UNKNOWN in place of what cannot be known. */
  readonly text: string;
  readonly known: boolean;
  /** Whether the shell will replace it by file names. */
  readonly glob: boolean;
}

export const known = (text: string): Value => ({ text, known: true, glob: false });
export const unknown: Value = { text: UNKNOWN, known: false, glob: false };
