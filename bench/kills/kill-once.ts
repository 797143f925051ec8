// One life of a loop that is killed at a random moment, and again while it is taken up, and what is to be found when it was taken up to its end.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCall } from "./call-lw.ts";

/** What is being done when the end comes. */
export const WORKS = ["run", "approve", "trusted", "referee", "along", "refreshed"] as const;
export type Work = (typeof WORKS)[number];

interface Ended {
  readonly exit: number | string;
  readonly said: string;
}

/** A folder with everything in it, and how it looked before each work: the same path every time, since records name it. */
export interface Ground {
  readonly place: string;
  /** How long each work takes undisturbed, and what is to be found after it. */
  readonly usual: ReadonlyMap<Work, { readonly tookMs: number; readonly found: object }>;
  /** Kills the work after so much of its usual time, then the first `lw resume` after so much of that; gives back what is wrong. */
  kill(work: Work, after: number, again: number): Promise<readonly string[]>;
  remove(): void;
}

const IDENTITY = { GIT_AUTHOR_NAME: "b", GIT_AUTHOR_EMAIL: "b@localhost", GIT_COMMITTER_NAME: "b", GIT_COMMITTER_EMAIL: "b@localhost" };
/** Later than the longest of the works: a moment after its end is one at which it may be killed as well. */
const LATEST = 1.1;
const MOST_RESUMES = 6;
const MOST_MS = 300_000;

