// The parts there are, and those that one spec asked for.
import type { Act, Action } from "./action.ts";
import type { Connector, Gather } from "./connector.ts";
import type { AskGate, Gate } from "./gate.ts";
import type { ImproveBy, Improver } from "./improver.ts";
import type { MakeOf, Maker } from "./maker.ts";
import type { Notifier, Tell } from "./notifier.ts";
import { type DecidedKind, KINDS, type KindName } from "./proposal.ts";
import type { PartRef } from "./spec.ts";
import type { Trigger, Waker } from "./trigger.ts";
import type { Verifier, VerifyOf } from "./verifier.ts";

/** A maker as the spec names it, ready to work. */
export interface CrewMaker<K extends KindName> {
  readonly ref: PartRef;
  readonly make: MakeOf<K>;
  /** The same maker with other options; not there where nobody could ask for them. */
  readonly remake?: (options: PartRef["with"]) => MakeOf<K>;
}

/** The parts one spec asked for, already checked and ready to work. */
export interface CrewOf<K extends KindName> {
  readonly proposes: K;
  readonly gather: readonly Gather[];
  /** The workers of its team, by their names; not there where one maker works alone. */
  readonly team?: ReadonlyMap<string, CrewMaker<K>>;
  /** In the order in which they are called; all of them propose the same. */
  readonly makers: readonly [CrewMaker<K>, ...CrewMaker<K>[]];
  /** All of them are about what this maker proposes. */
  readonly verifiers: readonly VerifyOf<K>[];
  readonly waker: Waker;
  readonly notify: readonly { readonly name: string; readonly tell: Tell }[];
  readonly gates: readonly { readonly name: string; readonly ask: AskGate }[];
  readonly act: readonly Act[];
  /** How its instructions may become better, where the spec says so. */
  readonly improve?: { readonly name: string; readonly by: ImproveBy; readonly needsPerson: boolean };
}

export type Crew = { readonly [K in KindName]: CrewOf<K> }[KindName];

/** Whether somebody decides about what it proposes. */
export const isDecidedCrew = (crew: Crew): crew is Extract<Crew, { readonly proposes: DecidedKind }> => KINDS[crew.proposes].isDecided;

export interface Registries {
  readonly makers: readonly Maker[];
  readonly verifiers: readonly Verifier[];
  readonly connectors: readonly Connector[];
  readonly triggers: readonly Trigger[];
  readonly gates: readonly Gate[];
  readonly actions: readonly Action[];
  readonly notifiers: readonly Notifier[];
  readonly improvers: readonly Improver[];
}
