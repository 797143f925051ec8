import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import { answerWhen, namesInWhen, parseWhen, readWhen, WHEN_MOST_CHARS, type WhenAnswer, type WhenType, type WhenValue } from "./when.ts";

const NAMES = new Map<string, WhenType>([
  ["score", "number"],
  ["round", "number"],
  ["passed", "truth"],
  ["mood", "text"],
  ["tests.passed", "truth"],
]);

const answer = (text: string, values: { readonly [name: string]: WhenValue } = {}): WhenAnswer => {
  const reading = readWhen(text, NAMES);
  if (reading.kind === "refused") throw new Error(reading.problems[0].problem);
  return answerWhen(reading.when, (name) => values[name] ?? null);
};

const refusal = (text: string) => {
  const reading = readWhen(text, NAMES);
  return reading.kind === "refused" ? reading.problems : [];
};

describe("conditions", () => {
  it.each([
    ["score < 0.8 and round > 1", { score: 0.5, round: 2 }, true],
    ["score < 0.8 and round > 1", { score: 0.5, round: 1 }, false],
    ["not passed or score >= 1", { passed: true, score: 1 }, true],
    ["not (passed or score >= 1)", { passed: false, score: 0 }, true],
    ["passed and not tests.passed", { passed: true, "tests.passed": false }, true],
    ['mood == "good \\"enough\\""', { mood: 'good "enough"' }, true],
    ["mood != 'bad'", { mood: "good" }, true],
    ["score > -1.5", { score: -1 }, true],
    ["true", {}, true],
  ] as const)("answers %s of %j with %s", (text, values, expected) => {
    expect(answer(text, values)).toBe(expected);
  });

  it.each([
    ["score < 0.8", {}, "unknown"],
    ["score < 0.8 and passed", { passed: false }, false],
    ["score < 0.8 or passed", { passed: true }, true],
    ["score < 0.8 or passed", { passed: false }, "unknown"],
    ["not score < 0.8", {}, "unknown"],
    ["passed", {}, "unknown"],
    ["score == null", {}, true],
    ["score != null", {}, false],
    ["score == null", { score: 0 }, false],
    ["score >= 0", { score: Number.NaN }, "unknown"],
    ["score == round", {}, "unknown"],
  ] as const)("lets what nobody knows decide nothing: %s of %j is %s", (text, values, expected) => {
    expect(answer(text, values)).toBe(expected);
  });

  it.each([
    ["scroe < 0.8", 0, "there is no `scroe` here", "Did you mean `score`?"],
    ["round > 1 and test.passed", 14, "there is no `test.passed` here", "Did you mean `tests.passed`?"],
    ["score", 0, "`score` (a number) is neither true nor false", "Compare it"],
    ["mood < 1", 0, "only numbers have an order, and `mood` (a text) is none", "Use == or !=."],
    ["score < null", 0, "only numbers have an order, and null is none", "Use == or !=."],
    ["score == 'high'", 0, "`score` (a number) can never be the same as a text", "Compare"],
    ["0 < score < 1", 10, "comparisons cannot be chained", "joined by and"],
    ["(score) < 1", 8, "what stands in brackets is compared", "Only names"],
    ["score = 1", 6, "one = compares nothing", "=="],
    ["score + 1 > 2", 6, "`+` is not used here", "no sums"],
    ["passed && round > 1", 7, "`&` is not used here", "and, or, not"],
    ["passed(1)", 6, "`(` is not expected here", "no calls"],
    ["score < 80%", 10, "`%` is not used here", "no sums"],
    ["score < 3x", 8, "this number cannot be read", "without a unit"],
    ["score <", 7, "something is missing at the end", "a name or a value"],
    ["(passed", 7, "a bracket is not closed", "Close the one"],
    ["", 0, "something is missing at the end", "a name or a value"],
    ["not not passed", 4, "not stands twice", "Leave both out"],
    ['mood == "open', 8, "this text does not end", "Close it"],
    ["score < 1 é", 10, "a character that is not used here", "Write names"],
  ])("refuses %s at %i", (text, at, problem, instead) => {
    const [first] = refusal(text);

    expect({ at: first?.at, problem: first?.problem }).toEqual({ at, problem });
    expect(first?.instead).toContain(instead);
  });

  it("tells of every unknown name at once", () => {
    expect(refusal("a > 1 or b > 2").map(({ at }) => at)).toEqual([0, 9]);
  });

  it("bounds length and depth", () => {
    const deep = (depth: number): string => `${"(".repeat(depth)}passed${")".repeat(depth)}`;

    expect(answer(deep(20), { passed: true })).toBe(true);
    expect(refusal(deep(21))[0]?.problem).toBe("brackets go deeper than 20");
    expect(refusal(`passed${" ".repeat(WHEN_MOST_CHARS)}`)[0]?.problem).toBe("is longer than 500 characters");
    expect(refusal("passed or ".repeat(49).concat("passed"))).toEqual([]);
  });

  it("never takes a name for something of the language it is written in", () => {
    for (const name of ["constructor", "__proto__", "process.env", "toString", "globalThis"])
      expect(refusal(`${name} == null`)[0]?.problem).toBe(`there is no \`${name}\` here`);
  });

  it("answers as a plain reading of its tree would, whatever is known", () => {
    fc.assert(
      fc.property(
        conditions(4),
        fc.record({ score: known(fc.integer()), round: known(fc.integer()), passed: known(fc.boolean()) }),
        (tree, values) => {
          expect(answer(tree.text, values)).toBe(tree.means(values));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("names what a condition hangs on, once each", () => {
    const parsed = parseWhen("score < 1 and (round > 2 or not passed) and score > 0");

    expect(parsed.kind === "read" && namesInWhen(parsed.when)).toEqual(["score", "round", "passed"]);
  });

  it("never throws, and points into the text, whatever it is", () => {
    const words = fc.constantFrom(
      "score",
      "and",
      "or",
      "not",
      "(",
      ")",
      "<",
      "==",
      "1",
      "'a'",
      "null",
      "passed",
      ".",
      "-",
      "\\",
      '"',
      "\u0000",
      "é",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 600 }),
          fc.array(words, { maxLength: 60 }).map((all) => all.join(" ")),
        ),
        (text) => {
          for (const { at } of refusal(text)) expect(at).toBeLessThanOrEqual(text.length);
        },
      ),
      tries(1_000),
    );
  });
});

interface Tree {
  readonly text: string;
  readonly means: (values: { readonly [name: string]: WhenValue }) => WhenAnswer;
}

const known = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });

