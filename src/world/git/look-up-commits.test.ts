import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import type { Lookup } from "../../contract/git.ts";
import { createGitCalls } from "./git-call.ts";
import { lookUpCommits } from "./look-up-commits.ts";
import { openObjects } from "./open-repository.ts";
import { hashObject, rederiveCommits } from "./rederive-commits.ts";
import { createRunGit, gitOf } from "./run-git.ts";

const git = createRunGit({ path: process.env.PATH ?? "" });
const { newRepo, newFolder, cloneOf, clear } = createYard();
const MADE_UP = "1".repeat(40);

afterEach(clear);

/** What both ways say of the ids, and that they say the same. */
async function both(dir: string, ids: readonly string[], shortest?: number): Promise<readonly Lookup[]> {
  const repository = await openObjects(git, dir);
  const once = await lookUpCommits(repository, ids, shortest);
  const twice = await rederiveCommits(repository, ids, shortest);
  expect(twice).toEqual(once);
  return once;
}
const outcomes = async (dir: string, ids: readonly string[], shortest?: number) =>
  (await both(dir, ids, shortest)).map(({ outcome, why }) => `${outcome}: ${why}`);

it("finds commits by their full ids and by abbreviations", async () => {
  const repo = newRepo();
  const one = repo.commit("one");
  const two = repo.commit("two");

  expect(await both(repo.dir, [one, two.slice(0, 7), two.toUpperCase(), one])).toEqual([
    { asked: one, outcome: "commit", commit: one, why: "a commit" },
    { asked: two.slice(0, 7), outcome: "commit", commit: two, why: "a commit" },
    { asked: two.toUpperCase(), outcome: "commit", commit: two, why: "a commit" },
    { asked: one, outcome: "commit", commit: one, why: "a commit" },
  ]);
});

it("calls fabricated what is made up, and what is no commit: a tag, a tree, a blob, an id of another kind of repository", async () => {
  const repo = newRepo();
  repo.commit("one", { files: { "a.txt": "a" } });
  repo.git("tag", "--annotate", "--message=tag", "v1");
  const [tag, tree, blob] = ["v1", "HEAD^{tree}", "HEAD:a.txt"].map((name) => repo.git("rev-parse", name));

  expect(await outcomes(repo.dir, [MADE_UP, MADE_UP.slice(0, 9), tag!, tree!, blob!, tree!.slice(0, 10), "a".repeat(64)])).toEqual([
    "fabricated: no such object",
    "fabricated: no such object",
    "fabricated: not a commit: it is a tag",
    "fabricated: not a commit: it is a tree",
    "fabricated: not a commit: it is a blob",
    "fabricated: not a commit: it is a tree",
    "fabricated: longer than the object ids of this repository",
  ]);
});

it("resolves no name: not HEAD, not an expression, not a branch that is called like an id", async () => {
  const repo = newRepo();
  const one = repo.commit("one");
  repo.git("update-ref", "refs/heads/deadbeef", one);
  repo.git("update-ref", `refs/heads/${MADE_UP}`, one);
  writeFileSync(join(repo.dir, ".git", "feedface"), `${one}\n`);

  const [head, parent, ...hex] = await outcomes(repo.dir, ["HEAD", "HEAD~3", "deadbeef", "feedface", MADE_UP]);

  expect([head, parent]).toEqual(Array(2).fill("unknown: not an object id: only hexadecimal digits are looked up"));
  expect(hex).toEqual(Array(3).fill("fabricated: no such object"));
});

it("does not choose between objects that begin alike, also when a branch is called so", async () => {
  const repo = newRepo();
  const one = repo.commit("one");
  const twin = repo.feed(contentLike(one.slice(0, 4)), "hash-object", "-w", "--stdin");
  repo.git("update-ref", `refs/heads/${one.slice(0, 4)}`, one);
  repo.git("config", "core.disambiguate", "commit");
  expect(twin.slice(0, 4)).toBe(one.slice(0, 4));

  expect(await outcomes(repo.dir, [one.slice(0, 4), one.slice(0, 12), one.slice(0, 3)], 4)).toEqual([
    "unknown: ambiguous: 2 objects begin with it; give more digits",
    "commit: a commit",
    "unknown: too short to stand for one object: give at least 4 digits",
  ]);
});

