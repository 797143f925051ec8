// Lets one maker loose on a fresh repository through the built `lw`, and tells what came of it.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Files, type Make, swapped, type Trial } from "./case.ts";
import { filesOf, holdoutOf, specOf } from "./kinds.ts";

/** What is needed from outside to run a trial. */
export interface Means {
  /** The built program. */
  readonly lw: string;
  /** Where node and python3 are looked up. */
  readonly path: string;
}

/**
 *   accepted     it waits on a branch as proven
 *   handed-over  a human is asked: about sealed files, with both verifications, or about what no test decides, with calls and answers
 *   refused      anything else
 */
export type Came = "accepted" | "handed-over" | "refused";

/** A maker in front of a repository and a loop: what is laid out before `lw run`. */
export interface SetUp {
  readonly files: Files;
  readonly holdout: Files;
  readonly spec: object;
  readonly make: Make;
}

/** What came of one run. */
export interface Tried {
  readonly came: Came;
  /** The exit code of `lw run`, or the signal that ended it. */
  readonly exit: number | string;
  /** Who said no, and with which words. */
  readonly by: string;
  readonly detail: string;
  readonly seconds: number;
}

export interface Outcome extends Tried {
  readonly trial: Trial;
}

export async function runTrial(trial: Trial, means: Means): Promise<Outcome> {
  const { on, kind, make } = trial;
  const tried = await letLoose({ files: filesOf(on, kind), holdout: holdoutOf(on, kind), spec: specOf(on, kind), make }, means);
  return { trial, ...tried };
}

export async function letLoose(setUp: SetUp, means: Means): Promise<Tried> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "lw-cheats-")));
  const started = performance.now();
  try {
    prepare(place, setUp);
    const { exit, stdout, stderr } = await lw(place, means);
    const isProposed = git(join(place, "repo"), "for-each-ref", "refs/heads/loopwright").trim() !== "";
    const shown = readShown(place, means);
    const told = tell(shown) ?? { by: "lw run", detail: `${stdout}${stderr}`.trim() };
    const isHandedOver = shown?.rest?.because === "seal" || shown?.rest?.because === "gap";
    const came = isProposed || exit === 0 ? "accepted" : isHandedOver ? "handed-over" : "refused";
    return { came, exit, ...told, seconds: (performance.now() - started) / 1000 };
  } finally {
    endStrays(place);
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A repository as a maker leaves it, without any loop. */
export function layMade(folder: string, files: Files, make: Make): void {
  lay(folder, { ...files, ...madeFrom(files, make) });
  if (make.run === undefined) return;
  const { status, stderr } = spawnSync("sh", ["-e", "-c", make.run], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`the maker's own script failed: ${stderr}`);
}

function prepare(place: string, { files, holdout, spec, make }: SetUp): void {
  const repo = join(place, "repo");
  lay(repo, files);
  lay(join(place, "holdout"), holdout);
  lay(join(place, "made"), madeFrom(files, make));
  lay(place, {
    "make.sh": `set -e\nmade="$(cd "$(dirname "$0")" && pwd)/made"\ncp -R "$made"/. .\n${make.run ?? ""}\n`,
    "till.loop.json": JSON.stringify(spec, null, 2),
    "user/.gitconfig": "",
  });
  for (const program of ["bin/till.js", "scripts/check.sh"]) if (files[program]) chmodSync(join(repo, program), 0o755);
  git(repo, "init", "--quiet", "--initial-branch=main");
  git(repo, "add", "--all");
  git(repo, "commit", "--quiet", "--message", "A till");
}

/** Only what the maker writes; a program that it swaps texts in stays one. */
function madeFrom(files: Files, { swap = {}, put = {} }: Make): Files {
  const changed = Object.entries(swap).map(([path, swaps]) => [path, swapped(files[path] ?? "", swaps)]);
  return { ".keep-the-copy": "", ...Object.fromEntries(changed), ...put };
}

function lay(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path !== ".keep-the-copy") writeFileSync(join(folder, path), text);
  }
}

const environment = (place: string, { path }: Pick<Means, "path">) => ({
  PATH: path,
  HOME: join(place, "user"),
  LANG: "C.UTF-8",
  LOOPWRIGHT_HOME: join(place, "home"),
});

interface Ended {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function lw(place: string, means: Means): Promise<Ended> {
  const child = spawn(process.execPath, [means.lw, "run", "till.loop.json", "--json"], {
    cwd: place,
    env: environment(place, means),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ exit: code ?? signal ?? "?", ...said }));
  });
}

interface Shown {
  readonly rest?: { readonly kind: string; readonly because?: string; readonly reason?: string };
  readonly rounds: readonly {
    readonly evidence?: {
      readonly findings: readonly { readonly rule: string; readonly severity: string; readonly where: string }[];
      readonly proofs: readonly { readonly verifier: string; readonly outcome: string; readonly detail: string; readonly room?: string }[];
    };
  }[];
}

function readShown(place: string, means: Means): Shown | undefined {
  const { stdout } = spawnSync(process.execPath, [means.lw, "show", "till", "--json"], {
    cwd: place,
    env: environment(place, means),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(stdout) as Shown; // what `lw show --json` prints
  } catch {
    return undefined;
  }
}

/** The verdict's own word, then what it leans on. */
function tell(shown: Shown | undefined): { readonly by: string; readonly detail: string } | undefined {
  const evidence = shown?.rounds.at(-1)?.evidence;
  const rest = shown?.rest;
  if (!rest) return undefined;
  const grave = (evidence?.findings ?? []).filter(({ severity }) => severity === "critical" || severity === "high");
  const broken = (evidence?.proofs ?? []).filter(({ outcome }) => outcome !== "holds");
  const proofs = broken.map(({ verifier, outcome, room }) => `${verifier} ${outcome}${room === "own" ? " (own)" : ""}`);
  const by = [rest.because ?? rest.kind, ...new Set(grave.map(({ rule }) => rule)), ...new Set(proofs)].join(", ");
  const detail = [
    ...(evidence?.findings ?? []).map(({ rule, severity, where }) => `${severity} ${rule}: ${where}`),
    ...broken.map((proof) => `${proof.verifier} ${proof.outcome}${proof.room ? ` (${proof.room})` : ""}: ${proof.detail}`),
    ...(evidence ? [] : [rest.reason ?? ""]),
  ].join("\n");
  return { by, detail };
}

/** What a maker left running in this place or started from it; each is ended by its id. */
function endStrays(place: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (!isOf(place, pid) || Number(pid) === process.pid) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // Gone already.
    }
  }
}

function isOf(place: string, pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(place) || readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(place);
  } catch {
    return false;
  }
}

function git(repo: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: repo, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}
