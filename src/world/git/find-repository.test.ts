import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createFinder } from "./find-repository.ts";
import { createGitCalls } from "./git-call.ts";

const { newRepo, newFolder, cloneOf, clear } = createYard();

afterEach(clear);

function open() {
  const { call } = createGitCalls(process.env.PATH ?? "/usr/bin:/bin");
  const counted = { calls: 0 };
  const changed: string[] = [];
  const find = createFinder(
    (asked) => {
      counted.calls += 1;
      return call(asked);
    },
    (gitDir) => void changed.push(gitDir),
  );
  return { find, counted, changed };
}

it("asks git once for a repository that stays as it is, whatever is committed to it", async () => {
  const repo = newRepo();
  const { find, counted } = open();

  const first = await find(repo.dir);
  repo.commit("one");
  repo.git("checkout", "--quiet", "-b", "other");
  repo.git("gc", "--quiet");

  expect(await find(repo.dir)).toEqual(first);
  expect([first.gitDir, counted.calls]).toEqual([join(repo.dir, ".git"), 1]);
});

it("asks again where a setting, the cut of its history or the folder itself is another, and says so", async () => {
  const repo = newRepo();
  repo.commit("one");
  repo.commit("two");
  const clone = cloneOf(repo, "--depth=1");
  const { find, counted, changed } = open();

  expect((await find(clone.dir)).isShallow).toBe(true);
  clone.git("fetch", "--quiet", "--unshallow");
  expect((await find(clone.dir)).isShallow).toBe(false);
  clone.git("config", "core.bare", "true");
  expect((await find(clone.dir)).isBare).toBe(true);
  const other = newRepo({ objectFormat: "sha256" });
  rmSync(join(clone.dir, ".git"), { recursive: true });
  renameSync(join(other.dir, ".git"), join(clone.dir, ".git"));
  expect((await find(clone.dir)).format).toBe("sha256");

  expect([counted.calls, changed]).toEqual([4, Array.from({ length: 3 }, () => join(clone.dir, ".git"))]);
});

it("sees a repository that comes to lie between a folder and the one around it, and one that goes", async () => {
  const repo = newRepo();
  repo.commit("one");
  const inner = join(repo.dir, "a", "b");
  mkdirSync(inner, { recursive: true });
  const { find } = open();

  expect((await find(inner)).gitDir).toBe(join(repo.dir, ".git"));
  repo.git("init", "--quiet", "a");
  expect((await find(inner)).gitDir).toBe(join(repo.dir, "a", ".git"));
  const place = newFolder();
  renameSync(join(repo.dir, "a", ".git"), join(place, "away"));
  renameSync(join(repo.dir, ".git"), join(place, "too"));
  await expect(find(inner)).rejects.toMatchObject({ code: "repo-unusable" });
});
