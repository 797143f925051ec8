import { expect, it } from "vitest";
import type { House } from "../../app/open-house.ts";
import type { Sighting } from "../../contract/watch.ts";
import type { Call } from "../call.ts";
import { watched } from "./tell-run.ts";

const none = { kind: "none", why: "the kernel refuses", hint: "Do this." } as const;
const box = { kind: "bubblewrap", version: "0.9" } as const;
/** Closes a round, of which the screen has nothing to tell. */
const sighting = { kind: "record", entry: { record: { kind: "run-rested" } } } as unknown as Sighting;

async function said(means: object, sightings: number, about?: { readonly isSaid: boolean }): Promise<number> {
  const parts: string[] = [];
  const call = { io: { err: (more: string) => void parts.push(more), isLive: false, columns: 80, errColor: false } } as unknown as Call;
  const house = {
    box: { means: async () => means },
    repeat: () => () => {},
    world: { clock: { monotonicMs: () => 0 } },
  } as unknown as House;
  await watched(
    call,
    house,
    async (watch) => {
      for (let count = 0; count < sightings; count++) watch(sighting);
    },
    about,
  ).catch(() => {});
  return parts.join("").split("no sandbox: the kernel refuses; makers and verifiers run with all that").length - 1;
}

it("whoever approves, resumes, referees or refreshes hears once that nothing boxes what runs, as whoever runs does", async () => {
  expect([await said(none, 2), await said(none, 0), await said(box, 2), await said(none, 2, { isSaid: true })]).toEqual([1, 0, 0, 0]);
});
