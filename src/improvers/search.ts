// Searches a declared space of options: the next point that was not tried yet, in an order that the seed says.
import * as z from "zod";
import type { Change, OptionValue, Space } from "../contract/improve.ts";
import { defineImprover, type ImproveMatter, type Wish } from "../contract/improver.ts";
import { sha256 } from "../std/hash.ts";
import { isSame } from "./heed-lessons.ts";

export const search = defineImprover({
  name: "search",
  summary: "Tries values of options out of the space that the spec declares, one point after the other, in an order that is on record.",
  options: z.strictObject({}),
  space: "needed",
  improve: async (matter, _, { seed }) => nextPoint(matter, seed),
});

/** More points than that are never listed: of a larger space the first of each option's values are combined. */
const MOST_POINTS = 4096;

export function nextPoint(matter: ImproveMatter, seed: number): Wish {
  const { targets, now, tried } = matter;
  const options = Object.fromEntries(targets.map(({ id, with: written }) => [id, written]));
  const isTried = (of: Wish & { kind: "change" }): boolean => [now, ...tried].some((one) => isSame(pointOf(one.of, targets), of.of));
  const points = pointsIn(matter.space).map((point) => changeTo(point, matter));
  const fresh = points.filter((of) => !isAsWritten(of, options) && !isTried({ kind: "change", of, why: "" }));
  const [first] = fresh.map((of) => ({ of, rank: sha256(`${seed}:${JSON.stringify(of)}`) })).toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  if (!first) return { kind: "nothing", why: "every point of the space was tried" };
  return { kind: "change", of: first.of, why: `one of ${fresh.length} point(s) not tried yet, by the seed ${seed}` };
}

type Point = readonly (readonly [option: string, value: OptionValue])[];

function pointsIn(space: Space): readonly Point[] {
  return Object.entries(space).reduce<readonly Point[]>(
    (points, [option, values]) =>
      points.flatMap((point) => values.map((value) => [...point, [option, value] as const])).slice(0, MOST_POINTS),
    [[]],
  );
}

/** An option without a worker's name is that of all who may change. */
function changeTo(point: Point, { targets, now }: ImproveMatter): { readonly [target: string]: Change } {
  return Object.fromEntries(
    targets.map(({ id }) => {
      const mine = point.flatMap(([name, value]) => {
        const [worker = "", option] = name.split(".");
        if (option === undefined) return [[name, value] as const];
        return worker === id ? [[option, value] as const] : [];
      });
      const { with: _, ...others } = now.of[id] ?? {};
      return [id, mine.length === 0 ? others : { ...others, with: Object.fromEntries(mine) }];
    }),
  );
}

const pointOf = (of: { readonly [target: string]: Change }, targets: ImproveMatter["targets"]) =>
  Object.fromEntries(targets.map(({ id }) => [id, of[id] ?? {}]));

const isAsWritten = (
  of: { readonly [target: string]: Change },
  written: { readonly [target: string]: { readonly [option: string]: unknown } },
): boolean =>
  Object.entries(of).every(([id, change]) => Object.entries(change.with ?? {}).every(([name, value]) => written[id]?.[name] === value));
