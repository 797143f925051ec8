import { describe, expect, it } from "vitest";
import type { ChangedFile, Content, Side } from "../../../contract/change-set.ts";
import { viewChanges } from "../view.ts";
import { plantedFileRules } from "./planted-files.ts";

const syntax = { parse: () => undefined };
const severities = (id: string, file: ChangedFile) => {
  const rule = plantedFileRules.find((one) => one.id === id)!;
  return rule.find(viewChanges({ files: [file], blind: [], seal: [] }, syntax)).map(({ severity }) => severity ?? rule.severity);
};

const text: Content = { kind: "text", pieces: [{ line: 1, text: "a\n" }] };
const plain: Side = { mode: "100644", content: text };
const link = (target: string): Side => ({ mode: "120000", content: { kind: "link", target } });
const submodule = (commit: string): Side => ({ mode: "160000", content: { kind: "submodule", commit } });
const changed = (path: string, before: Side | undefined, after: Side | undefined): ChangedFile => ({
  path,
  oldPath: undefined,
  before,
  after,
  hunks: [],
  scope: "whole",
});

describe("link-planted", () => {
  it.each([
    ["a test that became a link", changed("tests/test_a.py", plain, link("../ok.py")), ["high"]],
    ["a new link to the root", changed("docs/x", undefined, link("/etc/passwd")), ["medium"]],
    ["a new link that climbs out", changed("docs/x", undefined, link("../../other")), ["medium"]],
    ["a link into git's folder", changed("x", undefined, link(".git/hooks")), ["high"]],
    ["a new link inside", changed("docs/x", undefined, link("../src/a.js")), []],
    ["a readme that became a link", changed("docs/README.md", plain, link("../README.md")), []],
  ])("judges %s", (_name, file, expected) => {
    expect(severities("link-planted", file)).toEqual(expected);
  });
});

describe("submodule-moved", () => {
  it.each([
    ["another commit", changed("lib/a", submodule("1"), submodule("2")), ["medium"]],
    ["a folder that became one", changed("lib/a", plain, submodule("2")), ["high"]],
    ["one that is gone", changed("lib/a", submodule("1"), undefined), []],
  ])("judges %s", (_name, file, expected) => {
    expect(severities("submodule-moved", file)).toEqual(expected);
  });
});

describe("script-not-executable", () => {
  const executable: Side = { mode: "100755", content: text };

  it.each([
    ["a script of the checks", changed("ci/test.sh", executable, plain), ["medium"]],
    ["a module that is imported", changed("src/a.py", executable, plain), []],
    ["a script that may be run now", changed("ci/test.sh", plain, executable), []],
  ])("judges %s", (_name, file, expected) => {
    expect(severities("script-not-executable", file)).toEqual(expected);
  });
});
