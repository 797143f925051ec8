import fc from "fast-check";
import { expect, it } from "vitest";
import { type Gentle, gentleVariantsOf, shapeOf } from "./gentle.ts";

const variants = (args: unknown, about: { readonly others?: readonly unknown[]; readonly depth?: 1 | 2 } = {}) =>
  gentleVariantsOf({ args, others: about.others ?? [], depth: about.depth ?? 1, seed: "s", most: 40 });
const of = (how: Gentle, ...about: Parameters<typeof variants>): readonly string[] =>
  variants(...about)
    .filter((variant) => variant.how === how)
    .map(({ args }) => JSON.stringify(args));

it("changes figures and nothing else", () => {
  const found = of("figures", ["1d 2h", 7]);

  expect(found.length).toBeGreaterThan(5);
  for (const args of found) expect(args).toMatch(/^\["\d+d \d+h",\d+\]$/);
});

it("asks figures that are longer than what was shown, whatever the seed", () => {
  for (const seed of "abcdefgh") {
    const [first] = gentleVariantsOf({ args: ["1+20"], others: [], depth: 1, seed, most: 40 });
    expect(JSON.stringify(first?.args)).toMatch(/^\["\d{4}\+\d{5}"\]$/);
  }
});

it("puts words in another order, leaves one out, and takes one of another call", () => {
  expect(of("order", ["a b c"])).toContain('["c a b"]');
  expect(of("part", ["a b c"]).every((args) => ['["b c"]', '["a c"]', '["a b"]'].includes(args))).toBe(true);
  expect(of("mixed", ["a b"], { others: [["x y"]] }).some((args) => /[xy]/.test(args))).toBe(true);
});

it("leaves records as they are, and turns lists of them", () => {
  const entries = [
    ["ann", "x"],
    ["bob", "y"],
  ];

  expect(of("order", [entries])).toEqual(['[[["bob","y"],["ann","x"]]]']);
  expect(of("part", [entries])).toEqual(expect.arrayContaining(['[[["ann","x"]]]', '[[["bob","y"]]]']));
});

it("leaves lists in a list whole where they are all as long, and turns the list of them", () => {
  const ranges = [
    [1, 4],
    [3, 6],
  ];

  expect(of("order", [ranges])).toEqual(["[[[3,6],[1,4]]]"]);
  expect(of("part", [ranges])).toEqual(expect.arrayContaining(["[[[1,4]]]", "[[[3,6]]]"]));
  expect(of("part", [ranges])).toHaveLength(2);
});

it("never leaves out a positional argument of Python", () => {
  for (const { args } of variants([["1h 2m", 3], {}], { depth: 2 })) expect((args as readonly (readonly unknown[])[])[0]).toHaveLength(2);
});

it("gives the same for the same seed, never what was asked already, and ends for any value", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 3 }), (args) => {
      const found = variants(args);
      expect(found).toEqual(variants(args));
      expect(found.map((one) => JSON.stringify(one.args))).not.toContain(JSON.stringify(args));
    }),
    { numRuns: 60 },
  );
});

it("knows calls of one shape by everything but their figures", () => {
  expect(shapeOf(["1d 22h", 5])).toBe(shapeOf(["333d 4h", 0]));
  expect(shapeOf(["1d"])).not.toBe(shapeOf(["1h"]));
});
