import { expect, it } from "vitest";
import { createBeat, type Part } from "./beat.ts";
import { type Sight, tellSight } from "./sights.ts";

function beating(parts: readonly Part[]) {
  const told: Sight[] = [];
  const beat = createBeat({
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    sleepUnless: async () => {},
    parts,
    ping: { ticked: () => {} },
    tell: (sight) => told.push(sight),
    mark: () => {},
  });
  return { beat, told };
}

const part = (name: string, turn: () => void, more: Partial<Part> = {}): Part => ({
  name,
  next: () => undefined,
  turn: async () => turn(),
  ...more,
});

it("tells of trouble once, and that it is over as what it is", async () => {
  let isBroken = true;
  const { beat, told } = beating([
    part("the tick", () => {
      if (isBroken) throw new Error("no room");
    }),
  ]);

  await beat.once();
  await beat.once();
  isBroken = false;
  await beat.once();
  await beat.once();

  expect(told.map(tellSight)).toEqual(["trouble: the tick: no room", "in order again: the tick"]);
});

it("gives nobody a turn while what all stand on fails, and all others theirs when another does", async () => {
  const turns: string[] = [];
  let isGone = true;
  const fails = (): never => {
    throw new Error("gone");
  };
  const { beat } = beating([
    part("ground", () => void (isGone && fails()), { isGround: true }),
    part("a", fails),
    part("b", () => void turns.push("b")),
  ]);

  await beat.once();
  expect(turns).toEqual([]);
  isGone = false;
  await beat.once();
  expect(turns).toEqual(["b"]);
});

it("says why a spec is wrong where it says that it is", () => {
  expect(tellSight({ kind: "loop", loop: "fix", change: "wrong", says: "fix.loop.yaml:3:1: no such key" })).toBe(
    "fix  wrong  fix.loop.yaml:3:1: no such key",
  );
});
