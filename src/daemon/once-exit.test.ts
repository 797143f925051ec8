import { expect, it } from "vitest";
import { onceExit } from "./once-exit.ts";
import type { Sight } from "./sights.ts";

const over = (exit?: number): Sight => ({ kind: "over", loop: "a", run: "a-1", ...(exit === undefined ? {} : { exit }), says: "" });
const not = (fate: "failed" | "skipped" | "coalesced"): Sight => ({
  kind: "not-woken",
  loop: "b",
  key: "b/hand/1",
  fate,
  reason: "window",
  says: "",
});
const WAITS: Sight = { kind: "waits", loop: "c", says: "this machine has its 2 runs" };

it.each([
  ["nothing was due", [], "done"],
  ["all that ran was proven, and the rest was as its spec wants it", [over(0), not("skipped"), not("coalesced")], "done"],
  ["a check of one failed", [over(0), over(1), over(75)], "checkFailed"],
  ["one could not be started", [over(0), not("failed")], "cannotVerify"],
  ["one had no room", [over(0), WAITS], "later"],
  ["one was ended by a signal", [over()], "later"],
  ["one ended with a bug of ours, or as nothing of ours ends", [over(1), over(139)], "bug"],
] as const)("is what a shell should hear where %s", (_, sights, exit) => {
  expect(onceExit(sights, { isAnyWrong: false })).toBe(exit);
});

it.each([
  ["nothing was due", [], "usage"],
  ["another had no room", [WAITS], "usage"],
  ["a check of another failed", [over(1)], "checkFailed"],
] as const)("is what `lw validate` says where a spec is wrong and %s", (_, sights, exit) => {
  expect(onceExit(sights, { isAnyWrong: true })).toBe(exit);
});
