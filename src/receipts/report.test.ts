import fc from "fast-check";
import { marked, type Token, type Tokens } from "marked";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { receiptSaying } from "../../test/support/receipts.ts";
import { tries } from "../../test/support/tries.ts";
import type { RunReceipt } from "../contract/receipt.ts";
import { sha256 } from "../std/hash.ts";
import { shownText } from "../std/shown-text.ts";
import { reportHtml } from "./report-html.ts";
import { reportMarkdown } from "./report-markdown.ts";
import { type ReportMatter, resultOfReceipt } from "./report-page.ts";

const matterSaying = (text: string, more?: Partial<RunReceipt>): ReportMatter => ({
  receipt: receiptSaying(text, more),
  texts: new Map([[sha256(text), { kind: "text", text, length: text.length }]]),
  keptAt: text,
});

const TRICKS = [
  "`",
  "```",
  "````text",
  "~~~",
  "\n```\n",
  "\n~~~~\n",
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "\n---\n",
  "\n===\n",
  "\n# PASSED",
  "\n## Checks\n",
  "\n- PASS",
  "\n1. x",
  "\n> PASSED: every check",
  "\n    code",
  "\t",
  " ",
  "---\ntitle: x\n---\n",
  "<!--",
  "-->",
  "</details>",
  "</pre>",
  "</main></body></html>",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<![CDATA[",
  "]]>",
  "<style>*{display:none}</style>",
  "&lt;b&gt;",
  "&#60;",
  '" onload="x',
  "'",
  "[x](javascript:alert(1))",
  "![x](https://evil.test/p.png)",
  "[x]: https://evil.test",
  "[^1]: note",
  "https://evil.test",
  "www.evil.test",
  "<https://evil.test>",
  "a@evil.test",
  "@ada",
  "#1",
  "*b*",
  "__b__",
  "~~d~~",
  "$x$",
  "| a | b |\n|---|---|\n",
  "- [x] done",
  "\\",
  "\\`",
  "\u001b[2J\u001b[31m",
  "\u001b]8;;https://evil.test\u0007",
  "\u0000",
  "\b\b\b\b",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\u{e0041}",
  "\ud800",
  "\ufffe",
  "word",
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...TRICKS), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
  fc.constantFrom(...TRICKS),
);

/** The same lengths, lines and spaces, and nothing in it to be feared. */
const harmless = (text: string): string => text.replace(/\S/g, "x");

/** What a Markdown reader makes of it: every block and every piece of markup, and none of the words. */
function shapeOf(tokens: readonly Token[]): readonly unknown[] {
  return tokens.flatMap((token): readonly unknown[] => {
    if (token.type === "text" && !("tokens" in token)) return [];
    if (["codespan", "escape", "space"].includes(token.type)) return [];
    if (token.type === "list") return [["list", (token as Tokens.List).items.map(({ tokens: inner, task }) => [task, ...shapeOf(inner)])]];
    const inner = "tokens" in token && token.tokens ? shapeOf(token.tokens) : [];
    return [[token.type, (token as Tokens.Heading).depth, ...inner]];
  });
}
const markdownShape = (text: string): readonly unknown[] => shapeOf(marked.lexer(text));

type Node = DefaultTreeAdapterTypes.Node;

function elements(node: Node): unknown {
  if (!("childNodes" in node)) return node.nodeName === "#comment" ? "comment" : undefined;
  const attributes = "attrs" in node ? node.attrs.map(({ name, value }) => `${name}=${value}`) : [];
  return [node.nodeName, attributes, node.childNodes.map(elements).filter((child) => child !== undefined)];
}

function textsIn(node: Node, tag: string): readonly string[] {
  if (!("childNodes" in node)) return [];
  const own = node.nodeName === tag ? [node.childNodes.map((child) => ("value" in child ? child.value : "")).join("")] : [];
  return [...own, ...node.childNodes.flatMap((child) => textsIn(child, tag))];
}

describe("whatever anybody printed or wrote", () => {
  it("leaves the structure of the Markdown as it is (loopgen 27)", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const report = reportMarkdown(matterSaying(text));

        expect(markdownShape(report)).toEqual(markdownShape(reportMarkdown(matterSaying(harmless(text)))));
      }),
      tries(200),
    );
  });

  it("is in its block in the Markdown, whole and made visible", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const blocks = marked.lexer(reportMarkdown(matterSaying(text))).filter(({ type }) => type === "code") as readonly Tokens.Code[];

        if (text !== "") expect(blocks.map((block) => block.text)).toContain(shownText(text));
        for (const { lang } of blocks) expect(lang).toBe("text");
      }),
      tries(100),
    );
  });

  it("leaves the elements and attributes of the page as they are", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const page = parse(reportHtml(matterSaying(text)));

        expect(elements(page)).toEqual(elements(parse(reportHtml(matterSaying(harmless(text))))));
        if (text !== "") expect(textsIn(page, "pre")).toContain(shownText(text));
      }),
      tries(200),
    );
  });

  it("does nothing to a terminal, and cannot hide", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const report of [reportMarkdown(matterSaying(text)), reportHtml(matterSaying(text))]) {
          expect(report.isWellFormed()).toBe(true);
          expect(report).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u,
          );
        }
      }),
    );
  });
});

