import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "../../test/support/memory-journal.ts";
import { untrustedText } from "../contract/text.ts";
import type { Sighting } from "../contract/watch.ts";
import { createHearing } from "./hear-maker.ts";

function listen() {
  const seen: Sighting[] = [];
  const kept: string[] = [];
  const journal = createMemoryJournal();
  const hearing = createHearing({ roundId: "r.1", place: 1 }, journal, (sighting) => seen.push(sighting));
  const artifacts = {
    keep: async (bytes: Uint8Array | string) => {
      kept.push(String(bytes));
      return { sha256: "a".repeat(64), bytes: bytes.length, truncated: false };
    },
    read: () => Promise.reject(new Error("no")),
  };
  return { seen, kept, journal, hearing, artifacts };
}

describe("what is heard of a maker", () => {
  it("is shown at once, counted, and kept as one JSON a line", async () => {
    const { seen, kept, hearing, artifacts } = listen();
    const event = { kind: "text", text: untrustedText("I begin.") } as const;

    await hearing.tell(event);
    hearing.missed();

    expect(await hearing.keep(artifacts)).toEqual({
      counts: { text: 1 },
      unread: 1,
      log: { sha256: "a".repeat(64), bytes: kept[0]!.length, truncated: false },
    });
    expect([seen, kept]).toEqual([[{ kind: "maker-said", id: "r.1", event }], ['{"kind":"text","text":"I begin."}\n']]);
  });

  it("is nothing for a maker that says nothing", async () => {
    const { hearing, artifacts } = listen();

    expect(await hearing.keep(artifacts)).toBeUndefined();
  });

  it("puts a conversation on record as soon as it has a name, and once", async () => {
    const { hearing, journal } = listen();

    await hearing.tell({ kind: "session", session: "s1" });
    await hearing.tell({ kind: "session", session: "s1" });

    expect(journal.entries.map(({ record }) => record)).toEqual([{ kind: "maker-heard", roundId: "r.1", session: "s1" }]);
  });

  it("stays within its bounds, however much is said, and says that it was cut", async () => {
    const { hearing, kept, artifacts } = listen();

    for (let n = 0; n < 3000; n++) await hearing.tell({ kind: "text", text: untrustedText("x".repeat(100_000)) });
    const heard = await hearing.keep(artifacts);

    expect(heard?.counts).toEqual({ text: 3000 });
    expect(heard?.log.truncated).toBe(true);
    expect(kept[0]!.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });
});
