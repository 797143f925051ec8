// One round of a spec that lies nowhere yet: as it would run there, with nothing that moves without a person.
import type { LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import { specHash } from "../../spec/read-spec.ts";
import type { House } from "../open-house.ts";
import type { RunResult } from "./begin-run.ts";
import type { LoadedSpec } from "./load-spec.ts";
import { runSpec } from "./wake.ts";

/** A trial goes on although the proposal of the last one waits: another spec may be tried meanwhile. */
export const runTrial = (house: House, loaded: LoadedSpec, watch: Watch): Promise<RunResult> =>
  runSpec(house, trialOf(loaded), { onlyIfDue: false, again: true, beside: { when: "refuse" } }, watch);

/** Nobody has seen what it does: what it makes waits for a decision, also where the spec would let it act alone. */
export function trialOf(loaded: LoadedSpec): LoadedSpec {
  const { level, budget } = loaded.spec;
  const spec: LoopSpec = { ...loaded.spec, level: level === "L3" ? "L2" : level, budget: { ...budget, rounds: 1 } };
  return { ...loaded, spec, hash: specHash(spec) };
}
