import fc from "fast-check";
import { expect, it } from "vitest";
import { misfit, shapeProblem } from "./json-shape.ts";

const PLAN = {
  type: "object",
  required: ["steps"],
  properties: {
    steps: { type: "array", minItems: 1, items: { type: "string", maxLength: 5 } },
    size: { type: "integer", minimum: 1 },
    kind: { enum: ["a", "b"] },
  },
  additionalProperties: false,
};

it("says where a value is not as its shape asks", () => {
  expect(shapeProblem(PLAN)).toBeUndefined();
  expect(misfit({ steps: ["one"], size: 2, kind: "a" }, PLAN)).toBeUndefined();
  expect(
    [
      {},
      { steps: [] },
      { steps: ["too long"] },
      { steps: ["a"], size: 1.5 },
      { steps: ["a"], kind: "c" },
      { steps: ["a"], more: 1 },
      [],
    ].map((value) => misfit(value, PLAN)),
  ).toEqual([
    "it has no steps",
    "it.steps has 0 entries, and 1 are the least",
    "it.steps[0] has 8 characters, and 5 are the most",
    "it.size is number, and should be integer",
    'it.kind is none of ["a","b"]',
    "it.more should not be there",
    "it is array, and should be object",
  ]);
});

it("refuses a schema that says more than is checked", () => {
  expect(shapeProblem({ type: "object", properties: { a: { pattern: "x" } } })).toBe(
    'schema.properties.a has "pattern", which is not checked here',
  );
  expect(shapeProblem({ type: "thing" })).toContain("schema.type is none of");
});

it("never throws, whatever the value and whatever the schema", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, shape) => {
      if (shapeProblem(shape) === undefined && typeof shape === "object" && shape !== null) misfit(value, { ...shape });
    }),
    { numRuns: 300 },
  );
});
