import { expect, it } from "vitest";
import { anyStop, createStop, neverStops } from "./stop.ts";

it("is asked for once and for all, and tells every listener once", () => {
  const stop = createStop();
  const told: string[] = [];
  stop.onAsk(() => told.push("first"));
  stop.onAsk(() => told.push("second"));

  const before = stop.asked();
  stop.ask();
  stop.ask();

  expect([before, stop.asked(), told]).toEqual([false, true, ["first", "second"]]);
});

it("tells who comes too late at once", () => {
  const stop = createStop();
  stop.ask();
  const told: string[] = [];

  stop.onAsk(() => told.push("late"));

  expect(told).toEqual(["late"]);
});

it("does not tell who went away, and tells the others all the same", () => {
  const stop = createStop();
  const told: string[] = [];
  const listener = (): void => void told.push("told");
  const goAway = stop.onAsk(listener);
  stop.onAsk(listener);

  goAway();
  stop.ask();

  expect(told).toEqual(["told"]);
});

it("is asked for when any of its causes is, and asks none of them", () => {
  const [house, own, other] = [createStop(), createStop(), createStop()];
  const run = anyStop(house, own);
  const told: string[] = [];
  run.onAsk(() => told.push("run"));
  anyStop(house, other).onAsk(() => told.push("other"));

  own.ask();
  const afterOwn = [run.asked(), house.asked(), anyStop(house, other).asked(), [...told]];
  house.ask();

  expect([afterOwn, told, anyStop(house, other).asked()]).toEqual([[true, false, false, ["run"]], ["run", "other"], true]);
});

it("tells once although all of its causes are asked for", () => {
  const [house, own] = [createStop(), createStop()];
  house.ask();
  own.ask();
  const told: string[] = [];

  anyStop(house, own).onAsk(() => told.push("run"));

  expect(told).toEqual(["run"]);
});

it("never stops where nobody can ask", () => {
  expect([neverStops.asked(), anyStop(neverStops).asked()]).toEqual([false, false]);
});
