// What one piece of work costs that no clock shows: processes, commits of the store, fsyncs. Only what is between two marks counts.
//
// Processes are counted twice. Node tells of each child that it starts, and a `git` in front of git lets git say of each process it
// becomes or starts; what a shell starts inside of a command is not seen so. Where there is strace it sees all, and fsyncs too.
import { spawnSync } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { accessSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { must } from "./measure.ts";

export interface Told {
  /** Node's own children that are not git, by the program's name. */
  readonly others: readonly string[];
  /** Every git, also those that git started, by the command. */
  readonly gits: readonly string[];
  readonly commits: number;
}

export interface Traced {
  readonly processes: number;
  readonly fsyncs: number;
}

const BEGIN = "/lw-bench/begin";
const END = "/lw-bench/end";

export interface Counting {
  /** Does the work once, and tells what it started and how often it wrote to the store. */
  count(journal: string, work: () => Promise<void>): Promise<Told>;
}

/** Before anything looks for git. */
export function prepareCounting(folder: string): Counting {
  const traces = join(folder, "traces");
  putBeforeGit(join(folder, "bin"), traces);
  return {
    async count(journal, work) {
      const children: { readonly spawnfile: string }[] = [];
      // Told of before it has its name.
      subscribe(
        "child_process",
        (message) => void children.push((message as { readonly process: { readonly spawnfile: string } }).process),
      );
      const before = new Set(readdirSync(traces));
      const commits = commitsOf(journal);
      mark(BEGIN);
      await work();
      mark(END);
      const fresh = readdirSync(traces).filter((file) => !before.has(file));
      return {
        others: children.map(({ spawnfile }) => spawnfile).filter((name) => name !== "git"),
        gits: fresh.map((file) => commandIn(readFileSync(join(traces, file), "utf8"))),
        commits: commitsOf(journal) - commits,
      };
    },
  };
}

/** Runs a program of ours that counts, under strace; undefined where there is none that may look. */
export function trace(folder: string, argv: readonly string[]): Traced | undefined {
  const log = join(folder, "strace.log");
  const calls = "trace=clone,?clone3,?fork,?vfork,fsync,fdatasync,?access,faccessat,?faccessat2";
  const { status } = spawnSync("strace", ["-f", "-qq", "-e", calls, "-e", "signal=none", "-o", log, ...argv], { cwd: folder });
  if (status !== 0 || !existsSync(log)) return undefined;
  const lines = readFileSync(log, "utf8").split("\n");
  const between = lines.slice(
    lines.findIndex((line) => line.includes(BEGIN)),
    lines.findIndex((line) => line.includes(END)),
  );
  const began = (call: string): number => between.filter((line) => new RegExp(`^\\d+ +${call}\\(`).test(line)).length;
  const threads = between.filter((line) => /^\d+ +clone3?\(.*CLONE_THREAD/.test(line)).length;
  return { processes: began("(?:clone3?|v?fork)") - threads, fsyncs: began("f(?:data)?sync") };
}

function mark(path: string): void {
  try {
    accessSync(path);
  } catch {
    // It is not there, and needs not be: that it was asked for is seen.
  }
}

/** A git that is found before git, and does the same but tells of it: one file for each process. */
function putBeforeGit(bin: string, traces: string): void {
  const real = must("/bin/sh", ["-c", "command -v git"], bin.slice(0, bin.lastIndexOf("/"))).trim();
  mkdirSync(bin, { recursive: true });
  mkdirSync(traces, { recursive: true });
  writeFileSync(join(bin, "git"), `#!/bin/sh\nGIT_TRACE2_EVENT='${traces}' exec '${real}' "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  process.env.PATH = `${bin}${delimiter}${process.env.PATH ?? ""}`;
}

function commandIn(events: string): string {
  const start = events.split("\n").find((line) => line.includes('"event":"start"')) ?? "{}";
  const { argv = [] } = JSON.parse(start) as { readonly argv?: readonly string[] };
  const words = argv.slice(1).filter((word, index, all) => !word.startsWith("-") && all[index - 1] !== "-c" && all[index - 1] !== "-C");
  return words[0] ?? argv[0] ?? "?";
}

/** How often the store was written: by the counter that a database has, or by the commits that its log holds. */
function commitsOf(journal: string): number {
  const database = readFileSync(journal);
  const isLogged = database[18] === 2;
  if (!isLogged) return database.readUInt32BE(24);
  const log = existsSync(`${journal}-wal`) ? readFileSync(`${journal}-wal`) : Buffer.alloc(0);
  if (log.length < 32) return 0;
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    const isOfThisLog = log.compare(log, 16, 24, at + 8, at + 16) === 0;
    if (isOfThisLog && log.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}
