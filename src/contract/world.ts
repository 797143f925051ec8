import type { ChangeReader, Comparison } from "./change-set.ts";
import type { ArtifactRef, BoxFact, Change, EgressConnection, Finding, Included, PreparedEntry, Proof } from "./evidence.ts";
import type { Meter, Owner } from "./ledger.ts";
import type { MakerEvent } from "./maker-events.ts";
import type { Models } from "./models.ts";
import type { Http, Mail, Mover } from "./mover.ts";
import type { Round } from "./round.ts";
import type { LoadSyntax } from "./syntax.ts";
import type { Admitted, Shown, Trust, Untrusted } from "./text.ts";

export interface Clock {
  now(): Date;
  /** Never goes back, whatever happens to the wall clock. */
  monotonicMs(): number;
}

export interface Ids {
  /** A few characters that no other run has. */
  token(): string;
  /** 64 hexadecimal digits that only this home can tell, the same for the same words. */
  secretFor(words: string): string;
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

/** What the operating system should keep a command to. The engine decides this: a part cannot. */
export interface BoxWish {
  /** Required: without a box the command does not run. */
  readonly when: "available" | "required";
  readonly network: "closed" | "open" | EgressWish;
  /** Its own places, to read and write. */
  readonly rooms: readonly string[];
  /** What it cannot do without, wherever that lies: to read only. */
  readonly needs: readonly string[];
  /** What the spec opens for it: absolute, from `~`, or from the folder below. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Folders among these that are made where they are missing: in the box nobody could make them. */
  readonly makes?: readonly string[];
  /** What it may not see, besides what no command sees; written in the same ways. */
  readonly hidden: readonly string[];
  readonly folder: string;
}

/** Which hosts a command reaches, by way of a proxy of ours and in no other way. Hosts are written as in a spec. */
export interface EgressWish {
  readonly allow: readonly string[];
  readonly credentials: readonly CredentialWish[];
}

/** A secret by the name of its variable: it is put into requests outside the box. */
export interface CredentialWish {
  readonly to: string;
  readonly header: string;
  readonly scheme?: string | undefined;
  readonly variable: string;
  readonly baseUrls: { readonly [variable: string]: string };
}

/** A command with the mark by which its processes are found again, even those that left their group. */
export interface MarkedCommand extends Command {
  readonly mark: string;
  readonly box?: BoxWish | undefined;
}

export interface Finished {
  readonly end:
    | { readonly kind: "exited"; readonly code: number }
    /** With a reason where it was us, because it used more than it may. */
    | { readonly kind: "killed"; readonly signal: string; readonly why?: string }
    | { readonly kind: "timed-out"; readonly afterMs: number };
  readonly tookMs: number;
  readonly used?: Used;
  /** Everything it printed, up to a cap. */
  readonly output: ArtifactRef;
  /** The last of it. */
  readonly tail: Untrusted;
  /** What it was truly kept to, whatever was wished for. */
  readonly box: BoxFact;
  /** What it asked our proxy for; not there where there was none. */
  readonly egress?: readonly EgressConnection[];
}

export interface Proc<C extends Command = Command> {
  /** Runs a command in a process group of its own and ends the whole group with it, also when we are killed. */
  run(command: C, dialogue?: Dialogue): Promise<Finished>;
}

/** For a part that listens to its command while it runs. Standard error is kept like all output, and not heard. */
export interface Dialogue {
  /** Each line of standard output once it is whole. Of a line longer than a mebibyte, and of bytes that are no text, the rest is lost. Printing waits for it. */
  heard(line: Untrusted): Promise<void>;
  /** Called once, when it runs. A command without `input` can be spoken to. */
  begun?(speaker: Speaker): void;
}

export interface Speaker {
  say(text: string): void;
  /** Lets it read the end of its input. */
  hangUp(): void;
  /** Ends the command and all it started, gently first. */
  end(): void;
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
  /** Every file of a commit, which is named by its full id. */
  filesOf(repo: string, commit: string): Promise<readonly TreeFile[]>;
}

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
  /** Makes ready for rooms of base before there is a proposal; what an earlier, interrupted try left there is thrown away. */
  openForBase(repo: string, round: Round): Promise<void>;
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
  /** Files of a room that are no longer as they were checked out. */
  listRewritten(round: Round, room: Checkout): Promise<readonly string[]>;
  /** Lays a folder of the user's into a room, in place of whatever is there. One that lies in the target is refused. */
  bring(room: Checkout, from: BroughtFolder, into: string): Promise<void>;
  /** Throws a room away before the round ends. */
  discard(room: Checkout): Promise<void>;
  /** What a commit of the target changed against the round's base, for a round that was opened for base. */
  describe(round: Round, commit: string): Promise<CommittedWork>;
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
  /** Where a maker may write what those who come after it should know; beside the copy, like the usage. */
  readonly notes?: string;
  readonly home: string;
  /** Where git objects of the copy lie outside of it. */
  readonly borrows?: readonly string[];
}

