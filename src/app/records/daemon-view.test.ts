import { describe, expect, it } from "vitest";
import { isWell, tellDaemon, viewDaemon } from "./daemon-view.ts";

const view = (isHeld: boolean, text: string | undefined, version = "1.2.3") =>
  viewDaemon(
    {
      home: { folder: "/home" } as Parameters<typeof viewDaemon>[0]["home"], // only its folder is asked for
      locks: { isHeld: async () => isHeld },
      texts: { readOptional: async () => text, readWhole: async () => "", list: async () => [] } as unknown as Parameters<
        typeof viewDaemon
      >[0]["texts"], // only this is asked for
    },
    version,
  );

const NOTE = { pid: 7, version: "1.2.3", since: "2026-03-01T12:00:00Z", hears: "127.0.0.1:7420" };

describe("a daemon", () => {
  it("is alive only while it holds its lock, whatever it left behind", async () => {
    expect(await view(false, JSON.stringify(NOTE))).toEqual({ kind: "none" });
  });

  it("says who it is and since when", async () => {
    const seen = await view(true, JSON.stringify(NOTE));

    expect(seen).toEqual({ kind: "alive", note: NOTE, isOlder: false });
    expect(tellDaemon(seen, "1.2.3")).toBe(
      "a daemon is alive: process 7, version 1.2.3, since 2026-03-01T12:00:00Z, hears webhooks at 127.0.0.1:7420",
    );
  });

  it.each([
    ["1.2.3", false],
    ["1.2.4", true],
    ["1.10.0", true],
    ["1.1.9", false],
    ["2.0.0-beta", true],
  ])("of version 1.2.3 is older than a program of %s: %s", async (version, isOlder) => {
    expect(await view(true, JSON.stringify(NOTE), version)).toMatchObject({ isOlder });
  });

  it("whose words cannot be read is starting", async () => {
    expect([await view(true, undefined), await view(true, "{"), await view(true, "{}")]).toEqual(
      Array(3).fill({ kind: "alive", note: undefined, isOlder: false }),
    );
  });
});

describe("a daemon that does not wake loops although it is alive", () => {
  const seen = (files: { readonly [name: string]: unknown }) =>
    viewDaemon(
      {
        home: { folder: "/home" } as Parameters<typeof viewDaemon>[0]["home"], // only its folder is asked for
        locks: { isHeld: async () => true },
        texts: {
          readOptional: async (path: string) => JSON.stringify(files[path.slice("/home/".length)]),
        } as Parameters<typeof viewDaemon>[0]["texts"], // only this is asked for
        clock: { now: () => new Date("2026-03-01T14:00:00Z"), monotonicMs: () => 0 },
      },
      "1.2.3",
    );
  const tickedAt = (time: string) => ({ last: Date.parse(time), awake: 0 });

  it("says so where it has not ticked for long: it hangs, is stopped, or its disk is full", async () => {
    const silent = await seen({ "daemon.json": NOTE, "ticks.json": tickedAt("2026-03-01T13:50:00Z") });

    expect([isWell(silent), tellDaemon(silent, "1.2.3")]).toEqual([false, expect.stringContaining("it has not ticked for 10m")]);
    expect(isWell(await seen({ "daemon.json": NOTE, "ticks.json": tickedAt("2026-03-01T13:59:50Z") }))).toBe(true);
    // One that has just begun goes by its own beginning.
    const young = { ...NOTE, since: "2026-03-01T13:59:59Z" };
    expect(isWell(await seen({ "daemon.json": young, "ticks.json": tickedAt("2026-02-01T13:50:00Z") }))).toBe(true);
  });

  it("says what is wrong with the home, and leaves to its loops what is theirs", async () => {
    const ticks = { "ticks.json": tickedAt("2026-03-01T13:59:59Z") };
    const broken = { says: "the home: machine.yaml cannot be used: runs", since: "2026-03-01T13:00:00Z" };
    const deaf = { loop: "fix", says: "git main could not be looked at", since: "2026-03-01T13:00:00Z" };
    const view = await seen({ "daemon.json": NOTE, ...ticks, "troubles.json": [broken, deaf] });

    expect([isWell(view), tellDaemon(view, "1.2.3").endsWith("; the home: machine.yaml cannot be used: runs")]).toEqual([false, true]);
    expect(isWell(await seen({ "daemon.json": NOTE, ...ticks, "troubles.json": [deaf] }))).toBe(true);
  });
});
