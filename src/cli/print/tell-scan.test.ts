import { expect, it } from "vitest";
import type { DiffFinding } from "../../guard/diff/scan.ts";
import { createPaint } from "./paint.ts";
import { scanSarif, tellScan } from "./tell-scan.ts";

const finding: DiffFinding = {
  rule: "test-removed",
  severity: "high",
  confidence: "medium",
  file: "test/\u001b[31ma.js",
  line: 7,
  what: "a test is gone",
  why: "Put it back.",
  before: "it('adds',\u0007 () => {\n  expect(1).toBe(1)\n})",
  after: "",
};
const plain = createPaint(false);

it("tells where, how grave, what and why, with the lines and nothing that acts on a terminal", () => {
  expect(tellScan({ verdict: "tampering", findings: [finding] }, 1, plain, false)).toBe(
    [
      "tampering: 1 finding in 1 changed file",
      "",
      "test/a.js:7  high: a test is gone",
      "  Put it back.",
      "    - it('adds', () => {",
      "    -   expect(1).toBe(1)",
      "    - })",
      "  test-removed, confidence medium",
      "",
    ].join("\n"),
  );
});

it("cuts lines without end", () => {
  const told = tellScan(
    { verdict: "suspect", findings: [{ ...finding, before: "x\n".repeat(100), after: "y".repeat(9_000) }] },
    2,
    plain,
    false,
  );

  expect(told).toContain("    - … 95 more lines\n");
  expect(told.length).toBeLessThan(600);
});

it("says in one line that there is nothing to tell", () =>
  expect(tellScan({ verdict: "clean", findings: [] }, 3, plain, false)).toBe("clean: 0 findings in 3 changed files\n"));

it("gives code hosts a level and a sentence", () => {
  const rules = [
    { id: "test-removed", severity: "high" as const, why: "Put it back.", find: () => [], examples: { flags: [], passes: [] } },
  ];
  const log = scanSarif(
    {
      verdict: "suspect",
      findings: [
        { ...finding, severity: "medium" },
        { ...finding, severity: "low", file: "" },
      ],
    },
    rules,
    "1.0.0",
  );

  expect(log.runs[0]?.results.map(({ level, message, locations }) => [level, message.text, locations?.length])).toEqual([
    ["warning", "a test is gone. Put it back.", 1],
    ["note", "a test is gone. Put it back.", undefined],
  ]);
});

it("tells hundreds of findings by the first few of each kind, and all of them where somebody asks for them", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ ...finding, line: at, rule: at % 100 === 0 ? "test-skipped" : finding.rule }));
  const heads = (isAll: boolean): number =>
    tellScan({ verdict: "tampering", findings: many }, 9, plain, isAll).split("a test is gone").length - 1;

  expect([heads(false), heads(true)]).toEqual([6, 300]);
  expect(tellScan({ verdict: "tampering", findings: many }, 9, plain, false)).toContain(
    "\n… 294 more findings of test-removed (high)\n--all tells every one of them.\n",
  );
});
