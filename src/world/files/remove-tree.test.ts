import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeTree } from "./remove-tree.ts";

/** Goes down step by step, as a maker can, to where no path reaches. */
const NEST = `
const fs = require("node:fs");
for (let depth = 0; depth < 400; depth++) {
  const name = depth % 2 ? "a folder with a longer name" : Buffer.concat([Buffer.from("no text "), Buffer.from([0xff])]);
  fs.mkdirSync(name);
  fs.writeFileSync("file", "x");
  fs.symlinkSync(process.argv[1], "link");
  process.chdir("./" + (depth % 2 ? name : (fs.renameSync(name, "plain"), fs.mkdirSync(name), "plain")));
}
`;

it("removes folders that lie deeper than any path reaches, and follows no link", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lw-remove-"));
  const [tree, outside] = [join(folder, "tree"), join(folder, "outside")];
  mkdirSync(tree);
  mkdirSync(outside);
  writeFileSync(join(outside, "kept"), "");
  execFileSync(process.execPath, ["-e", NEST, outside], { cwd: tree });

  await removeTree(tree);

  expect([existsSync(tree), readdirSync(folder), existsSync(join(outside, "kept"))]).toEqual([false, ["outside"], true]);
  rmSync(folder, { recursive: true, force: true });
});
