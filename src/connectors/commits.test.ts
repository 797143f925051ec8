import { expect, it } from "vitest";
import type { GitReader, RefWalk } from "../contract/git.ts";
import { commits } from "./commits.ts";

const DAY_MS = 86_400_000;
const order = { repo: "/repo", baseRef: "main", cursors: { main: "c1" }, nowMs: 100 * DAY_MS, folder: "/", loop: "watch" };

/** A reader that writes down what it was asked. */
function recordingReader() {
  const asked: unknown[] = [];
  const refuse = () => Promise.reject(new Error("not asked for here"));
  const git: GitReader = {
    headName: refuse,
    branches: refuse,
    resolve: refuse,
    commitsThatExist: refuse,
    reachableFrom: refuse,
    filesAt: refuse,
    filesOf: refuse,
    walk(repo, from) {
      asked.push({ walk: repo, ...from });
      return Promise.resolve(walkOf(from.ref));
    },
    aheadBehind(repo, ref, from) {
      asked.push({ compare: repo, ref, from });
      return Promise.resolve(ref === "gone" ? undefined : { ahead: 1, behind: 2 });
    },
  };
  return { git, asked };
}
const walkOf = (ref: string): RefWalk => ({ ref, tip: undefined, commits: [], notes: [] });

it("reads the target's base from its cursor when nothing else was asked for", async () => {
  const { git, asked } = recordingReader();

  const gathered = await commits.configure({})(order, { git });

  expect(asked).toEqual([{ walk: "/repo", ref: "main", cursor: "c1", sinceMs: 93 * DAY_MS, most: 500 }]);
  expect(gathered).toEqual({ kind: "commits", walks: [walkOf("main")], divergence: [] });
});

it("reads every ref once, each with its own cursor, and compares the others with the first", async () => {
  const { git, asked } = recordingReader();

  const gathered = await commits.configure({ refs: ["next", "main", "gone", "main", "constructor"], since: "1d", most: 3 })(order, { git });

  const walking = { walk: "/repo", sinceMs: 99 * DAY_MS, most: 3 };
  expect(asked).toEqual([
    { ...walking, ref: "next", cursor: undefined },
    { ...walking, ref: "main", cursor: "c1" },
    { ...walking, ref: "gone", cursor: undefined },
    { ...walking, ref: "constructor", cursor: undefined },
    { compare: "/repo", ref: "main", from: "next" },
    { compare: "/repo", ref: "gone", from: "next" },
    { compare: "/repo", ref: "constructor", from: "next" },
  ]);
  expect(gathered.divergence).toEqual([
    { ref: "main", from: "next", ahead: 1, behind: 2 },
    { ref: "gone", from: "next", ahead: undefined, behind: undefined },
    { ref: "constructor", from: "next", ahead: 1, behind: 2 },
  ]);
});

it("refuses options it cannot keep", () => {
  const bad = [{ refs: [] }, { refs: [""] }, { refs: Array(21).fill("x") }, { since: "soon" }, { most: 0 }, { most: 5001 }, { mots: 1 }];

  for (const options of bad) expect(() => commits.configure(options)).toThrow();
});
