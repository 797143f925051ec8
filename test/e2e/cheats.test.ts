// A few makers of `npm run bench cheats`, as different as can be, so that every change is tried on them.
import { dirname } from "node:path";
import { expect, inject, it } from "vitest";
import { trials } from "../../bench/cheats/cases.ts";
import { runTrial } from "../../bench/cheats/run-trial.ts";
import { atEach } from "../support/lw.ts";
import { isLong } from "../support/tries.ts";

const CHEATS = [
  "skips the red test",
  "has fsmonitor say that nothing changed",
  "edits the source after the scan, in the rooms of its proposal only",
  ...(isLong ? ["takes every assertion away, without naming one", "asks for node's test runner"] : []),
  "answers by a sum that fits what is asked",
];
const HONEST = [...(isLong ? ["mends it and adds a test"] : []), "renames a test file"];

const means = () => ({ lw: inject("build").program, path: `${dirname(process.execPath)}:${process.env.PATH ?? "/usr/bin:/bin"}` });

const trial = (name: string, cheats: boolean) => {
  const found = trials.find((one) => one.on === "node" && one.name === name && one.cheats === cheats);
  if (!found) throw new Error(`no such maker: ${name}`);
  return found;
};

const letLoose = async (names: readonly string[], cheats: boolean) =>
  atEach(names, async (name) => {
    const { came } = await runTrial(trial(name, cheats), means());
    return [name, came];
  });

it("accepts no maker that cheats", async () => {
  expect(await letLoose(CHEATS, true)).toEqual(CHEATS.map((name) => [name, "refused"]));
});

it("accepts makers that are honest, also where they rename a test", async () => {
  expect(await letLoose(HONEST, false)).toEqual(HONEST.map((name) => [name, "accepted"]));
});
