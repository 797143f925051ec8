// A round's own copies of the repository: the maker's, and the rooms of verifiers.
import type { ArtifactRef } from "./artifacts.ts";
import type { Comparison } from "./change-set.ts";
import type { BoxWish } from "./commands.ts";
import type { Change } from "./proposal.ts";
import type { Round } from "./round.ts";

/** How a room comes to what it has besides its own files: laid under it by the kernel, or copied, which file systems that can do as clones. */
export type RoomMeans = "overlay" | "copy";

export interface CommittedWork {
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly Change[];
  readonly diff: ArtifactRef;
  /** Hidden paths at which the maker left something; not there when there are none. */
  readonly displaced?: readonly string[];
}

/** Paths of the maker's copy that it has no say about. */
export interface Apart {
  /** Left out of its commit, whatever lies there. */
  readonly leftOut: readonly string[];
  /** Not in its copy, nor in the git of it; in its commit they are as on base. */
  readonly hidden: readonly string[];
  /** All that look at the copy are boxed commands: base may lie under it. */
  readonly onBase?: OnBase;
}

/** A copy whose commands see base under it, as far as that can be had; else it is checked out whole. */
export interface OnBase {
  /** The tree of the base that was looked at so. */
  readonly tree: string;
  /** What is read, removed or put into the copy from outside: none of it may be base's, or lie where the change took a folder away. */
  readonly apart: readonly string[];
}

/**
 * A round's own copies of the repository, kept away from the user's checkout. All places come from the round id,
 * so everything here is safe to do twice.
 */
