import fc from "fast-check";
import { expect, it } from "vitest";
import { fitted, lineWidth } from "./fit.ts";
import { visibleWidth } from "./paint.ts";

const HEAD = ["LOOP", "STATE", "ROUNDS", "WHY"];

it("leaves a table alone that fits", () => {
  expect(fitted([HEAD, ["fix", "merged", "1", "by ada"]], { width: 80 })).toEqual([
    "LOOP  STATE   ROUNDS  WHY",
    "fix   merged  1       by ada",
  ]);
});

it("wraps a sentence inside its cell", () => {
  const why = "the account has reached its limit until tomorrow morning at six";

  expect(fitted([HEAD, ["fix", "waits", "12", why]], { width: 54 })).toEqual([
    "LOOP  STATE  ROUNDS  WHY",
    "fix   waits  12      the account has reached its limit",
    "                     until tomorrow morning at six",
  ]);
});

it("lets columns of least value go before sentences get too narrow to read", () => {
  const why = "the account has reached its limit until tomorrow morning at six";

  expect(fitted([HEAD, ["fix", "waits", "12", why]], { width: 40, drop: [2] })).toEqual([
    "LOOP  STATE  WHY",
    "fix   waits  the account has reached its",
    "             limit until tomorrow",
    "             morning at six",
  ]);
});

it("keeps the colour of a cell on each of its lines", () => {
  expect(fitted([["a", "\u001b[31mone two three four five six\u001b[39m"]], { width: 20 })).toEqual([
    "a  \u001b[31mone two three\u001b[39m",
    "   \u001b[31mfour five six\u001b[39m",
  ]);
});

it("is never wider than the terminal, and loses no letter, whatever the cells hold", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", "-", "/", " ", "é", "\u001b[31m"), maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(80, 120, 60),
      (rows, width) => {
        const lines = fitted(rows, { width });
        const letters = (texts: readonly string[]): string => [...texts.join("").replace(/\u001b\[[0-9;]*m|\s/g, "")].sort().join("");

        expect(Math.max(...lines.map(visibleWidth))).toBeLessThanOrEqual(width);
        expect(letters(lines)).toBe(letters(rows.flat()));
      },
    ),
  );
});

it("goes by the terminal, and in a pipe by who asks", () => {
  expect(lineWidth({ outIsTerminal: true, columns: 80 }, undefined)).toBe(80);
  expect(lineWidth({ outIsTerminal: false, columns: 80 }, "120")).toBe(120);
  expect(lineWidth({ outIsTerminal: false, columns: 80 }, undefined)).toBe(Number.POSITIVE_INFINITY);
});