/** Text whose blob id begins with these four digits. */
function contentLike(digits: string): string {
  for (let n = 0; ; n++) if (hashObject("sha1", "blob", Buffer.from(`text ${n}`)).startsWith(digits)) return `text ${n}`;
}

describe("a repository that tells of other objects than it has", () => {
  it("cannot pass one object for another with a replace ref", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { "a.txt": "a" } });
    const two = repo.commit("two");
    const blob = repo.git("rev-parse", "HEAD:a.txt");
    repo.git("update-ref", `refs/replace/${MADE_UP}`, one);
    repo.git("update-ref", `refs/replace/${blob}`, one);
    repo.git("update-ref", `refs/replace/${two}`, one);

    expect(await outcomes(repo.dir, [MADE_UP, blob, two])).toEqual([
      "fabricated: no such object",
      "fabricated: not a commit: it is a blob",
      "commit: a commit",
    ]);
  });

  it("cannot invent a commit with a graft", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    mkdirSync(join(repo.dir, ".git", "info"), { recursive: true });
    writeFileSync(join(repo.dir, ".git", "info", "grafts"), `${one} ${MADE_UP}\n${MADE_UP} ${one}\n`);

    expect(await outcomes(repo.dir, [one, MADE_UP])).toEqual(["commit: a commit", "fabricated: no such object"]);
  });
});

describe("kinds of repositories", () => {
  it("counts objects that are borrowed, and doubts absence when the lender is gone", async () => {
    const lender = newRepo();
    const one = lender.commit("one");
    const borrower = newRepo();
    writeFileSync(join(borrower.dir, ".git/objects/info/alternates"), `${lender.dir}/.git/objects\n`);

    expect(await outcomes(borrower.dir, [one, MADE_UP])).toEqual(["commit: a commit", "fabricated: no such object"]);
    lender.remove();
    expect((await lookUpCommits(await openObjects(git, borrower.dir), [one]))[0]).toMatchObject({
      outcome: "unknown",
      why: expect.stringContaining("not found, but git could not read everything"),
    });
  });

  it("reads bare repositories, worktrees and folders inside", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { "deep/a.txt": "a" } });
    const bare = cloneOf(repo, "--bare");
    const worktree = join(newFolder(), "tree");
    repo.git("worktree", "add", "--quiet", "--detach", worktree);

    for (const dir of [bare.dir, worktree, join(repo.dir, "deep"), join(repo.dir, ".git")])
      expect(await outcomes(dir, [one, one.slice(0, 8), MADE_UP])).toEqual([
        "commit: a commit",
        "commit: a commit",
        "fabricated: no such object",
      ]);
  });

  it("reads repositories with ids of 64 digits", async () => {
    const repo = newRepo({ objectFormat: "sha256" });
    const one = repo.commit("one");

    expect(await outcomes(repo.dir, [one, one.slice(0, 40), MADE_UP, "1".repeat(64)])).toEqual([
      "commit: a commit",
      "commit: a commit",
      "fabricated: no such object",
      "fabricated: no such object",
    ]);
  });

  it("finds packed commits", async () => {
    const repo = newRepo();
    const ids = [repo.commit("one"), repo.commit("two"), repo.commit("three")];
    repo.git("gc", "--quiet");

    expect(await outcomes(repo.dir, [...ids, ...ids.map((id) => id.slice(0, 7))])).toEqual(Array(6).fill("commit: a commit"));
  });

  it("accuses nobody in a shallow or a partial clone", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { "a.txt": "a" } });
    const two = repo.commit("two");
    repo.git("config", "uploadpack.allowFilter", "true");

    expect(await outcomes(cloneOf(repo, "--depth=1").dir, [two, one])).toEqual([
      "commit: a commit",
      "unknown: not found, but this clone is shallow, so it may lie behind the cut; run `git fetch --unshallow`",
    ]);
    const partial = cloneOf(repo, "--filter=blob:none", "--no-checkout");
    const [there, absent] = await lookUpCommits(await openObjects(git, partial.dir), [two, MADE_UP]);
    expect([there?.outcome, absent?.outcome]).toEqual(["commit", "unknown"]);
    expect((await rederiveCommits(await openObjects(git, partial.dir), [MADE_UP]))[0]?.outcome).toBe("unknown");
  });
});

