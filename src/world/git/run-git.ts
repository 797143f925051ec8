// The one way to git: no shell, no hooks, no prompts, no system or user configuration, bounded output.
import { spawn } from "node:child_process";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly input?: string | Uint8Array;
  /** Output past this many bytes is left out and git ended there: for what only people read. Without it, too much is a failure. */
  readonly cutAtBytes?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git and gives back whatever it answered, also when it said no. */
export type RunGit = (call: GitCall) => Promise<GitAnswer>;

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

export function createRunGit(options: { readonly path: string; readonly signal?: AbortSignal }): RunGit {
  const base = {
    PATH: options.path,
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
  return (call) =>
    new Promise((resolve, reject) => {
      if (options.signal?.aborted) return reject(interrupted());
      const child = spawn("git", [...SAFE_CONFIG, ...call.args], {
        cwd: call.cwd,
        env: { ...base, ...call.env },
        stdio: ["pipe", "pipe", "pipe"],
        // Ctrl-C reaches everything in our process group. A git that it ended would look like one that failed.
        detached: true,
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
      child.on("error", (cause) => reject(gitMissing(call.cwd, cause)));
      child.on("close", (code, signal) => {
        if (tooMuch && call.cutAtBytes !== undefined) return resolve({ code: 0, stdout: Buffer.concat(out), stderr });
        if (tooMuch) return reject(gitFailed(call.args, `printed more than ${most} bytes`));
        if (code === null) return reject(gitFailed(call.args, `was killed by ${signal}`));
        resolve({ code, stdout: Buffer.concat(out), stderr });
      });
      // A git that ends early closes the pipe; its exit code tells the story.
      child.stdin.on("error", () => {});
      child.stdin.end(call.input);
    });
}

/** The git of whoever started us; where they name no place for programs, the usual ones. */
export const gitFor = (env: Environment): RunGit => createRunGit({ path: env.get("PATH") ?? "/usr/bin:/bin" });

/** Runs git and takes no for a failure. */
export async function gitOrThrow(git: RunGit, call: GitCall): Promise<Buffer> {
  const { code, stdout, stderr } = await git(call);
  if (code === 0) return stdout;
  throw gitFailed(call.args, stderr.trim() || `exited ${code}`);
}

/** Runs git and gives back its one line of output. */
export const gitLine = async (git: RunGit, call: GitCall): Promise<string> => (await gitOrThrow(git, call)).toString("utf8").trim();

const gitFailed = (args: readonly string[], why: string): LoopError =>
  new LoopError("git-failed", `git ${args.find((arg) => !arg.startsWith("-")) ?? ""} failed: ${why.slice(0, 2000)}`, {
    retry: "never",
    hint: "Look at the repository with `git status` and `git fsck`, then try again.",
  });

const gitMissing = (cwd: string, cause: Error): LoopError =>
  new LoopError("git-failed", `git could not be started in ${cwd}: ${cause.message}`, {
    retry: "never",
    hint: "Check that git is on the PATH and that the folder exists; `lw doctor` tells more.",
    cause,
  });

const interrupted = (): LoopError =>
  new LoopError("interrupted", "stopped before the next git call", { retry: "later", hint: "Go on with `lw resume`." });
