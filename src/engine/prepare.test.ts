import { expect, it } from "vitest";
import { LoopSpec } from "../contract/spec.ts";
import { idOf } from "./prepare.ts";

const specWith = (prepare: object) =>
  LoopSpec.parse({ name: "x", intent: "x", level: "L2", maker: { use: "shell" }, verifiers: [{ use: "command" }], prepare }).prepare!;
const PREPARE = { run: "npm ci", keep: ["node_modules"] };
const FILES = [
  { path: "package-lock.json", mode: "100644", blob: "l1" },
  { path: "packages/a/package.json", mode: "100644", blob: "p1" },
  { path: "src/a.ts", mode: "100644", blob: "a1" },
];
const ON = { repo: "/r", base: "b1", machine: "linux x64 node 20.19.0" };
const usual = idOf(specWith(PREPARE), FILES, ON);

it("prepares once for the same command, files and machine, whatever else changed on base", () => {
  const elsewhere = FILES.map((file) => (file.path === "src/a.ts" ? { ...file, blob: "a2" } : file));

  expect(idOf(specWith({ ...PREPARE, time: "1m" }), elsewhere, { ...ON, base: "b2" })).toBe(usual);
});

it("prepares anew for another command, folder, lock file, manifest, machine or repository", () => {
  const changed = (path: string) => FILES.map((file) => (file.path === path ? { ...file, blob: "new" } : file));

  const others = [
    idOf(specWith({ ...PREPARE, run: "npm ci --ignore-scripts" }), FILES, ON),
    idOf(specWith({ ...PREPARE, keep: ["vendor"] }), FILES, ON),
    idOf(specWith(PREPARE), changed("package-lock.json"), ON),
    idOf(specWith(PREPARE), changed("packages/a/package.json"), ON),
    idOf(specWith(PREPARE), FILES, { ...ON, machine: "linux arm64 node 20.19.0" }),
    idOf(specWith(PREPARE), FILES, { ...ON, repo: "/other" }),
    idOf(specWith({ ...PREPARE, from: ["src/**"] }), FILES, ON),
    idOf(specWith({ ...PREPARE, inherit: ["NPM_TOKEN"] }), FILES, ON),
  ];

  expect(new Set([usual, ...others]).size).toBe(others.length + 1);
});

it("goes by the files that the spec names, and by all of base where none of them is there", () => {
  const from = specWith({ ...PREPARE, from: ["setup.sh"] });

  expect(idOf(from, FILES, ON)).not.toBe(idOf(from, FILES, { ...ON, base: "b2" }));
  const withSetup = [...FILES, { path: "setup.sh", mode: "100755", blob: "s1" }];
  expect(idOf(from, withSetup, ON)).toBe(idOf(from, withSetup, { ...ON, base: "b2" }));
});

it.each([
  [["/x"]],
  [["../x"]],
  [["a/../b"]],
  [["."]],
  [["a/"]],
  [["a//b"]],
  [[".git"]],
  [["a/.GIT/hooks"]],
  [["a", "a"]],
  [["a", "a/b"]],
  [[]],
])("keeps no %j", (keep) => {
  expect(() => specWith({ ...PREPARE, keep })).toThrow();
});

it.each([[["node_modules"]], [["packages/a/node_modules", "packages/b/node_modules"]], [[".venv"]], [["a", "ab"]], [["..a"]]])(
  "keeps %j",
  (keep) => {
    expect(specWith({ ...PREPARE, keep }).keep).toEqual(keep);
  },
);
