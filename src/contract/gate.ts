// Gates: who must say yes before an action.

import type { z } from "zod";
import type { Allowlist, Ruling } from "./allowlist.ts";
import type { Environment } from "./clock.ts";
import type { Proc } from "./commands.ts";
import type { Approval } from "./decision.ts";
import type { Evidence } from "./evidence.ts";
import type { Http } from "./net.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { Level } from "./spec.ts";

// ── gates: who says that it may go on ───────────────────────────────────────────────────────────────────────────

/** Something proven that wants to move, and everything a gate may know about it. */
export interface Passing {
  readonly loop: string;
  readonly run: string;
  readonly intent: string;
  readonly level: Level;
  readonly repo: string;
  /** Where the spec lies; commands run here. */
  readonly folder: string;
  readonly branch: string;
  readonly commit: string;
  readonly tree: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly evidence: Evidence;
  /** Those that count at this moment, for exactly this tree. */
  readonly approvals: readonly Approval[];
  readonly now: Date;
}

/** `ask`: people must say yes first. `no`: not now, or not at all, whoever said yes. */
export interface GateAnswer {
  readonly kind: "yes" | "ask" | "no";
  readonly why: string;
}

export interface GateWorld {
  /** Whether the change is inside this allowlist, with everything that speaks against it. */
  allowlist(list: Allowlist): Promise<Ruling>;
  readonly proc: Proc;
  readonly http: Http;
  readonly env: Environment;
}

export type AskGate = (passing: Passing, world: GateWorld) => Promise<GateAnswer>;

export type Gate = Configured<Part, AskGate>;

export function defineGate<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly ask: (passing: Passing, options: z.infer<Options>, world: GateWorld) => Promise<GateAnswer>;
  },
): Gate {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (passing, world) => part.ask(passing, options, world)),
  };
}