export async function layGround(program: string, folder: string, works: readonly Work[] = WORKS): Promise<Ground> {
  const top = realpathSync(mkdtempSync(join(folder, "lw-kills-")));
  const place = join(top, "place");
  const at = (...names: readonly string[]): string => join(place, ...names);
  const repo = at("repo");
  const env = { PATH: process.env.PATH ?? "", HOME: at("user"), TMPDIR: at("tmp"), LANG: "C.UTF-8", LOOPWRIGHT_HOME: at("home") };
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: repo, env: { ...env, ...IDENTITY }, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")} exited ${status}: ${stderr}`);
    return stdout.trim();
  };

  const start = (args: readonly string[], cwd: string) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => {
        said = `${said}${piece}`.slice(-20_000);
      });
    const ended = new Promise<Ended>((resolve) => child.on("exit", (code, signal) => resolve({ exit: code ?? signal ?? "SIGKILL", said })));
    const timer = setTimeout(() => child.kill("SIGKILL"), MOST_MS);
    return { kill: () => void child.kill("SIGKILL"), ended: ended.finally(() => clearTimeout(timer)) };
  };
  const call = await openCall(program);
  /** What is not killed is called in this process: most of the time would go into starting it. */
  const lw = async (args: readonly string[], cwd: string = place): Promise<Ended> => {
    const late = new Promise<Ended>((resolve) => setTimeout(resolve, MOST_MS, { exit: "SIGKILL", said: "it took too long" }).unref());
    return Promise.race([call(args, { env, cwd }), late]);
  };
  const killAfter = async (ms: number, args: readonly string[], cwd: string): Promise<Ended> => {
    const running = start(args, cwd);
    const timer = setTimeout(running.kill, ms);
    const ended = await running.ended;
    clearTimeout(timer);
    return ended;
  };

  layRepository(repo, at, git);
  // Each work begins where it is worth being killed.
  const runs = ["run", "fix.loop.json"];
  const must = async (args: readonly string[], exits: readonly number[]): Promise<void> => {
    const { exit, said } = await lw(args);
    if (!exits.includes(Number(exit))) throw new Error(`lw ${args.join(" ")} exited ${exit}:\n${said}`);
  };
  const keep = (name: string): void =>
    cpSync(place, join(top, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const lay = (name: string): void => {
    rmSync(place, { recursive: true, force: true });
    cpSync(join(top, name), place, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  keep("run");
  await must(runs, [0]);
  keep("approve");
  // Base is checked out, and moves along with its files.
  git("checkout", "--quiet", "main");
  keep("along");
  // Somebody else was quicker, so that the proposal is put on what base is now.
  writeFileSync(join(repo, "docs/other.txt"), "other\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=other");
  git("checkout", "--quiet", "--detach");
  keep("refreshed");
  lay("run");
  writeFileSync(at("fix.loop.json"), specText("L3"));
  await must(runs, [0, 9]);
  await must(["promote", "fix", "--yes", "--anyway", "--as", "ada", "--why", "it is ours"], [0]);
  keep("trusted");
  lay("run");
  git("checkout", "--quiet", "main");
  mkdirSync(join(repo, ".loopwright"), { recursive: true });
  writeFileSync(join(repo, ".loopwright/fix.loop.json"), specText("L2", ".."));
  git("add", "--all");
  git("commit", "--quiet", "--message=loop");
  git("checkout", "--quiet", "-b", "work");
  writeFileSync(join(repo, "docs/value.txt"), "right\n");
  keep("referee");

  const proposalOf = (): string =>
    git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/loopwright/")
      .split("\n")
      .at(-1)
      ?.replace(/\.\d+$/, "") ?? "";
  const commandOf = (work: Work): readonly [readonly string[], string] => {
    if (work === "referee") return [["referee", "--as", "ada"], repo];
    if (work === "approve" || work === "along" || work === "refreshed") return [["approve", proposalOf(), "--as", "ada"], place];
    return [work === "trusted" ? [...runs, "--again"] : runs, place];
  };
  /** All that must be the same, whenever the end came; numbers of rounds and prices are not part of it. */
  const look = async (work: Work): Promise<object> => {
    const { said: list } = await lw(["inbox", "--json"]);
    const waiting: readonly { readonly stage?: string }[] = readJson(list, "items");
    const { said: standing } = await lw(["status", "--json"]);
    const loops: readonly { readonly loop: string; readonly state: string }[] = readJson(standing, "loops");
    return {
      main: git("rev-parse", "main^{tree}"),
      lies: git("status", "--porcelain=v1", "--untracked-files=all", "--ignored"),
      moves: git("reflog", "show", "main").split("\n").length,
      proposals: git("for-each-ref", "--format=%(objectname)", "refs/heads/loopwright/")
        .split("\n")
        .filter(Boolean)
        .map((commit) => git("rev-parse", `${commit}^{tree}`)),
      effects: existsSync(at("effects")) ? readFileSync(at("effects"), "utf8") : "",
      told: existsSync(at("told")) ? readFileSync(at("told"), "utf8") : "",
      waiting: waiting.map(({ stage }) => stage),
      loops: loops.map(({ loop, state }) => `${loop} ${state}`),
      ledger: (await lw(["ledger", "verify"])).exit,
      fsck: git("fsck", "--no-progress", "--strict"),
      verdict: work === "referee" ? (await lw(["show", "fix.referee", "--json"])).said.match(/"exit": ?\d+/)?.[0] : "",
      left: leftIn(place, at("tmp"), at("home")),
    };
  };

  const usual = new Map<Work, { readonly tookMs: number; readonly found: object }>();
  for (const work of works) {
    lay(work);
    const started = performance.now();
    const [args, cwd] = commandOf(work);
    const { exit, said } = await start(args, cwd).ended;
    if (exit !== 0) throw new Error(`lw ${args.join(" ")} exited ${exit}:\n${said}`);
    usual.set(work, { tookMs: performance.now() - started, found: await look(work) });
  }
  return {
    place,
    usual,
    async kill(work, after, again) {
      lay(work);
      const [args, cwd] = commandOf(work);
      const { tookMs, found } = usual.get(work) ?? { tookMs: 0, found: {} };
      await killAfter(after * LATEST * tookMs, args, cwd);
      await killAfter(again * LATEST * tookMs, ["resume"], place);
      const ends: Ended[] = [];
      for (let turn = 0; turn < MOST_RESUMES; turn++) {
        ends.push(await lw(["resume"]));
        if (/nothing was interrupted/.test(ends.at(-1)?.said ?? "")) break;
      }
      const differs = (came: object): boolean => JSON.stringify(came) !== JSON.stringify(found);
      let came = await look(work);
      // What had not come on record yet is begun as if it never was.
      if (differs(came)) {
        ends.push(await lw(args, cwd));
        came = await look(work);
      }
      const wrong = Object.entries(found).flatMap(([what, was]) => {
        const is = (came as { readonly [name: string]: unknown })[what];
        return JSON.stringify(is) === JSON.stringify(was) ? [] : [`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(was)}`];
      });
      const failed = ends
        .filter(({ exit }) => exit === 70 || exit === "SIGKILL")
        .map(({ exit, said }) => `exit ${exit}: ${said.slice(-300)}`);
      return wrong.length + failed.length === 0
        ? []
        : [...wrong, ...failed, ...ends.map(({ exit, said }) => `lw: exit ${exit}: ${said.slice(-300)}`)];
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** Base is nobody's checkout at first. */
function layRepository(repo: string, at: (...names: readonly string[]) => string, git: (...args: readonly string[]) => string): void {
  for (const folder of [join(repo, "docs"), at("user"), at("tmp")]) mkdirSync(folder, { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repo, "docs/value.txt"), "wrong\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=start");
  git("checkout", "--quiet", "--detach");
  writeFileSync(at("act"), "#!/bin/sh\necho done >> effects\nsleep 0.1\n", { mode: 0o755 });
  writeFileSync(at("fix.loop.json"), specText("L2"));
}

const specText = (level: string, repo = "repo"): string =>
  JSON.stringify({
    name: "fix",
    intent: "Make it right.",
    level,
    target: { repo, base: "main" },
    maker: { use: "scripted", with: { scenes: [{ write: { "docs/value.txt": "almost\n" } }, { write: { "docs/value.txt": "right\n" } }] } },
    verifiers: [{ use: "command", with: { run: "grep -qx right docs/value.txt" } }],
    gate: { all: [{ use: level === "L3" ? "allowlist" : "ask", with: level === "L3" ? { allow: ["docs/**"] } : {} }] },
    act: [{ use: "merge" }, ...(repo === "repo" ? [{ use: "command", with: { run: "./act", confirm: "test -e effects" } }] : [])],
    budget: { rounds: 3 },
  });

/** Processes, rooms, and temporary files of ours. */
function leftIn(place: string, temporary: string, home: string): readonly string[] {
  const rounds = listed(join(home, "rounds")).flatMap((loop) => listed(join(home, "rounds", loop)));
  return [
    ...processesIn(place),
    ...rounds.map((name) => `rounds/${name}`),
    ...listed(temporary).filter((name) => /^(lw-|again-)/.test(name)),
  ];
}

const listed = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const readText = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended in the meantime
  }
};

const processesIn = (place: string): readonly string[] =>
  listed("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => readText(`/proc/${pid}/environ`).includes(place) && !/\) Z /.test(readText(`/proc/${pid}/stat`)))
    .map((pid) => `process ${readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 80)}`);

function readJson<T>(text: string, key: string): readonly T[] {
  try {
    return JSON.parse(text.slice(text.indexOf("{")))[key] ?? [];
  } catch {
    throw new Error(`no JSON: ${text.slice(0, 300)}`);
  }
}
