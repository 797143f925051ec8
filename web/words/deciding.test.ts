import { expect, it } from "vitest";
import { bodyOf, isCarriedOut, timesToDefer, whyOff, wishesOf } from "./deciding.ts";

const tree = "a".repeat(40);
const draft = { why: "", until: "2026-11-18T08:00:00Z" };

it("offers what can be done about each kind of thing", () => {
  expect(
    (["proposal", "question", "needs-you", "halted"] as const).map((kind) => wishesOf({ kind, tree, id: "fix-1", loop: "fix" })),
  ).toEqual([["approve", "reject", "amend", "defer"], ["answer", "take-away"], ["take-away"], ["resume"]]);
});

it("sends the tree that was shown, and a no only with its reason", () => {
  expect(bodyOf("approve", tree, draft)).toEqual({ decision: "approve", tree, why: "" });
  expect(bodyOf("reject", tree, draft)).toBe("A no needs a reason: it goes into the next brief.");
  expect(bodyOf("reject", tree, { ...draft, why: " wrong file " })).toEqual({ decision: "reject", tree, why: "wrong file" });
  expect(bodyOf("defer", tree, draft)).toEqual({ decision: "defer", tree, why: "", until: draft.until });
  expect(bodyOf("answer", null, draft)).toBe("Write the answer first.");
  expect(bodyOf("take-away", null, draft)).toEqual({ decision: "reject", tree: null, why: "" });
});

it("switches everything off while it reads only, is away, or shows another tree than what is proposed", () => {
  const on = { isLive: true, isReadOnly: false, shownTree: tree, card: { tree } };
  expect(whyOff(on)).toBeUndefined();
  expect(whyOff({ ...on, isReadOnly: true })).toBe("read-only");
  expect(whyOff({ ...on, isLive: false })).toBe("not-live");
  expect(whyOff({ ...on, card: { tree: "b".repeat(40) } })).toBe("tree-changed");
  expect(whyOff({ ...on, card: null })).toBe("waits-no-more");
});

it("marks a yes as done only when something came of it", () => {
  expect((["acted", "released", "landed", "approved", "open", "rejected"] as const).map((stage) => isCarriedOut({ stage }))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

it("defers to times that are to come", () => {
  const nowMs = new Date(2026, 10, 18, 7, 0).getTime();
  expect(timesToDefer(nowMs).map(({ until }) => new Date(until).getTime() - nowMs)).toEqual([
    25 * 3_600_000,
    3_600_000,
    (5 * 24 + 1) * 3_600_000,
  ]);
});