describe("an object that was damaged", () => {
  const looseFile = (repo: TestRepo, id: string): string => join(repo.dir, ".git/objects", id.slice(0, 2), id.slice(2));
  const overwrite = (path: string, bytes: Uint8Array): void => {
    chmodSync(path, 0o644);
    writeFileSync(path, bytes);
  };

  it("is a gap when its bytes are those of another, and the others are still told", async () => {
    const repo = newRepo();
    const [one, two] = [repo.commit("one"), repo.commit("two")];
    const path = looseFile(repo, two);
    const forged = Buffer.from(inflateSync(readFileSync(path)).toString("latin1").replace("\n\ntwo", "\n\nTWO"), "latin1");
    overwrite(path, deflateSync(forged));

    const told = await rederiveCommits(await openObjects(git, repo.dir), [one, two, MADE_UP]);

    expect(told.map(({ outcome, why }) => [outcome, why.replace(/[0-9a-f]{40}$/, "…")])).toEqual([
      ["commit", "a commit"],
      ["gap", "the store calls it a commit, but its bytes are those of …"],
      ["fabricated", "no such object"],
    ]);
  });

  it("is a gap when another object's file lies in its place", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    const folder = join(repo.dir, ".git/objects", MADE_UP.slice(0, 2));
    mkdirSync(folder);
    writeFileSync(join(folder, MADE_UP.slice(2)), readFileSync(looseFile(repo, one)));

    const told = await rederiveCommits(await openObjects(git, repo.dir), [MADE_UP, MADE_UP.slice(0, 8)]);

    expect(told.map(({ outcome, commit, why }) => ({ outcome, commit, why }))).toEqual(
      Array(2).fill({ outcome: "gap", commit: undefined, why: `the store calls it a commit, but its bytes are those of ${one}` }),
    );
  });

  it("cannot be told when git cannot read it at all", async () => {
    const repo = newRepo();
    const [one, two] = [repo.commit("one"), repo.commit("two")];
    overwrite(looseFile(repo, two), Buffer.from("garbage"));
    const repository = await openObjects(git, repo.dir);

    for (const lookUp of [lookUpCommits, rederiveCommits])
      expect((await lookUp(repository, [one, two])).map(({ outcome }) => outcome)).toEqual(["commit", "unknown"]);
  });
});

describe("a repository that cannot be asked", () => {
  it("is refused: no folder, no repository, somebody else's", async () => {
    const repo = newRepo();
    const { call, start } = createGitCalls(process.env.PATH ?? "");
    const foreign = gitOf({ start, call: (asked) => call({ ...asked, env: { ...asked.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } }) });

    await expect(openObjects(git, "/nonexistent/place")).rejects.toThrow("there is no such folder");
    await expect(openObjects(git, newFolder())).rejects.toThrow("it is not a git repository");
    await expect(openObjects(foreign, repo.dir)).rejects.toThrow("it belongs to another user");
  });

  it.runIf(process.getuid?.() === 0)("is refused when its owner is another user, also behind a worktree of ours", async () => {
    const repo = newRepo();
    repo.commit("one");
    const worktree = join(newFolder(), "tree");
    repo.git("worktree", "add", "--quiet", "--detach", worktree);
    chownSync(join(repo.dir, ".git"), 12345, 12345);

    for (const dir of [repo.dir, worktree]) await expect(openObjects(git, dir)).rejects.toThrow("it belongs to another user");
  });

  it("is refused when git is missing", async () => {
    const repo = newRepo();

    await expect(openObjects(createRunGit({ path: "/nonexistent" }), repo.dir)).rejects.toThrow("git could not be started");
  });
});