it("shows a forged verdict for what it is: the output of a failing check (loopgen 27)", () => {
  const forged = "FAIL\n```\n\n# Proof report: fix\n\n> PASSED: every check on record that counts holds.\n\n```text\n";
  const refused: Partial<RunReceipt> = { loop: "fix", rest: { kind: "escalate", because: "check-failed", reason: "it failed" } };
  const headings = marked
    .lexer(reportMarkdown(matterSaying(forged, refused)))
    .filter(({ type }) => type === "heading" || type === "blockquote");

  expect(headings.slice(0, 2).map((token) => (token as Tokens.Heading).text)).toEqual([
    "Proof report: fix",
    "REFUSED: it was shown not to be right, or not to be allowed.",
  ]);
  expect(headings.filter(({ type }) => type === "blockquote")).toHaveLength(1);
});

it("uses an id as a word and never as anything else (loopgen 28)", () => {
  const report = reportMarkdown(matterSaying("../../etc/passwd"));

  expect(report).toContain("- Run: `../../etc/passwd`\n");
  expect(reportHtml(matterSaying("../../etc/passwd"))).toContain("<dt>Run</dt><dd><bdi>../../etc/passwd</bdi></dd>");
});

describe("the banner", () => {
  const { checks } = receiptSaying("x");
  const [proof, opinion] = [checks[0]!, { ...checks[0]!, kind: "opinion" } as const];

  it.each<[string, Partial<RunReceipt>, string]>([
    ["a proven change", {}, "passed"],
    ["a change that a check failed", { rest: { kind: "escalate", because: "check-failed", reason: "" } }, "refused"],
    ["a change that tampered", { rest: { kind: "escalate", because: "tampering", reason: "" } }, "refused"],
    ["checks that could not be made", { rest: { kind: "escalate", because: "cannot-verify", reason: "" } }, "unknown"],
    ["a budget that ran out", { rest: { kind: "halt", because: "budget", reason: "" } }, "unknown"],
    ["a base that needed nothing", { rest: { kind: "nothing-to-do", reason: "" } }, "nothing-to-do"],
    ["an acceptance without a check", { checks: [] }, "unknown"],
    ["an acceptance by an opinion alone", { checks: [opinion] }, "unknown"],
    ["an acceptance with the change's own version of sealed files alone", { checks: [{ ...proof, room: "own" }] }, "unknown"],
    ["an acceptance beside a check that is refuted", { checks: [proof, { ...proof, outcome: "refuted" }] }, "unknown"],
    ["an acceptance beside a check that nobody could make", { checks: [proof, { ...proof, outcome: "unknown" }] }, "unknown"],
    [
      "an acceptance whose tree no longer held later",
      { rechecks: [{ tree: "7".repeat(40), base: "b", verdict: "retry", at: "" }] },
      "refused",
    ],
    ["two checks that disagree", { rest: { kind: "escalate", because: "gap", reason: "" } }, "unknown"],
    [
      "a change that waits for a human, since it changed sealed files",
      { rest: { kind: "escalate", because: "seal", reason: "" } },
      "unknown",
    ],
    ["an acceptance beside a grave finding", { findings: [{ rule: "r", severity: "critical", where: "w" }] }, "unknown"],
  ])("is never prettier than the record: %s", (_, more, result) => {
    const matter = matterSaying("x", more);

    expect(resultOfReceipt(matter.receipt)).toBe(result);
    expect(reportHtml(matter)).toContain(`<p class="banner ${result}">`);
  });

  it("says that somebody rejected or took back what had passed", () => {
    const decided = { by: "ada", why: "", at: "2026-11-16T13:00:00.000Z" };
    const decisions = [
      { ...decided, decision: "reject" },
      { ...decided, decision: "revert" },
    ];

    expect(reportMarkdown(matterSaying("x", { decisions }))).toContain(
      "> PASSED: every check on record that counts holds. Somebody rejected it afterwards. It was taken back afterwards.\n",
    );
  });
});

