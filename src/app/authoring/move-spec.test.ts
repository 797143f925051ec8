import { resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { movedSpec, mustMeanTheSame } from "./move-spec.ts";

const spec = (more: string): string => `name: fix # ours\nintent: Keep main green.\n${more}`;

it.each(["", "target: { repo: .. }\n", "target: { base: main }\n", "target:\n  repo: ../other\n"])(
  "means the same repository from another folder: %j",
  (more) => {
    const text = spec(more);
    const moved = movedSpec(text, "/work/repo/loops/fix.loop.yaml", "/elsewhere/fix.loop.yaml");

    expect(moved).toContain("# ours");
    expect(resolve("/elsewhere", parse(moved).target.repo)).toBe(resolve("/work/repo/loops", parse(text).target?.repo ?? "."));
    expect(parse(moved).target.base).toBe(parse(text).target?.base);
    expect(() => mustMeanTheSame(text, "/work/repo/loops/fix.loop.yaml", "/elsewhere/fix.loop.yaml")).toThrow("cannot lie at");
  },
);

it.each([
  ["in the same folder", "target: { repo: .. }\n", "/a/b.yaml"],
  ["with a path from the root", "target: { repo: /work/repo }\n", "/b/b.yaml"],
])("is as it was %s", (_, more, to) => {
  expect(movedSpec(spec(more), "/a/a.yaml", to)).toBe(spec(more));
  expect(() => mustMeanTheSame(spec(more), "/a/a.yaml", to)).not.toThrow();
});

it("is refused where it composes others by their files", () => {
  const text = spec("team:\n  workers:\n    one: { loop: one.loop.yaml }\n");

  expect(() => movedSpec(text, "/a/a.yaml", "/b/a.yaml")).toThrow("composes loops");
});
