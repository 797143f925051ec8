import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { listFiles } from "./list-files.ts";

const yard = createYard();
afterEach(yard.clear);

it("lists plain files in order, and neither links nor git's own", async () => {
  const folder = yard.newFolder();
  for (const name of ["b/.git", "a/c", ".git"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["z.js", "a/c/d.js", "a/b.js", ".git/config", "b/.git/config", "b/x.js"]) writeFileSync(join(folder, name), "");
  symlinkSync("/etc", join(folder, "a/etc"));
  symlinkSync("z.js", join(folder, "link.js"));

  expect(await listFiles(folder, 100)).toEqual({ paths: ["a/b.js", "a/c/d.js", "b/x.js", "z.js"], isWhole: true });
});

it("says when there are more than it lists", async () => {
  const folder = yard.newFolder();
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), "");

  expect(await listFiles(folder, 3)).toEqual({ paths: ["a", "b", "c"], isWhole: true });
  expect(await listFiles(folder, 2)).toEqual({ paths: ["a", "b"], isWhole: false });
});
