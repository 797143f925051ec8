import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createGitCalls, gitFailed, gitWithoutRoom } from "./git-call.ts";
import { createRunGit } from "./run-git.ts";

describe("what git says of a disk that is full", () => {
  it.each([
    "fatal: unable to write loose object file: No space left on device",
    "error: unable to create temporary file: No space left on device\nfatal: failed to write object",
    "fatal: unable to write new index file: Disk quota exceeded",
    "error: unable to write file docs/value.txt",
    "fatal: sha1 file '/home/rounds/fix/work/.git/index.lock' write error. Out of diskspace",
    "fatal: update_ref failed for ref 'refs/heads/main': cannot update ref 'refs/heads/main': couldn't write '/repo/.git/refs/heads/main.lock'",
  ])("passes once there is room, and is told so: %s", (said) => {
    for (const failure of [gitFailed(["update-ref"], said), gitWithoutRoom(said)])
      expect(failure).toMatchObject({ code: "store-unusable", retry: "later", hint: expect.stringContaining("make room") });
  });

  it.each(["fatal: not a git repository", "error: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists", ""])(
    "is nothing else that it says: %s",
    (said) => {
      expect([gitWithoutRoom(said), gitFailed(["status"], said).code]).toEqual([undefined, "git-failed"]);
    },
  );
});

describe("a repository in which git would wait for ever", () => {
  const { newRepo, clear } = createYard();
  afterEach(clear);
  const pipeAt = (path: string): void => {
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
  };

  it.each(["HEAD", "config", "packed-refs", "info/exclude", "objects/info/alternates"])(
    "is refused at once where %s is a pipe",
    async (name) => {
      const repo = newRepo();
      const file = join(repo.dir, ".git", name);
      pipeAt(file);

      await expect(createRunGit({ path: process.env.PATH ?? "" }).find(repo.dir)).rejects.toMatchObject({
        code: "repo-unusable",
        message: expect.stringContaining(`${file} is no file`),
      });
    },
  );

  it("is given up where the configuration includes a pipe, and nothing of that git is left", async () => {
    const repo = newRepo();
    const pipe = join(repo.dir, "pipe");
    repo.git("config", "include.path", pipe);
    pipeAt(pipe);
    const { call } = createGitCalls(process.env.PATH ?? "", { stillMs: 300, blindMs: 300 });

    await expect(call({ cwd: repo.dir, args: ["rev-parse", "HEAD"] })).rejects.toMatchObject({
      code: "git-failed",
      message: expect.stringContaining("git rev-parse"),
    });
  });
});
