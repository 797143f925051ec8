import { join } from "node:path";
import { expect, it } from "vitest";
import { createRepo } from "../../../test/support/git-repo.ts";
import { refsOnDisk } from "./refs-on-disk.ts";

it("reads branches where git keeps them, loose and packed, from every worktree, and is unsure of all else", async () => {
  const repo = createRepo();
  const first = repo.commit("start", { files: { "a.txt": "a\n" } });
  repo.git("branch", "loopwright/fix-1-abc");
  repo.git("pack-refs", "--all");
  repo.git("worktree", "add", "-q", "tree", "-b", "other");
  const second = repo.commit("more", { files: { "a.txt": "b\n" } });
  repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
  const asked = ["main", "other", "loopwright/fix-1-abc", "alias", "none"];

  const found = {
    tips: new Map([
      ["main", second],
      ["other", first],
      ["loopwright/fix-1-abc", first],
    ]),
  };
  expect(await refsOnDisk(repo.dir, asked)).toEqual({ head: "main", ...found });
  expect(await refsOnDisk(join(repo.dir, "tree"), asked)).toEqual({ head: "other", ...found });
  expect(await refsOnDisk(repo.dir, ["../../config"])).toBe(undefined);
  expect(await refsOnDisk("/", ["main"])).toBe(undefined);
  repo.git("checkout", "-q", "--detach");
  expect(await refsOnDisk(repo.dir, ["main"])).toEqual({ head: undefined, tips: new Map([["main", second]]) });
  repo.remove();
});
