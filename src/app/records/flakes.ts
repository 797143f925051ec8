// The tests that loops have in quarantine: who they are, until when, and how somebody ends it.
import type { Flake } from "../../contract/baseline.ts";
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS, underLock } from "../../contract/locks.ts";
import { isInQuarantine, recallBaseline } from "../../journal/flakes.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";

export interface FlakeView extends Flake {
  readonly loop: string;
  /** One that has run out counts again, and is gone from here after the next look at base. */
  readonly state: "in-quarantine" | "run-out";
}

/** Of one loop, or of all. */
export async function viewFlakes(records: Pick<Records, "journal" | "clock">, loop: string | undefined): Promise<readonly FlakeView[]> {
  const loops = loop === undefined ? await records.journal.loops() : [loop];
  const now = records.clock.now();
  const views = loops.map(async (name) => {
    const { flakes } = await recallBaseline(records.journal, name);
    return flakes.map((flake): FlakeView => ({ loop: name, ...flake, state: isInQuarantine(flake, now) ? "in-quarantine" : "run-out" }));
  });
  return (await Promise.all(views)).flat();
}

/** Ends the quarantine of a test, wherever it is in one. A run that is under way goes on as it began, so the loop must rest. */
export async function forgetFlake(house: House, loop: string | undefined, id: string): Promise<readonly FlakeView[]> {
  const found = (await viewFlakes(house, loop)).filter((flake) => flake.id === id);
  if (found.length === 0) {
    throw new LoopError("bad-input", `no test in quarantine has the id ${id}`, {
      retry: "never",
      hint: "`lw flakes` lists them; write the id as it stands there, in quotes.",
    });
  }
  for (const name of new Set(found.map((flake) => flake.loop))) await forgetIn(house, name, id);
  return found;
}

async function forgetIn(house: House, loop: string, id: string): Promise<void> {
  const busy = (): LoopError =>
    new LoopError("loop-busy", `the loop ${loop} is running, and goes by the quarantine that it began with`, {
      retry: "later",
      hint: `Wait until it rests, or stop it with \`lw stop ${loop}\`.`,
    });
  await underLock({ locks: house.locks, name: `loop ${loop}`, ms: BLINK_MS, busy }, async () => {
    // Of no run: it happened between them.
    await house.journal.append([{ loop, run: `${loop}-flakes`, record: { kind: "flake-forgotten", id, by: "lw flakes --forget" } }]);
  });
}
