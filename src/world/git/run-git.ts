// Git as the house has it: called for one answer, or kept open to be asked about the objects of a repository.
import type { Environment } from "../../contract/clock.ts";
import { createFinder, type Finder } from "./find-repository.ts";
import { type CallGit, createGitCalls, type GitCall, type GitCalls, gitFailed, type StartGit } from "./git-call.ts";
import { createKeptObjects, type KeptObjects } from "./objects.ts";

/** Runs git and gives back whatever it answered, also when it said no. Whoever made it closes it. */
export interface RunGit extends CallGit {
  readonly start: StartGit;
  /** What is known of the repository that a folder lies in. */
  readonly find: Finder;
  /** Kept open for whoever asks next, until it is let go, idle for long, or all is closed. */
  readonly objects: KeptObjects;
  readonly close: () => void;
}

export const createRunGit = ({ path }: { readonly path: string }): RunGit => gitOf(createGitCalls(path));

export function gitOf({ call, start, close = () => {} }: Pick<GitCalls, "call" | "start"> & Partial<GitCalls>): RunGit {
  const objects = createKeptObjects(start);
  const closeAll = (): void => {
    objects.close();
    close();
  };
  return Object.assign((asked: GitCall) => call(asked), { start, objects, find: createFinder(call, objects.letGo), close: closeAll });
}

/** The git of whoever started us; where they name no place for programs, the usual ones. */
export const gitFor = (env: Environment): RunGit => createRunGit({ path: env.get("PATH") ?? "/usr/bin:/bin" });

/** For one piece of work, after which nothing of it is kept open. */
export async function withGit<T>(env: Environment, work: (git: RunGit) => Promise<T>): Promise<T> {
  const git = gitFor(env);
  try {
    return await work(git);
  } finally {
    git.close();
  }
}

/** Runs git and takes no for a failure. */
export async function gitOrThrow(git: CallGit, call: GitCall): Promise<Buffer> {
  const { code, stdout, stderr } = await git(call);
  if (code === 0) return stdout;
  throw gitFailed(call.args, stderr.trim() || `exited ${code}`);
}

/** Runs git and gives back its one line of output. */
export const gitLine = async (git: CallGit, call: GitCall): Promise<string> => (await gitOrThrow(git, call)).toString("utf8").trim();
