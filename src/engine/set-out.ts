// Puts a run together from what was opened for it: the only place where its steps and its meter are made.
import type { KindName } from "../contract/proposal.ts";
import type { Run } from "./run.ts";
import { openMeter } from "./spending/meter.ts";
import { durableSteps } from "./steps.ts";

export function setOut<K extends KindName>(parts: Omit<Run<K>, "steps" | "meter">): Run<K> {
  const { opened, journal, world, purse, watch } = parts;
  return {
    ...parts,
    steps: (id) => durableSteps(journal, id, { clock: world.clock, stop: parts.stop }, watch),
    meter: openMeter({ opened, journal, world, purse }),
  };
}
