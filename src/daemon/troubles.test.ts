import { expect, it } from "vitest";
import type { Trouble } from "../app/records/troubles.ts";
import { createTroubles } from "./troubles.ts";

it("writes what is wrong now, since when, and nothing once it is in order again; a write that fails harms nobody", async () => {
  const written: (readonly Trouble[])[] = [];
  let isFull = false;
  const troubles = createTroubles(
    () => new Date("2026-01-05T12:00:00Z"),
    async (all) => {
      if (isFull) throw new Error("no space left");
      written.push(all);
    },
  );
  const since = "2026-01-05T12:00:00.000Z";

  troubles.mark("git", { loop: "fix", says: "no such folder" });
  troubles.mark("git", { loop: "fix", says: "no such folder" });
  await troubles.written();
  isFull = true;
  troubles.mark("machine.yaml", { says: "runs: must be a number" });
  await troubles.written();
  isFull = false;
  troubles.mark("git", undefined);
  await troubles.written();

  expect(written).toEqual([[], [{ loop: "fix", says: "no such folder", since }], [{ says: "runs: must be a number", since }]]);
});
