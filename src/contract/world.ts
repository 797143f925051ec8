import type { Comparison } from "./change-set.ts";
import type { ArtifactRef, Change } from "./evidence.ts";
import type { Meter, Owner } from "./ledger.ts";
import type { Round } from "./round.ts";
import type { LoadSyntax } from "./syntax.ts";
import type { Untrusted } from "./text.ts";

export interface Clock {
  now(): Date;
  /** Never goes back, whatever happens to the wall clock. */
  monotonicMs(): number;
}

export interface Ids {
  /** A few characters that no other run has. */
  token(): string;
}

/** A shell command, with everything it may see and use. */
export interface Command {
  readonly run: string;
  readonly cwd: string;
  /** The whole environment. Nothing of ours is added but a mark that lets us find the process again. */
  readonly env: { readonly [name: string]: string };
  readonly timeoutMs: number;
  readonly input?: string;
  /** Called about twice a second while it runs; on `stop` the whole group is ended, and the end is told as a time-out. */
  readonly meanwhile?: (used: Used) => Promise<"go-on" | "stop">;
}

/** What a command has used so far, with all its processes. What the system does not tell is not there. */
export interface Used {
  readonly cpuMs?: number;
  /** As many as were seen: one that came and went between two looks was not. */
  readonly processes?: number;
  readonly diskBytes?: number;
}

/** A command with the mark by which its processes are found again, even those that left their group. */
export interface MarkedCommand extends Command {
  readonly mark: string;
}

export interface Finished {
  readonly end:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "killed"; readonly signal: string }
    | { readonly kind: "timed-out"; readonly afterMs: number };
  readonly tookMs: number;
  readonly used?: Used;
  /** Everything it printed, up to a cap. */
  readonly output: ArtifactRef;
  /** The last of it. */
  readonly tail: Untrusted;
}

export interface Proc<C extends Command = Command> {
  /** Runs a command in a process group of its own and ends the whole group with it, also when we are killed. */
  run(command: C): Promise<Finished>;
}

export interface Artifacts {
  keep(bytes: Uint8Array | string): Promise<ArtifactRef>;
  read(ref: ArtifactRef): Promise<Uint8Array>;
}

/** One commit as read from the target. Subject and paths are a stranger's words. */
export interface CommitFacts {
  readonly commit: string;
  readonly at: string;
  readonly subject: Untrusted;
  readonly body: Untrusted;
  readonly parents: number;
  readonly paths: readonly Untrusted[];
  readonly changedLines: number;
}

export interface RefWalk {
  readonly ref: string;
  readonly tip: string | undefined;
  readonly commits: readonly CommitFacts[];
  readonly notes: readonly string[];
}

