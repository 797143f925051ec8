// Files of a repository that people keep by hand and that we put something into: how they are read, changed and left alone.

/** What an edit of a text comes to. What cannot be done for certain is not done. */
export type TextEdit =
  | { readonly kind: "changed"; readonly text: string }
  /** Nothing but ours was in the file: it goes away. */
  | { readonly kind: "removed" }
  | { readonly kind: "unchanged" }
  /** Somebody wrote into what is ours; only who says so writes over it. */
  | { readonly kind: "edited"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

/** What becomes of what somebody wrote into what is ours. */
export type Edits = "keep" | "overwrite";

/** Files below one folder. No path leads out of it, whatever links lie there, and none into `.git`. */
export interface KeptTree {
  read(path: string): Promise<KeptFile>;
  /** The names in a folder; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Whole or not at all, also in a power cut, and only in the place of what was read; a link keeps pointing, and permissions stay. */
  write(path: string, text: string, before: string | undefined): Promise<void>;
  /** The same, with folders that are empty then. */
  remove(path: string, before: string): Promise<void>;
}

export type KeptFile =
  | { readonly kind: "absent" }
  /** `real` is its path from the root, behind all links. */
  | { readonly kind: "text"; readonly text: string; readonly real: string; readonly isReadOnly: boolean }
  | { readonly kind: "unusable"; readonly why: string };
