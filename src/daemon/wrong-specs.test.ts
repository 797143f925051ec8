import { expect, it } from "vitest";
import { createMemoryHouse, specText } from "../../test/support/memory-house.ts";
import { lookAfter } from "../app/loops/look-after.ts";
import { addPlaces } from "../app/loops/tend.ts";
import { wrongSpecs } from "./wrong-specs.ts";

const EVERY = { trigger: { use: "every", with: { interval: "1h" } } };

it("are those of known loops and those that no loop comes from, for as long as they are wrong", async () => {
  const { house, files } = createMemoryHouse();
  files.written.set("/l/a.loop.json", specText({ name: "a", ...EVERY }));
  files.written.set("/l/b.loop.json", "name: [");
  await addPlaces(house, "/", ["/l"], "ada");
  files.written.set("/l/a.loop.json", "name: [");
  await lookAfter(house, { by: "loopwright" });
  await lookAfter(house, { by: "loopwright" });

  const wrong = await wrongSpecs(house.journal);
  expect(wrong.map(({ loop, path }) => [loop, path])).toEqual([
    ["a", "/l/a.loop.json"],
    [undefined, "/l/b.loop.json"],
  ]);
  for (const name of ["a", "b"]) files.written.set(`/l/${name}.loop.json`, specText({ name, ...EVERY }));
  await lookAfter(house, { by: "loopwright" });
  expect(await wrongSpecs(house.journal)).toEqual([]);
});
