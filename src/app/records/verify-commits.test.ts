import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import type { Lookup } from "../../contract/git.ts";
import { verifyCommits, verifyCommitsTwice } from "../open-lookups.ts";
import { exitOfLookups, gatherIds } from "./verify-commits.ts";

const PATH = process.env.PATH ?? "/usr/bin:/bin";
const { newRepo, newFolder, clear } = createYard();

afterEach(clear);

const having = (more: { readonly [name: string]: string } = {}) => ({ get: (name: string) => ({ PATH, ...more })[name] });
const said = (text: string) => ({ isTyped: () => false, chunks: () => Readable.from([Buffer.from(text)]) });
const lookup = (outcome: Lookup["outcome"]): Lookup => ({ asked: "a", outcome, commit: undefined, why: "" });

it.each([
  [[], "cannotVerify"],
  [["commit", "commit"], "done"],
  [["commit", "unknown"], "cannotVerify"],
  [["commit", "gap", "unknown"], "gap"],
  [["unknown", "gap", "fabricated"], "fabricated"],
] as const)("gives %j the exit %s", (outcomes, exit) => {
  expect(exitOfLookups(outcomes.map(lookup))).toBe(exit);
});

it("takes ids as they are", async () => {
  expect(await gatherIds(["a", "b", "a"], said("c\n"))).toEqual(["a", "b", "a"]);
});

it("takes the lines of standard input where a dash stands", async () => {
  expect(await gatherIds(["a", "-", "b"], said("c\n\n  d \n"))).toEqual(["a", "c", "d", "b"]);
});

it.each([verifyCommits, verifyCommitsTwice])("passes only what exists, in a repository it can trust", async (verify) => {
  const repo = newRepo();
  const one = repo.commit("one");
  const exitOf = async (dir: string, ids: readonly string[], env = having()) => (await verify({ repo: dir, ids }, env)).exit;

  expect(await exitOf(repo.dir, [one, one.slice(0, 7)])).toBe("done");
  expect(await exitOf(repo.dir, [one, "1".repeat(40)])).toBe("fabricated");
  expect(await exitOf(repo.dir, [])).toBe("cannotVerify");
  expect(await exitOf(repo.dir, ["HEAD"])).toBe("cannotVerify");
  expect(await exitOf(newFolder(), [one])).toBe("cannotVerify");
  expect(await exitOf(`${repo.dir}/missing`, [one])).toBe("cannotVerify");
  expect(await exitOf(repo.dir, [one], having({ PATH: "/nonexistent" }))).toBe("cannotVerify");
});

it.each([
  "GIT_DIR",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_GRAFT_FILE",
  "GIT_REPLACE_REF_BASE",
])("cannot verify while %s points somewhere", async (name) => {
  const repo = newRepo();
  const one = repo.commit("one");

  expect(await verifyCommits({ repo: repo.dir, ids: [one] }, having({ [name]: `${repo.dir}/.git` }))).toEqual({
    kind: "refused",
    exit: "cannotVerify",
    why: `${name} would have git look elsewhere`,
    hint: `Unset it, e.g. with \`env -u ${name}\`.`,
  });
});
