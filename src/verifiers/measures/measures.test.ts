import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import { compareFigures, readFigures } from "./compare-benchmarks.ts";
import {
  citationsIn,
  likeness,
  linksIn,
  measureCitations,
  measureLinks,
  measurePhrases,
  measureSize,
  measureWords,
} from "./measure-texts.ts";
import { coveredOf, coveredShare, readCoverage } from "./read-coverage.ts";

const text = (words: string, path = "docs/a.md") => ({ path, text: words });

describe("measures of texts", () => {
  it("count words of any script, and neither dashes nor marks", () => {
    expect(measureWords([text("One two — three's, vier! 5 …"), text("più")], { least: 7, most: 5 })).toEqual({
      values: { words: 6 },
      wrong: [
        { code: "too-few-words", says: "6 words, at least 7 must be" },
        { code: "too-many-words", says: "6 words, at most 5 may be" },
      ],
    });
  });

  it("find phrases in any case and across lines", () => {
    const { values, wrong } = measurePhrases([text("Lorem\n  IPSUM dolor")], { forbid: ["lorem ipsum"], require: ["Licence"] });

    expect([values, wrong.map(({ code }) => code)]).toEqual([{ forbidden: 1, missing: 1 }, ["forbidden-phrase", "missing-phrase"]]);
  });

  it("follow links into the repository, and nowhere else", () => {
    const prose =
      '[a](b.md#x) [out](https://example.com) [up](../../../x) [top](/src/c.ts "t") `[no](code.md)`\n```\n[no](fence.md)\n```\n[ref]: ../d%20e.md\n[here](#part)';

    expect(linksIn(text(prose)).map(({ leadsTo }) => leadsTo)).toEqual(["docs/b.md", undefined, "src/c.ts", "d e.md"]);
    expect(measureLinks([text(prose)], (path) => path === "docs/b.md").values).toEqual({ links: 4, broken_links: 3 });
  });

  it("tell citations that were gathered from those that were made up", () => {
    const gathered = ["0123456789abcdef0123456789abcdef01234567", "https://example.com/a"];
    const { values, madeUp } = measureCitations(
      [text("See 0123456, https://example.com/a. and deadbeef1 and https://made.up/x")],
      gathered,
      { least: 0 },
    );

    expect([values, madeUp]).toEqual([{ citations: 4, made_up: 2 }, ["https://made.up/x", "deadbeef1"]]);
    expect(citationsIn("a plain sentence with decade and facade")).toEqual([]);
  });

  it("say how alike two texts are, from nothing to all", () => {
    expect(likeness("one two three four five six", "one two three four five six")).toBe(1);
    expect(likeness("one two three four five six", "seven eight nine ten eleven twelve")).toBe(0);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(likeness(a, b)).toBe(likeness(b, a));
      }),
    );
  });

  it("count lines of a diff without its headers", () => {
    expect(measureSize("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n", 1, { lines: 2 })).toEqual({
      values: { files: 1, lines: 3 },
      wrong: [{ code: "too-many-lines", says: "3 lines, at most 2 may be" }],
    });
  });

  it("take any text in bounded time", () => {
    const hostile = fc
      .constantFrom("[", "](", "```", "`", "https://", "a", "\n", "0", "[x]: ", "é")
      .chain((piece) => fc.integer({ min: 1, max: 3000 }).map((count) => piece.repeat(count)));
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), (pieces) => {
        const one = text(pieces.join(""));
        measureLinks([one], () => false);
        measureCitations([one], [], { least: 0 });
        measureWords([one], {});
      }),
      tries(40),
    );
  });
});

describe("coverage", () => {
  const LCOV = "TN:\nSF:src/a.ts\nDA:1,2\nDA:2,0\nend_of_record\nSF:/w/src/b.ts\nDA:1,1\nend_of_record\n";
  const COBERTURA = `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "x.dtd"><coverage><class filename="src/a.ts"><lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class></coverage>`;

  it("is read from lcov and from Cobertura", () => {
    const [lcov, cobertura] = [readCoverage(LCOV)!, readCoverage(COBERTURA)!];

    expect([coveredShare(lcov), coveredShare(cobertura)]).toEqual([2 / 3, 0.5]);
    expect(
      coveredOf(lcov, [
        { path: "src/a.ts", line: 2 },
        { path: "src/b.ts", line: 1 },
      ]),
    ).toBe(0.5);
    expect(coveredOf(lcov, [{ path: "src/c.ts", line: 1 }])).toBeUndefined();
  });

  it.each(["", "SF:a\nDA:1,1\n", "SF:a\nDA:x,1\nend_of_record", "<coverage>", "<coverage/>", "hello"])("is not read from %j", (broken) => {
    expect(readCoverage(broken)).toBeUndefined();
  });
});

describe("benchmarks", () => {
  it("are compared name by name, either way", () => {
    const [before, now] = [readFigures('{"parse": 10, "print": 20}')!, readFigures('{"benchmarks": [{"name": "parse", "value": 11}]}')!];

    expect(compareFigures(before, now, { better: "lower", most: 0.05 })).toMatchObject({
      values: { benchmark: expect.closeTo(0.1), benchmarks: 1 },
      wrong: [{ code: "benchmark-gone" }, { code: "slower" }],
    });
    expect(
      compareFigures(
        before,
        new Map([
          ["parse", 11],
          ["print", 20],
        ]),
        { better: "higher", most: 0.05 },
      ).wrong,
    ).toEqual([]);
  });

  it.each(["{}", "[]", '{"a": "fast"}', '{"a": 0}', "no", '{"benchmarks": [{"name": "a"}]}'])("are not read from %j", (broken) => {
    expect(readFigures(broken)).toBeUndefined();
  });
});
