// The one way to start git: no shell, no hooks, no prompts, no system or user configuration, bounded output.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { LoopError } from "../../contract/errors.ts";
import { OWNER_VARIABLE, ownName } from "../process/owner.ts";
import { signalGroup } from "../process/processes.ts";
import { type Asked, createStarter } from "./starter.ts";
import { type Patience, USUAL_PATIENCE, watchGit } from "./watch-git.ts";

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly input?: string | Uint8Array;
  /** Output past this many bytes is left out and git ended there: for what only people read. Without it, too much is a failure. */
  readonly cutAtBytes?: number;
  /** Words that stand before it, and start it where it sees what it should. */
  readonly around?: readonly string[];
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git and gives back whatever it answered, also when it said no. */
export type CallGit = (call: GitCall) => Promise<GitAnswer>;

/** Starts a git that stays, to be spoken with. It hears the end of its input when we are gone, and ends by itself. */
export type StartGit = (call: Pick<GitCall, "cwd" | "args" | "env" | "around">) => ChildProcessWithoutNullStreams;

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_STDERR = 64 * 1024;

/** Nothing planted in a repository's or a user's configuration may run or redirect when we call git. */
const SAFE_CONFIG = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.sshCommand=false",
  "core.askPass=true",
  "credential.helper=",
  "protocol.version=2",
  "fetch.writeCommitGraph=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "log.showSignature=false",
  "diff.external=",
  "core.quotePath=false",
  "core.precomposeUnicode=false",
  "advice.detachedHead=false",
  "init.defaultBranch=main",
].flatMap((setting) => ["-c", setting]);

/**
 * What a repository says about itself may not change what we read of it: no grafts, no attributes that declare files
 * binary, no fetching of missing objects, and files too large to compare count as binary.
 */
export const READ_ONLY = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_GRAFT_FILE: "/dev/null",
  GIT_INDEX_FILE: "/nonexistent/index",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.attributesFile",
  GIT_CONFIG_VALUE_0: "/dev/null",
  GIT_CONFIG_KEY_1: "core.bigFileThreshold",
  GIT_CONFIG_VALUE_1: "32m",
};

export interface GitCalls {
  readonly call: CallGit;
  readonly start: StartGit;
  /** What is kept to start the next one sooner is let go; it can be called again. */
  readonly close: () => void;
}

export function createGitCalls(path: string, patience: Patience = USUAL_PATIENCE): GitCalls {
  const base = {
    // One that outlives us is ended by whoever comes next.
    [OWNER_VARIABLE]: ownName(),
    PATH: path,
    HOME: "/nonexistent",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    // Stronger than any configuration: only folders of this machine can be fetched from.
    GIT_ALLOW_PROTOCOL: "file",
    GIT_PAGER: "cat",
  };
  const start: StartGit = ({ cwd, args, env, around = [] }) => {
    const [program = "git", ...words] = [...around, "git", ...SAFE_CONFIG, ...args];
    return spawn(program, words, {
      cwd,
      env: { ...base, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C reaches everything in our process group. A git that it ended would look like one that failed.
      detached: true,
    });
  };
  const starter = createStarter(["git", ...SAFE_CONFIG], base);
  const call: CallGit = async (call) => {
    const most = { stdout: call.cutAtBytes ?? MOST_BYTES, stderr: MOST_STDERR };
    // Words before it are for the room that it works in, and tell for themselves what was wrong there.
    const asked = call.around === undefined ? starter.ask(call, most) : undefined;
    return (asked && (await answerTo(asked, call, patience))) ?? answerOf(start(call), call, patience);
  };
  return { start, call, close: starter.close };
}

/** Undefined where nothing was run: why not is said by starting it otherwise. */
async function answerTo({ pid, came }: Asked, call: GitCall, patience: Patience): Promise<GitAnswer | undefined> {
  let still: string | undefined;
  const watch = watchGit(pid, patience, (why) => {
    still = why;
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
  });
  const how = await came.finally(() => watch.end());
  if (still !== undefined) throw gitStill(call, still);
  switch (how.kind) {
    case "answered":
      return how.answer;
    case "not-run":
      return undefined;
    case "killed":
      throw gitFailed(call.args, `was killed by ${how.by}`);
    case "too-much":
      if (call.cutAtBytes === undefined) throw gitFailed(call.args, `printed more than ${MOST_BYTES} bytes`);
      return { code: 0, stdout: how.stdout, stderr: how.stderr };
  }
}

const answerOf = (child: ChildProcessWithoutNullStreams, call: GitCall, patience: Patience): Promise<GitAnswer> =>
  new Promise((resolve, reject) => {
    let still: string | undefined;
    const watch = watchGit(child.pid, patience, (why) => {
      still = why;
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    });
    const most = call.cutAtBytes ?? MOST_BYTES;
    const out: Buffer[] = [];
    let outBytes = 0;
    let stderr = "";
    let tooMuch = false;
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk.subarray(0, Math.max(0, most - outBytes)));
      outBytes += chunk.length;
      if (outBytes <= most) return;
      tooMuch = true;
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < MOST_STDERR) stderr += chunk.toString("utf8");
    });
    child.on("error", (cause) => {
      watch.end();
      reject(gitMissing(call.cwd, cause));
    });
    child.on("close", (code, signal) => {
      watch.end();
      if (still !== undefined) return reject(gitStill(call, still));
      if (tooMuch && call.cutAtBytes !== undefined) return resolve({ code: 0, stdout: Buffer.concat(out), stderr });
      if (tooMuch) return reject(gitFailed(call.args, `printed more than ${most} bytes`));
      if (code === null) return reject(gitFailed(call.args, `was killed by ${signal}`));
      resolve({ code, stdout: Buffer.concat(out), stderr });
    });
    // A git that ends early closes the pipe; its exit code tells the story.
    child.stdin.on("error", () => {});
    child.stdin.end(call.input);
  });

/** Git tells of a full disk only in words; of a lock that it could not write, without saying why. */
const NO_ROOM = /No space left on device|Disk quota exceeded|Out of diskspace|unable to write file |couldn't write '.*\.lock'/;

/** That no room is left says nothing against what was done; it can be tried again once there is. Undefined where git says something else. */
export const gitWithoutRoom = (stderr: string): LoopError | undefined =>
  NO_ROOM.test(stderr)
    ? new LoopError("store-unusable", `git found no room to write: ${stderr.trim().slice(0, 1000)}`, {
        retry: "later",
        hint: "The disk of that repository is full: make room, then go on with `lw resume`.",
      })
    : undefined;

export const gitFailed = (args: readonly string[], why: string): LoopError =>
  gitWithoutRoom(why) ??
  new LoopError("git-failed", `git ${nameOf(args)} failed: ${why.slice(0, 2000)}`, {
    retry: "never",
    hint: "Look at the repository with `git status` and `git fsck`, then try again.",
  });

const gitStill = ({ args, cwd }: GitCall, why: string): LoopError =>
  new LoopError("git-failed", `git ${nameOf(args)} in ${cwd} gave no answer: ${why}`, {
    retry: "never",
    hint: "Look at the repository's .git/config, at the files it includes, and at what else git reads there.",
  });

const nameOf = (args: readonly string[]): string => args.find((arg) => !arg.startsWith("-")) ?? "";

export const gitMissing = (cwd: string, cause: Error): LoopError =>
  new LoopError("git-failed", `git could not be started in ${cwd}: ${cause.message}`, {
    retry: "never",
    hint: "Check that git is on the PATH and that the folder exists; `lw doctor` tells more.",
    cause,
  });
