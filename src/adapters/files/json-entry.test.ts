import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import { addEntry, type JsonEntry, removeEntry } from "./json-entry.ts";

const entry: JsonEntry = {
  path: ["hooks", "Before"],
  item: { run: "ours" },
  isHere: (item) => JSON.stringify(item) === '{"run":"ours"}',
  isOurs: (item) => JSON.stringify(item) === '{"run":"ours"}',
  besides: {},
};
const versioned: JsonEntry = { ...entry, besides: { version: 1 } };

const added = (text: string | undefined, what = entry): string => {
  const edit = addEntry(text, what);
  if (edit.kind !== "changed") throw new Error(JSON.stringify(edit));
  return edit.text;
};

describe("adding", () => {
  it("makes the file when there is none", () => {
    expect(added(undefined)).toBe(`{
  "hooks": {
    "Before": [
      {
        "run": "ours"
      }
    ]
  }
}
`);
  });

  it("adds behind what is there, in the file's own indentation and line ends", () => {
    const text = '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Before": [\r\n\t\t\t{ "run": "theirs" }\r\n\t\t]\r\n\t}\r\n}';

    expect(added(text)).toBe(
      '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Before": [\r\n\t\t\t{ "run": "theirs" },\r\n\t\t\t{\r\n\t\t\t\t"run": "ours"\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}',
    );
  });

  it("stays on one line in a file of one line", () => {
    expect(added('{"a":1,"hooks":{"After":[]}}')).toBe('{"a":1,"hooks":{"After":[],"Before": [ { "run": "ours" } ]}}');
  });

  it("keeps comments", () => {
    const text = '{\n  // mine\n  "a": 1 /* one */\n}\n';

    expect(added(text)).toBe(`{
  // mine
  "a": 1,
  "hooks": {
    "Before": [
      {
        "run": "ours"
      }
    ]
  } /* one */
}
`);
  });

  it("changes nothing when it is there already", () => {
    expect(addEntry(added('{\n  "a": 1\n}'), entry)).toEqual({ kind: "unchanged" });
  });

  it("takes the last of two members of one name, as readers do", () => {
    expect(added('{"hooks":1,"hooks":{}}')).toBe('{"hooks":1,"hooks":{"Before": [ { "run": "ours" } ]}}');
  });

  it.each([
    ["{", "it is not valid JSON: line 1, column 2: a name in double quotes is missing here. Mend it, then try again"],
    ["", "it is not valid JSON: line 1, column 1: a JSON value is missing here. Mend it, then try again"],
    ["[]", "it is not an object. Mend it, then try again"],
    ['{"hooks": []}', "`hooks` is not an object. Mend it, then try again"],
    ['{"hooks": {"Before": {}}}', "`hooks.Before` is not a list. Mend it, then try again"],
  ])("refuses %j and says what is wrong", (text, why) => {
    expect(addEntry(text, entry)).toEqual({ kind: "refused", why });
    expect(removeEntry(text, entry)).toEqual({ kind: "refused", why });
  });

  it("refuses a file without what it must say besides", () => {
    expect(addEntry('{"version": 2}', versioned)).toEqual({
      kind: "refused",
      why: 'it does not say "version": 1. Add that, then try again',
    });
  });
});

describe("removing", () => {
  it("removes the file that it made", () => {
    expect(removeEntry(added(undefined), entry)).toEqual({ kind: "removed" });
    expect(removeEntry(added(undefined, versioned), versioned)).toEqual({ kind: "removed" });
  });

  it("keeps what others added to the file that it made", () => {
    const text = added(undefined).replace("\n}\n", ',\n  "theirs": 1\n}\n');

    expect(removeEntry(text, entry)).toEqual({ kind: "changed", text: '{\n  "theirs": 1\n}\n' });
  });

  it("takes out ours from before, between and behind others, as often as it is there", () => {
    expect(removeEntry('{"hooks": {"Before": [{"run":"ours"}, 1, {"run":"ours"}, 2, {"run":"ours"}]}}', entry)).toEqual({
      kind: "changed",
      text: '{"hooks": {"Before": [1, 2]}}',
    });
  });

  it("changes nothing where ours is not", () => {
    expect(removeEntry('{"hooks": {"Before": [{"run":"theirs"}]}}', entry)).toEqual({ kind: "unchanged" });
    expect(removeEntry("{}", entry)).toEqual({ kind: "unchanged" });
  });

  const json = fc.jsonValue({ maxDepth: 3 });
  const withHooks = fc.record(
    {
      hooks: fc.oneof(json, fc.record({ Before: fc.oneof(json, fc.array(json)), After: json }, { requiredKeys: [] })),
      a: json,
      version: fc.constant(1),
    },
    { requiredKeys: [] },
  );
  const laidOut = fc
    .tuple(fc.oneof(withHooks, json), fc.constantFrom(0, 1, 2, 4, "\t"), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\n", " \n\n"))
    .map(([value, indent, newline, end]) => (JSON.stringify(value, null, indent) + end).replaceAll("\n", newline));
  const blanks = fc.constantFrom("", " ", "\n", "\n  ", "\t", " /* {[ */ ", "// ]}\n");
  const sparse = fc
    .tuple(blanks, blanks, blanks, fc.constantFrom('"hooks":{', '"hooks": {"Before":[', '"version":1,"hooks" : {', '"version":1'))
    .map(([a, b, c, open]) => `${a}{${b}${open}${c}${open.includes("[") ? "]" : ""}${open.includes("{") ? "}" : ""}${a}}${b}`);

  it.each([
    ["any settings", entry, laidOut],
    ["settings that must say more", versioned, laidOut],
    ["empty lists and objects with blanks and comments in them", entry, sparse],
    ["such settings that must say more", versioned, sparse],
  ])("gives back, byte for byte, %s that ours was put into", (_, what, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const edit = addEntry(text, what);
        fc.pre(edit.kind === "changed");

        expect(removeEntry(edit.text, what)).toEqual({ kind: "changed", text });
        expect(addEntry(edit.text, what)).toEqual({ kind: "unchanged" });
      }),
      tries(250),
    );
  });

  it("adds one item and leaves every other value and the order of the names", () => {
    fc.assert(
      fc.property(withHooks, (value) => {
        const text = JSON.stringify(value, null, 2);
        const edit = addEntry(text, entry);
        fc.pre(edit.kind === "changed");

        const before = JSON.parse(text);
        const hooks = before.hooks ?? {};
        const expected = { ...before, hooks: { ...hooks, Before: [...(hooks.Before ?? []), entry.item] } };
        expect(JSON.stringify(JSON.parse(edit.text))).toBe(JSON.stringify(expected));
      }),
    );
  });
});
