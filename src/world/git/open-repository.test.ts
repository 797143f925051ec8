import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { LoopError } from "../../contract/errors.ts";
import { createGitCalls } from "./git-call.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit, gitOf } from "./run-git.ts";

const runGit = createRunGit({ path: process.env.PATH ?? "" });
const reader = createGitReader(runGit);
const { newRepo, newFolder, cloneOf, clear } = createYard();

afterEach(clear);

describe("a repository that cannot be used", () => {
  const { call, start } = createGitCalls(process.env.PATH ?? "");
  const foreign = createGitReader(
    gitOf({ start, call: (asked) => call({ ...asked, env: { ...asked.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } }) }),
  );
  const spoken = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const { code, message, hint, retry } = await failureOf(work);
    return [code, message.replace(/^.* cannot be used: /, ""), hint, retry];
  };

  it("is told apart: missing, not a repository, bare, inside .git, somebody else's", async () => {
    const repo = newRepo();
    const bare = newFolder();
    repo.git("init", "--quiet", "--bare", bare);
    const never = "never";

    expect(await spoken(reader.resolve("/nonexistent/place", "main"))).toEqual([
      "repo-unusable",
      "there is no such folder",
      "Correct `target.repo` in the spec.",
      never,
    ]);
    expect(await spoken(reader.resolve(newFolder(), "main"))).toEqual([
      "repo-unusable",
      "it is not a git repository",
      "Correct `target.repo` in the spec, or run `git init` there.",
      never,
    ]);
    expect(await spoken(reader.resolve(bare, "main"))).toEqual([
      "repo-unusable",
      "it is a bare repository",
      "Point `target.repo` at a clone that has a working tree.",
      never,
    ]);
    expect(await spoken(reader.resolve(join(repo.dir, ".git"), "main"))).toEqual([
      "repo-unusable",
      "it lies inside a .git folder",
      "Point `target.repo` at the working tree.",
      never,
    ]);
    expect(await spoken(foreign.resolve(repo.dir, "main"))).toEqual([
      "repo-unusable",
      "it belongs to another user",
      "Run as the user who owns it, or give it to yourself with `chown -R`.",
      never,
    ]);
    expect((await spoken(reader.resolve("", "main")))[0]).toBe("repo-unusable");
    expect((await spoken(reader.resolve("a\0b", "main")))[0]).toBe("repo-unusable");
  });

  it("is refused by every question alike", async () => {
    const id = "1".repeat(40);
    const questions = [
      reader.walk("/nonexistent", { ref: "main", cursor: undefined, sinceMs: 0, most: 1 }),
      reader.commitsThatExist("/nonexistent", [id]),
      reader.reachableFrom("/nonexistent", id, [id]),
      reader.aheadBehind("/nonexistent", "a", "b"),
    ];

    const codes = await Promise.all(questions.map(async (question) => (await failureOf(question)).code));

    expect(codes).toEqual(["repo-unusable", "repo-unusable", "repo-unusable", "repo-unusable"]);
  });
});

describe("the target", () => {
  it("is left as it was, to the last file time", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "a" } });
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit("side", { files: { b: "b" } });
    writeFileSync(join(repo.dir, "a"), "dirty");
    mkdirSync(join(repo.dir, ".git/hooks"), { recursive: true });
    writeFileSync(join(repo.dir, ".git/hooks/post-checkout"), "#!/bin/sh\ntouch hooked\n");
    chmodSync(join(repo.dir, ".git/hooks/post-checkout"), 0o755);
    const before = snapshot(repo.dir);

    await reader.resolve(repo.dir, "main");
    await reader.walk(repo.dir, { ref: "side", cursor: one, sinceMs: 0, most: 10 });
    await reader.walk(repo.dir, { ref: "--output=out", cursor: "--output=out", sinceMs: 0, most: 10 });
    await reader.commitsThatExist(repo.dir, [one, "0".repeat(40)]);
    await reader.reachableFrom(repo.dir, one, [one, repo.git("rev-parse", "side")]);
    await reader.aheadBehind(repo.dir, "side", "main");

    expect(snapshot(repo.dir)).toEqual(before);
  });

  it("is not filled up with objects that a partial clone left out", async () => {
    const origin = newRepo();
    origin.git("config", "uploadpack.allowFilter", "true");
    const one = origin.commit("one", { files: { "src/a": "1\n" } });
    const two = origin.commit("two", { files: { "src/a": "2\n" } });
    const blobless = cloneOf(origin, "--filter=blob:none", "--no-checkout");
    const treeless = cloneOf(origin, "--filter=tree:0", "--no-checkout");
    blobless.git("config", "protocol.file.allow", "always");
    const before = snapshot(blobless.dir);

    const walk = await reader.walk(blobless.dir, { ref: "main", cursor: undefined, sinceMs: 0, most: 10 });
    const bare = await reader.walk(treeless.dir, { ref: "main", cursor: undefined, sinceMs: 0, most: 10 });
    const found = await reader.commitsThatExist(blobless.dir, [one, "1".repeat(40)]);

    const partial = "the clone is partial: changed lines were not counted, as the contents are not here";
    expect(walk.notes).toEqual([partial]);
    expect(walk.commits.map(({ paths, changedLines }) => ({ paths, changedLines }))).toEqual([
      { paths: ["src/a"], changedLines: 0 },
      { paths: ["src/a"], changedLines: 0 },
    ]);
    expect(bare.notes).toEqual([partial, `${two.slice(0, 12)}, ${one.slice(0, 12)}: changed things that could not be read`]);
    expect(found).toEqual(new Set([one]));
    expect(snapshot(blobless.dir)).toEqual(before);
  });
});

/** Every file with its content and the time it was changed. */
function snapshot(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const about = statSync(join(dir, path));
      const content = about.isFile() ? readFileSync(join(dir, path)).toString("base64") : "";
      return `${path} ${about.mode} ${about.mtimeMs} ${content}`;
    });
}

const failureOf = async (work: Promise<unknown>): Promise<LoopError> => {
  const thrown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (thrown instanceof LoopError) return thrown;
  throw new Error(`expected a LoopError, got ${String(thrown)}`);
};
