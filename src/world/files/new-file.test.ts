import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newFiles } from "./new-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lw-new-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (text: string) => newFiles.write({ root, folder: ".loopwright", name: "fix.loop.yaml" }, text);

it("writes a file once, and leaves one that is there as it is", async () => {
  const answers = [await write("first"), await write("second")];

  expect(answers).toEqual(["written", "there"]);
  expect(readFileSync(join(root, ".loopwright/fix.loop.yaml"), "utf8")).toBe("first");
  expect(readdirSync(join(root, ".loopwright"))).toEqual(["fix.loop.yaml"]);
});

it("lets one of many write who come at once, and leaves no draft of the others", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  const answers = await Promise.all(texts.map(write));

  expect(answers.filter((answer) => answer === "written")).toHaveLength(1);
  expect(readFileSync(join(root, ".loopwright/fix.loop.yaml"), "utf8")).toBe(texts[answers.indexOf("written")]);
  expect(readdirSync(join(root, ".loopwright"))).toEqual(["fix.loop.yaml"]);
});

it("follows no link out of the repository, neither by its folder nor by its name", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "lw-elsewhere-"));
  symlinkSync(elsewhere, join(root, ".loopwright"));
  await expect(write("x")).rejects.toThrow("it is no folder, or a link to one");
  rmSync(join(root, ".loopwright"));
  mkdirSync(join(root, ".loopwright"));
  symlinkSync(join(elsewhere, "target"), join(root, ".loopwright/fix.loop.yaml"));

  expect(await write("x")).toBe("there");
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(elsewhere, { recursive: true });
});

it("says where it could not write", async () => {
  writeFileSync(join(root, ".loopwright"), "a file");
  await expect(write("x")).rejects.toThrow(`nothing can be written into`);
  rmSync(root, { recursive: true });
  await expect(write("x")).rejects.toThrow(root);
});
