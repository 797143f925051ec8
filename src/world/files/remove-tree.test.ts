import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { removeTree } from "./remove-tree.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lw-remove-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Goes down step by step, as a maker can, to where no path reaches. */
const NEST = `
const fs = require("node:fs");
for (let depth = 0; depth < 3000; depth++) {
  const name = depth % 2 ? "a folder with a longer name" : Buffer.concat([Buffer.from("no text "), Buffer.from([0xff])]);
  fs.mkdirSync(name);
  if (depth % 100 === 0) fs.symlinkSync(process.argv[1], "link");
  process.chdir("./" + (depth % 2 ? name : (fs.renameSync(name, "plain"), fs.mkdirSync(name), "plain")));
}
`;

it("removes folders three thousand levels deep, deeper than any path reaches, and follows no link", async () => {
  const folder = newFolder();
  const [tree, outside] = [join(folder, "tree"), join(folder, "outside")];
  mkdirSync(tree);
  mkdirSync(outside);
  writeFileSync(join(outside, "kept"), "");
  execFileSync(process.execPath, ["-e", NEST, outside], { cwd: tree });

  await removeTree(tree);

  expect([existsSync(tree), readdirSync(folder), existsSync(join(outside, "kept"))]).toEqual([false, ["outside"], true]);
});

it("removes a tree into which somebody writes, as soon as they pause", async () => {
  const folder = newFolder();
  const tree = join(folder, "tree");
  mkdirSync(tree);
  const writer = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("node:fs"); process.chdir(process.argv[1]); for (let n = 0; n < 4000; n++) { try { fs.mkdirSync("d" + n); fs.writeFileSync("d" + n + "/f", ""); } catch {} }`,
      tree,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => writer.once("exit", resolve));

  await removeTree(tree);
  await ended;
  await removeTree(tree);

  expect(readdirSync(folder)).toEqual([]);
});

it("never touches what lies outside, where somebody puts a link in the place of a folder that is being removed", async () => {
  const folder = newFolder();
  const [tree, outside] = [join(folder, "tree"), join(folder, "outside")];
  mkdirSync(join(outside, "in"), { recursive: true });
  chmodSync(outside, 0o755);
  for (let number = 0; number < 200; number++) writeFileSync(join(outside, "in", `f${number}`), "kept");
  const names = Array.from({ length: 60 }, (_, number) => `d${number}`);
  for (const name of names) {
    mkdirSync(join(tree, name, "in"), { recursive: true });
    for (let number = 0; number < 40; number++) writeFileSync(join(tree, name, "in", `f${number}`), "");
  }
  const swapper = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("node:fs"); const [tree, outside, ...names] = process.argv.slice(1);
for (;;) for (const name of names) { try { fs.renameSync(tree + "/" + name, tree + "/x" + name); fs.symlinkSync(outside, tree + "/" + name); } catch {} if (!fs.existsSync(tree)) process.exit(0); }`,
      tree,
      outside,
      ...names,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => swapper.once("exit", resolve));

  await removeTree(tree).catch(() => {});
  swapper.kill("SIGKILL");
  await ended;
  await removeTree(tree);

  expect([readdirSync(folder), readdirSync(join(outside, "in")).length, statSync(outside).mode & 0o777]).toEqual([["outside"], 200, 0o755]);
});

/** Only root can make a file unchangeable or mount something, and not on every disk. */
const attempt = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

it("removes what was made unchangeable, where the one who could do that is us", async (context) => {
  const folder = newFolder();
  const tree = join(folder, "tree");
  mkdirSync(join(tree, "in"), { recursive: true });
  writeFileSync(join(tree, "in", "file"), "x");
  if (!attempt("chattr", "+i", join(tree, "in", "file"))) return context.skip();

  await removeTree(tree);

  expect(readdirSync(folder)).toEqual([]);
});

it("takes down what was mounted in it, and leaves what is mounted there alone", async (context) => {
  const folder = newFolder();
  const [tree, outside] = [join(folder, "tree"), join(folder, "outside")];
  mkdirSync(join(tree, "in"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "kept"), "");
  if (!attempt("mount", "--bind", outside, join(tree, "in"))) return context.skip();

  await removeTree(tree);

  expect([readdirSync(folder), readdirSync(outside), readFileSync("/proc/self/mountinfo", "utf8").includes(folder)]).toEqual([
    ["outside"],
    ["kept"],
    false,
  ]);
});
