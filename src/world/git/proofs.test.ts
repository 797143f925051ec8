import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import { lookAt } from "../../../test/support/target.ts";
import { createProofs } from "./proofs.ts";
import { createRunGit } from "./run-git.ts";

const [OURS, THEIRS] = ["a".repeat(64), "b".repeat(64)];
const proofs = createProofs(createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" }), { now: () => new Date("2026-01-02T03:04:05Z") });
let repo: TestRepo;

beforeEach(() => {
  repo = createRepo();
  repo.commit("start", { files: { "a.txt": "a\n" } });
});
afterEach(() => repo.remove());

it("keeps what was signed as files of a commit outside of every branch, each beside the others", async () => {
  const before = lookAt(repo);

  await proofs.write(repo.dir, OURS, [{ path: "checkpoint.json", text: "one\n" }], "first");
  await proofs.write(
    repo.dir,
    OURS,
    [
      { path: "checkpoint.json", text: "two\n" },
      { path: "receipts/t/r.0.json", text: "é\n" },
    ],
    "second",
  );

  expect(await proofs.read(repo.dir, OURS, "checkpoint.json")).toBe("two\n");
  expect(await proofs.read(repo.dir, OURS, "receipts/t/r.0.json")).toBe("é\n");
  expect(await proofs.list(repo.dir, OURS, "receipts/t")).toEqual(["r.0.json"]);
  expect(repo.git("log", "--format=%s", `refs/loopwright/proofs/${OURS}`).split("\n")).toEqual(["second", "first"]);
  expect(lookAt(repo)).toEqual(before);
});

it("keeps journals apart, so that those of several machines and branches never meet", async () => {
  await proofs.write(repo.dir, OURS, [{ path: "checkpoint.json", text: "ours\n" }], "x");
  await proofs.write(repo.dir, THEIRS, [{ path: "checkpoint.json", text: "theirs\n" }], "x");

  expect((await proofs.chains(repo.dir)).toSorted()).toEqual([OURS, THEIRS]);
  expect(await proofs.read(repo.dir, THEIRS, "checkpoint.json")).toBe("theirs\n");
});

it("loses nothing when several write at once", async () => {
  const names = Array.from({ length: 6 }, (_, number) => `receipts/t/r.${number}.json`);

  await Promise.all(names.map((path) => proofs.write(repo.dir, OURS, [{ path, text: `${path}\n` }], path)));

  expect((await proofs.list(repo.dir, OURS, "receipts/t")).toSorted()).toEqual(names.map((name) => name.split("/").at(-1)));
});

it("runs none of the target's hooks", async () => {
  const trap = join(repo.dir, "trap");
  for (const hook of ["reference-transaction", "post-commit", "pre-commit", "update"])
    writeFileSync(join(repo.dir, ".git/hooks", hook), `#!/bin/sh\necho ran >> ${trap}\n`, { mode: 0o755 });

  await proofs.write(repo.dir, OURS, [{ path: "checkpoint.json", text: "x\n" }], "x");

  expect(() => execFileSync("cat", [trap], { stdio: "pipe" })).toThrow();
});

it.each(["../out", "a/../b", "/etc/x", ".git/config", "a b", "a\nb", ""])("refuses the path %j", async (path) => {
  await expect(proofs.write(repo.dir, OURS, [{ path, text: "x" }], "x")).rejects.toThrow(/no path of ours/);
});

it("refuses a journal's name that is none", async () => {
  await expect(proofs.write(repo.dir, "../heads/main", [], "x")).rejects.toThrow(/no journal's name/);
});

it("says why when a folder is no repository", async () => {
  await expect(proofs.write("/", OURS, [{ path: "a", text: "x" }], "x")).rejects.toMatchObject({ code: "git-failed" });
});
