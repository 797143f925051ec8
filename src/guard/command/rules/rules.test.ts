import { describe, expect, it } from "vitest";
import { askGuard } from "../ask-guard.ts";
import { commandRules } from "./index.ts";

describe.each(commandRules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  it.each(rule.examples.flags)("flags   %s", (text) => expect(askGuard(text).findings.map((finding) => finding.rule)).toContain(id));
  it.each(rule.examples.passes)("passes  %s", (text) => expect(askGuard(text).findings.map((finding) => finding.rule)).not.toContain(id));
});

it("gives every rule a name of its own", () => {
  const ids = commandRules.map((rule) => rule.id);
  expect(new Set(ids).size).toBe(ids.length);
});

it("refuses what it cannot read", () => expect(askGuard('git push "').decision).toBe("deny"));
