import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonObjectIn } from "./json-in-text.ts";

describe("the JSON object in a reply", () => {
  it.each([
    ["alone", '{"a": 1}'],
    ["in a fence", 'Here it is:\n```json\n{"a": 1}\n```\nDone.'],
    ["after thoughts with another one", '<think>maybe {"a": 2}?</think>\n{"a": 1}'],
    ["after a draft", 'First {"a": 2}, no: {"a": 1}'],
    ["after a bracket that is not closed", 'if (x) { then…\n{"a": 1}'],
    ["after something in brackets that is no JSON", '{like this}: {"a": 1}'],
  ])("is found %s", (_, text) => {
    expect(jsonObjectIn(text)).toEqual({ a: 1 });
  });

  it.each([[""], ["I think it holds."], ["[1, 2]"], ['{"a": 1'], ['<think>{"a": 1}'], ["{".repeat(100_000)]])(
    "is not there in %j",
    (text) => {
      expect(jsonObjectIn(text)).toBeUndefined();
    },
  );

  it("is found whatever prose without brackets stands around it", () => {
    const prose = fc.string().filter((text) => !/[{}"<]/.test(text));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
        const written = JSON.stringify(object);

        expect(jsonObjectIn(`${before} ${written} ${after}`)).toEqual(JSON.parse(written));
      }),
    );
  });
});
