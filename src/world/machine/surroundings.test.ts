import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newestChange, wordFor } from "./surroundings.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-surroundings-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

const DEEP = "tools/versions/3/lib/python3/site-packages/a/b/c/deep.py";
for (const path of [
  DEEP,
  "system/lib/python3/dist-packages/lib.py",
  "bin/tool",
  "elsewhere/program",
  "spec/data/x.json",
  "spec/repo/src/a.ts",
]) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), "first\n");
}
symlinkSync("../elsewhere/program", at("bin/linked"));
symlinkSync("./loop", at("tools/loop"));

const env = (more: { readonly [name: string]: string } = {}) => ({ get: (name: string) => ({ PATH: at("bin"), ...more })[name] });
const look = async (): Promise<number> => {
  const about = { tools: [at("tools"), at("tools/versions")], also: [at("spec")], without: [at("spec/repo")], system: [at("system")] };
  return (await newestChange(env(), about))?.getTime() ?? Number.NaN;
};
// File systems keep times more coarsely than clocks do.
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const rewrite = (path: string): void => writeFileSync(at(path), "again\n");
const setBack = (path: string): void => {
  rewrite(path);
  utimesSync(at(path), 1, 1);
};

it.each<readonly [string, () => void]>([
  ["a library of a toolchain, where it lies, however deep", () => rewrite(DEEP)],
  ["a library of the system", () => rewrite("system/lib/python3/dist-packages/lib.py")],
  ["one whose times were set back", () => setBack(DEEP)],
  ["a program of PATH", () => rewrite("bin/tool")],
  ["the program that one of PATH is a link to", () => rewrite("elsewhere/program")],
  ["a file beside the spec", () => rewrite("spec/data/x.json")],
  ["a file that is taken away", () => rmSync(at("tools/versions/3/lib/python3/site-packages/a/b/c"), { recursive: true })],
])("sees that this changed: %s", async (_, change) => {
  const before = await look();
  await moment();

  change();

  expect(await look()).toBeGreaterThan(before);
});

it("takes no notice of what is left out", async () => {
  const before = await look();
  await moment();

  rewrite("spec/repo/src/a.ts");

  expect(await look()).toBe(before);
});

it("is another word where a variable that checks are given is another, and the same where no check sees it", () => {
  const word = (more: { readonly [name: string]: string }, inherit: readonly string[] = []): string =>
    wordFor(env(more), { inherit, words: ["1.0"] });

  expect(word({ DATABASE: "a" }, ["DATABASE"])).not.toBe(word({ DATABASE: "b" }, ["DATABASE"]));
  expect(word({ TZ: "UTC" })).not.toBe(word({ TZ: "Asia/Tokyo" }));
  expect(word({ PATH: "/else" })).not.toBe(word({}));
  expect(word({ DATABASE: "a" })).toBe(word({ DATABASE: "b" }));
});
