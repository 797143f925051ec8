// What a referee is told and writes down: which change was judged, since when, and what of it nobody may touch.

/** What a referee run was about. The change is somebody else's: no maker of the loop worked. */
export interface RefereeFact {
  /** What lay in the checkout, committed or not, or a commit alone. */
  readonly of: "work-tree" | "commit";
  readonly tree: string;
  /** The commit that has this very tree; not there for a work tree that is no commit. */
  readonly commit?: string;
  /** Who asked: a person's login name, or the hook of an agent or of git. */
  readonly by: string;
  /** Where an agent's hook asked: for which time it did in this session, and after how many refusals the agent may stop all the same. */
  readonly hook?: { readonly agent: string; readonly session: string; readonly time: number; readonly most: number };
  /** What ignored files were compared with; not there where nobody said `lw referee --begin`. */
  readonly begun?: { readonly at: string; readonly commit: string; readonly files: number };
}

/** A file that git ignores and that a change should not touch, by its bytes. A link is told by where it leads. */
export interface HiddenFile {
  readonly path: string;
  readonly kind: "file" | "link";
  readonly sha256: string;
}

/** What is protected: entries of the list in force by name, and globs. */
export interface Protection {
  readonly protect: readonly string[];
  readonly deny: readonly string[];
  readonly allow: readonly string[];
}

/** How a checkout was before the work: written down by `lw referee --begin`, or when an agent's session starts. */
export interface Beginning {
  readonly version: 1;
  readonly at: string;
  readonly by: string;
  readonly root: string;
  /** The commit that was checked out. */
  readonly commit: string;
  /** What was looked for among ignored files, and what was found. */
  readonly protection: Protection;
  readonly hidden: readonly HiddenFile[];
}

/** The checkout at one moment. The tree is made of what lies on disk; the index only says which names are tracked. */
export interface Snapshot {
  readonly tree: string;
  readonly files: number;
  readonly head: { readonly name: string; readonly commit: string };
  /** Ignored files that are protected. */
  readonly hidden: readonly HiddenFile[];
  /** Folders without tracked files that could not be looked into. */
  readonly unread: readonly string[];
}

/** No loop has a dot in its name: what a referee does is never taken for a run of the loop itself. */
export const refereeLoop = (loop: string): string => `${loop}.referee`;
export const isRefereeLoop = (loop: string): boolean => loop.endsWith(".referee");
