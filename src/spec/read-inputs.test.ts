import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GivenInputs } from "../contract/inputs.ts";
import { InputWish } from "../contract/inputs.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { patternProblem } from "../std/simple-pattern.ts";
import { readInputs, wishProblem } from "./read-inputs.ts";

const about = "what it is";
const declared: NonNullable<LoopSpec["inputs"]> = {
  topic: { type: "text", about, required: true, longest: 10 },
  count: { type: "number", about, least: 1, most: 5, default: 2 },
  style: { type: "choice", about, values: ["short", "long", 3] },
  tags: { type: "list", about, most: 2 },
};

const hand = (given: { readonly [name: string]: string }): GivenInputs =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, { text, by: "hand" as const }]));

describe("what a run is told", () => {
  it("is read as its spec declares it, with who said so", () => {
    expect(
      readInputs(
        { inputs: declared },
        { ...hand({ count: "3", style: "3" }), topic: { text: "caches", by: "trigger" }, tags: { text: '["a"]', by: "file" } },
      ),
    ).toEqual({
      kind: "read",
      inputs: {
        topic: { value: "caches", trust: "outsider", by: "trigger" },
        count: { value: 3, trust: "owner", by: "hand" },
        style: { value: 3, trust: "owner", by: "hand" },
        tags: { value: ["a"], trust: "member", by: "file" },
      },
    });
  });

  it("is refused with everything that is wrong at once", () => {
    expect(readInputs({ inputs: declared }, hand({ count: "9", style: "odd", tags: '["a","b","c"]', topik: "x" }))).toEqual({
      kind: "refused",
      problems: [
        "the loop has no input called topik. Did you mean topic?",
        "the input topic is missing (what it is). Give it with --input topic=…",
        "the input count must be at most 5",
        "the input style must be one of: short, long, 3",
        "the input tags must be at most 2 entries",
      ],
    });
    expect(readInputs({ inputs: declared }, hand({ topic: "far too long" }))).toMatchObject({
      problems: ["the input topic must have at most 10 characters, and has 12"],
    });
  });

  it("is missing where a required text has nothing in it, unless the spec says how short it may be", () => {
    const problems = ["the input topic is missing (what it is). Give it with --input topic=…"];
    for (const topic of ["", " \n"]) expect(readInputs({ inputs: declared }, hand({ topic }))).toEqual({ kind: "refused", problems });
    const short: typeof declared = { topic: { type: "text", about, required: true, shortest: 0 }, note: { type: "text", about } };
    expect(readInputs({ inputs: short }, hand({ topic: "", note: "" }))).toMatchObject({
      inputs: { topic: { value: "" }, note: { value: "" } },
    });
  });

  it("leaves no trace in a run whose spec declares nothing", () => {
    expect(readInputs({}, {})).toEqual({ kind: "read", inputs: undefined });
  });

  it("never throws, whatever somebody gives", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (given) => {
        expect(["read", "refused"]).toContain(readInputs({ inputs: declared }, hand(given)).kind);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a declared input", () => {
  const wrong = (wish: object) => wishProblem(InputWish.parse({ about, ...wish }))?.at;

  it("is refused where it could never be given", () => {
    expect(wrong({ type: "choice" })).toBe("type");
    expect(wrong({ type: "text", values: ["a"] })).toBe("values");
    expect(wrong({ type: "number", default: "one" })).toBe("default");
    expect(wrong({ type: "text", pattern: "(a+)+" })).toBe("pattern");
    expect(wrong({ type: "list", from: "subject" })).toBe("from");
    expect(wrong({ type: "text", pattern: "[A-Z]+-\\d+", default: "AB-1" })).toBeUndefined();
  });
});

describe("a pattern for strangers' text", () => {
  it("is refused when it could take long", () => {
    expect(["(a|aa)*b", "(?=a)b", "(a)\\1", ".*.*.*.*", "("].map(patternProblem)).toEqual([
      "repeats a group",
      "looks around, or names a group",
      "refers back to a group",
      "repeats more than 3 things",
      "is no regular expression",
    ]);
    expect(patternProblem("(?:fix|mend)-[a-z\\])(*]+\\)*")).toBeUndefined();
  });

  it("takes no time to speak of on the longest text that is tried", () => {
    const given = hand({ a: "a".repeat(499) });

    expect(readInputs({ inputs: { a: { type: "text", about, longest: 500, pattern: "a*a*a*b" } } }, given).kind).toBe("refused");
  });
});
