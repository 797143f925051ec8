import { expect, it } from "vitest";
import { createMemoryHouse, specText } from "../../../test/support/memory-house.ts";
import { freeLoop, loopStanding, pauseLoop } from "../decisions/standing.ts";
import { addPlaces, removePlaces } from "../loops/tend.ts";
import { stopLoop } from "../runs/stop-run.ts";
import { findRun } from "./find-run.ts";
import { findLoop } from "./views.ts";

it("finds a loop that is looked after before it ran, so that it can be paused and freed, and no longer once it is removed", async () => {
  const { house, files } = createMemoryHouse();
  files.written.set("/l/fresh.loop.json", specText({ name: "fresh", trigger: { use: "every", with: { interval: "1h" } } }));
  await addPlaces(house, "/", ["/l"], "ada");

  expect(await findLoop(house, "fresh")).toBe("fresh");
  // `lw show fresh` neither denies that it is there, nor names it among those that are.
  await expect(findRun(house, "fresh")).rejects.toMatchObject({
    message: "the loop fresh has not run yet",
    hint: expect.stringContaining("lw run /l/fresh.loop.json"),
  });
  await expect(findRun(house, "frsh")).rejects.toMatchObject({
    message: "no run or loop is called frsh",
    hint: expect.stringMatching(/^There are: fresh\./),
  });
  await pauseLoop(house, "fresh", "ada", "");
  expect((await loopStanding(house, "fresh")).state).toBe("paused");
  expect(await freeLoop(house, "fresh", "ada", "")).toBe(true);
  await expect(stopLoop(house, "fresh", 0)).rejects.toThrow("the loop fresh has no run under way");
  await removePlaces(house, "/", ["/l"], "ada");
  await expect(findLoop(house, "fresh")).rejects.toThrow("no run or loop is called fresh");
});
