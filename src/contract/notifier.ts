// Notifiers: who is told how a run ended.

import type { z } from "zod";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { NotifierWorld } from "./part-worlds.ts";

// ── notifiers: who is told how a run ended ──────────────────────────────────────────────────────────────────────

export interface Telling {
  readonly loop: string;
  readonly run: string;
  readonly repo: string;
  /** Where the spec lies; relative paths start here. */
  readonly folder: string;
  readonly report: string;
}

export type Tell = (telling: Telling, world: NotifierWorld) => Promise<void>;

export type Notifier = Configured<Part, Tell>;

export function defineNotifier<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly tell: (telling: Telling, options: z.infer<Options>, world: NotifierWorld) => Promise<void>;
  },
): Notifier {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (telling, world) => part.tell(telling, options, world)),
  };
}
