import { expect, it } from "vitest";
import { findSigns } from "./find-signs.ts";

/** A patch without context, as git writes it: a file and its lines, each with its sign. */
const patchOf = (files: { readonly [path: string]: readonly string[] }): readonly string[] =>
  Object.entries(files).flatMap(([path, lines]) => [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    "@@ -1 +1 @@",
    ...lines,
  ]);

it.each([
  ["JavaScript", "src/api.js", "-export function shut(door) {", "shut"],
  ["CommonJS", "lib/response.js", "-res.sendfile = function (path) {", "sendfile"],
  ["TypeScript", "src/api.ts", "-export interface Door {", "Door"],
  ["Python", "src/click/utils.py", "-def get_stream(name):", "get_stream"],
  ["Go", "args.go", "-func (c *Command) Shut(name string) error {", "Shut"],
  ["Rust", "src/lib.rs", "-    pub fn shut(&self) {", "shut"],
])("sees in %s what others cannot call any more", (_, path, line, name) => {
  expect(findSigns(patchOf({ [path]: [line] })).gone).toEqual([name]);
});

it("takes what moved to another file for still there, and what is called otherwise for altered", () => {
  const patch = patchOf({
    "src/a.ts": ["-export function open(door: Door) {", "-export const wide = 1;"],
    "src/b.ts": ["+export function open(door: Door, key: Key) {", "+export const wide = 1;"],
  });

  const { gone, altered, brought } = findSigns(patch);

  expect([gone, altered, brought]).toEqual([[], ["open"], []]);
});

it.each([
  ["an inner function", "src/internal/x.ts", "-export function shut() {"],
  ["an underscore", "src/x.py", "-def _shut():"],
  ["a test", "test/x.test.ts", "-export function shut() {"],
  ["an example in the docs", "docs/x.md", "-export function shut() {"],
])("takes %s for nobody's", (_, path, line) => {
  expect(findSigns(patchOf({ [path]: [line] })).gone).toEqual([]);
});

it("counts lines of code alone: no comments, blanks, tests and docs", () => {
  const { added, removed, testLines, isTold } = findSigns(
    patchOf({
      "src/a.ts": ["+// why", "+", "+const a = 1;", "-const a = 2;"],
      "test/a.test.ts": ["+it()"],
      "CHANGELOG.md": ["+- new"],
    }),
  );

  expect([added, removed, testLines, isTold]).toEqual([1, 1, 1, true]);
});

it.each([
  [{ ".github/workflows/ci.yml": ["-      - uses: actions/checkout@v4", "+      - uses: actions/checkout@v5 # v5.0.0"] }, true],
  [{ "package.json": ['-    "hbs": "4.2.0",', '+    "hbs": "4.2.1",'], "package-lock.json": ["+x"] }, true],
  [{ "package-lock.json": ["+x"] }, true],
  [{ "package.json": ['-    "node": ">= 18"', '+    "node": ">= 20"'] }, false],
  [{ "package.json": ['-  "version": "1.0.0",', '+  "version": "2.0.0",'] }, false],
  [{ ".github/workflows/ci.yml": ["+    permissions: write-all"] }, false],
  [{ "src/a.js": ['-x("1.0")', '+x("1.1")'] }, false],
])("tells other versions from everything else: %j", (files, isBump) => {
  expect(findSigns(patchOf(files as { readonly [path: string]: readonly string[] })).isBump).toBe(isBump);
});

it("sees what is needed to run, what is brought in, and whether it runs with it", () => {
  const manifest = (kept: string, mine: readonly string[]): readonly string[] =>
    patchOf({ "package.json": [" {", `   "${kept}": {`, ...mine, "   }", " }"] });
  const lines = ['-    "ms": "^1.0.0",', '+    "ms": "^2.0.0",'];

  const runs = findSigns([], manifest("dependencies", lines)).dependencies;
  const builds = findSigns([], manifest("devDependencies", lines)).dependencies;
  const needs = findSigns(patchOf({ "package.json": ['-    "node": ">= 18"', '+    "node": ">= 20"'] })).needs;

  expect([runs, builds, needs]).toEqual([
    [{ name: "ms", from: "^1.0.0", to: "^2.0.0", runs: true }],
    [{ name: "ms", from: "^1.0.0", to: "^2.0.0" }],
    ["node: >= 20"],
  ]);
});

it("sees migrations, a workflow with more power, and code about who may do what", () => {
  const { migration, powers, delicate } = findSigns(
    patchOf({
      "db/migrations/7.sql": ["+alter table users drop column mail;"],
      ".github/workflows/release.yml": ["+      contents: write"],
      "src/login.ts": ["+if (!verify(token)) return false;"],
    }),
  );

  expect([migration, powers, delicate]).toEqual([true, true, ["verify"]]);
});

it("reads no file out of what stands inside of one", () => {
  expect(
    findSigns(patchOf({ "README.md": ["+diff --git a/src/x.ts b/src/x.ts", "+--- a/src/x.ts", "++++ b/src/x.ts", "+@@ -1 +1 @@"] })).added,
  ).toBe(0);
});
