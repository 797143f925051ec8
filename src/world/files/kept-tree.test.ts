import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KeptTree } from "../../contract/texts-of-others.ts";
import { createKeptTree } from "./kept-tree.ts";

let outside: string;
let root: string;
let tree: KeptTree;

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "lw-kept-")));
  root = join(outside, "repo");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(outside, "secret.md"), "theirs\n");
  tree = createKeptTree(root);
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

it("writes, replaces and removes whole files, with the folders that it needs and no draft left", async () => {
  await tree.write(".a/b/C.md", "one\n", undefined);
  chmodSync(join(root, ".a/b/C.md"), 0o640);
  await tree.write(".a/b/C.md", "two\n", "one\n");

  expect(await tree.read(".a/b/C.md")).toEqual({ kind: "text", text: "two\n", real: ".a/b/C.md", isReadOnly: false });
  expect(statSync(join(root, ".a/b/C.md")).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(root, ".a/b"))).toEqual(["C.md"]);

  await tree.remove(".a/b/C.md", "two\n");

  expect(existsSync(join(root, ".a"))).toBe(false);
});

it("follows links inside the repository, and keeps them", async () => {
  writeFileSync(join(root, "AGENTS.md"), "one\n");
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));

  expect(await tree.read("CLAUDE.md")).toEqual({ kind: "text", text: "one\n", real: "AGENTS.md", isReadOnly: false });
  await tree.write("CLAUDE.md", "two\n", "one\n");

  expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toBe("two\n");
  expect(realpathSync(join(root, "CLAUDE.md"))).toBe(join(root, "AGENTS.md"));
});

it.each([
  ["a link to a file outside", "CLAUDE.md", () => symlinkSync("../secret.md", join(root, "CLAUDE.md"))],
  ["a folder that is a link to outside", ".claude/secret.md", () => symlinkSync("..", join(root, ".claude"))],
  ["a link into .git", ".cursor/x.md", () => symlinkSync(".git", join(root, ".cursor"))],
  ["a link to nothing", "CLAUDE.md", () => symlinkSync("../nothing.md", join(root, "CLAUDE.md"))],
  ["a path that leads out", "../secret.md", () => {}],
  ["a path into .git", ".git/config", () => {}],
  ["bytes that are no text", "A.md", () => writeFileSync(join(root, "A.md"), new Uint8Array([0xff, 0x41]))],
  ["a folder", "A.md", () => mkdirSync(join(root, "A.md"))],
])("leaves %s alone", async (_, path, lay) => {
  lay();

  expect(await tree.read(path)).toEqual({ kind: "unusable", why: expect.any(String) });
  await expect(tree.write(path, "ours\n", undefined)).rejects.toThrow(/left as it is/);
  await expect(tree.write(path, "ours\n", "theirs\n")).rejects.toThrow(/left as it is/);
  await expect(tree.remove(path, "theirs\n")).rejects.toThrow(/left as it is/);
  expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("theirs\n");
  expect(readdirSync(outside).toSorted()).toEqual(["repo", "secret.md"]);
});

it("does not write over what somebody wrote since it was read", async () => {
  writeFileSync(join(root, "A.md"), "newer\n");

  await expect(tree.write("A.md", "ours\n", "older\n")).rejects.toThrow("somebody wrote it meanwhile");
  await expect(tree.write("A.md", "ours\n", undefined)).rejects.toThrow("somebody wrote it meanwhile");
  expect(readFileSync(join(root, "A.md"), "utf8")).toBe("newer\n");
});

it("reads a file that is read-only, and leaves it so", async () => {
  writeFileSync(join(root, "A.md"), "theirs\n", { mode: 0o444 });

  expect(await tree.read("A.md")).toEqual({ kind: "text", text: "theirs\n", real: "A.md", isReadOnly: true });
  await expect(tree.write("A.md", "ours\n", "theirs\n")).rejects.toThrow("it is read-only");
  await expect(tree.remove("A.md", "theirs\n")).rejects.toThrow("it is read-only");
});
