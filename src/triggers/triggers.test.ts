// What each trigger hears or names for what a person wrote, and what it refuses.
import { describe, expect, it } from "vitest";
import { triggers } from "./index.ts";

const configure = (use: string, options: unknown) => triggers.find(({ name }) => name === use)!.configure(options);

it("names the times of the day that people write, in their zone", () => {
  const { slots } = configure("daily", { at: ["17:30", "09:00"], zone: "America/New_York" });

  expect(slots?.due(Date.parse("2026-07-01T00:00Z"), Date.parse("2026-07-02T00:00Z"), 5).newest).toEqual([
    Date.parse("2026-07-01T13:00Z"),
    Date.parse("2026-07-01T21:30Z"),
  ]);
});

it("names the days of the week that people write", () => {
  const { slots } = configure("weekly", { on: ["thu", "mon"], at: "09:00", zone: "Asia/Kolkata" });

  expect(slots?.due(Date.parse("2026-07-01T00:00Z"), Date.parse("2026-07-12T00:00Z"), 5).newest).toEqual([
    Date.parse("2026-07-02T03:30Z"),
    Date.parse("2026-07-06T03:30Z"),
    Date.parse("2026-07-09T03:30Z"),
  ]);
});

it.each([
  ["git", { ref: "main" }, { kind: "git", ref: "main", remote: undefined, everyMs: 60_000 }],
  [
    "git",
    { ref: "release/1.x", remote: "up-stream", every: "5m" },
    { kind: "git", ref: "release/1.x", remote: "up-stream", everyMs: 300_000 },
  ],
  ["files", { paths: ["**/*.md"] }, { kind: "files", folder: ".", globs: ["**/*.md"], restMs: 2000 }],
  [
    "webhook",
    { address: "fix", secret: "HOOK" },
    { kind: "webhook", address: "fix", form: "generic", secret: "HOOK", events: [], branches: [], labels: [] },
  ],
  ["loop", { name: "other" }, { kind: "loop", loop: "other", endings: ["proven"] }],
  ["inbox", {}, { kind: "inbox", of: ["answered", "decided"] }],
])("hears as %s with %j", (use, options, hearing) => {
  expect(configure(use, options)).toEqual({ hears: [hearing] });
});

describe("refuses", () => {
  it.each([
    ["cron", { schedule: "0 0 30 2 *" }],
    ["cron", { schedule: "0 0 * * *", zone: "" }],
    ["cron", { schedule: "0 0 * * *", zone: "Mars/Olympus" }],
    ["cron", { schedule: "0 0 0 * * *" }],
    ["cron", {}],
    ["daily", { at: "9:00" }],
    ["daily", { at: "24:00" }],
    ["daily", { at: [] }],
    ["daily", { at: "09:00", zone: "Europe/Berlim" }],
    ["weekly", { on: "monday", at: "09:00" }],
    ["weekly", { on: [], at: "09:00" }],
    ["weekly", { at: "09:00" }],
    ["git", { ref: "--upload-pack=x" }],
    ["git", { ref: "a..b" }],
    ["git", { ref: "refs/heads/*" }],
    ["git", { ref: "main", remote: "-x" }],
    ["git", { ref: "main", every: "1s" }],
    ["files", { paths: [] }],
    ["files", { paths: ["["] }],
    ["files", { paths: ["a"], rest: "0s" }],
    ["webhook", { address: "a/b", secret: "HOOK" }],
    ["webhook", { address: "fix", secret: "not a name" }],
    ["webhook", { address: "fix", secret: "HOOK", form: "svn" }],
    ["loop", { name: "Other Loop" }],
    ["loop", { name: "other", endings: [] }],
    ["inbox", { of: ["read"] }],
  ])("%s with %j", (use, options) => {
    expect(() => configure(use, options)).toThrow();
  });
});
