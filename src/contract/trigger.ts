// Triggers: what wakes a loop. Instants that can be worked out, things that happen, or both; all of it data and pure functions.
import type { z } from "zod";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { Ending } from "./waking.ts";

/** What one spec is woken by. */
export interface Waker {
  /** The instants it names; undefined where it names none. */
  readonly slots?: Slots;
  /** What else it listens to. Who hears it is the scheduler's. */
  readonly hears: readonly Hearing[];
}

/** Instants in milliseconds of UTC. The same for whoever asks, whenever and on whatever machine. */
export interface Slots {
  /** The zone that its labels are read in, by its IANA name. */
  readonly zone: string;
  /** Those after `since` and up to `until`: the newest `most` of them one by one, and how many older ones there are. */
  due(since: number, until: number, most: number): DueSlots;
}

export interface DueSlots {
  /** Strictly ascending. */
  readonly newest: readonly number[];
  readonly older?: { readonly first: number; readonly last: number; readonly count: number };
  /** The first one after `until`; undefined where none comes any more. */
  readonly next?: number;
}

export type Hearing =
  /** A ref of the target, or of a remote of it, moved. */
  | { readonly kind: "git"; readonly ref: string; readonly remote: string | undefined; readonly everyMs: number }
  /** Files below a folder changed and came to rest. */
  | { readonly kind: "files"; readonly folder: string; readonly globs: readonly string[]; readonly restMs: number }
  | WebhookHearing
  /** Another loop came to rest in one of these ways. */
  | { readonly kind: "loop"; readonly loop: string; readonly endings: readonly Ending[] }
  /** A person answered a question of this loop, or decided about something that it proposed. */
  | { readonly kind: "inbox"; readonly of: readonly ("answered" | "decided")[] };

/** Somebody sent something to an address of the daemon, signed with a secret that both know. */
export interface WebhookHearing {
  readonly kind: "webhook";
  readonly address: string;
  readonly form: "github" | "gitlab" | "generic";
  /** The variable of the daemon's environment that holds the secret. */
  readonly secret: string;
  /** What must be so for it to wake; an empty list asks for nothing. */
  readonly events: readonly string[];
  readonly branches: readonly string[];
  readonly labels: readonly string[];
}

export type Trigger = Configured<Part, Waker>;

export function defineTrigger<Options extends z.ZodType>(
  part: Part & { readonly options: Options; readonly wakes: (options: z.infer<Options>) => Waker },
): Trigger {
  return { ...described(part), configure: (raw) => withOptions(part, raw, part.wakes) };
}

/** When it is due next, for who was last woken then; undefined where only somebody or something else wakes it. */
export function nextSlot({ slots }: Waker, after: Date): Date | undefined {
  const next = slots?.due(after.getTime(), after.getTime(), 0).next;
  return next === undefined ? undefined : new Date(next);
}
