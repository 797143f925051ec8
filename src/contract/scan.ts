// What can be seen of a repository by reading its files: each fact with where it stands, and how sure it is.

/** A place in a file. The line is missing where the file itself, by being there, is what was seen. */
export interface Sighting {
  readonly file: string;
  readonly line?: number;
}

/**
 * certain: somebody wrote it down, or CI runs it. likely: it follows from what is written.
 * guessed: it is what such projects usually do, and nothing here says so.
 */
export type Sureness = "certain" | "likely" | "guessed";

export interface Fact {
  readonly sure: Sureness;
  /** Why it is taken for true, in words. */
  readonly because: string;
  readonly seen: readonly Sighting[];
}

export const TASKS = ["test", "lint", "typecheck", "build", "format"] as const;
export type Task = (typeof TASKS)[number];

export interface LanguageFact {
  readonly language: string;
  readonly files: number;
}

/** Something that is built or tested by itself. */
export interface PackageFact extends Fact {
  /** From the root; empty for the root itself. */
  readonly folder: string;
  readonly name?: string;
  readonly ecosystem: string;
}

/** Several packages that are worked on together. */
export interface WorkspaceFact extends Fact {
  readonly tool: string;
  readonly folder: string;
  /** As they are written, globs included. */
  readonly members: readonly string[];
}

export interface ManagerFact extends Fact {
  readonly manager: string;
  readonly folder: string;
}

/** A command to be run in a folder of the repository. */
export interface CommandFact extends Fact {
  readonly task: Task;
  readonly run: string;
  readonly folder: string;
  readonly ecosystem: string;
  /** Whether a step of CI runs it. */
  readonly inCi: boolean;
}

/** The names of these are those of the formats that `results` of a verifier knows. */
export interface ResultsWay {
  readonly format: string;
  /** Inside the folder; without it they are printed. */
  readonly file?: string;
}

/** How the tests are run so that a verifier can read them; without `results` only the exit code tells. */
export interface CheckFact extends Fact {
  readonly runner: string;
  readonly run: string;
  readonly folder: string;
  readonly ecosystem: string;
  readonly results?: ResultsWay;
  /** The whole of what the project calls its tests, where this runs only a part of it. */
  readonly whole?: string;
  /** Variables of the user's environment that it cannot do without. */
  readonly inherit: readonly string[];
  /** What to know about it, in sentences. */
  readonly notes: readonly string[];
}

/** How what is no part of the repository is brought, once, from base. */
export interface PrepareFact extends Fact {
  readonly run: string;
  readonly folder: string;
  /** From the folder. */
  readonly keep: readonly string[];
  readonly ecosystem: string;
  readonly inherit: readonly string[];
}

/** One command that CI runs. */
export interface CiStep {
  readonly job: string;
  readonly run: string;
  readonly folder: string;
  readonly line: number;
}

export interface CiFact {
  readonly system: string;
  readonly file: string;
  /** Whether it runs for changes, and not only for releases or by hand; undefined where the system does not say. */
  readonly onChanges?: boolean;
  readonly steps: readonly CiStep[];
}

export interface BranchFact extends Fact {
  readonly branch: string;
}

export interface ForgeFact extends Fact {
  readonly forge: "github" | "gitlab" | "bitbucket" | "gitea" | "azure-devops" | "other";
  readonly host: string;
  /** As the forge calls it, such as owner/name. */
  readonly repository: string;
}

/** An agent that a maker of ours can call. */
export interface AgentFact {
  readonly maker: string;
  readonly program: string;
  readonly path: string;
}

/** Everything that was seen, best first wherever there are several. */
export interface RepositoryScan {
  readonly languages: readonly LanguageFact[];
  readonly packages: readonly PackageFact[];
  readonly workspaces: readonly WorkspaceFact[];
  readonly managers: readonly ManagerFact[];
  readonly commands: readonly CommandFact[];
  readonly checks: readonly CheckFact[];
  readonly prepares: readonly PrepareFact[];
  readonly ci: readonly CiFact[];
  readonly branch: BranchFact | undefined;
  readonly forge: ForgeFact | undefined;
  readonly agents: readonly AgentFact[];
  /** What was looked for and is not there, in sentences. */
  readonly missing: readonly string[];
  /** What is there and could not be looked at, and why. */
  readonly unread: readonly string[];
}

/** The files of a repository, as far as they were listed and read. */
export interface Tree {
  /** From the root, with `/` between names, in order. */
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

/** What one ecosystem sees in a tree. */
export interface Sights {
  readonly packages: readonly PackageFact[];
  readonly workspaces: readonly WorkspaceFact[];
  readonly managers: readonly ManagerFact[];
  readonly commands: readonly CommandFact[];
  readonly checks: readonly CheckFact[];
  readonly prepares: readonly PrepareFact[];
}

/** A way of building software, and how it is told from files. */
export interface Ecosystem {
  readonly name: string;
  /** Whether the text of a file is needed, told by its name and its path. */
  readonly reads: (name: string, path: string) => boolean;
  readonly look: (tree: Tree) => Sights;
}

/** A system that runs checks for a repository, and how what it runs is read. */
export interface CiSystem {
  readonly name: string;
  readonly reads: (path: string) => boolean;
  /** Undefined where the text cannot be read. */
  readonly look: (path: string, text: string) => CiFact | undefined;
}