export interface Workshop {
  /** A fresh copy of base for the maker; what an earlier, interrupted try left there is thrown away. */
  openWorkspace(repo: string, round: Round, apart?: Apart): Promise<Workspace>;
  /** The tree of a commit of the target. */
  treeOf(repo: string, commit: string): Promise<string>;
  /** Makes ready for rooms of base, and of further commits of the target; what an earlier, interrupted try left there is thrown away. */
  openForBase(repo: string, round: Round, commits?: readonly string[]): Promise<void>;
  /** Makes one commit of whatever the maker left in its copy, whether it committed it or not. */
  commitWorkspace(repo: string, round: Round, message: string, apart?: Apart): Promise<CommittedWork>;
  /** A fresh copy of a commit of the target, outside of any round; `close` removes it. What an earlier, interrupted try left is thrown away. */
  openBase(repo: string, at: Pick<Round, "id" | "loop">, commit: string): Promise<Checkout>;
  /** Keeps a commit of this round in the target, under a name that is no branch, so that the round can go on from it later. */
  keep(repo: string, round: Round, commit: string): Promise<void>;
  /** Lays what was kept into the maker's fresh copy, but for what is hidden from it. */
  restore(repo: string, round: Round, commit: string, apart?: Apart): Promise<void>;
  /** Gives up what was kept of a round, if anything was. */
  forget(repo: string, round: Pick<Round, "id">): Promise<void>;
  /** Brings commits of the target together into one, which is kept as those of rounds are; or says which files have the same lines changed. */
  merge(repo: string, round: Round, commits: readonly string[]): Promise<Merged>;
  /**
   * The same change on another base, which comes after the one it was made for: a commit that is kept as those of rounds are. What a commit
   * of ours becomes is one commit; people's own on top of it stay as they are, brought together with the new base.
   */
  transplant(repo: string, round: Round, order: Transplant): Promise<Transplanted>;
  /** Gives up everything that was kept of a round and of those who worked for it. */
  forgetTeam(repo: string, round: Pick<Round, "id">): Promise<void>;
  /** What a commit of this round changed, both sides of every file. */
  compareWithBase(round: Round, commit: string): Promise<Comparison>;
  /** The commit with some of its changes undone: a commit of this round's own, which only verifiers see. */
  undo(round: Round, commit: string, paths: readonly string[]): Promise<string>;
  /** A fresh copy of a commit that the maker never touched, for one verifier. The maker's own copy is gone by then. */
  checkOut(repo: string, round: Round, commit: string, verifier: string): Promise<Checkout>;
  /** A fresh copy of what the plan says, for a verifier that needs more than one; a copy of that name made before is thrown away. */
  openRoom(round: Round, plan: RoomPlan): Promise<Checkout>;
  /** What files of base and of the proposal hold, by their blob ids; one that is missing or larger than 16 MiB is left out. */
  readBlobs(round: Round, blobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The plain files of a commit of this round, by their blob ids. */
  listFiles(round: Round, commit: string): Promise<readonly { readonly path: string; readonly blob: string }[]>;
  /**
   * Notes from now on which files of a room are read and written, but for those below what is left out. Who says in which box they will be
   * has nothing told that only making the box ready does.
   */
  trace(room: Checkout, without: readonly string[], box?: BoxWish): Promise<RoomTrace>;
  /** Files of a room that are no longer as they were checked out. */
  listRewritten(round: Round, room: Checkout): Promise<readonly string[]>;
  /** Of these paths of a room, those that git takes no notice of. */
  listIgnored(round: Round, room: Checkout, paths: readonly string[]): Promise<readonly string[]>;
  /** What a commit of this round changed, by path. */
  listChanged(round: Round, commit: string): Promise<readonly Change[]>;
  /** Looks whether a folder that a check brings is there, and may be brought; gives back where it is. */
  findBrought(from: Omit<BroughtFolder, "asOf">): Promise<string>;
  /** Lays a folder of the user's into a room, in place of whatever is there. One that lies in the target is refused. */
  bring(room: Checkout, from: BroughtFolder, into: string): Promise<void>;
  /** Throws a room away before the round ends. */
  discard(room: Checkout): Promise<void>;
  /** What a commit of the target changed against the round's base, for a round that was opened for base. */
  describe(round: Round, commit: string): Promise<CommittedWork>;
  /** What lies between two commits of the target, as a text that is kept: for looking at, without opening anything. */
  keepDiff(repo: string, base: string, commit: string): Promise<ArtifactRef>;
  /** Puts the commit on a new branch of the target. A branch of that name with other work on it is never moved. */
  propose(repo: string, round: Round, commit: string, branch: string): Promise<void>;
  /** The same of what was kept of a round whose own copies are gone. */
  proposeKept(repo: string, round: Round, commit: string, branch: string): Promise<void>;
  /** Ends what still runs of this round and removes its copies; what cannot be removed is left to `sweep`. */
  close(round: Pick<Round, "id" | "loop">): Promise<void>;
  /** Removes what rounds of other runs of this loop left behind, and says what is still there. Only the holder of the loop's lock may ask. */
  sweep(loop: string, keepRun: string): Promise<readonly string[]>;
}

export type Merged =
  | { readonly kind: "merged"; readonly commit: string }
  /** The commit that could not be brought together with those before it, and where. */
  | { readonly kind: "conflict"; readonly at: number; readonly paths: readonly string[] };

export interface Transplant {
  readonly commit: string;
  readonly from: string;
  readonly onto: string;
  readonly message: string;
}

export type Transplanted =
  /** `isSame`: the same files go from the same bytes to the same bytes. */
  | { readonly kind: "transplanted"; readonly commit: string; readonly tree: string; readonly isSame: boolean }
  | { readonly kind: "conflict"; readonly why: string; readonly paths: readonly string[] };

export interface Workspace {
  /** The maker's copy. */
  readonly work: string;
  /** Where the maker finds its brief, outside the copy. */
  readonly brief: string;
  /** Where a maker may say what it spent. */
  readonly usage: string;
  /** Where a maker may write what those who come after it should know; beside the copy, like the usage. */
  readonly notes?: string;
  readonly home: string;
  /** Where git objects of the copy lie outside of it. */
  readonly borrows?: readonly string[];
  /** Folders of ours that lie under the copy, the first on top: its commands see them in it, and what they write stays in the copy. */
  readonly below?: readonly string[];
}

export interface Checkout {
  readonly work: string;
  readonly home: string;
  /** Where git objects of the copy lie outside of it. */
  readonly borrows?: readonly string[];
  /** Folders of ours that lie under the copy, the first on top: its commands see them in it, and what they write stays in the copy. */
  readonly below?: readonly string[];
  /** The same of its home. */
  readonly belowHome?: readonly string[];
  /** Tool chains whose caches it has from base's own look. */
  readonly caches?: readonly string[];
  /** It has only files that differ from base, which lies under it. */
  readonly isOnBase?: true;
}

/** How a further copy for a verifier should be. */
export interface RoomShape {
  /** `unusual` is longer, with a space and a letter beyond ASCII in it. Default: usual. */
  readonly path?: "usual" | "unusual";
  /** How much older its files seem to be. */
  readonly olderByMs?: number;
  /** `elsewhere` has a file that names it beside the sources, as in a worktree. Default: the folder itself. */
  readonly git?: "beside" | "elsewhere";
}

/** A room to be made: which commit, and what of another one lies over it. */
export interface RoomPlan extends RoomShape {
  /** The same name for the same room when a crashed check is made again. */
  readonly name: string;
  readonly commit: string;
  readonly over?: { readonly commit: string; readonly paths: readonly string[] };
  /** With a copy of what is prepared, also where that could lie under it. */
  readonly isCopied?: true;
  readonly onBase?: OnBase;
}

export interface RoomTrace {
  /** The files that were there when it began. */
  readonly paths: readonly string[];
  /** What was read and written since the trace began. It can be asked once: a second read of a file is not told. */
  end(): Promise<Traced>;
}

/** Of the files that were there when it began: those that were read, and those that were written to, replaced or taken away, even if they are as before. */
export type Traced =
  | { readonly kind: "traced"; readonly read: readonly string[]; readonly touched: readonly string[] }
  | { readonly kind: "not-traced"; readonly why: string; readonly touched: readonly string[] };

/** A folder that a spec names, relative to its own. */
export interface BroughtFolder {
  readonly path: string;
  readonly specFolder: string;
  readonly repo: string;
  /** When the run began: from then on there was a maker about, and nothing in the folder may have changed. */
  readonly asOf: string;
}

export interface RoomOrder extends RoomShape {
  /** `base-with-new-tests` is base, with the test files that the proposal adds or changes laid over it. */
  readonly of: "base" | "proposal" | "base-with-new-tests";
}

/** Further copies for a verifier that needs more than its own: fresh each time, and gone with the round. */
export interface Rooms {
  /** Test files that the proposal adds or changes. */
  readonly newTests: readonly string[];
  open(order: RoomOrder): Promise<Checkout>;
  /** What files of base and of the proposal hold, by their blob ids; one that is missing or larger than 16 MiB is left out. */
  contents(blobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The test files of the commit that is looked at: plain files, by their blob ids. */
  testFiles(): Promise<readonly { readonly path: string; readonly blob: string }[]>;
  /** All plain files of base or of the commit that is looked at, by their blob ids. */
  files(of: "base" | "proposal"): Promise<readonly { readonly path: string; readonly blob: string }[]>;
  /** Files of a room that are no longer as they were checked out: what ran in it, or somebody else, wrote to them. */
  rewritten(room: Checkout): Promise<readonly string[]>;
  /** Lays a folder into a room, in place of whatever is there. It is named relative to the spec's folder, and may not lie in the target. */
  bring(room: Checkout, from: string, into: string): Promise<void>;
  /** Throws a room away before the round ends, so that nobody finds in it what was brought. */
  discard(room: Checkout): Promise<void>;
}
