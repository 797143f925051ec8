// Asks a running loop to stop, through the journal: whoever runs it reads the record and ends its maker.
import { LoopError } from "../../contract/errors.ts";
import { foldRun } from "../../journal/fold.ts";
import type { House } from "../open-house.ts";
import { isRunning } from "../records/views.ts";

const POLL_MS = 100;

export async function stopLoop(
  house: House,
  loop: string,
  waitMs: number,
  by = "lw stop",
): Promise<{ readonly run: string; readonly wasRunning: boolean }> {
  const [entry] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  const isOpen = entry && !foldRun((await house.journal.story(entry.run)).entries).rest;
  if (!entry || !isOpen) {
    throw new LoopError("bad-input", `the loop ${loop} has no run under way`, {
      retry: "never",
      hint: "`lw status` shows where every loop stands.",
    });
  }
  const { run } = entry;
  const { parent } = entry.record;
  if (parent)
    throw new LoopError("bad-input", `${run} was called by ${parent.run}, and stops with it`, {
      retry: "never",
      hint: `Stop that one: \`lw stop ${parent.loop}\`.`,
    });
  if (!(await isRunning(house, loop))) return { run, wasRunning: false };
  await house.journal.append([{ loop, run, record: { kind: "stop-requested", by } }]);
  const startedMs = house.world.clock.monotonicMs();
  while (house.world.clock.monotonicMs() - startedMs < waitMs) {
    await house.sleep(POLL_MS);
    if (!(await isRunning(house, loop))) return { run, wasRunning: true };
  }
  throw new LoopError("loop-busy", `the loop ${loop} was asked to stop and has not stopped yet`, {
    retry: "later",
    hint: "It ends its maker first; look again with `lw status`, or wait longer with --wait.",
  });
}
