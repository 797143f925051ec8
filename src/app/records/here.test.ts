import { expect, it } from "vitest";
import type { InboxItem, LoopView } from "../../contract/views.ts";
import { nextSteps } from "./here.ts";

const loop = (name: string, state: LoopView["state"] = "rested"): LoopView => ({ loop: name, state, last: null, nextDue: null });
const proposal = (id: string, name: string): InboxItem => ({
  id,
  loop: name,
  kind: "proposal",
  stage: "open",
  since: "2026-01-01T00:00:00.000Z",
  why: "",
  branch: null,
  tree: null,
  approvedBy: [],
  next: `lw show ${id} --diff, then lw approve ${id}`,
});

const lines = (view: Parameters<typeof nextSteps>[0]): readonly string[] => nextSteps(view).map(({ line }) => line);

it("names the three ways to begin in an empty place", () => {
  expect(lines({ loops: [], waiting: [], written: [] })).toEqual(["lw demo", "lw init", 'lw intent "Keep main green"']);
});

it("runs what is written here first", () => {
  expect(lines({ loops: [], waiting: [], written: [{ loop: "fix-shop", path: ".loopwright/fix-shop.loop.yaml" }] })).toEqual([
    "lw run fix-shop",
  ]);
});

it("puts what waits for a person before what was interrupted", () => {
  expect(lines({ loops: [loop("a", "interrupted"), loop("b")], waiting: [proposal("b-1-x", "b")], written: [] })).toEqual([
    "lw show b-1-x --diff",
    "lw resume a",
  ]);
});

it("gives advice, and no list", () => {
  const waiting = Array.from({ length: 30 }, (_, number) => proposal(`a-${number}-x`, "a"));

  expect(nextSteps({ loops: [loop("a")], waiting, written: [] }).at(-1)).toEqual({ line: "lw inbox", what: "and 26 more" });
});
