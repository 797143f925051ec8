import { afterEach, describe, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createGitCalls } from "./git-call.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit, gitOf } from "./run-git.ts";

const runGit = createRunGit({ path: process.env.PATH ?? "" });
const reader = createGitReader(runGit);
const { newRepo, cloneOf, clear } = createYard();

afterEach(clear);

describe("commitsThatExist", () => {
  it("knows commits by their full id only: no short ids, tags, trees, blobs, names or options", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "a" } });
    repo.git("tag", "--annotate", "--message=a tag", "v1");
    repo.git("branch", "deadbeef");
    const dangling = repo.feed("lost", "commit-tree", "HEAD^{tree}");

    const ids = [
      ...[
        one,
        dangling,
        one.slice(0, 12),
        one.toUpperCase(),
        "0".repeat(40),
        "f".repeat(64),
        "main",
        "HEAD",
        "deadbeef",
        "--batch-all-objects",
        "a\nb",
        "",
      ],
      ...["v1", "HEAD^{tree}", "HEAD:a"].map((name) => repo.git("rev-parse", name)),
    ];
    const found = await reader.commitsThatExist(repo.dir, ids);

    expect(found).toEqual(new Set([one, dangling]));
  });

  it("asks git twice however many ids there are", async () => {
    const repo = newRepo();
    const commits = Array.from({ length: 20 }, (_, n) => repo.commit(`commit ${n}`));
    let calls = 0;
    const { call: run, start } = createGitCalls(process.env.PATH ?? "");
    const call: typeof run = (asked) => {
      calls += 1;
      return run(asked);
    };
    const counting = createGitReader(gitOf({ call, start }));

    const found = await counting.commitsThatExist(repo.dir, [...commits, ...commits]);

    expect(found).toEqual(new Set(commits));
    expect(calls).toBe(2);
  });

  it("is not misled by replace refs", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "a" } });
    const two = repo.commit("two");
    repo.git("replace", one, two);

    expect(await reader.commitsThatExist(repo.dir, [one, two])).toEqual(new Set([one, two]));
    expect(await reader.reachableFrom(repo.dir, one, [one, two])).toEqual(new Set([one]));
  });
});

describe("reachableFrom", () => {
  it("keeps what the tip contains and nothing else", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    const two = repo.commit("two");
    repo.git("checkout", "--quiet", "-b", "side", one);
    const side = repo.commit("side");
    const dangling = repo.feed("lost", "commit-tree", "HEAD^{tree}");
    repo.git("tag", "--annotate", "--message=a tag", "v1", one);

    const ids = [one, two, side, dangling, "0".repeat(40), repo.git("rev-parse", "v1"), "main"];

    expect(await reader.reachableFrom(repo.dir, two, ids)).toEqual(new Set([one, two]));
    expect(await reader.reachableFrom(repo.dir, side, ids)).toEqual(new Set([one, side]));
    expect(await reader.reachableFrom(repo.dir, two, [])).toEqual(new Set());
    expect(await reader.reachableFrom(repo.dir, "0".repeat(40), ids)).toEqual(new Set());
    expect(await reader.reachableFrom(repo.dir, "main", ids)).toEqual(new Set());
  });

  it("is right also when commit dates lie", async () => {
    const repo = newRepo();
    const tree = repo.git("mktree");
    const chain = (parent: string | undefined, at: string, count: number): readonly string[] => {
      if (count === 0) return [];
      const text = `tree ${tree}\n${parent ? `parent ${parent}\n` : ""}author A <a@b> ${at} +0000\ncommitter A <a@b> ${at} +0000\n\nat ${at}\n`;
      const commit = repo.feed(text, "hash-object", "-t", "commit", "-w", "--stdin");
      return [commit, ...chain(commit, at, count - 1)];
    };
    const future = chain(undefined, "4000000000", 3);
    const past = chain(future.at(-1), "1", 30);
    const tip = chain(past.at(-1), "1700000000", 1)[0] ?? "";

    const found = await reader.reachableFrom(repo.dir, tip, future);

    expect(found).toEqual(new Set(future));
  });
});

describe("aheadBehind", () => {
  it("counts both sides", async () => {
    const repo = newRepo();
    repo.commit("one");
    repo.git("branch", "old");
    repo.commit("two");
    repo.git("checkout", "--quiet", "-b", "side", "old");
    repo.commit("three");
    repo.commit("four");

    expect(await reader.aheadBehind(repo.dir, "side", "main")).toEqual({ ahead: 2, behind: 1 });
    expect(await reader.aheadBehind(repo.dir, "main", "main")).toEqual({ ahead: 0, behind: 0 });
    expect(await reader.aheadBehind(repo.dir, "old", "side")).toEqual({ ahead: 0, behind: 2 });
  });

  it("does not count where histories are unrelated or a ref is missing", async () => {
    const repo = newRepo();
    repo.commit("one");
    repo.git("checkout", "--quiet", "--orphan", "other");
    repo.commit("another beginning");

    expect(await reader.aheadBehind(repo.dir, "other", "main")).toBe(undefined);
    expect(await reader.aheadBehind(repo.dir, "gone", "main")).toBe(undefined);
    expect(await reader.aheadBehind(repo.dir, "main", "--all")).toBe(undefined);
  });

  it("does not count across the edge of a shallow clone, and counts on this side of it", async () => {
    const origin = newRepo();
    origin.commit("one");
    origin.git("checkout", "--quiet", "-b", "side");
    origin.commit("side");
    origin.git("checkout", "--quiet", "main");
    for (const subject of ["two", "three", "four"]) origin.commit(subject);
    origin.git("branch", "near");
    origin.commit("five");
    const repo = cloneOf(origin, "--depth=2", "--no-single-branch");

    expect(await reader.aheadBehind(repo.dir, "origin/side", "origin/main")).toBe(undefined);
    expect(await reader.aheadBehind(repo.dir, "origin/near", "origin/main")).toEqual({ ahead: 0, behind: 1 });
  });
});
