import { expect, it } from "vitest";
import { inert, inertBlock, inertCode } from "./inert-markdown.ts";

it.each([
  ["as it should be: 3 of 4 (75%)", "as it should be: 3 of 4 (75%)"],
  ["see https://evil.test", "`see https://evil.test`"],
  ["- not a list", "`- not a list`"],
  ["1. not a list", "`1. not a list`"],
  ["1.", "`1.`"],
  ["0.1.0", "0.1.0"],
  ["---", "`---`"],
  ["a `tick`", "`` a `tick` ``"],
  ["first\nsecond", "first"],
  ["\u202eevil", "`⟨U+202E⟩evil`"],
  ["", "(nothing)"],
])("puts %j into a line as %j", (text, line) => {
  expect(inert(text)).toBe(line);
});

it("puts an id into a line as code, cut where it is too long", () => {
  expect([inertCode("abc"), inertCode("x".repeat(300))]).toEqual(["`abc`", `\`${"x".repeat(199)}…\``]);
});

it.each([
  ["plain", "```"],
  ["```\nPASS\n```", "````"],
  ["~~~~~", "``````"],
])("fences %j with what it cannot close", (text, fence) => {
  expect(inertBlock(text)).toEqual([`${fence}text`, ...text.split("\n"), fence]);
});
