import { afterEach, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createGitScout } from "./git-scout.ts";
import { createRunGit } from "./run-git.ts";

const scout = createGitScout(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, cloneOf, clear } = createYard();
afterEach(clear);

it("lists branches with their tips, and which of them a commit has", async () => {
  const repo = newRepo();
  const one = repo.commit("one");
  repo.git("branch", "merged");
  repo.git("checkout", "--quiet", "-b", "odd'$(id)");
  const two = repo.commit("two");

  const seen = await scout.branches(repo.dir, { remote: undefined, into: one, most: 10 });

  expect(seen.branches.map(({ ref, tip, isIn }) => [ref, tip, isIn]).sort()).toEqual([
    ["refs/heads/main", one, true],
    ["refs/heads/merged", one, true],
    ["refs/heads/odd'$(id)", two, false],
  ]);
  expect(await scout.branches(repo.dir, { remote: undefined, into: one, most: 1 })).toMatchObject({ branches: [{}], all: 3 });
});

it("lists branches of a remote, and not its HEAD; a name that is a pattern is no remote", async () => {
  const repo = newRepo();
  const one = repo.commit("one");
  const clone = cloneOf(repo);

  expect((await scout.branches(clone.dir, { remote: "origin", into: one, most: 10 })).branches.map(({ ref }) => ref)).toEqual([
    "refs/remotes/origin/main",
  ]);
  expect((await scout.branches(clone.dir, { remote: "*", into: one, most: 10 })).all).toBe(0);
});

it("finds lines by whole words in text files of a commit, whatever attributes and settings say, and who wrote them", async () => {
  const repo = newRepo();
  repo.write("bin", Uint8Array.of(0x54, 0x4f, 0x44, 0x4f, 0));
  const one = repo.commit("one", {
    files: { "src/a.ts": "x\n// TODO one\nTODOS\n", ".gitattributes": "*.ts binary diff=evil\n", "-e": "TODO dash\n" },
  });
  repo.git("config", "diff.evil.textconv", "touch pwned");
  repo.git("config", "grep.patternType", "perl");
  const two = repo.commit("two", { files: { "é.py": "# FIXME: b:c\n" } });

  const { lines, isWhole } = await scout.linesWith(repo.dir, two, ["TODO", "FIXME"]);
  const blamed = await scout.blame(repo.dir, two, [...lines, { path: "gone", line: 1 }]);

  expect(lines).toEqual([
    { path: "-e", line: 1, text: "TODO dash" },
    { path: "src/a.ts", line: 2, text: "// TODO one" },
    { path: "é.py", line: 1, text: "# FIXME: b:c" },
  ]);
  expect(isWhole).toBe(true);
  expect(blamed.map((line) => line?.commit)).toEqual([one, one, two, undefined]);
  expect(blamed[2]).toMatchObject({ author: expect.any(String), at: expect.stringMatching(/^\d{4}-/) });
});
