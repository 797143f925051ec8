// Wakings: what became of every moment and every happening that should have woken a loop.
import type { Untrusted } from "./text.ts";

/** How another run came to rest, as triggers and expectations ask for it. */
export const ENDINGS = ["proven", "nothing-to-do", "handed-over", "halted"] as const;
export type Ending = (typeof ENDINGS)[number];

/** What should wake a loop, with what it brings. Strangers' words are Untrusted. */
export type Cause =
  /** `local` is the label that the trigger reads at that instant, such as `2026-03-29T02:30 Europe/Berlin`. */
  | { readonly kind: "slot"; readonly slot: string; readonly local: string }
  | {
      readonly kind: "webhook";
      readonly address: string;
      readonly delivery: string;
      /** Of the raw body. */
      readonly sha256: string;
      readonly event: Untrusted;
      readonly ref: Untrusted | null;
      readonly subject: Untrusted | null;
    }
  | {
      readonly kind: "git";
      readonly ref: string;
      readonly from: string | null;
      readonly to: string | null;
      /** As in `loop`, where a run of another loop moved it. */
      readonly chain?: readonly string[];
    }
  | { readonly kind: "files"; readonly changed: readonly Untrusted[]; readonly count: number; readonly state: string }
  /** `chain` names the loops that woke one another up to here, the oldest first. */
  | { readonly kind: "loop"; readonly loop: string; readonly run: string; readonly ending: Ending; readonly chain: readonly string[] }
  | { readonly kind: "inbox"; readonly run: string; readonly what: "answered" | "decided"; readonly by: string }
  | { readonly kind: "hand"; readonly by: string };

/** In our own words: nothing that a stranger wrote is in it. */
export function tellCause(cause: Cause): string {
  switch (cause.kind) {
    case "slot":
      return `it was time: ${cause.local}`;
    case "webhook":
      return `a delivery to ${cause.address}`;
    case "git":
      return `${cause.ref} moved${cause.to === null ? "" : ` to ${cause.to.slice(0, 12)}`}`;
    case "files":
      return `${cause.count} file(s) changed`;
    case "loop":
      return `the loop ${cause.loop} came to rest (${cause.ending}, ${cause.run})`;
    case "inbox":
      return `${cause.by} ${cause.what === "answered" ? "answered a question of" : "decided about"} ${cause.run}`;
    case "hand":
      return `${cause.by} asked for it`;
  }
}

/** Why a loop did not run, or ran; each has its words. */
export type WakingReason =
  | "on-time"
  | "late"
  | "by-hand"
  | "changed"
  | "removed"
  | "not-valid"
  | "paused"
  | "halted"
  | "all-stopped"
  | "nothing-was-running"
  | "joined"
  | "more-than-kept"
  | "own-work"
  | "chain"
  | "window"
  | "overlap"
  | "wip"
  | "budget"
  | "limit"
  | "collision"
  | "machine"
  | "cannot-start";

/**
 * What became of one key, or of several slots with one fate. It is recorded in the loop, with the key in the place of a run's id: no key
 * has two wakings in force.
 */
export interface Waking {
  readonly kind: "waking";
  readonly fate: "ran" | "skipped" | "missed" | "coalesced" | "failed";
  readonly cause: Cause;
  /** With its jitter. */
  readonly dueAt: string;
  readonly reason: WakingReason;
  /** The reason in words, for people. */
  readonly says: string;
  /** The run that it opened. */
  readonly run?: string;
  /** The key that it joined. */
  readonly into?: string;
  /** The slots that it stands for besides its own, which is the last of them. */
  readonly covers?: { readonly first: string; readonly count: number };
  /** Every slot of the loop up to here has its record now, but for those in `open`. Not there in those that change nothing about it. */
  readonly since?: string;
  /** With `since`: the slots up to there that still wait. */
  readonly open?: readonly string[];
  /** With `since`: the slots after it that have run already, because the clock was set back. */
  readonly taken?: readonly string[];
  /** Everything that was heard of up to this record has its waking now. Not there in those that change nothing about it. */
  readonly answered?: number;
}

/** What the scheduler writes down besides wakings. */
export type ScheduleRecord =
  | Waking
  /** Something happened that will be answered by one waking: on record before whoever told us of it is thanked. */
  | {
      readonly kind: "heard";
      readonly cause: Cause;
      /** It is work of the loop's own, or the end of a chain that is too long: it wakes nothing. */
      readonly barred?: "own-work" | "chain";
    }
  /** A ref or a folder is watched from here on: what it is now wakes nothing. Recorded in the place of the movement before the next. */
  | { readonly kind: "first-seen"; readonly what: string; readonly state: string | null }
  /** From now on the home looks after this file or folder of specs, or no more. Recorded in the home's own place. */
  | { readonly kind: "place-added"; readonly path: string; readonly by: string }
  | { readonly kind: "place-removed"; readonly path: string; readonly by: string }
  /** The loop's spec as it was read. Another one stands in the place of the one before. */
  | {
      readonly kind: "loop-known";
      readonly path: string;
      readonly specHash: string;
      /** Of its trigger and of when it may wake: where this changes, what is pending does not count any more. */
      readonly triggerHash: string;
      /** So that the times it named can be worked out when it names others. */
      readonly trigger?: { readonly use: string; readonly with?: { readonly [option: string]: unknown } };
      readonly by: string;
      /** The spec as it goes on record, so that whoever plans need not read it again: a `LoopSpec`, of the version that wrote it. */
      readonly spec?: unknown;
      /** Of the text of its file. */
      readonly sha256?: string;
      /** What its file was like when it was read: as long as it is like that, it need not be read again. */
      readonly stamp?: string;
    }
  /**
   * Its spec cannot be read any more, or not obeyed yet: it does not wake until it is right again. Of a file or folder that no known
   * loop comes from, it is recorded in the home's own place, until `loop-removed` of the same path there.
   */
  | { readonly kind: "loop-wrong"; readonly path: string; readonly problems: readonly string[] }
  | { readonly kind: "loop-removed"; readonly path: string; readonly by: string }
  /** The clock was set back: what was recorded of later slots and did not run counts no more. Recorded in the home's own place. */
  | { readonly kind: "clock-set-back"; readonly from: string; readonly to: string }
  /** An account may not be used before then. Recorded in the home's own place. */
  | { readonly kind: "limit-seen"; readonly account: string; readonly until: string; readonly run: string }
  /** A call of that account came to something again: its limits up to that record count no more. Recorded in the home's own place. */
  | { readonly kind: "limit-over"; readonly account: string; readonly seen: number; readonly run: string }
  /** Somebody was told that a loop did not do what is expected of it. */
  | {
      readonly kind: "absence-told";
      readonly since: string;
      readonly deadline: string;
      /** How it should have come to rest. */
      readonly ending?: Ending | "any";
      readonly says: string;
    };

/** The key of a waking. Unique for ever; it names neither the trigger nor the life of the loop. */
export const slotKey = (loop: string, slot: number): string => `${loop}/slot/${new Date(slot).toISOString()}`;
export const webhookKey = (loop: string, address: string, delivery: string): string => `${loop}/hook/${address}/${delivery}`;
export const gitKey = (loop: string, ref: string, movement: number): string => `${loop}/git/${ref}/${movement}`;
export const filesKey = (loop: string, movement: number): string => `${loop}/files/${movement}`;
export const recordKey = (loop: string, seq: number): string => `${loop}/record/${seq}`;
export const handKey = (loop: string, id: string): string => `${loop}/hand/${id}`;
