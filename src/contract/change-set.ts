// One file of a change as the scanner sees it: both sides, whole or in pieces, and the lines that differ.
/** A run of lines of one side. A whole file is one piece; a diff shows one piece a hunk. */
export interface Piece {
  /** The number of its first line in the file. */
  readonly line: number;
  readonly text: string;
}

export type Content =
  | { readonly kind: "text"; readonly pieces: readonly Piece[] }
  | { readonly kind: "binary" }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "submodule"; readonly commit: string }
  /** There is something that was not looked at. */
  | { readonly kind: "unread"; readonly why: string };

export interface Side {
  /** As git writes it: 100644, 100755, 120000 (symlink), 160000 (submodule). Undefined where a diff does not say. */
  readonly mode: string | undefined;
  readonly content: Content;
}

/** One line that is on one side only, or (as context) on both. */
export interface Line {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** Its number before, or for an added line that of the line it stands before. */
  readonly before: number;
  /** Its number after, or for a removed line that of the line that took its place. */
  readonly after: number;
}

export interface Hunk {
  readonly lines: readonly Line[];
}

export interface ChangedFile {
  /** Its name after the change, or its last name if it is gone. */
  readonly path: string;
  /** Its name before, where that was another. */
  readonly oldPath: string | undefined;
  /** Undefined: there was no such file. */
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  readonly hunks: readonly Hunk[];
  /** Whether both sides are known to their last line, or only around what changed. */
  readonly scope: "whole" | "hunks";
}

/** One file that differs, with each side to its last line. Which lines differ is for others to work out. */
export interface FilePair {
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

/** Two states of a repository, compared by their contents and not by what git prints about them. */
export interface Comparison {
  readonly files: readonly FilePair[];
  readonly blind: readonly Blind[];
}

/** What of a change could not be understood or was not looked at. */
export interface Blind {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly why: string;
}

/** Everything a scan is about. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  readonly blind: readonly Blind[];
  /** Globs of files the maker may not decide about. */
  readonly seal: readonly string[];
}
