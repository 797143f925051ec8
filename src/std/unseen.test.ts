import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import { unseenOf } from "./unseen.ts";

const idsOf = (names: readonly string[]) => names.map((id) => ({ id }));

it("brings each thing once, in its order and by portions, and again once it was gone", () => {
  const list = idsOf(["a", "b", "a", "c"]);

  const first = unseenOf(list, undefined, 2);
  const second = unseenOf(list, first.cursor, 2);
  const third = unseenOf(list, second.cursor, 2);
  const without = unseenOf(idsOf(["b"]), third.cursor, 2);
  const again = unseenOf(list, without.cursor, 9);

  expect([first, second, third, without, again].map(({ fresh, left }) => [fresh.map(({ id }) => id).join(""), left])).toEqual([
    ["ab", 1],
    ["c", 0],
    ["", 0],
    ["", 0],
    ["ac", 0],
  ]);
});

it("takes a cursor that it did not write for none", () => {
  expect(unseenOf(idsOf(["a"]), "c1", 5).fresh).toEqual([{ id: "a" }]);
});

it("loses nothing and repeats nothing, whatever is asked for at once", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (names, most) => {
      const brought: string[] = [];
      let cursor: string | undefined;
      for (let turn = 0; turn <= names.length; turn++) {
        const seen = unseenOf(idsOf(names), cursor, most);
        brought.push(...seen.fresh.map(({ id }) => id));
        cursor = seen.cursor;
      }
      expect(brought).toEqual(names);
    }),
    tries(50),
  );
});