export interface Checkout {
  readonly work: string;
  readonly home: string;
  /** Where git objects of the copy lie outside of it. */
  readonly borrows?: readonly string[];
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
  /** Files of a room that are no longer as they were checked out: what ran in it, or somebody else, wrote to them. */
  rewritten(room: Checkout): Promise<readonly string[]>;
  /** Lays a folder into a room, in place of whatever is there. It is named relative to the spec's folder, and may not lie in the target. */
  bring(room: Checkout, from: string, into: string): Promise<void>;
  /** Throws a room away before the round ends, so that nobody finds in it what was brought. */
  discard(room: Checkout): Promise<void>;
}

/** Folders that are prepared once and copied into many rooms. An entry never changes: one that did is no entry any more. */
export interface PreparedStore {
  /** Which kind of machine this is, as far as installed things depend on it. */
  readonly machine: string;
  /** Runs the work while no other process does the same for this id; a wait that takes too long, or a stop, is a failure that passes. */
  exclusively<T>(id: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  /** An entry of that id, looked at file by file; what is there and is not whole is thrown away. Only for who works exclusively. */
  find(id: string): Promise<PreparedEntry | undefined>;
  /** Moves folders of a room into the store: whole or not at all. Only for who works exclusively. */
  put(id: string, room: Checkout, keep: readonly string[]): Promise<PreparedEntry>;
  /** Copies an entry into a room, in place of whatever is there. False, and nothing there, when it is no longer what it was. */
  lay(entry: Pick<PreparedEntry, "id" | "sha256">, room: Pick<Checkout, "work">, keep: readonly string[]): Promise<boolean>;
  /** Throws an entry away. */
  drop(entry: Pick<PreparedEntry, "id" | "sha256">): Promise<void>;
  /** Throws away what has not been used for long. */
  collect(): Promise<void>;
}

/** What a maker's copy needs that is no part of the repository. */
export interface Outfitter {
  /** Copies what `.worktreeinclude` names from the user's checkout into the maker's copy, and never over anything; undefined when nothing is named. */
  include(order: IncludeOrder): Promise<Included | undefined>;
  /** Takes ports in a row that are free and that no other run of this user has; they are given back when our process ends, however it ends. */
  takePorts(count: number): Promise<PortBlock>;
}

export interface IncludeOrder {
  readonly repo: string;
  /** The maker's copy. */
  readonly work: string;
  /** Base's `.worktreeinclude`, for a checkout that has none. */
  readonly byBase: string | undefined;
  /** Where nothing is put: what is hidden from the maker, and what was prepared for it. */
  readonly apart: Apart;
}

export interface PortBlock {
  readonly first: number;
  readonly last: number;
  release(): void;
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

/** Something that was asked for and is not done, with a reason that whoever asked can use. */
export interface Refused {
  readonly kind: "refused";
  readonly why: string;
}

/** Why a file of the copy may not be changed; undefined when it may. */
export type MayChange = (path: string, before: "there" | "absent") => string | undefined;

/**
 * Files of the maker's copy, for a maker that is told by a model what to do with them. Paths start at the root of the copy.
 * Each name on the way is opened by itself and no link is followed; only plain files with one name are read or changed.
 * What may not be is refused, and then nothing has happened.
 */
export interface CopyFiles {
  /** Installed dependencies, such as those in `node_modules`, are left out here and in a search, unless the folder lies in them. */
  list(folder: string, most: number): Promise<({ readonly kind: "list" } & FileList) | Refused>;
  readLines(path: string, from: number, most: number): Promise<LinesRead | Refused>;
  /** A piece of a file as text, by its place in bytes: for lines that are too long to be shown. */
  readBytes(path: string, from: number, most: number): Promise<BytesRead | Refused>;
  /** Lines that hold a text, in any case. */
  search(text: string, folder: string, most: number): Promise<Hits | Refused>;
  write(path: string, text: string): Promise<FileChanged | Refused>;
  /** Puts one text in the place of another, which must be there exactly once. */
  replace(path: string, before: string, after: string): Promise<FileChanged | Refused>;
  remove(path: string): Promise<FileChanged | Refused>;
  move(from: string, to: string): Promise<FileChanged | Refused>;
}

export interface LinesRead {
  readonly kind: "lines";
  readonly from: number;
  readonly lines: readonly ReadLine[];
  /** How many lines there are; undefined when the file was not read to its end. */
  readonly total: number | undefined;
  readonly bytes: number;
}

export interface ReadLine {
  readonly text: string;
  /** Where the rest of it begins, in bytes, when it is longer than what is shown of a line. */
  readonly restAt?: number;
}

export interface BytesRead {
  readonly kind: "bytes";
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

export interface Hits {
  readonly kind: "hits";
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** False when not everything was looked through, or more was found than asked for. */
  readonly isWhole: boolean;
}

export interface FileChanged {
  readonly kind: "changed";
  /** How many bytes the file has now; none when it is gone. */
  readonly bytes: number;
}

/** Files of a verifier's copy, which the code under test may have left in any shape. A path that leads out of it is refused. */
export interface RoomFiles {
  /** A plain file of at most 32 MiB; anything else counts as not there, also a link. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface FileList {
  readonly paths: readonly string[];
  /** False when there are more. */
  readonly isWhole: boolean;
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
  readonly prepared: PreparedStore;
  readonly outfitter: Outfitter;
  readonly proc: Proc<MarkedCommand>;
  readonly files: Files;
  readonly artifacts: Artifacts;
  readonly env: Environment;
  readonly census: Census;
  readonly loadSyntax: LoadSyntax;
  readonly models: Models;
  readonly mover: Mover;
  readonly comparing: Pick<ChangeReader, "betweenCommits">;
  readonly http: Http;
  readonly mail: Mail;
  /** The plain files under a folder, in order, without following links and without `.git`. */
  listFiles(folder: string, most: number): Promise<FileList>;
  /** Settings of an agent, in its own format, with our hook in them; the flags tell the hook about this run. */
  hookSettings(adapter: string, flags: string): string;
  workspaceFiles(work: string): WorkspaceFiles & RoomFiles;
  copyFiles(work: string, mayChange: MayChange): CopyFiles;
  /** Whether somebody asked for this run to stop. */
  stopAsked(): boolean;
}

/** What a maker may reach: its own copy, bounded commands, a running meter, and no way to propose or merge. */
export interface MakerWorld {
  readonly proc: Proc;
  readonly files: WorkspaceFiles & Pick<RoomFiles, "read">;
  readonly env: Environment;
  readonly meter: Meter;
  /** What the maker wrote about its spending, if anything. */
  readonly readUsage: () => Promise<string | undefined>;
  readonly agent: AgentWorld;
  readonly desk: MakerDesk;
  readonly notebook: Notebook;
}

/** What a maker works with that is a model with tools of ours. */
export interface MakerDesk {
  /** What a call may cost is set aside before it is made, and what it cost is on record before its reply is seen. */
  readonly models: Models;
  readonly files: CopyFiles;
  /** The only way in which a text of others gets to a model: scanned, fenced and cut. */
  show(text: Untrusted, label: { readonly source: string; readonly trust: Trust; readonly mostChars: number }): Shown;
  /** Keeps what is too long to be shown at once. */
  keep(text: string): Promise<ArtifactRef>;
  readKept(ref: ArtifactRef): Promise<string>;
}

/** Notes that outlive rounds, runs and processes. What is in it was written by makers: it is shown only as it was admitted. */
export interface Notebook {
  /** Keeps a note at once, redacted. One that is too long, one too many, or that reads like an injection is refused. */
  add(note: Untrusted): Promise<{ readonly kind: "kept" } | { readonly kind: "refused"; readonly why: string }>;
  /** All that this round may see, newest first, each with the round that wrote it. Also those of this very round. */
  read(): Promise<readonly NoteShown[]>;
}

export interface NoteShown {
  readonly roundId: string;
  readonly at: string;
  /** Fenced and labelled: fit for a brief or a prompt. */
  readonly text: Admitted;
}

/** What a maker needs that drives somebody else's agent. */
export interface AgentWorld {
  readonly clock: Clock;
  /** Puts on the screen and on record what is heard; kept within bounds. */
  tell(event: MakerEvent): Promise<void>;
  /** A line that said nothing we know is only counted. */
  missed(): void;
  /** The conversation of an earlier try at this round that did not come to its end. */
  readonly earlierSession: string | undefined;
  /** What the command guard says, with the bounds of this run, to an agent that asks us. */
  judge(command: string): { readonly decision: "allow" | "ask" | "deny"; readonly why: string };
  /** Settings of an agent, in its own format, with a hook in them by which it asks the same. */
  hookSettings(adapter: string): string;
  /** Lays a file beside the maker's copy, such as settings for the agent; gives back its path. */
  lay(name: string, text: string): Promise<string>;
}

/** What a verifier that asks for an opinion may use, and may show. */
export interface Desk {
  /** What an answer cost is on record before the answer is seen; when the run's budget is spent, nobody is asked any more. */
  readonly models: Models;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** The only way in which a text of others gets to a model: scanned, fenced and cut. */
  show(text: Untrusted, label: { readonly source: string; readonly trust: Trust; readonly mostChars: number }): Shown;
  readonly matter: Matter;
  listFiles(room: Checkout): Promise<FileList>;
  keep(text: string): Promise<ArtifactRef>;
}

/** What a round is about and what was seen of its proposal so far. What the maker says of it is not here. */
export interface Matter {
  readonly intent: string;
  readonly task: string;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

/** What a check needs that only runs things. */
export type CheckWorld = Omit<VerifierWorld, "desk">;

export interface VerifierWorld {
  /** For checks that draw what they try: the same in one round, on record after it, and not to be foreseen. */
  readonly seed: number;
  readonly proc: Proc;
  readonly git: GitReader;
  readonly env: Environment;
  readonly rooms: Rooms;
  readonly roomFiles: (room: Checkout) => RoomFiles;
  /** All that a command printed and that was kept, as text. */
  readonly readOutput: (output: ArtifactRef) => Promise<string>;
  readonly desk: Desk;
}

export interface NotifierWorld {
  readonly proc: Proc;
  readonly files: Files;
  readonly env: Environment;
  readonly http: Http;
  readonly mail: Mail;
}
