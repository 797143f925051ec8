import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Syntax } from "../../../contract/syntax.ts";
import { loadSyntax } from "../../../world/machine/syntax.ts";
import { compareTexts } from "../compare-text.ts";
import type { DiffExample } from "../rule.ts";
import { viewChanges } from "../view.ts";
import { diffRules } from "./index.ts";

let syntax: Syntax;
beforeAll(async () => {
  syntax = await loadSyntax(LANGUAGES);
});

const viewOf = (example: DiffExample) =>
  viewChanges(
    { files: Object.entries(example).map(([path, [before, after]]) => compareTexts({ path, before, after })), blind: [], seal: [] },
    syntax,
  );

describe.each(diffRules.map((rule) => [rule.id, rule] as const))("%s", (_id, rule) => {
  const grave = (example: DiffExample) => rule.find(viewOf(example)).filter(({ severity = rule.severity }) => severity !== "low");
  it.each(rule.examples.flags)("flags %j", (example) => expect(grave(example)).not.toEqual([]));
  it.each(rule.examples.passes)("passes %j", (example) => expect(grave(example)).toEqual([]));
});

it("gives every rule a name of its own", () => {
  const ids = diffRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
