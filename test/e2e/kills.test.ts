// A few kills of `npm run bench kills`: one in each kind of work, and one more while it is taken up.
import { expect, inject, it } from "vitest";
import { layGround, WORKS, type Work } from "../../bench/kills/kill-once.ts";
import { quickFolder } from "../../bench/kills/quick-folder.ts";
import { isLong } from "../support/tries.ts";

/** An approval where a checkout moves along does all that another one does. */
const SHORT: readonly Work[] = ["run", "along", "trusted", "referee"];

/** Parts of the usual time of the work, and of what takes it up. */
const MOMENTS: readonly (readonly [number, number])[] = [
  [0.55, 0.7],
  [0.8, 0.5],
  [0.9, 0.85],
  [0.7, 0.6],
];

it("leaves nothing doubled, lost or behind, whenever a run, an approval, an act or the referee is killed, and again when it is resumed", async () => {
  const works = isLong ? WORKS : SHORT;
  const ground = await layGround(inject("build").program, quickFolder(), works);
  try {
    const cases = works.flatMap((work, index) => (isLong ? MOMENTS : [MOMENTS[index]!]).map((moment) => ({ work, moment })));

    const wrong: unknown[] = [];
    for (const { work, moment } of cases) wrong.push([work, await ground.kill(work, ...moment)]);

    expect(wrong).toEqual(cases.map(({ work }) => [work, []]));
    for (const work of works) expect(ground.usual.get(work)?.found).toMatchObject({ left: [], ledger: 0, fsck: "" });
  } finally {
    ground.remove();
  }
});
