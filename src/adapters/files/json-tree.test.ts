import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonValue, readJsonTree } from "./json-tree.ts";

const meaning = (text: string): unknown => {
  const reading = readJsonTree(text);
  return reading.kind === "tree" ? jsonValue(reading.root) : reading;
};

it("reads whatever JSON can say, laid out in any way", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);

      expect(meaning(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("refuses exactly what is not JSON, comments aside", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,01.-eE \\\nntrufalse') }), (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }

      expect(readJsonTree(text).kind).toBe(valid ? "tree" : "broken");
    }),
    { numRuns: 2000 },
  );
});

it("knows where everything stands", () => {
  const text = ' {"a": [1, {"b": "x"}]} ';

  const reading = readJsonTree(text);

  expect(reading).toEqual({
    kind: "tree",
    root: {
      kind: "object",
      start: 1,
      end: 23,
      parts: [
        {
          key: "a",
          start: 2,
          end: 22,
          node: {
            kind: "list",
            start: 7,
            end: 22,
            parts: [
              { kind: "plain", start: 8, end: 9, value: 1 },
              {
                kind: "object",
                start: 11,
                end: 21,
                parts: [{ key: "b", start: 12, end: 20, node: { kind: "plain", start: 17, end: 20, value: "x" } }],
              },
            ],
          },
        },
      ],
    },
  });
});

it("looks past comments and a byte order mark", () => {
  expect(meaning('\ufeff// first\n{ /* a */ "a" /* b */ : // c\n 1 }\n// last')).toEqual({ a: 1 });
});

it.each([
  ["", "line 1, column 1: a JSON value is missing here"],
  ["{\n  a: 1\n}", "line 2, column 3: a name in double quotes is missing here"],
  ['{"a" 1}', "line 1, column 6: a colon is missing here"],
  ['{"a": 1 "b": 2}', "line 1, column 9: a comma or } is missing here"],
  ["[1, 2", "line 1, column 6: a comma or ] is missing here"],
  ["[1, 2,]", "line 1, column 7: a JSON value is missing here"],
  ['["a\nb"]', "line 1, column 2: this text in quotes does not end, or has a character that must be escaped"],
  ["[] /* x", "line 1, column 4: this comment does not end"],
  ["[] []", "line 1, column 4: something stands after the end of the JSON"],
  ["[".repeat(100_000), "line 1, column 202: lists and objects are nested more than 200 deep"],
])("says where %j is broken", (text, why) => {
  expect(readJsonTree(text)).toEqual({ kind: "broken", why });
});
