import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Team } from "../contract/spec.ts";
import { circleIn, waitsFor } from "../contract/team-graph.ts";
import { type Ended, nextMoves, tipsOf } from "./team.ts";

const worker = (more: object = {}) => ({ role: "Work.", use: "shell", gives: { as: "text" }, ...more });
const teamOf = (workers: object, more: object = {}): Team => Team.parse({ workers, proposes: ["a"], ...more });
const MADE: Ended = { kind: "made" };

describe("who may begin", () => {
  it("is who waits for nobody, as many as there is room for", () => {
    const team = teamOf({ a: worker(), b: worker(), c: worker({ reads: ["a"] }) }, { atOnce: 2 });

    expect(nextMoves(team, new Map(), new Set())).toEqual({ start: ["a", "b"], skip: [], join: [] });
    expect(nextMoves(team, new Map([["a", MADE]]), new Set(["b"]))).toEqual({ start: ["c"], skip: [], join: [] });
  });

  it("is not who lacks what it needs; a join asks only for as many as it must have", () => {
    const team = teamOf(
      { a: worker(), b: worker(), c: worker({ reads: ["a"] }), d: worker() },
      { joins: { j: { of: ["a", "b"], how: "synthesis", by: "d", least: 1 } } },
    );
    const ended = new Map<string, Ended>([
      ["a", { kind: "failed" }],
      ["b", MADE],
    ]);

    expect(nextMoves(team, ended, new Set())).toEqual({ start: ["d"], skip: [{ id: "c", why: "there is nothing of a" }], join: [] });
  });

  it("comes to an end with everybody once, in an order in which nobody goes before those it waits for", () => {
    const graph = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        graph,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
        (edges, atOnce, fates) => {
          const name = (n: number): string => `w${n}`;
          const team = teamOf(
            Object.fromEntries(
              edges.map((before, n) => [name(n), worker({ after: [...new Set(before.filter((other) => other < n).map(name))] })]),
            ),
            { atOnce },
          );
          expect(circleIn(team)).toBeUndefined();
          const ended = new Map<string, Ended>();
          const running = new Set<string>();
          for (let turn = 0; turn < 200 && ended.size < edges.length; turn++) {
            const { start, skip } = nextMoves(team, ended, running);
            for (const { id } of skip) ended.set(id, { kind: "skipped" });
            for (const id of start) {
              expect(waitsFor(team, id).every((other) => ended.get(other)?.kind === "made")).toBe(true);
              expect(ended.has(id) || running.has(id)).toBe(false);
              running.add(id);
            }
            expect(running.size).toBeLessThanOrEqual(atOnce);
            const [first] = running;
            if (first === undefined) continue;
            running.delete(first);
            ended.set(first, { kind: fates[Number(first.slice(1))] ? "made" : "failed" });
          }
          expect(ended.size).toBe(edges.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});

it("finds circles, also those through a join", () => {
  expect(circleIn(teamOf({ a: worker({ reads: ["b"] }), b: worker({ after: ["a"] }) }))).toEqual(["a", "b", "a"]);
  const joined = teamOf({ a: worker({ reads: ["j"] }), b: worker() }, { joins: { j: { of: ["a", "b"], how: "all" } } });
  expect(circleIn(joined)).toEqual(["a", "j", "a"]);
});

it("proposes of changes that build on each other only the last", () => {
  const commit = (onto: readonly string[] = []) => worker({ gives: { as: "commit" }, onto });
  const team = teamOf({ a: commit(), b: commit(["a"]), c: commit(["b"]), d: commit() });

  expect(tipsOf(team, ["a", "b", "c", "d"])).toEqual(["c", "d"]);
});
