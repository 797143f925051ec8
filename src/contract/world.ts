import type { Comparison } from "./change-set.ts";
import type { ArtifactRef, Change, Spend } from "./evidence.ts";
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
}

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
  /** What a commit of this round changed, both sides of every file. */
  compareWithBase(round: Round, commit: string): Promise<Comparison>;
  /** A fresh copy of a commit that the maker never touched, for one verifier. The maker's own copy is gone by then. */
  checkOut(repo: string, round: Round, commit: string, verifier: number): Promise<Checkout>;
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

/** The variables of our own environment that a part may ask for by name. */
export interface Environment {
  get(name: string): string | undefined;
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
  readonly loadSyntax: LoadSyntax;
  workspaceFiles(work: string): WorkspaceFiles;
  /** Whether somebody asked for this run to stop. */
  stopAsked(): boolean;
}

/** What a maker says it spent is on record before it goes on. */
export interface Meter {
  charge(spend: Spend): Promise<"go-on" | "budget-spent">;
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
}

export interface NotifierWorld {
  readonly proc: Proc;
  readonly files: Files;
  readonly env: Environment;
}
