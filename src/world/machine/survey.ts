// Looks at the machine for `lw doctor`: what is there, and what can truly be said about it.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { availableParallelism, homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Variables } from "../../contract/around.ts";
import type { Environment } from "../../contract/clock.ts";
import { isLoopback } from "../../contract/models.ts";

export interface Answer {
  readonly code: number;
  readonly text: string;
}

/** Where a program is asked, and with which variables. */
export interface AskedWhere {
  readonly cwd: string;
  readonly env: Variables;
}

/** Runs a program for its answer; undefined when it cannot be started or takes too long. */
export function ask(program: string, args: readonly string[], where: AskedWhere, timeoutMs = 5_000): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { ...where, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const settle = (answer: Answer | undefined): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    let text = "";
    const add = (chunk: Buffer): void => {
      if (text.length < 10_000) text += chunk.toString("utf8");
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.on("error", () => settle(undefined));
    child.on("close", (code) => settle(code === null ? undefined : { code, text: text.trim() }));
  });
}

/** Whether anything answers at an address of this machine. Nobody else is asked. */
export async function answersOnLoopback(url: string, timeoutMs = 2_000): Promise<boolean> {
  if (!isLoopback(new URL(url).hostname)) return false;
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) }).then(
    async ({ body }) => {
      await body?.cancel();
      return true;
    },
    () => false,
  );
}

/** Where a program lies on the PATH; where nobody names one, in the usual places. */
export async function findProgram(name: string, env: Environment): Promise<string | undefined> {
  for (const folder of (env.get("PATH") ?? "/usr/bin:/bin").split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Whether the user has such a file; a shut one counts. */
export const isInHome = (file: string, env: Environment): Promise<boolean> =>
  access(join(env.get("HOME") ?? homedir(), file), constants.F_OK).then(
    () => true,
    () => false,
  );

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

export const machine = {
  /** How much can go on at once. */
  cores: availableParallelism(),
  platform: process.platform,
  arch: process.arch,
  nodeVersion: process.versions.node,
  /** Undefined where users have no numbers. */
  userId: process.getuid?.(),
};
