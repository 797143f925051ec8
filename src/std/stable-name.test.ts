import { expect, it } from "vitest";
import { stableName } from "./stable-name.ts";

const ROOT = "/rounds/a/check-1 für alle/work";

it.each([
  ["adds two  numbers\n", "adds two numbers"],
  [`${ROOT}/test/a.test.ts`, "test/a.test.ts"],
  [`file://${ROOT}/test/a.test.ts`, "test/a.test.ts"],
  [`file:///private${ROOT}/a.ts`, "a.ts"],
  [`file://${encodeURI(ROOT)}/a.ts`, "a.ts"],
  [`runs in ${ROOT}`, "runs in ."],
  ["reads /tmp/pytest-of-ada-17/x.txt", "reads <tmp>/x.txt"],
  ["reads /var/folders/ab/c1d2/T/tmp.aB3/x.txt", "reads <tmp>/x.txt"],
  ["<Shop object at 0x7f3a2b1c0d>", "<Shop object at 0x…>"],
  ["parses 0xff", "parses 0xff"],
  ["is quick (12.5ms)", "is quick"],
  ["is quick [3 s]", "is quick"],
  ["waits 5s", "waits 5s"],
  ["half a pair \ud83d", "half a pair \ufffd"],
])("makes %j %j", (name, stable) => {
  expect(stableName(name, ROOT)).toBe(stable);
});

it("cuts what is too long to show", () => {
  expect(stableName("a".repeat(5000), "")).toBe(`${"a".repeat(300)}…`);
});
