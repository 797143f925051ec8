import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import { defineNotifier } from "../../contract/notifier.ts";
import { runSpec } from "../runs/wake.ts";
import { watchAbsences, watchByLastRuns } from "./absences.ts";
import { alertNeeds } from "./alert.ts";
import { readInbox } from "./inbox.ts";
import { freeLoop, pauseLoop } from "./standing.ts";

const HOUR = 3_600_000;
const TO = { to: [{ use: "file", with: { path: "told.md" } }] };

/** A house in which loops are known, and somebody hears what is told, or cannot. */
function createPlace(about: Parameters<typeof createMemoryHouse>[0] = {}) {
  const at = createMemoryHouse(about);
  const heard: string[] = [];
  let isDeaf = false;
  const ear = defineNotifier({
    name: "file",
    summary: "Hears.",
    options: z.looseObject({}),
    tell: async ({ report }) => {
      if (isDeaf) throw new Error("nobody is there");
      heard.push(report);
    },
  });
  const house = { ...at.house, registries: { ...at.house.registries, notifiers: [ear] } };
  const known = async (name: string, more: object = {}) => {
    const loaded = at.spec({ name, wake: { expect: { ending: "proven", within: "25h" } }, alert: TO, ...more });
    const record = { kind: "loop-known", path: loaded.path, specHash: loaded.hash, triggerHash: "", by: "ada" } as const;
    await house.journal.append([{ loop: name, run: `${name}-standing`, record }]);
    return loaded;
  };
  const inbox = async () => (await readInbox(house, "due")).filter(({ kind }) => kind === "absent").map(({ loop }) => loop);
  const deafen = (to: boolean) => {
    isDeaf = to;
  };
  return { ...at, house, heard, known, inbox, deafen };
}

describe("what does not come", () => {
  it("is noticed once, told in one message for all loops, and in the inbox", async () => {
    const { house, clock, known, heard, inbox, records } = createPlace();
    const loops = [await known("a"), await known("b"), await known("c", { wake: {} })];

    const early = await watchAbsences(house, loops);
    clock.pass(25 * HOUR);
    const late = await watchAbsences(house, loops);
    const again = await watchAbsences(house, loops);

    expect([early.noticed, early.due.map(({ loop }) => loop)]).toEqual([[], ["a", "b"]]);
    expect([late.noticed.map(({ loop }) => loop), late.told, late.due]).toEqual([["a", "b"], ["a", "b"], []]);
    expect(again).toEqual({ noticed: [], told: [], due: [] });
    expect(heard).toEqual([expect.stringMatching(/^absent a\n {2}it should come to rest with something proven.*\n.*\n\nabsent b\n/)]);
    expect([await inbox(), records("absence-told").length]).toEqual([["a", "b"], 2]);
  });

  it("is over when it comes, and is expected anew from then", async () => {
    const { house, clock, known, heard, inbox } = createPlace();
    const loaded = await known("a");
    clock.pass(26 * HOUR);
    await watchAbsences(house, [loaded]);
    await runSpec(house, loaded, { onlyIfDue: false, again: false }, () => {});
    const between = await inbox();
    const { due } = await watchAbsences(house, [loaded]);
    clock.pass(26 * HOUR);
    const { noticed } = await watchAbsences(house, [loaded]);

    expect([between, due.length, noticed.length, heard.filter((text) => text.startsWith("absent")).length]).toEqual([[], 1, 1, 2]);
  });

  it("is not what comes in another way: a run that proves nothing is no proof", async () => {
    const { house, clock, known, inbox } = createPlace({ sees: () => ({ outcome: "refuted", detail: "no", output: undefined }) });
    const loaded = await known("a", { budget: { rounds: 1 } });
    clock.pass(24 * HOUR);
    await runSpec(house, loaded, { onlyIfDue: false, again: false }, () => {});
    clock.pass(2 * HOUR);
    await watchAbsences(house, [loaded]);

    expect(await inbox()).toEqual(["a"]);
  });

  it("is nothing while the loop is paused, and has its whole time again once it is freed", async () => {
    const { house, clock, known, heard } = createPlace();
    const loaded = await known("a");
    await pauseLoop(house, "a", "ada", "");
    clock.pass(100 * HOUR);
    const paused = await watchAbsences(house, [loaded]);
    await freeLoop(house, "a", "ada", "");
    const freed = await watchAbsences(house, [loaded]);

    expect([paused, freed.due.length, heard]).toEqual([{ noticed: [], told: [], due: [] }, 1, []]);
  });

  it("is expected of a halted loop all the same", async () => {
    const { house, clock, known, inbox } = createPlace();
    const loaded = await known("a");
    await house.journal.append([{ loop: "a", run: "a-standing", record: { kind: "loop-halted", because: "anomaly", reason: "x" } }]);
    clock.pass(26 * HOUR);
    await watchAbsences(house, [loaded]);

    expect(await inbox()).toEqual(["a"]);
  });

  it("that nobody could be told of is told the next time, and not twice", async () => {
    const { house, clock, known, heard, deafen } = createPlace();
    const loaded = await known("a");
    clock.pass(26 * HOUR);
    deafen(true);
    const first = await watchAbsences(house, [loaded]);
    deafen(false);
    const second = await watchAbsences(house, [loaded]);
    await watchAbsences(house, [loaded]);
    await alertNeeds(house, "a");

    expect([first.noticed.length, first.told, second.told, heard.length]).toEqual([1, [], ["a"], 1]);
  });

  it("waits until the quiet hours are over", async () => {
    const { house, clock, known, heard } = createPlace();
    const loaded = await known("a", { alert: { ...TO, quiet: { from: "08:00", to: "12:00" } } });
    clock.pass(25 * HOUR);
    await watchAbsences(house, [loaded]);
    const quiet = heard.length;
    clock.pass(5 * HOUR);
    await watchAbsences(house, [loaded]);

    expect([quiet, heard.length]).toEqual([0, 1]);
  });

  it("is not expected of a loop that was removed, nor of one that nobody added", async () => {
    const { house, clock, known, spec } = createPlace();
    const removed = await known("a");
    await house.journal.append([{ loop: "a", run: "a-standing", record: { kind: "loop-removed", path: "", by: "ada" } }]);
    const stranger = spec({ name: "b", wake: { expect: { within: "1h" } } });
    clock.pass(26 * HOUR);

    expect(await watchAbsences(house, [removed, stranger])).toEqual({ noticed: [], told: [], due: [] });
  });

  it("is noticed by the specs of last runs where no scheduler is at hand", async () => {
    const { house, clock, known } = createPlace();
    await runSpec(house, await known("a"), { onlyIfDue: false, again: false }, () => {});
    clock.pass(26 * HOUR);

    expect((await watchByLastRuns(house)).noticed.map(({ loop }) => loop)).toEqual(["a"]);
  });
});
