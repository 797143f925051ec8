import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { tries } from "../../test/support/tries.ts";
import { setValue } from "./edit-spec.ts";
import { writeSpec } from "./write-spec.ts";

it("writes every field in its order, each with its comment above it, what is short in one line", () => {
  const text = writeSpec(
    ["Made by hand."],
    [
      { key: "name", value: "fix", comment: [] },
      { key: "trigger", value: { use: "daily", with: { at: "02:30" } }, comment: ["At night.", "And\nnot by day."] },
      { key: "verifiers", value: [{ use: "command", with: { run: `npm test ${"-".repeat(100)}`, timeout: "5m" } }], comment: [] },
    ],
  );

  expect(text).toBe(
    `# Made by hand.\n\nname: fix\n# At night.\n# And not by day.\ntrigger: { use: daily, with: { at: "02:30" } }\nverifiers:\n  - use: command\n    with:\n      run: npm test ${"-".repeat(100)}\n      timeout: 5m\n`,
  );
});

it("writes any value so that it reads the same, whatever the comments hold", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }), (value, comment) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));

      expect(
        parse(
          writeSpec(comment, [
            { key: "a", value: plain, comment },
            { key: "b", value: 1, comment },
          ]),
        ),
      ).toEqual({ a: plain, b: 1 });
    }),
    tries(100),
  );
});

const WRITTEN = `# Mine.
name:   fix   # the name
maker: { with: {timeout: 20m}, use: claude-code } # who
verifiers:
- use: command
  with:
      run: |
        npm test
      # Long.
      timeout: 5m
trigger: {use: "daily", with: {at: '02:30'}}
`;

it.each([
  [["maker", "use"], "codex", "use: claude-code", "use: codex"],
  [["trigger", "with", "at"], "05:00", "at: '02:30'", 'at: "05:00"'],
  [["verifiers", 0, "with", "timeout"], "1h", "timeout: 5m", "timeout: 1h"],
  [["verifiers", 0, "with", "run"], "make: all, #1", "run: |\n        npm test\n", 'run: "make: all, #1"\n'],
  [["name"], "mend", "name:   fix ", "name:   mend "],
])("changes %j and no other byte", (path, value, before, after) => {
  expect(setValue(WRITTEN, path, value)).toEqual({ kind: "edited", text: WRITTEN.replace(before, () => after) });
});

it("leaves the text as it is where the value is there already", () => {
  expect(setValue(WRITTEN, ["maker", "use"], "claude-code")).toEqual({ kind: "edited", text: WRITTEN });
});

it.each([
  [WRITTEN, ["maker"], "there is no single value at maker"],
  [WRITTEN, ["budget", "usd"], "there is no single value at budget.usd"],
  ["maker: [", ["maker", "use"], "the file is no YAML that can be read"],
  ["maker: { use: &a codex }\n", ["maker", "use"], "the value at maker.use has an anchor or a tag"],
])("changes nothing where it cannot: %#", (text, path, why) => {
  expect(setValue(text, path, "x")).toEqual({ kind: "refused", why });
});

it("changes one value of any spec to any text, and nothing else", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
      (before, after) => {
        const text = writeSpec(
          [],
          [
            { key: "maker", value: { use: before, more: [1] }, comment: ["Why."] },
            { key: "z", value: before, comment: [] },
          ],
        );
        const edited = setValue(text, ["maker", "use"], after);

        expect(edited.kind === "edited" && parse(edited.text)).toEqual({ maker: { use: after, more: [1] }, z: before });
      },
    ),
    tries(100),
  );
});
