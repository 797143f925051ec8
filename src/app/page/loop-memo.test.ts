import { expect, it } from "vitest";
import { createMemoryJournal } from "../../journal/memory-journal.ts";
import { createLoopMemo } from "./loop-memo.ts";

function place() {
  const at = { ms: Date.UTC(2026, 0, 5) };
  const now = (): Date => new Date(at.ms);
  const journal = createMemoryJournal({ now });
  const memo = createLoopMemo(journal, now);
  let made = 0;
  return {
    at,
    memo,
    write: (loop: string) => journal.append([{ loop, run: `${loop}-1`, record: { kind: "stop-requested", by: "ada" } }]),
    get: (loop: string, until?: number) => memo.get(loop, "number", async () => ({ value: ++made, until })),
  };
}

it("keeps what was made of a loop until one more record of that loop is written", async () => {
  const { memo, get, write } = place();
  await write("a");
  await memo.catchUp();

  const first = [await get("a"), await get("b"), await get("a")];
  await write("b");
  const before = await get("b");
  const seq = await memo.catchUp();

  expect(first).toEqual([1, 2, 1]);
  expect([before, seq, await get("a"), await get("b")]).toEqual([2, 2, 1, 3]);
});

it("makes it again once its time is over, although nothing was written", async () => {
  const { at, get } = place();

  const first = await get("a", at.ms + 1_000);
  at.ms += 999;
  const second = await get("a", at.ms);
  at.ms += 1;

  expect([first, second, await get("a")]).toEqual([1, 1, 2]);
});

it("tries again what failed", async () => {
  const { memo } = place();
  await expect(memo.get("a", "x", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");

  expect(await memo.get("a", "x", async () => ({ value: "there" }))).toBe("there");
});
