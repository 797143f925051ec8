import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { createCensus } from "./census.ts";

it("knows that we are here, and who is gone", async () => {
  const { self, isGone } = createCensus();
  const child = spawn("sleep", ["30"]);
  const there = isGone({ ...self(), pid: child.pid!, began: undefined } as never);
  const ended = new Promise((done) => child.on("exit", done));
  child.kill("SIGKILL");
  await ended;

  expect([isGone(self()), there, isGone({ pid: child.pid! })]).toEqual([false, false, true]);
});

it.runIf(process.platform === "linux")(
  "takes neither a later process with the same number nor one before the last start for the same",
  () => {
    const { self, isGone } = createCensus();
    const [boot, space] = self().boot!.split(" ");

    expect(isGone({ ...self(), began: "1" })).toBe(true);
    expect(isGone({ ...self(), boot: `another-boot ${space}` })).toBe(true);
    // In another container the number means another process: what cannot be told is not gone.
    expect(isGone({ pid: 2 ** 22 - 3, began: "1", boot: `${boot} pid:[1]` })).toBe(false);
  },
);
