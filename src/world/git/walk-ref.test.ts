import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import type { RefWalk } from "../../contract/git.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit } from "./run-git.ts";

const reader = createGitReader(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, cloneOf, clear } = createYard();

afterEach(clear);

const walk = (repo: TestRepo, from: Partial<Parameters<typeof reader.walk>[1]> = {}): Promise<RefWalk> =>
  reader.walk(repo.dir, { ref: "main", cursor: undefined, sinceMs: 0, most: 100, ...from });
/** Who wrote it, and what its lines do, which has tests of its own. */
const SEEN = { author: "Ada Test", signs: expect.objectContaining({ added: 0, gone: [] }) };
const subjects = ({ commits }: RefWalk): readonly string[] => commits.map(({ subject }) => subject);
const short = (id: string): string => id.slice(0, 12);

describe("walking a ref", () => {
  it("tells everything about each commit, newest first", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { body: "Why it was\nneeded.\n", files: { "a.txt": "1\n2\n3\n", "dir/b.txt": "1\n" } });
    const two = repo.commit("two", { files: { "a.txt": "1\n2\n" } });

    expect(await walk(repo)).toEqual({
      ref: "main",
      tip: two,
      commits: [
        { commit: two, at: "2024-01-01T00:02:00.000Z", subject: "two", body: "", parents: 1, paths: ["a.txt"], changedLines: 1, ...SEEN },
        {
          commit: one,
          at: "2024-01-01T00:01:00.000Z",
          subject: "one",
          body: "Why it was\nneeded.",
          parents: 0,
          paths: ["a.txt", "dir/b.txt"],
          changedLines: 4,
          ...SEEN,
        },
      ],
      notes: [],
    });
  });

  it("gives only what came after the cursor, and nothing when nothing did", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    repo.commit("two");
    const three = repo.commit("three");

    expect(subjects(await walk(repo, { cursor: one }))).toEqual(["three", "two"]);
    expect(await walk(repo, { cursor: three })).toEqual({ ref: "main", tip: three, commits: [], notes: [] });
  });

  it("gives what is newer than a time, by committer date, when there is no cursor", async () => {
    const repo = newRepo();
    repo.commit("old", { at: "2024-03-01T00:00:00Z" });
    repo.commit("just in time", { at: "2024-03-02T00:00:00Z" });
    repo.commit("new", { at: "2024-03-03T00:00:00Z" });

    expect(subjects(await walk(repo, { sinceMs: Date.UTC(2024, 2, 2) }))).toEqual(["new", "just in time"]);
    expect(subjects(await walk(repo, { sinceMs: Date.UTC(2024, 2, 2) + 1 }))).toEqual(["new"]);
    expect(subjects(await walk(repo, { sinceMs: -1 }))).toEqual(["new", "just in time", "old"]);
  });

  it("is not blinded by a commit with an old date on top", async () => {
    const repo = newRepo();
    repo.commit("new", { at: "2024-03-03T00:00:00Z" });
    repo.commit("backdated", { at: "1971-01-01T00:00:00Z" });

    expect(subjects(await walk(repo, { sinceMs: Date.UTC(2024, 2, 2) }))).toEqual(["new"]);
  });

  it("says how many were left out when there are too many", async () => {
    const repo = newRepo();
    const first = repo.commit("first");
    for (const n of [1, 2, 3, 4, 5]) repo.commit(`commit ${n}`);

    const cut = await walk(repo, { cursor: first, most: 2 });

    expect(subjects(cut)).toEqual(["commit 5", "commit 4"]);
    expect(cut.notes).toEqual(["only the newest 2 of 5 commits were read; 3 older ones were left out"]);
    expect((await walk(repo, { cursor: first, most: 5 })).notes).toEqual([]);
  });

  it("works on SHA-256 repositories", async () => {
    const repo = newRepo({ objectFormat: "sha256" });
    const one = repo.commit("one", { files: { a: "1\n" } });
    const two = repo.commit("two", { files: { a: "2\n" } });

    expect(await walk(repo, { cursor: one })).toEqual({
      ref: "main",
      tip: two,
      commits: [
        { commit: two, at: "2024-01-01T00:02:00.000Z", subject: "two", body: "", parents: 1, paths: ["a"], changedLines: 2, ...SEEN },
      ],
      notes: [],
    });
  });
});

