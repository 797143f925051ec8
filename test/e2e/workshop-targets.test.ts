import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Round } from "../../src/contract/round.ts";
import type { Workshop } from "../../src/contract/workshop.ts";
import { createRunGit } from "../../src/world/git/run-git.ts";
import { createWorkshop } from "../../src/world/git/workshop.ts";
import { createArtifacts } from "../../src/world/store/artifacts.ts";
import { createRepo, type TestRepo } from "../support/git-repo.ts";

// A workshop works on every sort of target there is, and leaves it sound.
const BRANCH = "loopwright/fix-1-abcde.1";
let folder = "";
let repo: TestRepo;
let workshop: Workshop;
let round: Round;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-targets-")));
  repo = createRepo();
  round = roundOn(repo.commit("one", { files: { "a.txt": "a\n", "dir/b.txt": "b\n" } }));
  workshop = openWorkshop(join(folder, "rounds"));
});
afterEach(() => {
  repo.remove();
  execFileSync("rm", ["-rf", folder]);
});

const openWorkshop = (rounds: string): Workshop =>
  createWorkshop(rounds, createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" }), createArtifacts(join(folder, "artifacts")));

const roundOn = (base: string): Round => ({
  id: "fix-1-abcde.1",
  run: "fix-1-abcde",
  loop: "fix",
  number: 1,
  base,
  openedAt: "2026-01-02T03:04:05.678Z",
  lessons: [],
});

const repoAt = (dir: string): Pick<TestRepo, "dir" | "git"> => ({
  dir,
  git: (...args) =>
    execFileSync("git", args, { cwd: dir, stdio: ["ignore", "pipe", "pipe"] })
      .toString("utf8")
      .trim(),
});

const wholeWay = async (target: Pick<TestRepo, "dir" | "git">): Promise<readonly string[]> => {
  const { work } = await workshop.openWorkspace(target.dir, round);
  writeFileSync(join(work, "new.txt"), "new\n");
  const { commit, changes } = await workshop.commitWorkspace(target.dir, round, "new\n");
  const checkout = await workshop.checkOut(target.dir, round, commit, "1");
  expect(readFileSync(join(checkout.work, "new.txt"), "utf8")).toBe("new\n");
  await workshop.propose(target.dir, round, commit, BRANCH);
  expect(target.git("rev-parse", BRANCH)).toBe(commit);
  target.git("fsck", "--strict");
  return changes.map(({ path }) => path);
};

it("a repository with SHA-256 names", async () => {
  const other = createRepo({ objectFormat: "sha256" });
  round = roundOn(other.commit("one", { files: { "a.txt": "a\n" } }));

  expect(await wholeWay(other)).toEqual(["new.txt"]);
  other.remove();
});

it("a shallow clone, which stays shallow", async () => {
  repo.commit("two", { files: { "a.txt": "aa\n" } });
  const clone = repoAt(cloned("--depth=1"));
  round = roundOn(clone.git("rev-parse", "HEAD"));
  const shallow = clone.git("rev-parse", "--is-shallow-repository");

  expect(await wholeWay(clone)).toEqual(["new.txt"]);
  expect([shallow, clone.git("rev-parse", "--is-shallow-repository"), clone.git("rev-list", "--count", BRANCH)]).toEqual([
    "true",
    "true",
    "2",
  ]);
});

it("a clone that itself borrows its objects", async () => {
  expect(await wholeWay(repoAt(cloned("--shared")))).toEqual(["new.txt"]);
});

it("a bare repository", async () => {
  expect(await wholeWay(repoAt(cloned("--bare")))).toEqual(["new.txt"]);
});

it("a linked worktree on a branch, which keeps its branch and files", async () => {
  repo.git("worktree", "add", "--quiet", "-b", "linked", join(folder, "linked"));
  const linked = repoAt(join(folder, "linked"));

  expect(await wholeWay(linked)).toEqual(["new.txt"]);
  expect([linked.git("status", "--porcelain", "--branch"), repo.git("status", "--porcelain", "--branch")]).toEqual([
    "## linked",
    "## main",
  ]);
});

it("a folder inside the repository", async () => {
  expect(await wholeWay(repoAt(join(repo.dir, "dir")))).toEqual(["new.txt"]);
});

it("a repository on no branch, with packed refs and a base that is not its HEAD", async () => {
  const two = repo.commit("two", { files: { "a.txt": "aa\n" } });
  repo.git("checkout", "--quiet", "--detach");
  repo.git("gc", "--quiet");

  expect(await wholeWay(repo)).toEqual(["new.txt"]);
  expect(repo.git("rev-parse", "HEAD")).toBe(two);
});

it.each(['with space and "quotes"', '"leading quote', "#leading hash", "ünï☃", "back\\slash", "a:b", "trailing "])(
  "a path like %j",
  async (name) => {
    const place = join(folder, name, "repo");
    mkdirSync(dirname(place), { recursive: true });
    renameSync(repo.dir, place);

    expect(await wholeWay(repoAt(place))).toEqual(["new.txt"]);
  },
);

it.each(['rounds "of" space', "rounds\\", "#rounds"])("a house in a path like %j", async (name) => {
  workshop = openWorkshop(join(folder, name));

  expect(await wholeWay(repo)).toEqual(["new.txt"]);
});

it("not one whose path has a line break in it, and that is said", async () => {
  const place = join(folder, "line\nbreak");
  renameSync(repo.dir, place);

  await expect(workshop.openWorkspace(place, round)).rejects.toMatchObject({
    code: "repo-unusable",
    message: expect.stringContaining("line break"),
    hint: "Move the repository to a path without line breaks.",
  });
});

const cloned = (how: string): string => {
  const place = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", how, `file://${repo.dir}`.replace(/^file:\/\//, how === "--shared" ? "" : "file://"), place], {
    stdio: "pipe",
  });
  return place;
};
