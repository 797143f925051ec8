import { actions } from "../actions/index.ts";
import { connectors } from "../connectors/index.ts";
import type { Crew, Registries } from "../contract/crew.ts";
import type { LoopSpec, PartRef } from "../contract/spec.ts";
import { gates } from "../gates/index.ts";
import { makers } from "../makers/index.ts";
import { notifiers } from "../notifiers/index.ts";
import { triggers } from "../triggers/index.ts";
import { verifiers } from "../verifiers/index.ts";

/** Every part that is built in. */
export const builtIn: Registries = { makers, verifiers, connectors, triggers, gates, actions, notifiers };

/** The parts one spec asked for. The spec was checked against the same registries, so a missing part is a bug. */
export function assembleCrew(spec: LoopSpec, registries: Registries): Crew {
  return {
    gather: spec.gather.map((ref) => findPart(registries.connectors, ref).configure(ref.with)),
    make: findPart(registries.makers, spec.maker).configure(spec.maker.with),
    verifiers: spec.verifiers.map((ref) => findPart(registries.verifiers, ref).configure(ref.with)),
    nextDue: findPart(registries.triggers, spec.trigger).configure(spec.trigger.with),
    notify: spec.notify.map((ref) => ({ name: ref.use, tell: findPart(registries.notifiers, ref).configure(ref.with) })),
    gates: spec.gate.all.map((ref) => ({ name: ref.use, ask: findPart(registries.gates, ref).configure(ref.with) })),
    act: spec.act.map((ref) => findPart(registries.actions, ref).configure(ref.with)),
  };
}

export function findPart<P extends { readonly name: string }>(parts: readonly P[], { use }: PartRef): P {
  const part = parts.find(({ name }) => name === use);
  if (!part) throw new Error(`no part is called ${use}`);
  return part;
}
