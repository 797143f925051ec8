import { expect, it } from "vitest";
import type { BranchSeen, GitReader, GitScout } from "../contract/git.ts";
import { untrustedText } from "../contract/text.ts";
import { branches } from "./branches.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const tip = "a".repeat(40);
const branch = (name: string, about: Partial<BranchSeen> = {}): BranchSeen => ({
  ref: `refs/heads/${name}`,
  tip,
  at: NOW,
  author: untrustedText("Ada"),
  isIn: false,
  ...about,
});

function given(
  all: readonly BranchSeen[],
  apart: { readonly ahead: number; readonly behind: number } | undefined = { ahead: 1, behind: 2 },
) {
  const git = { resolve: async () => "b".repeat(40), headName: async () => "work", aheadBehind: async () => apart } as unknown as GitReader; // what the connector asks for
  const scout = { branches: async () => ({ branches: all, all: all.length }) } as unknown as GitScout; // the same
  const gather = (cursors = {}, options = {}) =>
    branches.configure(options)(
      { repo: "/r", baseRef: "main", cursors, nowMs: Date.parse(NOW), folder: "/", loop: "watch" },
      { git, scout },
    );
  return { gather };
}

it("brings merged, stale and diverged branches, and none that is worked on, is base, is checked out, or is a loop's", async () => {
  const { gather } = given([
    branch("done", { isIn: true }),
    branch("old", { at: "2025-01-01T00:00:00.000Z" }),
    branch("busy"),
    branch("main", { isIn: true }),
    branch("work", { isIn: true }),
    branch("loopwright/fix-1.1", { isIn: true }),
  ]);

  const { things } = await gather();

  expect(things.map(({ title, why, cites }) => [title, why, cites])).toEqual([
    ["done", "merged: base has all of it; last commit by Ada", [{ kind: "branch", branch: "refs/heads/done", commit: tip }]],
    ["old", "stale: no commit since 2025-01-01; 1 ahead of and 2 behind base; last commit by Ada", expect.anything()],
  ]);
});

it("calls a branch diverged that lacks much of base, or shares nothing with it", async () => {
  const { gather } = given([branch("far")], { ahead: 1, behind: 100 });

  expect((await gather()).things.map(({ why }) => why)).toEqual(["diverged: 1 ahead of and 100 behind base; last commit by Ada"]);
  expect((await gather({}, { behind: 101 })).things).toEqual([]);
});

it("brings a branch once for each state, and again when it came into another", async () => {
  const first = await given([branch("done", { isIn: true })]).gather();
  const same = await given([branch("done", { isIn: true })]).gather(first.cursors);
  const moved = await given([branch("done", { isIn: true, tip: "c".repeat(40) })]).gather(first.cursors);

  expect([first, same, moved].map(({ things }) => things.length)).toEqual([1, 0, 1]);
});
