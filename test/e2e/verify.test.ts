// `lw verify` and `lw verify-iso` as they are called, on real repositories.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inPlace } from "../support/lw.ts";

const MADE_UP = "1".repeat(40);

describe.each(["verify", "verify-iso"])("lw %s", (command) => {
  it("exits 0 when all are commits, 3 when one is made up, 4 when it cannot tell", () =>
    inPlace(async ({ repo, dir, lw }) => {
      const one = repo.commit("one");
      const two = repo.commit("two");
      const exitOf = async (...args: Parameters<typeof lw>) => (await lw(...args)).exit;

      expect(await exitOf([command, repo.dir, one, two.slice(0, 7)])).toBe(0);
      expect(await exitOf([command, ".", one], { cwd: repo.dir })).toBe(0);
      expect(await exitOf([command, repo.dir, one, MADE_UP])).toBe(3);
      expect(await exitOf([command, repo.dir, "HEAD"])).toBe(4);
      expect(await exitOf([command, dir, one])).toBe(4);
      expect(await exitOf([command, join(dir, "missing"), one])).toBe(4);
      expect(await exitOf([command, repo.dir, one], { env: { GIT_DIR: join(repo.dir, ".git") } })).toBe(4);
      expect(await exitOf([command, repo.dir, one], { env: { GIT_OBJECT_DIRECTORY: join(repo.dir, ".git/objects") } })).toBe(4);
      expect(await exitOf([command, repo.dir])).toBe(64);
      expect(await exitOf([command, repo.dir, "--all"])).toBe(64);
    }));

  it("reads ids from standard input, and takes an empty one for no proof", () =>
    inPlace(async ({ repo, lw }) => {
      const ids = [repo.commit("one"), repo.commit("two")];

      expect(await lw([command, repo.dir, "-"], { input: `${ids.join("\n")}\n\n` })).toEqual({
        exit: 0,
        stdout: "2 of 2 are commits of this repository\n",
        stderr: "",
      });
      expect((await lw([command, repo.dir, "-"], { input: `${ids[0]}\n${MADE_UP}\n` })).exit).toBe(3);
      expect((await lw([command, repo.dir, "-"], { input: "\n" })).exit).toBe(4);
      expect((await lw([command, repo.dir, "-"], { input: "--all\n" })).exit).toBe(4);
    }));

  it("says what became of each, for people and for machines", () =>
    inPlace(async ({ repo, lw, json }) => {
      const one = repo.commit("one");

      expect((await lw([command, repo.dir, one, MADE_UP, "main"])).stdout).toBe(
        `${MADE_UP}  fabricated: no such object\nmain  unknown: not an object id: only hexadecimal digits are looked up\n1 of 3 are commits of this repository\n`,
      );
      expect((await json([command, repo.dir, one.slice(0, 8), MADE_UP])).said).toEqual({
        repo: repo.dir,
        verified: false,
        lookups: [
          { asked: one.slice(0, 8), outcome: "commit", commit: one, why: "a commit" },
          { asked: MADE_UP, outcome: "fabricated", why: "no such object" },
        ],
      });
      expect((await json([command, "/nonexistent", one])).said).toMatchObject({ verified: false, error: { code: "cannot-verify" } });
    }));
});

it("finds a gap where the bytes of an object are not those of its id", () =>
  inPlace(async ({ repo, lw }) => {
    const one = repo.commit("one");
    const path = join(repo.dir, ".git/objects", one.slice(0, 2), one.slice(2));
    chmodSync(path, 0o644);
    writeFileSync(
      path,
      deflateSync(Buffer.from(inflateSync(readFileSync(path)).toString("latin1").replace("\n\none", "\n\nONE"), "latin1")),
    );

    const { exit, stdout } = await lw(["verify-iso", repo.dir, one]);

    expect(exit).toBe(8);
    expect(stdout).toContain("gap: the store calls it a commit, but its bytes are those of");
  }));

it("refuses a hold-out that the maker could see, before anything is spent", () =>
  inPlace(async ({ repo, write, lw }) => {
    repo.commit("one", { files: { "secret/check.sh": "exit 0\n" } });
    const spec = (from: string) =>
      write(
        "fix.loop.yaml",
        `name: fix\nintent: Fix it.\nlevel: L2\ntarget: {repo: ${repo.dir}}\nmaker: {use: shell, with: {run: "touch ../../../../made; echo x > new.txt"}}\nverifiers: [{use: holdout, with: {run: "sh hidden/check.sh", from: ${from}, into: hidden}}]\n`,
      );

    const refused = await lw(["run", spec(join(repo.dir, "secret"))]);

    expect([refused.exit, refused.stderr]).toEqual([64, expect.stringContaining("it lies inside the target repository")]);
  }));

it("passes a change that a hold-out beside the spec finds good, and refuses one it does not", () =>
  inPlace(async ({ dir, repo, write, lw, json }) => {
    repo.commit("one", { files: { "a.txt": "a\n" } });
    mkdirSync(join(dir, "secret"));
    write("secret/check.sh", "grep -q 42 a.txt || { echo the secret is 42; exit 1; }\n");
    const spec = (answer: number) =>
      write(
        `fix-${answer}.loop.yaml`,
        `name: fix-${answer}\nintent: Fix it.\nlevel: L2\nbudget: {rounds: 1}\ntarget: {repo: ${repo.dir}}\nmaker: {use: shell, with: {run: "echo ${answer} > a.txt"}}\nverifiers: [{use: holdout, with: {run: "sh hidden/check.sh", from: secret, into: hidden}}, {use: scope, with: {allow: [a.txt]}}]\n`,
      );

    expect((await lw(["run", spec(42)])).exit).toBe(0);
    const refused = await lw(["run", spec(7)]);

    expect(refused.exit).toBe(1);
    expect(`${refused.stdout}${refused.stderr}`).toContain("the hold-out check failed");
    expect((await lw(["show", "fix-7", "--report"])).stdout).not.toContain("secret");
    expect((await lw(["show", "fix-7", "--output", "1"])).stdout).toContain("the secret is 42");
    expect((await json(["show", "fix-7"])).exit).toBe(0);
  }));
