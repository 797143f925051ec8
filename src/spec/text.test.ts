import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeParts, GOOD, REPORT } from "../../test/support/fake-parts.ts";
import { isLong, tries } from "../../test/support/tries.ts";
import { formatProblem, readSpec } from "./read-spec.ts";

const read = (text: string, file = "loop.yaml") => readSpec(file, text, fakeParts);

/** Every problem of a refused spec, or every warning of one that was read, as a person sees them. */
function lines(text: string, file?: string): readonly string[] {
  const reading = read(text, file);
  return (reading.kind === "refused" ? reading.problems : reading.warnings).map(formatProblem);
}

describe("readSpec, given broken text", () => {
  it("reports the error of the text, and problems before it, but not what the break only makes seem missing", () => {
    expect(lines('taks: 1\nname: "x\nlevel: L2\n')).toEqual([
      "loop.yaml:1:1  taks: unknown key `taks`. Did you mean `task`?",
      'loop.yaml:4:1  yaml: this is not YAML: Missing closing "quote. Add what is missing.',
    ]);
  });

  it("goes on after an error that spoils one value only", () => {
    expect(lines(`task: "\\q"\nnmae: x\n${GOOD}`)).toEqual([
      "loop.yaml:1:8  yaml: this is not YAML: Invalid escape sequence \\q. Write \\\\ for a backslash, or use single quotes.",
      "loop.yaml:2:1  nmae: unknown key `nmae`. Did you mean `name`?",
    ]);
  });

  it.each([
    ["tabs", `${GOOD}\ttask: x\n`, "loop.yaml:10:1  yaml: this is not YAML: Tabs are not allowed as indentation. Indent with spaces."],
    ["a second document", `${GOOD}---\n${GOOD}`, "loop.yaml:10:1  yaml: a second document begins here. Write one spec in each file."],
    ["a directive", `%YAML 1.1\n---\n${GOOD}`, "loop.yaml:1:1  yaml: the directive `%YAML 1.1` is not used in specs. Leave it out."],
    ["a tag", `${GOOD}task: !js/function x\n`, "loop.yaml:10:7  yaml: the tag `!js/function` is not used in specs. Leave it out."],
    ["an alias of nothing", `${GOOD}task: *x\n`, "loop.yaml:10:7  task: no anchor `&x` stands before this alias. Write the value out."],
    [
      "an alias of itself",
      GOOD.replace("fix}", "fix, extra: &x [*x]}"),
      "loop.yaml:7:39  maker.with.extra[0]: the alias `*x` contains itself. Write the value out.",
    ],
    [
      "a control character",
      `${GOOD}task: a\u0000b\n`,
      "loop.yaml:10:8  yaml: there is a control character or half a character in the text. Remove it.",
    ],
    ["an empty file", "", "loop.yaml:1:1  yaml: the file is empty. Write a spec in it."],
    ["a comment alone", "# later\n", "loop.yaml:1:1  yaml: the file is empty. Write a spec in it."],
    [
      "a file that is too large",
      `${GOOD}#${"x".repeat(256 * 1024)}`,
      "loop.yaml:1:1  yaml: the file is larger than 256 KiB. Write a shorter spec.",
    ],
    [
      "deep nesting",
      `${GOOD}task: ${"[".repeat(100)}`,
      "loop.yaml:10:46  yaml: the text is nested too deeply or has too many values. Write a simpler spec.",
    ],
  ])("refuses %s", (_, text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });

  it("finds positions in JSON too", () => {
    expect(lines('{\n\t"name": "a",\n\t"intent": "b",\n\t"level": 2,\n\t"maker": {"use": "shell"}\n}', "loop.json")).toEqual([
      "loop.json:1:1  verifiers: is missing. Add it, e.g. `verifiers: [{use: tests}]`.",
      "loop.json:4:11  level: must be L1 or L2 or L3, is 2. Write one of: L1, L2, L3.",
      "loop.json:5:11  maker.with: is missing. Add it, e.g. `with: {run: npm run fix}`.",
    ]);
  });
});

describe("readSpec, whatever the text", () => {
  const answers = (text: string) => {
    const reading = read(text);
    if (reading.kind === "read")
      return expect(read(JSON.stringify(reading.spec))).toMatchObject({ kind: "read", spec: reading.spec, hash: reading.hash });
    expect(reading.problems.length).toBeGreaterThan(0);
    expect(reading.problems.every(({ line, col }) => line >= 1 && col >= 1)).toBe(true);
  };

  it("answers for any string", () => {
    const yamlish = fc.array(
      fc.constantFrom(
        "a",
        ":",
        " ",
        "\n",
        "-",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&a",
        "*a",
        "!",
        "|",
        ">",
        '"',
        "'",
        "#",
        "%",
        "\t",
        "?",
        "<<",
        "\uFEFF",
        "\ud800",
        "use",
        "maker",
        "---\n",
      ),
    );

    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          yamlish.map((all) => all.join("")),
        ),
        (text) => {
          answers(text);
        },
      ),
      tries(120),
    );
  });

  it("answers for a sound spec with a piece cut out or put in", () => {
    const cut = fc.tuple(
      fc.constantFrom(GOOD, REPORT),
      fc.nat(160),
      fc.nat(20),
      fc.oneof(fc.string(), fc.constantFrom("\n", ": ", "- ", "{", '"', "__proto__: 1\n", "&a ", "*a")),
    );

    fc.assert(
      fc.property(cut, ([text, at, length, piece]) => {
        answers(text.slice(0, at) + piece + text.slice(at + length));
      }),
      tries(120),
    );
  });

  it("answers for any JSON, alone or as a field of a sound spec", () => {
    const field = fc.constantFrom(
      "name",
      "intent",
      "level",
      "target",
      "trigger",
      "gather",
      "maker",
      "verifiers",
      "seal",
      "budget",
      "gate",
      "notify",
    );

    fc.assert(
      fc.property(fc.jsonValue(), field, (value, key) => {
        answers(JSON.stringify(value));
        answers(`${GOOD}${key}: ${JSON.stringify(value)}\n`);
        answers(
          JSON.stringify({
            name: "a",
            intent: "b",
            level: "L2",
            maker: { use: "shell", with: { run: "x", extra: value } },
            verifiers: [{ use: "tests" }],
          }),
        );
      }),
      tries(80),
    );
  });

  /** As much as is read of a spec, where there is time for it. */
  const size = isLong ? 250_000 : 60_000;
  it.each([
    ["many brackets", "[".repeat(size)],
    ["many dashes", "- ".repeat(size / 2)],
    ["many question marks", "? ".repeat(size / 2)],
    ["many closing braces", "}".repeat(size)],
    ["many keys", Array.from({ length: 25_000 }, (_, i) => `k${i}: 1`).join("\n")],
    ["as many keys as are read", Array.from({ length: 9000 }, (_, i) => `k${i}: 1`).join("\n")],
    ["many documents", "---\n".repeat(size / 4)],
    ["many quotes", '"'.repeat(size)],
    ["many anchors", "&a ".repeat(size / 3)],
    ["many wrong verifiers", `${GOOD}${"  - use: x\n".repeat(5000)}`],
    ["many numbers that are none", `${GOOD}seal: [${".nan, ".repeat(9000)}]`],
    ["an alias bomb", Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1}, *a${i - 1}`}]`).join("\n")],
    ["a chain of aliases", Array.from({ length: 5000 }, (_, i) => `a${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1}`}]`).join("\n")],
  ])(
    "refuses %s, and comes to an end",
    (_, text) => {
      expect(read(text).kind).toBe("refused");
    },
    60_000,
  );
});
