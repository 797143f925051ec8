// Connectors: where work comes from.

import type { z } from "zod";
import type { GitReader, RefWalk } from "./git.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { Divergence } from "./proposal.ts";
import type { Cursors } from "./record.ts";

// ── connectors: where work comes from ───────────────────────────────────────────────────────────────────────────

/** What a connector brought. Its texts are strangers' words. */
export interface Gathered {
  readonly kind: "commits";
  readonly walks: readonly RefWalk[];
  readonly divergence: readonly Divergence[];
}

export interface GatherOrder {
  readonly repo: string;
  readonly baseRef: string;
  readonly cursors: Cursors;
  readonly nowMs: number;
}

export type Gather = (order: GatherOrder, world: { readonly git: GitReader }) => Promise<Gathered>;

export type Connector = Configured<Part, Gather>;

export function defineConnector<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly gather: (order: GatherOrder, options: z.infer<Options>, world: { readonly git: GitReader }) => Promise<Gathered>;
  },
): Connector {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (order, world) => part.gather(order, options, world)),
  };
}
