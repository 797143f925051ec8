import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit } from "./run-git.ts";

const reader = createGitReader(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, newFolder, cloneOf, clear } = createYard();

afterEach(clear);

describe("resolve", () => {
  it("finds branches, tags, remote branches, HEAD, full ids and short ids", async () => {
    const origin = newRepo();
    const one = origin.commit("one");
    origin.git("tag", "--annotate", "--message=a tag", "v1");
    origin.git("tag", "--annotate", "--message=a tag of a tag", "v1-again", "v1");
    const two = origin.commit("two");
    const repo = cloneOf(origin);

    const names = [
      "main",
      "refs/heads/main",
      "HEAD",
      "@",
      "v1",
      "refs/tags/v1",
      "v1-again",
      "origin/main",
      "origin",
      one,
      one.slice(0, 10),
    ];
    const found = await Promise.all(names.map((name) => reader.resolve(repo.dir, name)));

    expect(found).toEqual([two, two, two, two, one, one, one, two, two, one, one]);
  });

  it("knows no other names, and no names of things that are not commits", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { a: "a" } });
    repo.git("tag", "blob", repo.git("rev-parse", "HEAD:a"));

    const names = [
      "gone",
      "refs/heads/gone",
      "blob",
      repo.git("rev-parse", "HEAD:a"),
      "0".repeat(40),
      "",
      "origin/main",
      "mai",
      "FETCH_HEAD",
    ];
    const found = await Promise.all(names.map((name) => reader.resolve(repo.dir, name)));

    expect(found).toEqual(names.map(() => undefined));
  });

  it("never takes a name for an option or an expression", async () => {
    const repo = newRepo();
    repo.commit("one");
    const two = repo.commit("two");
    const leak = join(newFolder(), "leak");

    const names = [
      ...[`--output=${leak}`, "-h", "--all", "--git-dir=/tmp", "-"],
      ...["main~1", "main^", "main^{tree}", "main:a", ":/one", "main..main", "main@{0}", "@{u}", "^main", "ma*n", "ma[i]n", "ma?n"],
      ...["main\n", "main\0", "\tmain", "main main", "main\u2028", "main\\", `x-g${two.slice(0, 10)}`, "x".repeat(100_000)],
    ];
    const found = await Promise.all(names.map((name) => reader.resolve(repo.dir, name)));

    expect(found).toEqual(names.map(() => undefined));
    expect(existsSync(leak)).toBe(false);
  });

  it("takes the branch when a tag has the same name, and the id when a branch is named like one", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    const two = repo.commit("two");
    repo.git("tag", "main", one);
    repo.git("update-ref", `refs/heads/${one}`, two);

    expect(await reader.resolve(repo.dir, "main")).toBe(two);
    expect(await reader.resolve(repo.dir, one)).toBe(one);
  });

  it("finds nothing in an empty repository", async () => {
    const repo = newRepo();

    expect(await reader.resolve(repo.dir, "main")).toBe(undefined);
    expect(await reader.resolve(repo.dir, "HEAD")).toBe(undefined);
  });

  it("works in a SHA-256 repository, in a linked worktree and in a subfolder", async () => {
    const repo = newRepo({ objectFormat: "sha256" });
    const one = repo.commit("one", { files: { "deep/down/a": "a" } });
    const linked = join(newFolder(), "linked");
    repo.git("worktree", "add", "--quiet", "-b", "side", linked);

    expect(one).toHaveLength(64);
    expect(await reader.resolve(repo.dir, "main")).toBe(one);
    expect(await reader.resolve(linked, "HEAD")).toBe(one);
    expect(await reader.resolve(join(repo.dir, "deep/down"), "main")).toBe(one);
  });
});

describe("headName", () => {
  it("is the branch, also before its first commit and beside a tag of its name, and HEAD when there is none", async () => {
    const repo = newRepo();
    const unborn = await reader.headName(repo.dir);
    repo.commit("one");
    repo.git("tag", "feature/a");
    repo.git("checkout", "--quiet", "-b", "feature/a");
    const branch = await reader.headName(repo.dir);
    repo.git("checkout", "--quiet", "--detach");
    const detached = await reader.headName(repo.dir);

    expect([unborn, branch, detached]).toEqual(["main", "feature/a", "HEAD"]);
  });
});
