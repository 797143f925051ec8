import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResetTime } from "./reset-time.ts";

const NOW = Date.parse("2026-11-16T09:05:00Z");
const read = (text: string): string | undefined => {
  const at = readResetTime(text, NOW);
  return at === undefined ? undefined : new Date(at).toISOString();
};

describe("readResetTime", () => {
  it.each([
    ["You've hit your limit · resets 9:06am (UTC)", "2026-11-16T09:06:00.000Z"],
    ["You've hit your session limit · resets 3pm (Europe/Berlin)", "2026-11-16T14:00:00.000Z"],
    ["You've hit your weekly limit · resets Nov 20, 9am (UTC)", "2026-11-20T09:00:00.000Z"],
    ["resets 8am (UTC)", "2026-11-17T08:00:00.000Z"],
    ["Claude AI usage limit reached|1794819990", "2026-11-16T09:06:30.000Z"],
    ["You've hit your usage limit. Try again in 3 days 4 hours 9 minutes.", "2026-11-19T13:14:00.000Z"],
    ["You've hit your usage limit or try again at Nov 18th, 2026 9:35 PM.", "2026-11-18T21:35:00.000Z"],
    ["Rate limit reached. Please try again in 11.054s.", "2026-11-16T09:05:11.054Z"],
    ["Your quota will reset after 2h13m5s.", "2026-11-16T11:18:05.000Z"],
    ["429, Retry-After: 30", "2026-11-16T09:05:30.000Z"],
    ['"resetsAt":1794819990', "2026-11-16T09:06:30.000Z"],
    ["limit until 2026-11-16T10:00:00Z", "2026-11-16T10:00:00.000Z"],
  ])("reads %j", (text, at) => {
    expect(read(text)).toBe(at);
  });

  it.each([
    "",
    "429 Too Many Requests",
    "Please try again later.",
    "resets 3pm (Nowhere/Atall)",
    "try again in a while",
    "resets soon, at 99999999999999",
    "Retry after the 3rd of never",
    "limit until 2199-01-01T00:00:00Z",
  ])("names no time for %j", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("takes any text, quickly", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 5000 }), (text) => void readResetTime(text, NOW)));
    readResetTime("in 1h".repeat(20_000), NOW);
  });
});
