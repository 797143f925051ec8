import { describe, expect, it } from "vitest";
import { tellDaemon, viewDaemon } from "./daemon-view.ts";

const view = (isHeld: boolean, text: string | undefined, version = "1.2.3") =>
  viewDaemon(
    {
      home: { folder: "/home" } as Parameters<typeof viewDaemon>[0]["home"], // only its folder is asked for
      locks: { isHeld: async () => isHeld },
      texts: { readOptional: async () => text, readWhole: async () => "", list: async () => [] } as Parameters<
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
