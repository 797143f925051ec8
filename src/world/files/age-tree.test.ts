import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { ageTree } from "./age-tree.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-age-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("makes files, folders and links older, and neither git's own nor what a link leads to", async () => {
  const DAY_MS = 86_400_000;
  const root = join(folder, "root");
  const outside = join(folder, "outside");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "dir"));
  writeFileSync(join(root, "dir", "file"), "x");
  writeFileSync(join(root, ".git", "HEAD"), "x");
  writeFileSync(outside, "x");
  symlinkSync(outside, join(root, "link"));
  const ageOf = (path: string): number => Math.round((Date.now() - lstatSync(path).mtimeMs) / DAY_MS);

  await ageTree(root, 7 * DAY_MS);

  const aged = [join(root, "dir"), join(root, "dir", "file"), join(root, "link"), join(root, ".git"), join(root, ".git", "HEAD"), outside];
  expect(aged.map(ageOf)).toEqual([7, 7, 7, 0, 0, 0]);
});
