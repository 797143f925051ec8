import { describe, expect, it } from "vitest";
import type { Entry } from "../../contract/record.ts";
import { createMemoryJournal } from "../../journal/memory-journal.ts";
import { createEvents } from "./events.ts";

function place() {
  const entries: Entry[] = [];
  const now = (): Date => new Date(Date.UTC(2026, 0, 5));
  const journal = createMemoryJournal({ now }, entries);
  const works = new Map<number, () => void>();
  const events = createEvents({
    journal,
    now,
    repeat: (everyMs, work) => {
      works.set(everyMs, work);
      return { end: () => void works.delete(everyMs) };
    },
  });
  const write = (count: number): Promise<unknown> =>
    journal.append(
      Array.from({ length: count }, (_, index) => ({
        loop: "fix",
        run: "fix-1",
        record: { kind: "stop-requested", by: `${index}` } as const,
      })),
    );
  return { journal, events, write, poll: () => works.get(250)?.(), beat: () => works.get(15_000)?.(), isLooking: () => works.size > 0 };
}

/** Reads until so many events of a kind came. */
async function reading(stream: ReadableStream<Uint8Array> | undefined) {
  if (!stream) throw new Error("no stream");
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const events = (): readonly { readonly event: string; readonly id?: number; readonly data: unknown }[] =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => {
        const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const id = field("id");
        return { event: field("event") ?? "", ...(id === undefined ? {} : { id: Number(id) }), data: JSON.parse(field("data") ?? "null") };
      });
  return {
    ids: () => events().flatMap(({ id }) => id ?? []),
    events,
    async until(isEnough: () => boolean): Promise<void> {
      while (!isEnough()) {
        const { done, value } = await reader.read();
        if (done) return;
        text += decoder.decode(value);
      }
    },
    async isOver(): Promise<boolean> {
      for (;;) {
        const { done } = await reader.read();
        if (done) return true;
      }
    },
    leave: () => reader.cancel(),
  };
}

describe("live updates", () => {
  it("tell every page every record once, by its number, however many come", async () => {
    const { events, write, poll } = place();
    await write(3);
    const pages = await Promise.all(Array.from({ length: 5 }, () => reading(events.open(3))));
    await Promise.all(pages.map((page) => page.until(() => page.events().length > 0)));

    await write(700);
    poll();
    await Promise.all(pages.map((page) => page.until(() => page.ids().length >= 700)));

    for (const page of pages) expect(page.ids()).toEqual(Array.from({ length: 700 }, (_, index) => index + 4));
    expect(events.pages()).toBe(5);
  });

  it("go on after the record that a page saw last, also while more are written", async () => {
    const { events, write, poll } = place();
    await write(600);
    const page = await reading(events.open(10));
    await page.until(() => page.ids().length > 0);

    await write(5);
    poll();
    await page.until(() => page.ids().length >= 595);

    expect(page.ids()).toEqual(Array.from({ length: 595 }, (_, index) => index + 11));
  });

  it("begin at the end for who names no record, or one that is not there yet", async () => {
    const { events, write, poll } = place();
    await write(4);
    const [fresh, ahead] = await Promise.all([reading(events.open(undefined)), reading(events.open(99))]);
    await Promise.all([fresh, ahead].map((page) => page.until(() => page.events().length > 0)));

    await write(1);
    poll();
    await Promise.all([fresh, ahead].map((page) => page.until(() => page.ids().length > 0)));

    expect([fresh.ids(), ahead.ids()]).toEqual([[5], [5]]);
    expect(fresh.events()[0]).toEqual({ event: "beat", data: { seq: 4, at: "2026-01-05T00:00:00.000Z" } });
  });

  it("tell a page that was away for too long that it must read again", async () => {
    const { events, write } = place();
    await write(20_010);
    const page = await reading(events.open(1));

    await page.until(() => page.events().some(({ event }) => event === "gap"));

    expect(page.events().find(({ event }) => event === "gap")).toEqual({ event: "gap", data: { from: 1, to: 20_010 } });
    expect(page.ids()).toEqual([]);
  });

  it("cut off a page that takes nothing, and keep nothing for it", async () => {
    const { events, write, poll } = place();
    const slow = await reading(events.open(undefined));
    const quick = await reading(events.open(undefined));
    await Promise.all([slow, quick].map((page) => page.until(() => page.events().length > 0)));

    for (let turn = 1; turn <= 520; turn++) {
      await write(1);
      poll();
      await quick.until(() => quick.ids().length >= turn);
    }

    expect(await slow.isOver()).toBe(true);
    expect(events.pages()).toBe(1);
  });

  it("look at the journal only while somebody looks at them", async () => {
    const { events, isLooking } = place();

    expect(isLooking()).toBe(false);
    const page = await reading(events.open(undefined));
    expect(isLooking()).toBe(true);
    await page.leave();
    expect([isLooking(), events.pages()]).toEqual([false, 0]);
  });

  it("end for all when the server does, and take only so many pages", async () => {
    const { events } = place();
    const pages = await Promise.all(Array.from({ length: 200 }, () => reading(events.open(undefined))));

    expect(events.open(undefined)).toBe(undefined);
    events.close();
    expect(await pages[0]?.isOver()).toBe(true);
    expect(events.pages()).toBe(0);
  });
});
