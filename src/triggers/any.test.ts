import { expect, it } from "vitest";
import { triggers } from "./index.ts";

const any = triggers.find(({ name }) => name === "any")!;
const at = (text: string): number => Date.parse(text);

it("wakes when any of its triggers does, and once where several name one instant", () => {
  const { slots, hears } = any.configure({
    of: [
      { use: "daily", with: { at: ["06:00", "12:00"] } },
      { use: "every", with: { interval: "6h" } },
      { use: "loop", with: { name: "other" } },
      { use: "inbox" },
    ],
  });

  expect(hears).toEqual([
    { kind: "loop", loop: "other", endings: ["proven"] },
    { kind: "inbox", of: ["answered", "decided"] },
  ]);
  expect(slots?.due(at("2026-01-01T00:00Z"), at("2026-01-02T12:00Z"), 2)).toEqual({
    newest: [at("2026-01-02T06:00Z"), at("2026-01-02T12:00Z")],
    older: { first: at("2026-01-01T06:00Z"), last: at("2026-01-02T00:00Z"), count: 4 },
    next: at("2026-01-02T18:00Z"),
  });
});

it("counts what several name once, also over years in which nothing ran", () => {
  const { slots } = any.configure({
    of: [
      { use: "cron", with: { schedule: "*/5 * * * *", zone: "Europe/Berlin" } },
      { use: "daily", with: { at: "09:01", zone: "Europe/Berlin" } },
      { use: "weekly", with: { on: "mon", at: "09:00", zone: "Europe/Berlin" } },
    ],
  });

  expect(slots?.due(at("2024-01-01T00:00Z"), at("2026-01-01T00:00Z"), 0).older?.count).toBe(731 * 288 + 731);
});

it("reads labels in the zone of the first that has one, and has no times where none of its triggers has", () => {
  const both = {
    of: [
      { use: "daily", with: { at: "06:00", zone: "Asia/Gaza" } },
      { use: "every", with: { interval: "1h" } },
    ],
  };

  expect(any.configure(both).slots?.zone).toBe("Asia/Gaza");
  expect(any.configure({ of: [{ use: "git", with: { ref: "main" } }] }).slots).toBeUndefined();
});

it("refuses itself inside itself, what is never woken, and options that its triggers refuse", () => {
  for (const inner of [
    { use: "any", with: { of: [{ use: "inbox" }] } },
    { use: "manual" },
    { use: "daily", with: { at: "24:00" } },
    { use: "daily" },
    { use: "nothing" },
  ])
    expect(() => any.configure({ of: [inner] })).toThrow();
  expect(() => any.configure({ of: [] })).toThrow();
  const busy = { use: "every", with: { interval: "1s" } };
  expect(() => any.configure({ of: [busy, { use: "every", with: { interval: "59s" } }] })).toThrow("several times a minute");
  expect(any.configure({ of: [busy, { use: "every", with: { interval: "1m" } }] }).slots?.due(0, 10_000, 2).next).toBe(11_000);
});

it.each([
  [{ use: "cron", with: { schedule: "often" } }, ["of", 1, "with", "schedule"]],
  [{ use: "daily", with: { at: "9:00" } }, ["of", 1, "with", "at"]],
  [{ use: "daily", with: { at: "09:00", zone: "Mars" } }, ["of", 1, "with", "zone"]],
  [{ use: "files", with: { paths: ["["] } }, ["of", 1, "with", "paths", 0]],
  [{ use: "nothing" }, ["of", 1, "use"]],
  [7, ["of", 1]],
])("says where %j is wrong", (inner, path) => {
  const { error } = any.options.safeParse({ of: [{ use: "inbox" }, inner] });

  expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
});
