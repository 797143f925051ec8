// The target repository: reading it, and moving what may be moved in it.
import type { Comparison } from "./change-set.ts";
import type { ChangeSigns } from "./change-signs.ts";
import type { Snapshot } from "./referee.ts";
import type { Untrusted } from "./text.ts";

/** One commit as read from the target. Subject and paths are a stranger's words. */
export interface CommitFacts {
  readonly commit: string;
  readonly at: string;
  readonly subject: Untrusted;
  readonly body: Untrusted;
  readonly parents: number;
  readonly paths: readonly Untrusted[];
  readonly changedLines: number;
  /** By name alone; undefined in what was read before names were. */
  readonly author?: Untrusted;
  /** Of a merge: what it brought in beside its first parent. */
  readonly merges?: readonly string[];
  /** What its lines do, where they could be read. */
  readonly signs?: ChangeSigns;
}

export interface RefWalk {
  readonly ref: string;
  readonly tip: string | undefined;
  readonly commits: readonly CommitFacts[];
  readonly notes: readonly string[];
  /** Where a commit can be looked at, with its id to be put behind; from the address of the remote, without what is secret in it. */
  readonly forge?: string;
}

/** Reading the target. Nothing here writes to it. */
export interface GitReader {
  /** The branch the repository is on, or HEAD when it is on none. */
  headName(repo: string): Promise<string>;
  /** The names of the branches that were worked on last, at most as many: for whoever named one that is not there. */
  branches(repo: string, most: number): Promise<readonly string[]>;
  /** The commit a name points to; undefined when there is none. */
  resolve(repo: string, ref: string): Promise<string | undefined>;
  /** The newest commits of a ref since a cursor, or since a time when there is no cursor that still counts. */
  walk(
    repo: string,
    from: { readonly ref: string; readonly cursor: string | undefined; readonly sinceMs: number; readonly most: number },
  ): Promise<RefWalk>;
  /** Which of these full object ids are commits that exist in the repository. */
  commitsThatExist(repo: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these commits can be reached from the tip. */
  reachableFrom(repo: string, tip: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  aheadBehind(repo: string, ref: string, from: string): Promise<{ readonly ahead: number; readonly behind: number } | undefined>;
  /** Files as they are in commits, in the order they were asked for. Commits are named by full ids. */
  filesAt(repo: string, places: readonly FileAt[]): Promise<readonly FileFound[]>;
  /** Every file of a commit, which is named by its full id. */
  filesOf(repo: string, commit: string): Promise<readonly TreeFile[]>;
}

/** Looking around in the target for what could be worked on. Nothing here writes to it. */
export interface GitScout {
  /** Branches of the repository, or of a remote as it was fetched last, newest first; with whether the commit `into` has all of each. */
  branches(
    repo: string,
    asked: { readonly remote: string | undefined; readonly into: string; readonly most: number },
  ): Promise<BranchesSeen>;
  /** Lines of text files of a commit that have one of these words, as git finds words, in git's order of paths. */
  linesWith(repo: string, commit: string, words: readonly string[]): Promise<LinesSeen>;
  /** Who wrote these lines of a commit, in their order; undefined where nobody can tell. */
  blame(repo: string, commit: string, places: readonly LineAt[]): Promise<readonly (Blamed | undefined)[]>;
}

export interface BranchesSeen {
  readonly branches: readonly BranchSeen[];
  readonly all: number;
}

export interface BranchSeen {
  /** By its full name, with refs/. */
  readonly ref: string;
  readonly tip: string;
  /** When its newest commit was made. */
  readonly at: string;
  readonly author: Untrusted;
  readonly isIn: boolean;
}

export interface LinesSeen {
  readonly lines: readonly LineSeen[];
  /** False when there are more than anybody looks at. */
  readonly isWhole: boolean;
}

export interface LineAt {
  readonly path: string;
  readonly line: number;
}

export interface LineSeen extends LineAt {
  readonly text: Untrusted;
}

export interface Blamed {
  readonly commit: string;
  readonly author: Untrusted;
  readonly at: string;
}

/** Which branch a repository is on, and where branches point; undefined where nobody can tell without git, as in formats that are not files. */
export type RefsOnDisk = (
  repo: string,
  branches: readonly string[],
) => Promise<{ readonly head: string | undefined; readonly tips: ReadonlyMap<string, string> } | undefined>;

export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

/** A file's path, from the root of the repository, and the commit it is in. */
export interface FileAt {
  readonly commit: string;
  readonly path: string;
}

export type FileFound =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unread"; readonly why: string };

/** What became of one cited commit id. `unknown` means that nobody could tell: it is never read as success. */
export interface Lookup {
  /** As it was written. */
  readonly asked: string;
  readonly outcome: "commit" | "fabricated" | "gap" | "unknown";
  /** The full id, where one object stands for what was asked. */
  readonly commit: string | undefined;
  readonly why: string;
}

/** Reading what changed in a repository. Names are branches, tags, ids, or what git makes of an expression such as HEAD~1. */
export interface ChangeReader {
  betweenCommits(repo: string, base: string, head: string): Promise<Comparison>;
  /** What lies on disk, ignored and hidden from git or not, against base. */
  withWorkTree(repo: string, base: string): Promise<Comparison>;
}

/** Why something was not moved, as a value: nothing happened, and this is what to do. */
export interface NotMoved {
  readonly kind: "refused";
  readonly why: string;
  readonly hint: string;
}

/** A branch of the target, to be moved from one commit to another. */
export interface BranchMove {
  /** As the spec names base: a branch, and nothing else can be moved. */
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly because: string;
}

/** A branch of another repository, to be moved the same way. */
export interface RemoteMove {
  readonly remote: string;
  readonly branch: string;
  /** What the other side must have there; undefined when it must have nothing. */
  readonly from: string | undefined;
  readonly to: string;
  /** Sent as it is to an https address, and never shown. */
  readonly token?: string | undefined;
}

/** The only hands that move branches of the target, or send any of it away. They never force. */
export interface Mover {
  /** The commit at the tip of a local branch, by its full name and no other. */
  branchTip(repo: string, branch: string): Promise<string | undefined>;
  treeOf(repo: string, commit: string): Promise<string>;
  /** Whether a commit can be reached from a tip. */
  contains(repo: string, tip: string, commit: string): Promise<boolean>;
  /** Whether the move could be made now, and the folder of the checkout that would move along, where the branch is checked out in one. */
  canFastForward(repo: string, move: BranchMove): Promise<{ readonly kind: "ready"; readonly along?: string } | NotMoved>;
  /** Looks again, and moves the branch only if it still is where it was. */
  fastForward(repo: string, move: BranchMove): Promise<{ readonly kind: "moved" } | NotMoved>;
  /** Moves a proposal's own branch to another commit, forward or not: only if it still is where it was, and is nowhere checked out. */
  replace(repo: string, move: BranchMove): Promise<{ readonly kind: "moved" } | NotMoved>;
  /** Of a branch, or of any ref by its full name. */
  remoteTip(repo: string, at: Pick<RemoteMove, "remote" | "branch" | "token">): Promise<string | undefined>;
  push(repo: string, move: RemoteMove): Promise<{ readonly kind: "moved" } | NotMoved>;
  /** The plain files of a commit, with what they hold; refused where they are too many or too large. */
  filesOf(repo: string, commit: string): Promise<readonly HeldFile[]>;
  /** Puts files into a folder of a branch, as a commit on its tip: only if the branch is nowhere checked out, and is still there. */
  commitFiles(repo: string, order: FilesOrder): Promise<{ readonly kind: "moved"; readonly commit: string } | NotMoved>;
}

/** A file as a commit holds it. */
export interface HeldFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface FilesOrder {
  readonly branch: string;
  /** The folder, from the root of the repository; empty for the root. */
  readonly into: string;
  readonly files: readonly HeldFile[];
  readonly message: string;
  readonly at: string;
}

/** The repositories that loops keep their documents in: one for each, bare, in the home. */
export interface Documents {
  /** That of a loop, made if it is not there, with the branch of what was accepted; at first that is nothing. */
  open(loop: string): Promise<{ readonly repo: string; readonly ref: string }>;
}

/** Somebody's checkout as it lies on disk. */
export interface CheckoutOnDisk {
  readonly root: string;
  readonly idLength: number;
  /** The commit that is checked out; undefined where there is none yet. */
  head(): Promise<Snapshot["head"] | undefined>;
  /** The commit of a branch, tag, remote branch or id. */
  resolve(name: string): Promise<string | undefined>;
  /** The commit that both have in common; undefined where there is none, or a shallow clone lacks it. */
  mergeBase(one: string, other: string): Promise<string | undefined>;
  readonly isShallow: boolean;
  treeOf(commit: string): Promise<string>;
  /** Every path that a commit touched between the two, also what a later one took back. */
  touchedBetween(base: string, head: string): Promise<readonly string[]>;
  /** Everything that lies there and is not ignored, as a tree in the store; and ignored files that somebody wants to know of. */
  snapshot(store: string, isWanted: (path: string) => boolean): Promise<Snapshot>;
  /** Only the ignored files. */
  hidden(store: string, isWanted: (path: string) => boolean): Promise<Pick<Snapshot, "hidden" | "unread">>;
}

/** The hooks of repositories, as files. One that is not ours is never touched. */
export interface GitHooks {
  /** Where git looks for a hook of the checkout that a folder lies in, and what is there now. */
  find(folder: string, name: string): Promise<{ readonly path: string; readonly text: string | undefined }>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Checkouts of other people, and repositories of ours that have their objects. Nothing is written into a checkout. */
export interface Checkouts {
  /** The checkout that a folder lies in. */
  open(folder: string): Promise<CheckoutOnDisk>;
  /** A bare repository of ours that has the checkout's objects, and takes new ones. */
  openStore(root: string, place: string): Promise<string>;
  /** A commit of the tree on base, the same for the same tree, base and time. */
  commitTree(store: string, order: TreeOrder): Promise<string>;
  /** Paths that two trees of the store do not have in common. */
  namesBetween(store: string, one: string, other: string): Promise<readonly string[]>;
  /** The path in the checkout that somebody names; undefined where it lies elsewhere. */
  pathIn(root: string, cwd: string, asked: string): Promise<string | undefined>;
}

export interface TreeOrder {
  readonly tree: string;
  readonly base: string;
  readonly at: string;
  readonly message: string;
}