describe("a cursor that lost its meaning", () => {
  it("is left behind when its commit is gone, and the ref is read by time", async () => {
    const repo = newRepo();
    repo.commit("one", { at: "2024-01-01T00:00:00Z" });
    const two = repo.commit("two", { at: "2024-02-01T00:00:00Z" });
    const gone = "1".repeat(40);
    const sinceMs = Date.UTC(2024, 0, 15);

    const found = await walk(repo, { cursor: gone, sinceMs });

    expect(subjects(found)).toEqual(["two"]);
    expect(found.tip).toBe(two);
    expect(found.notes).toEqual([
      "the commit up to which main was read, 111111111111, is no longer in the repository; read everything since 2024-01-15T00:00:00.000Z instead",
    ]);
    expect((await walk(repo, { cursor: two, sinceMs })).notes).toEqual([]);
  });

  it("survives a force-push followed by garbage collection", async () => {
    const repo = newRepo();
    repo.commit("one");
    const lost = repo.commit("to be lost");
    repo.git("reset", "--quiet", "--hard", "HEAD~1");
    repo.commit("instead");
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "--quiet", "--prune=now");

    const found = await walk(repo, { cursor: lost });

    expect(subjects(found)).toEqual(["instead", "one"]);
    expect(found.notes).toHaveLength(1);
  });

  it("gives the rewritten commits when history was rewritten", async () => {
    const repo = newRepo();
    const base = repo.commit("base");
    const old = repo.commit("old");
    repo.git("reset", "--quiet", "--hard", base);
    repo.commit("rewritten");

    const found = await walk(repo, { cursor: old });

    expect(subjects(found)).toEqual(["rewritten"]);
    expect(found.notes).toEqual([
      `the history of main was rewritten: ${short(old)} is no longer part of it; read on from ${short(base)}, where they part`,
    ]);
  });

  it("says so when the ref was moved back", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    const two = repo.commit("two");
    repo.git("reset", "--quiet", "--hard", one);

    expect(await walk(repo, { cursor: two })).toEqual({
      ref: "main",
      tip: one,
      commits: [],
      notes: [`main was moved back, from ${short(two)} to ${short(one)}`],
    });
  });

  it("is left behind when histories are unrelated, when it names no commit and when it is no id", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "a" } });
    repo.git("checkout", "--quiet", "--orphan", "other");
    repo.commit("other");
    const since = "read everything since 1970-01-01T00:00:00.000Z instead";

    const blob = repo.git("rev-parse", "main:a");
    expect((await walk(repo, { ref: "other", cursor: one })).notes).toEqual([
      `other shares no history with ${short(one)}, the commit up to which it was read; ${since}`,
    ]);
    expect((await walk(repo, { cursor: blob })).notes).toEqual([
      `the commit up to which main was read, ${short(blob)}, is no longer in the repository; ${since}`,
    ]);
    for (const cursor of ["main", "--output=x", one.slice(0, 10), ""])
      expect(await walk(repo, { cursor })).toMatchObject({
        commits: [{ commit: one }],
        notes: [`what was remembered for main is not a commit id; ${since}`],
      });
  });
});

describe("a history that is not all there", () => {
  it("is read as far as a shallow clone goes, without calling the whole tree new", async () => {
    const origin = newRepo();
    const one = origin.commit("one", { files: { a: "1\n" } });
    const two = origin.commit("two", { files: { b: "1\n" } });
    origin.commit("three", { files: { c: "1\n" } });
    const repo = cloneOf(origin, "--depth=2");
    const edge = `the clone is shallow: history before ${short(two)} is not here, and what changed there is not known; \`git fetch --unshallow\` brings it`;

    const found = await walk(repo);

    expect(found.commits.map(({ subject, paths, changedLines }) => ({ subject, paths, changedLines }))).toEqual([
      { subject: "three", paths: ["c"], changedLines: 1 },
      { subject: "two", paths: [], changedLines: 0 },
    ]);
    expect(found.notes).toEqual([edge]);
    expect((await walk(repo, { cursor: two })).notes).toEqual([]);
    expect((await walk(repo, { cursor: one })).notes).toEqual([
      `the commit up to which main was read, ${short(one)}, is no longer in the repository; read everything since 1970-01-01T00:00:00.000Z instead`,
      edge,
    ]);
  });

  it("tells an empty repository from a missing ref", async () => {
    const repo = newRepo();
    expect(await walk(repo)).toEqual({ ref: "main", tip: undefined, commits: [], notes: ["the repository has no commits yet"] });

    repo.commit("one");

    expect(await walk(repo, { ref: "gone" })).toEqual({
      ref: "gone",
      tip: undefined,
      commits: [],
      notes: ['there is no branch, tag or commit named "gone"; the branches here are "main"'],
    });
    expect((await walk(repo, { ref: "--output=/tmp/x" })).notes).toEqual([
      'there is no branch, tag or commit named "--output=/tmp/x"; the branches here are "main"',
    ]);
  });
});
