import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { createGitCalls } from "./git-call.ts";
import { createMover } from "./mover.ts";
import { createRunGit, gitOf } from "./run-git.ts";

const yard = createYard();
afterEach(yard.clear);

const env = { get: (name: string) => process.env[name] };
const path = process.env.PATH ?? "/usr/bin:/bin";
const mover = createMover(createRunGit({ path }), env);

const AT_FIRST = {
  "a.txt": "1\n",
  "gone/b.txt": "b\n",
  "place/x.txt": "x\n",
  "tool.sh": "#!/bin/sh\n",
  "mine.txt": "m\n",
  ".gitignore": "*.log\n",
};

/** A target with main checked out, and a commit after it that changes, adds, removes and turns files into others. */
function newTarget(more: (repo: TestRepo) => void = () => {}) {
  const repo = yard.newRepo();
  const from = repo.commit("base", { files: AT_FIRST });
  repo.git("checkout", "--quiet", "-b", "proposal");
  rmSync(join(repo.dir, "gone"), { recursive: true });
  rmSync(join(repo.dir, "place"), { recursive: true });
  writeFileSync(join(repo.dir, "place"), "a file now\n");
  chmodSync(join(repo.dir, "tool.sh"), 0o755);
  symlinkSync("a.txt", join(repo.dir, "link"));
  more(repo);
  const to = repo.commit("proposal", { files: { "a.txt": "2\n", "new/deep.txt": "n\n" } });
  repo.git("checkout", "--quiet", "main");
  return { repo, from, to };
}
const move = (from: string, to: string) => ({ branch: "main", from, to, because: "key" });
const stateOf = (repo: TestRepo) => [repo.git("rev-parse", "HEAD"), repo.git("symbolic-ref", "HEAD"), repo.git("status", "--porcelain=v1")];

