import { afterEach, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { openObjects } from "./open-repository.ts";
import { readContents, readFilesAt } from "./read-contents.ts";
import { readBatch } from "./read-objects.ts";
import { createRunGit } from "./run-git.ts";

const git = createRunGit({ path: process.env.PATH ?? "" });
const { newRepo, clear } = createYard();
const LARGE = Buffer.alloc(17 * 1024 * 1024, "a");

afterEach(clear);

it("reads blobs byte for byte, also many of them, and leaves out what is missing, too large or no blob", async () => {
  const repo = newRepo();
  const texts = Array.from({ length: 5 }, (_, n) =>
    Buffer.concat([Buffer.alloc(5 * 1024 * 1024, String(n)), Buffer.from([0, 255, 10, n])]),
  );
  const blobs = texts.map((text) => repo.feed(text, "hash-object", "-w", "--stdin"));
  const large = repo.feed(LARGE, "hash-object", "-w", "--stdin");
  const commit = repo.commit("one");

  const contents = await readContents((await openObjects(git, repo.dir)).objects, [...blobs, ...blobs, large, commit, "1".repeat(40)]);

  expect([...contents.keys()].sort()).toEqual([...blobs].sort());
  for (const [index, blob] of blobs.entries()) expect(Buffer.compare(contents.get(blob)!, texts[index]!)).toBe(0);
});

it("reads files of commits in the order they were asked for", async () => {
  const repo = newRepo();
  repo.write("large.bin", LARGE);
  const one = repo.commit("one", { files: { "a.txt": "old\n", "dir/b.txt": "b\n" } });
  const two = repo.commit("two", { files: { "a.txt": "new\n" } });

  const found = await readFilesAt((await openObjects(git, repo.dir)).objects, [
    { commit: two, path: "a.txt" },
    { commit: one, path: "missing" },
    { commit: one, path: "a.txt" },
    { commit: one, path: "dir" },
    { commit: one, path: "large.bin" },
    { commit: one, path: "../a.txt" },
    { commit: "HEAD", path: "a.txt" },
    { commit: two, path: "a.txt" },
  ]);

  expect(found).toEqual([
    { kind: "found", text: "new\n" },
    { kind: "absent" },
    { kind: "found", text: "old\n" },
    { kind: "absent" },
    { kind: "unread", why: "it is larger than 16777216 bytes or damaged" },
    { kind: "absent" },
    { kind: "absent" },
    { kind: "found", text: "new\n" },
  ]);
});

it("stops at an answer that was cut", () => {
  const read = readBatch(Buffer.from("aa blob 2\nhi\nbb missing\ncc blob 9\ncut"));

  expect(read.map(({ id, content }) => [id, content.toString()])).toEqual([["aa", "hi"]]);
});
