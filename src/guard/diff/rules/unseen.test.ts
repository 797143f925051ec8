import { describe, expect, it } from "vitest";
import type { ChangedFile, ChangeSet, Content } from "../../../contract/change-set.ts";
import { compareTexts } from "../compare-text.ts";
import { viewChanges } from "../view.ts";
import { unseenRules } from "./unseen.ts";

const syntax = { parse: () => undefined };
const sightings = (id: string, set: Partial<ChangeSet>) =>
  unseenRules.find((rule) => rule.id === id)!.find(viewChanges({ files: [], blind: [], seal: [], ...set }, syntax));

const file = (path: string, before: Content | undefined, after: Content | undefined, oldPath?: string): ChangedFile => ({
  path,
  oldPath,
  before: before && { mode: "100644", content: before },
  after: after && { mode: "100644", content: after },
  hunks: [],
  scope: "whole",
});
const text = (content: string): Content => ({ kind: "text", pieces: [{ line: 1, text: content }] });

describe("seal-touched", () => {
  const changed = compareTexts({ path: "test/a.js", before: "a\n", after: "b\n" });

  it.each([
    ["a changed file", changed, "test/**"],
    ["another case of letters", compareTexts({ path: "CI/Run", before: "a\n", after: undefined }), "ci/run"],
    ["a new file", compareTexts({ path: ".github/workflows/ci.yml", before: undefined, after: "a\n" }), ".github/**"],
    ["a name with a line break", compareTexts({ path: "test/odd\nname.js", before: undefined, after: "a\n" }), "test/**"],
    ["a file that was renamed away", compareTexts({ path: "src/a.js", oldPath: "test/a.js", before: "a\n", after: "a\n" }), "test/**"],
    ["a file whose mode changed", file("test/a.js", text("a"), text("a")), "test/**"],
  ])("sees %s", (_name, one, glob) => {
    expect(sightings("seal-touched", { files: [one], seal: [glob] })).toHaveLength(1);
  });

  it("says nothing of files outside the seal, or without one", () => {
    expect(sightings("seal-touched", { files: [changed], seal: ["src/**"] })).toEqual([]);
    expect(sightings("seal-touched", { files: [changed] })).toEqual([]);
  });
});

describe("not-understood", () => {
  it("says every place that the reader of the change was blind to", () => {
    expect(sightings("not-understood", { blind: [{ file: undefined, line: 3, why: "a hunk is cut off" }] })).toEqual([
      { file: "(the change)", line: 3, confidence: "high", what: "was not understood: a hunk is cut off" },
    ]);
  });

  it("says which file was not read", () => {
    expect(sightings("not-understood", { files: [file("a.bin", undefined, { kind: "unread", why: "it is too large" })] })).toEqual([
      { file: "a.bin", line: undefined, confidence: "high", what: "was not read: it is too large" },
    ]);
  });
});

describe("turned-binary", () => {
  it.each([
    ["code that was text", file("src/a.py", text("a"), { kind: "binary" })],
    ["code that comes as bytes", file("tests/test_a.py", undefined, { kind: "binary" })],
  ])("sees %s", (_name, one) => {
    expect(sightings("turned-binary", { files: [one] })).toHaveLength(1);
  });

  it("lets pictures be binary", () => {
    expect(sightings("turned-binary", { files: [file("docs/a.png", undefined, { kind: "binary" })] })).toEqual([]);
  });
});
