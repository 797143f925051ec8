// The parts there are, and those that one spec asked for.
import type { Act, Action } from "./action.ts";
import type { Connector, Gather } from "./connector.ts";
import type { AskGate, Gate } from "./gate.ts";
import type { MakeOf, Maker } from "./maker.ts";
import type { Notifier, Tell } from "./notifier.ts";
import type { KindName } from "./proposal.ts";
import type { NextDue, Trigger } from "./trigger.ts";
import type { Verifier, VerifyOf } from "./verifier.ts";

/** The parts one spec asked for, already checked and ready to work. */
export interface CrewOf<K extends KindName> {
  readonly proposes: K;
  readonly gather: readonly Gather[];
  readonly make: MakeOf<K>;
  /** All of them are about what this maker proposes. */
  readonly verifiers: readonly VerifyOf<K>[];
  readonly nextDue: NextDue;
  readonly notify: readonly { readonly name: string; readonly tell: Tell }[];
  readonly gates: readonly { readonly name: string; readonly ask: AskGate }[];
  readonly act: readonly Act[];
}

export type Crew = CrewOf<"commit"> | CrewOf<"report">;

export interface Registries {
  readonly makers: readonly Maker[];
  readonly verifiers: readonly Verifier[];
  readonly connectors: readonly Connector[];
  readonly triggers: readonly Trigger[];
  readonly gates: readonly Gate[];
  readonly actions: readonly Action[];
  readonly notifiers: readonly Notifier[];
}
