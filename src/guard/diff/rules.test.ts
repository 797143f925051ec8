import { describe, expect, it } from "vitest";
import { diffRules } from "./rules.ts";
import { scanChanges } from "./scan-changes.ts";

describe.each(diffRules.map((rule) => [rule.id, rule] as const))("%s", (_id, rule) => {
  it.each(rule.examples.flags)("flags $changes", (set) => expect(rule.find(set)).not.toEqual([]));
  it.each(rule.examples.passes)("passes $changes", (set) => expect(rule.find(set)).toEqual([]));
});

it("gives every rule a name of its own", () => {
  const ids = diffRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it("tells every finding of a change, with what to do instead", () => {
  const findings = scanChanges({
    changes: [{ path: "test/sum.test.js", before: { mode: "100644", blob: "a1" }, after: undefined }],
    seal: ["test/**"],
  });

  expect(findings).toEqual([
    {
      rule: "test-removed",
      severity: "high",
      where: "test/sum.test.js was deleted",
      why: "A test file is gone, so what it checked is no longer checked. Put it back and make it pass instead.",
    },
    {
      rule: "seal-touched",
      severity: "high",
      where: "test/sum.test.js",
      why: "A sealed file was changed, and the maker may not decide about it. Leave it as it is and change something else.",
    },
  ]);
});
