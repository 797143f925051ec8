import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import { identityOf } from "./identity-of.ts";

const made: TestRepo[] = [];
afterEach(() => {
  for (const repo of made.splice(0)) repo.remove();
});
function repoHere(): TestRepo {
  const repo = createRepo();
  made.push(repo);
  repo.commit("start", { files: { "a/b.txt": "hello\n" } });
  return repo;
}

it("is the same for a repository by every way that leads to it, and for its worktrees", async () => {
  const repo = repoHere();
  repo.git("worktree", "add", "-q", "tree", "-b", "other");
  symlinkSync(repo.dir, join(repo.dir, "link"));

  const ways = [
    repo.dir,
    `${repo.dir}/`,
    join(repo.dir, "a", ".."),
    join(repo.dir, "a"),
    join(repo.dir, "link"),
    join(repo.dir, "tree"),
    join(repo.dir, ".git"),
  ];

  expect(new Set(await Promise.all(ways.map((way) => identityOf(way)))).size).toBe(1);
});

it("is another for another repository, for a clone, and for a bare one", async () => {
  const [one, other] = [repoHere(), repoHere()];
  one.git("clone", "-q", ".", "clone");
  one.git("clone", "-q", "--bare", ".", "bare.git");
  mkdirSync(join(one.dir, "bare.git", "deep"));

  const places = [one.dir, other.dir, join(one.dir, "clone"), join(one.dir, "bare.git"), "/nowhere/at/all"];

  expect(new Set(await Promise.all(places.map((place) => identityOf(place)))).size).toBe(5);
  expect(await identityOf(join(one.dir, "bare.git"))).toBe(await identityOf(join(one.dir, "bare.git", "deep")));
});
