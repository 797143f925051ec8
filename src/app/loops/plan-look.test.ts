import { expect, it } from "vitest";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import type { PartRef } from "../../contract/spec.ts";
import { type Looking, planLook, type SpecSeen } from "./plan-look.ts";

const { spec } = createMemoryHouse().spec();

/** A spec that is woken by these loops. */
const seen = (name: string, ...after: readonly string[]): SpecSeen => ({
  path: `/${name}.loop.json`,
  reading: {
    kind: "read",
    spec: { ...spec, name, trigger: { use: "loop", with: { after } } },
    recorded: {},
    specHash: name,
    sha256: name,
    stamp: undefined,
  },
});

const look = (...specs: readonly SpecSeen[]) => {
  const wokenBy = ({ with: options }: PartRef) => options?.after as readonly string[]; // as they were made above
  const looking: Looking = { known: [], complaints: [], seen: specs, unseen: [], isOutOfSight: () => false, wokenBy, by: "ada" };
  const { changes, complaints } = planLook(looking);
  return [changes.map(({ loop }) => loop), complaints.flatMap(({ problems }) => problems)];
};

it("refuses the spec that closes a circle of loops, and no other", () => {
  expect(look(seen("a", "c"), seen("b", "a"), seen("c", "b"))).toEqual([
    ["a", "b"],
    ["its loop triggers make a circle: c → a → b → c; take one of them away"],
  ]);
});

it("refuses a loop that wakes itself", () => {
  expect(look(seen("a", "a"))).toEqual([[], ["its loop triggers make a circle: a → a; take one of them away"]]);
});

it("refuses the spec that makes a chain too long", () => {
  const chain = Array.from({ length: 9 }, (_, n) => seen(`l${n}`, ...(n === 0 ? [] : [`l${n - 1}`])));

  const [known, problems] = look(...chain);

  expect(known).toEqual(["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"]);
  expect(problems).toEqual(["its loop triggers make a chain of 9, and 8 is the most: l0 → l1 → l2 → l3 → l4 → l5 → l6 → l7 → l8"]);
});