/** Trees with what they mean, in brackets wherever they are joined. */
function conditions(depth: number): fc.Arbitrary<Tree> {
  const compare = fc
    .record({ name: fc.constantFrom("score", "round"), operator: fc.constantFrom("<", "<=", ">", ">=", "==", "!="), number: fc.integer() })
    .map(
      ({ name, operator, number }): Tree => ({
        text: `${name} ${operator} ${number}`,
        means: (values) => {
          const value = values[name] ?? null;
          if (typeof value !== "number") return "unknown";
          return (
            {
              "<": value < number,
              "<=": value <= number,
              ">": value > number,
              ">=": value >= number,
              "==": value === number,
              "!=": value !== number,
            }[operator] ?? "unknown"
          );
        },
      }),
    );
  const truth = fc.constant<Tree>({ text: "passed", means: ({ passed }) => (typeof passed === "boolean" ? passed : "unknown") });
  if (depth === 0) return fc.oneof(compare, truth);
  const inner = conditions(depth - 1);
  const not = inner.map(({ text, means }): Tree => ({ text: `not (${text})`, means: (values) => negated(means(values)) }));
  const both = fc.tuple(inner, inner, fc.constantFrom("and", "or")).map(
    ([a, b, word]): Tree => ({
      text: `(${a.text}) ${word} (${b.text})`,
      means: (values) => {
        const answers = [a.means(values), b.means(values)];
        const rank = (one: WhenAnswer): number => (one === "unknown" ? 1 : one ? 2 : 0);
        const ranks = answers.map(rank);
        const decided = word === "and" ? Math.min(...ranks) : Math.max(...ranks);
        return decided === 1 ? "unknown" : decided === 2;
      },
    }),
  );
  return fc.oneof({ depthSize: "small" }, compare, truth, not, both).filter(({ text }) => text.length <= WHEN_MOST_CHARS);
}

const negated = (one: WhenAnswer): WhenAnswer => (one === "unknown" ? one : !one);
