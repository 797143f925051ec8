// What an L2 round costs beyond plain git commands that do the same work: copy, edit, commit, fresh copy, check, branch, clean up.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtIn, findHome, loadSpec, openHouse, runSpec } from "../src/index.ts";
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

const spec = join(folder, "bench.loop.json");
writeFileSync(
  spec,
  JSON.stringify({
    name: "bench",
    intent: "Measure what a round costs.",
    level: "L2",
    target: { repo: "repo", base: "main" },
    maker: { use: "shell", with: { run: "echo more >> file-1.txt" } },
    verifiers: [{ use: "command", with: { run: "test -s file-1.txt" } }],
  }),
);

const home = findHome(join(folder, "home"), { get: () => undefined }, process.platform, folder);
const house = await openHouse(home, "bench");
const loading = await loadSpec(spec, folder, builtIn);
if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading.problems));

console.log("one L2 round with a trivial maker and test, in a repository of 200 files");
let turn = 0;
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
  must("/bin/sh", ["-c", "test -s file-1.txt"], check);
  git(repo, "worktree", "remove", "--force", check);
  git(repo, "worktree", "remove", "--force", work);
};
const ourRound = async (): Promise<void> => {
  const result = await runSpec(house, loading.loaded, { onlyIfDue: false, again: true }, () => {});
  if (result.kind !== "ran" || result.outcome.kind !== "rested" || result.outcome.rest.kind !== "accept")
    throw new Error(JSON.stringify(result));
};
await compare(
  15,
  { name: "runSpec: recorded, scanned, verified, proposed", work: ourRound },
  { name: "plain git commands", work: plainRound },
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
await compare(
  9,
  { name: "lw run", work: () => void must(process.execPath, [lw, "run", spec, "--again", "--home", home.folder], folder) },
  {
    name: "node -e 0, then plain git commands",
    work: () => {
      must(process.execPath, ["-e", "0"], folder);
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
