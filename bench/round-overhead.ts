// What an L2 round costs beyond plain git commands that do the same work: copy, edit, commit, fresh copy, check, branch, clean up.
// Each is measured with the look at base that comes before (the check twice, in fresh copies of base, on both sides), and as a run
// finds it that need not look again, since base was looked at by an earlier one: then plain git does not look either.
// A box is the machine's and not ours to make cheaper: the bounds are for rounds without one, and what it adds stands beside them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtIn, findHome, type LoadedSpec, loadSpec, openHouse, runSpec } from "../src/index.ts";
import { prepareCounting, type Told, trace } from "./counting.ts";
import { compare, must } from "./measure.ts";

/** What is with the proposal of the run before: it has been decided, or still waits and is taken the place of, which is a record more. */
type Older = "rejected" | "open";

/** `--counts`: only what is counted, which is quick. `--once <folder> <spec> <older>`: one run in a process of its own, to be counted. */
const [isOnce, givenFolder, givenSpec, givenOlder] = process.argv.slice(2);
if (isOnce === "--once" && givenFolder !== undefined && givenSpec !== undefined) {
  await runOnce(givenFolder, givenSpec, givenOlder === "open" ? "open" : "rejected");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
const repo = join(folder, "repo");
const identity = {
  ...process.env,
  GIT_AUTHOR_NAME: "b",
  GIT_AUTHOR_EMAIL: "b@localhost",
  GIT_COMMITTER_NAME: "b",
  GIT_COMMITTER_EMAIL: "b@localhost",
};
const git = (cwd: string, ...args: readonly string[]): string => must("git", args, cwd, identity);
makeRepo(200);

/** A look at base is used again for a day where the check is the same; one with another comment is another check. */
const CHECK = "test -s file-1.txt";
const specWith = (name: string, check: string, box: "available" | "off" = "off"): string => {
  const path = join(folder, `${name}.loop.json`);
  writeFileSync(
    path,
    JSON.stringify({
      name,
      intent: "Measure what a round costs.",
      level: "L2",
      target: { repo: "repo", base: "main" },
      maker: { use: "shell", with: { run: "echo more >> file-1.txt" } },
      verifiers: [{ use: "command", with: { run: check } }],
      box: { maker: { when: box }, verifiers: { when: box } },
    }),
  );
  return path;
};

const known = specWith("bench", CHECK);
const boxed = specWith("bench-boxed", CHECK, "available");
console.log("what one L2 round starts and writes, base known, and by what became of the proposal of the run before");
tellCounts("decided, without a box", known, "rejected");
tellCounts("still open, without a box", known, "open");
tellCounts("decided, boxed", boxed, "rejected");
if (isOnce === "--counts") {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const home = homeIn(folder);
const house = await openHouse(home, "bench");
let turn = 0;
const load = (path: string): Promise<LoadedSpec> => loadIn(folder, path);
const runOurs = (loaded: LoadedSpec): Promise<void> => runIn(house, loaded);

console.log("one L2 round with a trivial maker and test, in a repository of 200 files, without a box");
/** The check in two fresh copies of base. */
const plainLook = (): void => {
  for (const run of [1, 2]) {
    const base = join(folder, `look-${turn++}-${run}`);
    git(repo, "worktree", "add", "--quiet", "--detach", base, "main");
    must("/bin/sh", ["-c", CHECK], base);
    git(repo, "worktree", "remove", "--force", base);
  }
};
const knownSpec = await load(known);
const knownBoxed = await load(boxed);
const plainRound = (): void => {
  const name = `plain-${turn++}`;
  const work = join(folder, `${name}-work`);
  const check = join(folder, `${name}-check`);
  git(repo, "worktree", "add", "--quiet", "-b", name, work, "main");
  must("/bin/sh", ["-c", "echo more >> file-1.txt"], work);
  git(work, "add", "--all");
  git(work, "commit", "--quiet", "--message", "change");
  git(work, "diff", "--raw", "-z", "main", "HEAD");
  git(work, "diff", "--binary", "main", "HEAD");
  git(repo, "worktree", "add", "--quiet", "--detach", check, name);
  must("/bin/sh", ["-c", CHECK], check);
  git(repo, "worktree", "remove", "--force", check);
  git(repo, "worktree", "remove", "--force", work);
};
const newCheck = (): string => specWith("bench-new", `${CHECK} # ${turn++}`);
await compare(
  15,
  { name: "runSpec, base looked at by an earlier run", work: () => runOurs(knownSpec) },
  { name: "plain git commands, without a look at base", work: plainRound },
);
await compare(
  15,
  { name: "runSpec, base looked at twice before", work: async () => runOurs(await load(newCheck())) },
  {
    name: "plain git commands, base looked at twice",
    work: () => {
      plainLook();
      plainRound();
    },
  },
);

console.log("the same round, its two commands in the box that this machine has, and without one");
await compare(
  15,
  { name: "runSpec, boxed", work: () => runOurs(knownBoxed) },
  { name: "runSpec, not boxed", work: () => runOurs(knownSpec) },
);
console.log("one command of a check, in the box that this machine has and without one");
const checkout = join(home.folder, "rounds", "bench", "room");
mkdirSync(checkout, { recursive: true });
const command = { run: "true", cwd: checkout, env: { PATH: process.env.PATH ?? "/usr/bin:/bin" }, timeoutMs: 60_000, mark: "bench" };
const nothing = { needs: [], reads: [], writes: [], hidden: [], folder: checkout };
const wish = { when: "available", network: "closed", rooms: [checkout], ...nothing } as const;
const { box } = await house.world.proc.run({ ...command, box: wish });
console.log(`what it was: ${box.kind}${box.kind === "none" ? `, because ${box.why}` : ""}`);
await compare(
  25,
  { name: "boxed", work: async () => void (await house.world.proc.run({ ...command, box: wish })) },
  { name: "not boxed", work: async () => void (await house.world.proc.run(command)) },
);

console.log("the same as whole processes");
const lw = resolve("dist/lw.js");
const runProcess = (path: string): void => void must(process.execPath, [lw, "run", path, "--again", "--home", home.folder], folder);
await compare(
  9,
  { name: "lw run, base looked at by an earlier run", work: () => runProcess(known) },
  {
    name: "node -e 0, then plain git commands",
    work: () => {
      must(process.execPath, ["-e", "0"], folder);
      plainRound();
    },
  },
);
await compare(
  9,
  { name: "lw run, base looked at twice before", work: () => runProcess(newCheck()) },
  {
    name: "node -e 0, a look at base, then plain git",
    work: () => {
      must(process.execPath, ["-e", "0"], folder);
      plainLook();
      plainRound();
    },
  },
);
house.close();
rmSync(folder, { recursive: true, force: true });

function makeRepo(files: number): void {
  must("git", ["init", "--quiet", "--initial-branch=main", repo], folder);
  for (let number = 1; number <= files; number++) writeFileSync(join(repo, `file-${number}.txt`), `line\n`.repeat(50));
  git(repo, "add", "--all");
  git(repo, "commit", "--quiet", "--message", "base");
}

/** What one run starts and writes. Base is known from an earlier run of the same loop. */
function tellCounts(how: string, spec: string, older: Older): void {
  const place = mkdtempSync(join(folder, "counted-"));
  const argv = [process.execPath, resolve("build/bench/round-overhead.js"), "--once", place, spec, older];
  const { gits, others, commits }: Told = JSON.parse(must(argv[0]!, argv.slice(1), place));
  console.log(`  ${how}: git ${gits.length} (${sumUp(gits)})`);
  console.log(`  ${how}: other children of ours ${others.length} (${sumUp(others)}), commits of the store ${commits}`);
  const traced = trace(mkdtempSync(join(folder, "traced-")), [...argv.slice(0, 3), mkdtempSync(join(folder, "counted-")), spec, older]);
  console.log(
    traced
      ? `  ${how}: processes in all ${traced.processes}, fsyncs ${traced.fsyncs}, by strace\n`
      : "  without strace: what commands start themselves, and fsyncs, are not counted\n",
  );
}

async function runOnce(place: string, path: string, older: Older): Promise<void> {
  const repoFolder = resolve(path, "..");
  const once = homeIn(place);
  const counting = prepareCounting(place);
  const opened = await openHouse(once, "bench");
  const loaded = await loadIn(repoFolder, path);
  await runIn(opened, loaded);
  if (older === "rejected")
    must(
      process.execPath,
      [
        resolve(import.meta.dirname, "../../dist/lw.js"),
        "reject",
        loaded.spec.name,
        "--as",
        "bench",
        "--why",
        "counted",
        "--home",
        once.folder,
      ],
      place,
    );
  console.log(JSON.stringify(await counting.count(join(once.folder, "journal.db"), () => runIn(opened, loaded))));
  opened.close();
}

function homeIn(place: string): ReturnType<typeof findHome> {
  return findHome(join(place, "home"), { get: () => undefined }, process.platform, place);
}

async function loadIn(place: string, path: string): Promise<LoadedSpec> {
  const loading = await loadSpec(path, place, builtIn);
  if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading.problems));
  return loading.loaded;
}

async function runIn(opened: Awaited<ReturnType<typeof openHouse>>, loaded: LoadedSpec): Promise<void> {
  const result = await runSpec(opened, loaded, { onlyIfDue: false, again: true }, () => {});
  if (result.kind !== "ran" || result.outcome.kind !== "rested" || result.outcome.rest.kind !== "accept")
    throw new Error(JSON.stringify(result));
}

function sumUp(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
