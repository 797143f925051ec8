// Calls the packed `lw`, as a function or as a process, in a place of its own that leaves nothing behind.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import type { runCli } from "../../src/cli/run-cli.ts";
import { createRepo, type TestRepo } from "./git-repo.ts";

/** How many places are worked in at once, where a test has many. */
const AT_ONCE = 3;

/** How a command ended, and everything it said. */
export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
  readonly input?: string;
}

/** For loops of tests whose parts leave marks outside, where a box would not let them. */
export const UNBOXED = { maker: { when: "off" }, verifiers: { when: "off" } };

/** Two ways to call `lw` that give the same: in this process, or in one of its own. */
export interface Caller {
  lw(args: readonly string[], around?: Surroundings): Promise<Ended>;
  /** Runs with --json, and reads the one document that must be all of stdout. */
  json(args: readonly string[], around?: Surroundings): Promise<Answer>;
}

/** A temporary folder with a home and a target repository, and `lw` called in it: in this process, unless it says otherwise. */
export interface Place extends Caller {
  readonly dir: string;
  readonly home: string;
  readonly repo: TestRepo;
  /** Writes a file into the folder and gives back its path. */
  write(name: string, text: string): string;
  /** The same, as a program that can be run. */
  writeProgram(name: string, text: string): string;
  read(name: string): string;
  start(args: readonly string[], around?: Surroundings): Running;
  /** For what must be a process of its own: it may die, is told by its terminal, or meets others at a lock. */
  readonly apart: Caller;
}

export interface Answer extends Ended {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
  readonly said: any;
}

/** Gives the work a place, and removes it afterwards with every process that was started in it. */
export async function inPlace<T>(work: (place: Place) => Promise<T>, makeRepo: () => TestRepo = createRepo): Promise<T> {
  const repo = makeRepo();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "lw-place-")));
  const started: Pick<Running, "signal" | "ended">[] = [];
  const place = describePlace(dir, repo, (running) => started.push(running));
  try {
    return await work(place);
  } finally {
    for (const running of started) running.signal("SIGKILL");
    await Promise.allSettled(started.map(({ ended }) => ended));
    endAll(processesWhere((setting) => setting.includes(dir)));
    repo.remove();
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function describePlace(dir: string, repo: TestRepo, onStart: (running: Pick<Running, "signal" | "ended">) => void): Place {
  const home = join(dir, "home");
  mkdirSync(join(dir, "user"));
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const whole = ({ cwd = dir, env = {}, input = "" }: Surroundings = {}): Required<Surroundings> => ({
    cwd,
    env: { ...plainEnvironment(dir), LOOPWRIGHT_HOME: home, ...env },
    input,
  });
  const start = (args: readonly string[], around?: Surroundings): Running => {
    const running = startProgram([inject("build").program, ...args], whole(around));
    onStart(running);
    return running;
  };
  const callHere = (args: readonly string[], around?: Surroundings): Promise<Ended> => {
    const called = callProgram(args, whole(around));
    onStart(called);
    return called.ended;
  };
  return {
    dir,
    home,
    repo,
    write,
    writeProgram(name, text) {
      const path = write(name, text);
      chmodSync(path, 0o755);
      return path;
    },
    read: (name) => readFileSync(join(dir, name), "utf8"),
    start,
    apart: callerBy((args, around) => start(args, around).ended),
    ...callerBy(callHere),
  };
}

const callerBy = (lw: Caller["lw"]): Caller => ({
  lw,
  async json(args, around) {
    const ended = await lw([...args, "--json"], around);
    return { ...ended, said: readJson(ended) };
  },
});

/** What a quiet shell would give: nothing of the machine's own that could change how lw behaves. */
const plainEnvironment = (dir: string) => ({
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: join(dir, "user"),
  LANG: "C.UTF-8",
  LOOPWRIGHT_TEST_PLACE: dir,
});

/** Calls the packed command line in this process, as its binary would with nobody at a terminal. */
function callProgram(args: readonly string[], { cwd, env, input }: Required<Surroundings>): Pick<Running, "signal" | "ended"> {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const listeners = new Set<() => void>();
  const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : Uint8Array.from(text));
  const { program, cli, version } = inject("build");
  const call = async (): Promise<Ended> => {
    const { runCli: packed }: { readonly runCli: typeof runCli } = await import(pathToFileURL(cli).href);
    const exit = await packed(
      args,
      {
        out: (text) => void out.push(bytesOf(text)),
        err: (text) => void err.push(bytesOf(text)),
        input: { isTyped: () => false, chunks: () => Readable.from(input === "" ? [] : [Buffer.from(input)]) },
        cwd,
        outIsTerminal: false,
        outColor: false,
        errColor: false,
        isLive: false,
        columns: 80,
      },
      {
        env,
        platform: process.platform,
        program: [process.execPath, program],
        version,
        onSignal: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    );
    return { exit, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") };
  };
  return {
    ended: call(),
    signal: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** Starts a program of Node's in a process group of its own, as a shell would. */
export function startProgram(args: readonly string[], { cwd, env, input }: Required<Surroundings>): Running {
  const child = spawn(process.execPath, [...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return { pid: child.pid!, ended: endOf(child), signal: (name) => void child.kill(name) };
}

function endOf(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        exit: code ?? signal ?? "SIGKILL",
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
      }),
    );
  });
}

function readJson({ exit, stdout, stderr }: Ended): unknown {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`not one JSON document (exit ${exit}):\n${stdout}\n--- stderr:\n${stderr}`, { cause });
  }
}

/** Processes that were marked as part of a run, or of one of its rounds. */
export const processesOfRun = (run: string): readonly number[] =>
  processesWhere((setting) => setting === `LOOPWRIGHT_MARK=${run}` || setting.startsWith(`LOOPWRIGHT_MARK=${run}.`));

/** Processes that were started in a place, by us or by what we started. Those that have ended and wait to be noticed are none. */
export const processesIn = ({ dir }: Pick<Place, "dir">): readonly number[] =>
  processesWhere((setting) => setting.includes(dir)).filter((pid) => !isZombie(pid));

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** Processes with such a setting in their environment. Only where /proc tells. */
function processesWhere(isSuch: (setting: string) => boolean): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).some(isSuch));
}

function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    // It has ended in the meantime, or is not ours to see.
    return [];
  }
}

/** Lines of shell in the place of git that find out who called for it, where that one has a shell start it: `$lw`. */
export const CALLER = `lw=$PPID
read -r _ name _ parent _ < "/proc/$PPID/stat"
[ "$name" = "(sh)" ] && lw=$parent`;

/** Waits until it is so. There is no time limit but the test's own. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Does the work for every point, a few at a time, and gives back what came of each, in order. */
export async function atEach<Point, Result>(points: readonly Point[], work: (point: Point) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = [...points.entries()];
  const takeTurns = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return results;
}