describe("a checkout of the branch that is moved", () => {
  it("moves along with it, and what is the user's in it stays as it is", async () => {
    const { repo, from, to } = newTarget();
    writeFileSync(join(repo.dir, "mine.txt"), "my work\n");
    writeFileSync(join(repo.dir, "untracked.txt"), "mine too\n");

    const could = await mover.canFastForward(repo.dir, move(from, to));
    const moved = await mover.fastForward(repo.dir, move(from, to));

    expect([could, moved]).toEqual([{ kind: "ready", along: repo.dir }, { kind: "moved" }]);
    expect(stateOf(repo)).toEqual([to, "refs/heads/main", "M mine.txt\n?? untracked.txt"]);
    expect([
      readFileSync(join(repo.dir, "place"), "utf8"),
      existsSync(join(repo.dir, "gone")),
      readFileSync(join(repo.dir, "mine.txt"), "utf8"),
    ]).toEqual(["a file now\n", false, "my work\n"]);
    expect(existsSync(join(repo.dir, ".git", "index.lock"))).toBe(false);
  });

  it.each<[string, (repo: TestRepo) => void, RegExp]>([
    ["a file that was edited", ({ dir }) => writeFileSync(join(dir, "a.txt"), "edited\n"), /, a\.txt would be written over, and is not as/],
    ["a file that was staged", (repo) => stage(repo, "a.txt", "staged\n"), /a\.txt would be written over/],
    ["a file that goes and was edited", ({ dir }) => writeFileSync(join(dir, "gone/b.txt"), "edited\n"), /gone\/b\.txt/],
    ["a mode that was changed", ({ dir }) => chmodSync(join(dir, "a.txt"), 0o755), /a\.txt/],
    ["a file of the user's where one is added", ({ dir }) => lay(dir, "new/deep.txt"), /new\/deep\.txt/],
    ["a link of the user's where a folder is added", ({ dir }) => symlinkSync("/tmp", join(dir, "new")), /could not be moved along|new/],
    ["files of the user's in a folder that becomes a file", ({ dir }) => lay(dir, "place/mine.log"), /place/],
    ["a merge under way", ({ dir }) => lay(dir, ".git/MERGE_HEAD"), /in the middle of a merge/],
    ["a git at work", ({ dir }) => lay(dir, ".git/index.lock"), /git is at work in/],
    ["a filter on a file", ({ dir }) => lay(dir, ".git/info/attributes", "a.txt filter=evil\n"), /^a\.txt is written by a filter/],
    ["a link of the user's where a folder goes", ({ dir }) => moveAway(dir, "gone"), /gone\/b\.txt/],
    ["a link of the user's where a folder becomes a file", ({ dir }) => moveAway(dir, "place"), /place.* would be written over/],
    ["files that lie elsewhere", (repo) => repo.git("config", "core.worktree", yard.newFolder()), /lie elsewhere/],
    ["files around it", (repo) => repo.git("config", "core.worktree", join(repo.dir, "..")), /lie elsewhere/],
    ["a checkout of some of the files", (repo) => repo.git("config", "core.sparseCheckout", "true"), /only some of the files/],
  ])("stays where it is, and nothing of it changes, where this is in the way: %s", async (_, put, why) => {
    const { repo, from, to } = newTarget();
    put(repo);
    const state = () => [repo.git("rev-parse", "HEAD"), ...["a.txt", "gone/b.txt", "place/x.txt"].map((name) => textAt(repo.dir, name))];
    const before = state();

    const answer = await mover.fastForward(repo.dir, move(from, to));

    expect(answer).toMatchObject({ kind: "refused", why: expect.stringMatching(why) });
    expect(state()).toEqual(before);
  });

  it("stays where it is where the change brings attributes, which may name programs", async () => {
    const { repo, from, to } = newTarget(({ dir }) => writeFileSync(join(dir, ".gitattributes"), "* filter=evil\n"));

    expect(await mover.fastForward(repo.dir, move(from, to))).toMatchObject({
      why: expect.stringMatching(/^\.gitattributes is written by/),
    });
  });

  it("runs no hook and no filter", async () => {
    const { repo, from, to } = newTarget();
    const told = join(repo.dir, ".git", "told");
    mkdirSync(join(repo.dir, ".git", "hooks"), { recursive: true });
    for (const hook of ["post-checkout", "post-merge", "post-index-change", "reference-transaction"]) {
      writeFileSync(join(repo.dir, ".git", "hooks", hook), `#!/bin/sh\necho ${hook} >> ${told}\n`);
      chmodSync(join(repo.dir, ".git", "hooks", hook), 0o755);
    }

    expect([(await mover.fastForward(repo.dir, move(from, to))).kind, existsSync(told)]).toEqual(["moved", false]);
  });

  it("leaves alone a checkout of another repository that is named as one of its own", async () => {
    const { repo, from, to } = newTarget();
    const other = yard.newFolder();
    repo.git("clone", "--quiet", repo.dir, join(other, "clone"));
    repo.git("checkout", "--quiet", "--detach");
    mkdirSync(join(repo.dir, ".git/worktrees/evil"), { recursive: true });
    writeFileSync(join(repo.dir, ".git/worktrees/evil/gitdir"), `${join(other, "clone", ".git")}\n`);
    writeFileSync(join(repo.dir, ".git/worktrees/evil/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(repo.dir, ".git/worktrees/evil/commondir"), "../..\n");

    const moved = await mover.fastForward(repo.dir, move(from, to));

    expect([moved, textAt(join(other, "clone"), "a.txt")]).toEqual([
      { kind: "refused", why: expect.stringContaining("lie elsewhere"), hint: expect.anything() },
      "1\n",
    ]);
  });

  it("is moved by one of two who begin at once, in one process as well", async () => {
    const { repo, from, to } = newTarget();

    const both = await Promise.all([0, 1].map(() => mover.fastForward(repo.dir, move(from, to))));

    expect(both.map(({ kind }) => kind).sort()).toEqual(["moved", "refused"]);
    expect([stateOf(repo), readdirSync(join(repo.dir, ".git")).filter((name) => /lock|loopwright/.test(name))]).toEqual([
      [to, "refs/heads/main", ""],
      [],
    ]);
  });

  it("deletes nothing through a link that the change itself laid before it died", async () => {
    const outside = yard.newFolder();
    writeFileSync(join(outside, "x.txt"), "x\n");
    const repo = yard.newRepo();
    const from = repo.commit("base", { files: AT_FIRST });
    repo.git("checkout", "--quiet", "-b", "proposal");
    rmSync(join(repo.dir, "place"), { recursive: true });
    symlinkSync(outside, join(repo.dir, "place"));
    const to = repo.commit("proposal", { files: { "a.txt": "2\n" } });
    repo.git("checkout", "--quiet", "main");
    // So far it came.
    rmSync(join(repo.dir, "place"), { recursive: true });
    symlinkSync(outside, join(repo.dir, "place"));

    const moved = await mover.fastForward(repo.dir, move(from, to));

    expect([moved, textAt(outside, "x.txt"), stateOf(repo)]).toEqual([{ kind: "moved" }, "x\n", [to, "refs/heads/main", ""]]);
  });

  it("is finished by a second try, wherever the first one died", async () => {
    const { repo, from, to } = newTarget();
    writeFileSync(join(repo.dir, "mine.txt"), "my work\n");
    const { call, start } = createGitCalls(path);
    const copies: string[] = [];
    // As it lies at every call of git: whoever is killed leaves just that.
    const copying: typeof call = async (asked) => {
      const copy = join(yard.newFolder(), "repo");
      cpSync(repo.dir, copy, { recursive: true, verbatimSymlinks: true });
      copies.push(copy);
      return call(asked);
    };
    await createMover(gitOf({ call: copying, start }), env).fastForward(repo.dir, move(from, to));

    const ends = [];
    for (const copy of copies) {
      const lock = join(copy, ".git", "index.lock");
      // By who is gone: the same words, of a process that began at another time.
      if (existsSync(lock)) writeFileSync(lock, readFileSync(lock, "latin1").replace(/-\d+\./, "-1."));
      const moved = await mover.fastForward(copy, move(from, to));
      const seen = (...args: readonly string[]): string => repo.git("-C", copy, ...args);
      ends.push([
        moved.kind === "refused" ? moved.why : moved.kind,
        seen("rev-parse", "HEAD"),
        seen("status", "--porcelain=v1"),
        existsSync(lock),
      ]);
    }

    expect(copies.length).toBeGreaterThan(10);
    expect([...new Set(ends.map((end) => JSON.stringify(end)))]).toEqual([JSON.stringify(["moved", to, "M mine.txt", false])]);
  });
});

function lay(dir: string, name: string, text = "mine\n"): void {
  mkdirSync(join(dir, name, ".."), { recursive: true });
  writeFileSync(join(dir, name), text);
}

/** To where somebody has more room, with a link in its place. */
function moveAway(dir: string, name: string): void {
  const elsewhere = join(yard.newFolder(), name);
  cpSync(join(dir, name), elsewhere, { recursive: true });
  rmSync(join(dir, name), { recursive: true });
  symlinkSync(elsewhere, join(dir, name));
}

const textAt = (dir: string, name: string): string => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), "utf8") : "");

function stage(repo: TestRepo, name: string, text: string): void {
  writeFileSync(join(repo.dir, name), text);
  repo.git("add", name);
}