/** Reading the target. Nothing here writes to it. */
export interface GitReader {
  /** The branch the repository is on, or HEAD when it is on none. */
  headName(repo: string): Promise<string>;
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

export interface CommittedWork {
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly Change[];
  readonly diff: ArtifactRef;
}

/**
 * A round's own copies of the repository, kept away from the user's checkout. All places come from the round id,
 * so everything here is safe to do twice.
 */
export interface Workshop {
  /** A fresh copy of base for the maker; what an earlier, interrupted try left there is thrown away. */
  openWorkspace(repo: string, round: Round): Promise<Workspace>;
  /** Makes one commit of whatever the maker left in its copy, whether it committed it or not. */
  commitWorkspace(repo: string, round: Round, message: string): Promise<CommittedWork>;
  /** Keeps a commit of this round in the target, under a name that is no branch, so that the round can go on from it later. */
  keep(repo: string, round: Round, commit: string): Promise<void>;
  /** Lays what was kept into the maker's fresh copy. */
  restore(round: Round, commit: string): Promise<void>;
  /** Gives up what was kept of a round, if anything was. */
  forget(repo: string, round: Pick<Round, "id">): Promise<void>;
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
  /** Lays a folder of the user's into a room, in place of whatever is there. One that lies in the target is refused. */
  bring(room: Checkout, from: BroughtFolder, into: string): Promise<void>;
  /** Throws a room away before the round ends. */
  discard(room: Checkout): Promise<void>;
  /** Puts the commit on a new branch of the target. A branch of that name with other work on it is never moved. */
  propose(repo: string, round: Round, commit: string, branch: string): Promise<void>;
  /** Whether a proposal still waits: its branch exists and base does not contain it. */
  isWaiting(repo: string, branch: string, base: string): Promise<boolean>;
  /** Ends what still runs of this round and removes its copies; what cannot be removed is left to `sweep`. */
  close(round: Pick<Round, "id" | "loop">): Promise<void>;
  /** Removes what rounds of other runs of this loop left behind. Only the holder of the loop's lock may ask. */
  sweep(loop: string, keepRun: string): Promise<void>;
}

export interface Workspace {
  /** The maker's copy. */
  readonly work: string;
  /** Where the maker finds its brief, outside the copy. */
  readonly brief: string;
  /** Where a maker may say what it spent. */
  readonly usage: string;
  readonly home: string;
}

export interface Checkout {
  readonly work: string;
  readonly home: string;
}

/** How a further copy for a verifier should be. */
export interface RoomShape {
  /** `unusual` is longer, with a space and a letter beyond ASCII in it. Default: usual. */
  readonly path?: "usual" | "unusual";
  /** How much older its files seem to be. */
  readonly olderByMs?: number;
}

/** A room to be made: which commit, and what of another one lies over it. */
export interface RoomPlan extends RoomShape {
  /** The same name for the same room when a crashed check is made again. */
  readonly name: string;
  readonly commit: string;
  readonly over?: { readonly commit: string; readonly paths: readonly string[] };
}

/** A folder that a spec names, relative to its own. */
export interface BroughtFolder {
  readonly path: string;
  readonly specFolder: string;
  readonly repo: string;
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
  /** Lays a folder into a room, in place of whatever is there. It is named relative to the spec's folder, and may not lie in the target. */
  bring(room: Checkout, from: string, into: string): Promise<void>;
  /** Throws a room away before the round ends, so that nobody finds in it what was brought. */
  discard(room: Checkout): Promise<void>;
}

export interface Files {
  /** A plain file of at most 4 MiB; anything else counts as not there. */
  readText(path: string): Promise<string | undefined>;
  /** Whole or not at all, also in a power cut. */
  writeText(path: string, text: string): Promise<void>;
}

/** Files of the maker's copy. A path that leads out of it, by name or by link, is refused. */
export interface WorkspaceFiles {
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Files of a verifier's copy, which the code under test may have left in any shape. A path that leads out of it is refused. */
export interface RoomFiles {
  /** A plain file of at most 32 MiB; anything else counts as not there, also a link. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** The variables of our own environment that a part may ask for by name. */
export interface Environment {
  get(name: string): string | undefined;
}

/** Who we are among the processes of this machine, and whether another one is still there. */
export interface Census {
  self(): Owner;
  isGone(owner: Owner): boolean;
}

/** Everything outside the program, behind the smallest doors that serve. */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly git: GitReader;
  readonly workshop: Workshop;
  readonly proc: Proc<MarkedCommand>;
  readonly files: Files;
  readonly artifacts: Artifacts;
  readonly env: Environment;
  readonly census: Census;
  readonly loadSyntax: LoadSyntax;
  workspaceFiles(work: string): WorkspaceFiles & RoomFiles;
  /** Whether somebody asked for this run to stop. */
  stopAsked(): boolean;
}

/** What a maker may reach: its own copy, bounded commands, a running meter, and no way to propose or merge. */
export interface MakerWorld {
  readonly proc: Proc;
  readonly files: WorkspaceFiles;
  readonly env: Environment;
  readonly meter: Meter;
  /** What the maker wrote about its spending, if anything. */
  readonly readUsage: () => Promise<string | undefined>;
}

export interface VerifierWorld {
  readonly proc: Proc;
  readonly git: GitReader;
  readonly env: Environment;
  readonly rooms: Rooms;
  readonly roomFiles: (room: Checkout) => RoomFiles;
  /** All that a command printed and that was kept, as text. */
  readonly readOutput: (output: ArtifactRef) => Promise<string>;
}

export interface NotifierWorld {
  readonly proc: Proc;
  readonly files: Files;
  readonly env: Environment;
}
