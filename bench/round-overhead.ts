// What an L2 round costs beyond plain git commands that do the same work: copy, edit, commit, fresh copy, check, branch, clean up.
// Each is measured with the look at base that comes before (the check twice, in fresh copies of base, on both sides), and as a run
// finds it that need not look again, since base was looked at by an earlier one: then plain git does not look either.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtIn, findHome, type LoadedSpec, loadSpec, openHouse, runSpec } from "../src/index.ts";
import { compare, must } from "./measure.ts";

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
const specWith = (name: string, check: string): string => {
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
    }),
  );
  return path;
};

const home = findHome(join(folder, "home"), { get: () => undefined }, process.platform, folder);
const house = await openHouse(home, "bench");
let turn = 0;
const load = async (path: string): Promise<LoadedSpec> => {
  const loading = await loadSpec(path, folder, builtIn);
  if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading.problems));
  return loading.loaded;
};
const runOurs = async (loaded: LoadedSpec): Promise<void> => {
  const result = await runSpec(house, loaded, { onlyIfDue: false, again: true }, () => {});
  if (result.kind !== "ran" || result.outcome.kind !== "rested" || result.outcome.rest.kind !== "accept")
    throw new Error(JSON.stringify(result));
};

console.log("one L2 round with a trivial maker and test, in a repository of 200 files");
/** The check in two fresh copies of base. */
const plainLook = (): void => {
  for (const run of [1, 2]) {
    const base = join(folder, `look-${turn++}-${run}`);
    git(repo, "worktree", "add", "--quiet", "--detach", base, "main");
    must("/bin/sh", ["-c", CHECK], base);
    git(repo, "worktree", "remove", "--force", base);
  }
};
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
const known = specWith("bench", CHECK);
const knownSpec = await load(known);
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
