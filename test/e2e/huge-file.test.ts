import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_KEPT_BYTES } from "../../src/contract/artifacts.ts";
import { createRunGit } from "../../src/world/git/run-git.ts";
import { createWorkshop } from "../../src/world/git/workshop.ts";
import { createArtifacts } from "../../src/world/store/artifacts.ts";
import { createRepo } from "../support/git-repo.ts";

it("proposes a huge file whole, and keeps only the start of its diff", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-huge-")));
  const repo = createRepo();
  const base = repo.commit("one", { files: { "a.txt": "a\n" } });
  const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });
  const workshop = createWorkshop(join(folder, "rounds"), git, createArtifacts(join(folder, "artifacts")));
  const round = {
    id: "fix-1-abcde.1",
    run: "fix-1-abcde",
    loop: "fix",
    number: 1,
    base,
    openedAt: "2026-01-02T03:04:05.678Z",
    lessons: [],
  };
  const { work } = await workshop.openWorkspace(repo.dir, round);
  // Lines that are all alike: as much to read, compare and keep as any others, and git packs them in no time.
  execFileSync("/bin/sh", ["-c", "yes | head -c 80000000 > big.txt"], { cwd: work });

  const { commit, diff } = await workshop.commitWorkspace(repo.dir, round, "huge\n");
  await workshop.propose(repo.dir, round, commit, "loopwright/fix-1-abcde.1");

  expect({ bytes: diff.bytes, truncated: diff.truncated }).toEqual({ bytes: MOST_KEPT_BYTES, truncated: true });
  expect(repo.git("cat-file", "-s", "loopwright/fix-1-abcde.1:big.txt")).toBe("80000000");
  repo.remove();
  rmSync(folder, { recursive: true });
});
