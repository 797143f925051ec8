import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonObjectIn, soleJson } from "./json-in-text.ts";

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

describe("the one JSON value that a reply is", () => {
  it.each([
    ["alone", ' {"a": 1}\n'],
    ["in a fence", '```json\n{"a": 1}\n```'],
    ["after thoughts with another one", '<think>maybe {"a": 2}?</think>\n{"a": 1}'],
  ])("is read %s", (_, text) => {
    expect(soleJson(text)).toEqual({ a: 1 });
  });

  it.each([
    ["words stand before it", 'Well: {"a": 1}'],
    ["words stand behind it", '{"a": 1} or so'],
    ["there are two", '{"a": 1}\n{"a": 2}'],
    ["one key is there twice", '{"a": 1, "a": 2}'],
    ["one key is there twice, once spelled otherwise", '{"a": 1, "\\u0061": 2}'],
    ["one key is there twice further inside", '{"b": [{"a": 1, "a": 2}]}'],
    ["it was never closed", '{"a": 1'],
    ["it is in thoughts that were never closed", '<think>{"a": 1}'],
    ["it is longer than anybody reads", JSON.stringify({ a: "x".repeat(1024 * 1024) })],
  ])("is none when %s", (_, text) => {
    expect(soleJson(text)).toBeUndefined();
  });

  it("is read back whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(soleJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