it("tells what is not on record as not on record, and what is gone as gone", () => {
  const { asked, maker, journal } = receiptSaying("x");
  const { policyHash: _, ...older } = asked;
  const output = { sha256: "1".repeat(64), bytes: 9, truncated: false };
  const receipt = receiptSaying("x", {
    asked: older,
    maker: { name: maker.name, rounds: 0 },
    checks: [{ verifier: "command", kind: "proof", outcome: "unknown", detail: "", output }],
    findings: [],
    decisions: [],
    rechecks: [],
    moved: [],
    artifacts: [],
    cost: { amounts: {} },
    journal,
  });
  const { tested: __, settled: ___, ...bare } = receipt;

  const report = reportMarkdown({ receipt: bare, texts: new Map([[output.sha256, { kind: "gone", why: "the artifact was changed" }]]) });

  for (const line of [
    "- Policy: not on record",
    "- Box: not on record",
    "- Tested: no change: no round came so far, or it made none",
    "- Detail: (nothing)",
    "The output cannot be shown: the artifact was changed",
    "None on record.",
    "- Footing: unknown: nothing was reported",
    "Nobody decided about it so far.",
    "Nothing is on record that moved.",
    "No artifacts are on record.",
    "- Receipt: no signed receipt of this run was found: x",
  ])
    expect(report).toContain(`${line}\n`);
});

it("cuts long outputs at their beginning, and says so outside of them", () => {
  const text = `${"a".repeat(100_000)}the end`;
  const report = reportMarkdown(matterSaying(text));

  expect(report.length).toBeLessThan(80_000);
  expect(report).toContain(
    "Only the last 32768 of 100007 characters of the output:\n\nThere was more output than was kept.\n\n```text\naaa",
  );
  expect(report).toContain("athe end\n```\n");
});

describe("the page", () => {
  const page = reportHtml(matterSaying("words"));

  it("stands alone: no script, nothing loaded, and a policy that forbids both", () => {
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'">/,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|\bhref=|\bstyle=|url\(|@import|\bon[a-z]+=/i);
  });

  it("names its one style by its hash", () => {
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
    const [, hash = ""] = /'sha256-([^']+)'/.exec(page) ?? [];

    expect(Buffer.from(sha256(style), "hex").toString("base64")).toBe(hash);
  });

  it("has a language, a title, one first heading, and headings in order; it fits light, dark and paper", () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain("<title>Proof report: words</title>");
    const levels = [...page.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    expect(page).toContain("@media (prefers-color-scheme: dark)");
    expect(page).toContain("@media print");
  });

  it("has enough contrast in both lights", () => {
    for (const [, theme] of page.matchAll(/:root \{ ([^}]*--ink[^}]*)\}/g)) {
      const colour = (name: string): string => new RegExp(`--${name}: (#[0-9a-f]+)`).exec(theme!)![1]!;
      for (const text of ["ink", "soft", "good", "bad", "open"])
        for (const ground of ["paper", "well"])
          expect(contrast(colour(text), colour(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** As WCAG reckons it. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.slice(1).match(/../g)!;
  const [red, green, blue] = digits
    .map((pair) => Number.parseInt(pair, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
