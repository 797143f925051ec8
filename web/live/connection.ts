// How the page stands to its server: live, or shown as of some time; and what came in while it was away. Folded from events, purely.
import type { LiveEvent } from "../../src/contract/api.ts";

/** What came in after a time away. `missing` is what neither came nor was read again: never silently none. */
export interface Back {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly isWhole: boolean;
  readonly wasRestarted: boolean;
}

export interface Connection {
  /** `reading`: connected again, and the records from meanwhile are coming in. */
  readonly kind: "connecting" | "live" | "stale" | "reading";
  /** The newest record that was seen. */
  readonly seq: number;
  /** The newest record that the server told of. */
  readonly head: number;
  /** When it was last heard of, in milliseconds. */
  readonly heardMs: number;
  /** How often it could not be reached since. */
  readonly tries: number;
  /** The last record before it went away, while it is away and while it catches up. */
  readonly awayAt: number | undefined;
  readonly cameIn: number;
  readonly isWhole: boolean;
  readonly back: Back | undefined;
  /** When the server that we speak to began. */
  readonly since: string | undefined;
  readonly wasRestarted: boolean;
}

export const NOT_YET: Connection = {
  kind: "connecting",
  seq: 0,
  head: 0,
  heardMs: 0,
  tries: 0,
  awayAt: undefined,
  cameIn: 0,
  isWhole: true,
  back: undefined,
  since: undefined,
  wasRestarted: false,
};

export type Happening =
  /** The server answered who it is: its newest record, and when it began. */
  | { readonly kind: "greeted"; readonly seq: number; readonly since: string; readonly atMs: number }
  | { readonly kind: "heard"; readonly event: LiveEvent; readonly atMs: number }
  | { readonly kind: "lost" }
  /** What the server had said while we were away is read from its views again. */
  | { readonly kind: "dismissed" };

export function foldConnection(before: Connection, happening: Happening): Connection {
  switch (happening.kind) {
    case "greeted":
      return greeted(before, happening);
    case "heard":
      return heard({ ...before, heardMs: happening.atMs }, happening.event);
    case "lost":
      return { ...before, kind: "stale", tries: before.tries + 1, awayAt: before.awayAt ?? before.seq, back: undefined };
    case "dismissed":
      return { ...before, back: undefined };
  }
}

function greeted(before: Connection, { seq, since, atMs }: Extract<Happening, { kind: "greeted" }>): Connection {
  const wasRestarted = before.wasRestarted || (before.since !== undefined && before.since !== since);
  if (before.awayAt === undefined)
    return { ...before, kind: "live", seq: Math.max(seq, before.seq), heardMs: atMs, tries: 0, since, wasRestarted };
  return caughtUp({ ...before, kind: "reading", head: seq, heardMs: atMs, tries: 0, since, wasRestarted });
}

function heard(before: Connection, event: LiveEvent): Connection {
  switch (event.event) {
    case "record": {
      // A reconnect begins after the last one that we have; what was sent twice counts once.
      if (event.id <= before.seq) return before;
      const isNext = event.id === before.seq + 1;
      return caughtUp({
        ...before,
        seq: event.id,
        cameIn: before.cameIn + (before.awayAt === undefined ? 0 : 1),
        isWhole: before.isWhole && isNext,
      });
    }
    case "gap":
      return caughtUp({ ...before, seq: Math.max(before.seq, event.data.to), isWhole: before.awayAt === undefined });
    case "beat":
      // The first beat of a connection may come before the records that it counts.
      return caughtUp({ ...before, head: Math.max(before.head, event.data.seq) });
    case "talk":
    case "step":
      return before;
  }
}

/** Away no longer, once everything up to the server's newest record is here. */
function caughtUp(before: Connection): Connection {
  if (before.awayAt === undefined || before.kind === "stale" || before.seq < before.head) return before;
  const back: Back = {
    from: before.awayAt + 1,
    to: before.seq,
    count: before.cameIn,
    isWhole: before.isWhole,
    wasRestarted: before.wasRestarted,
  };
  return { ...before, kind: "live", awayAt: undefined, cameIn: 0, isWhole: true, wasRestarted: false, back };
}

/** How long to wait before the next try: short at first, never long. */
export const waitBeforeTry = (tries: number): number => Math.min(8000, 500 * 2 ** Math.min(tries, 5));

/** The page says nothing of a server that is away for less than a reader would notice. */
export const isAway = ({ kind, tries }: Connection): boolean => kind === "stale" && tries > 0;

/** Decisions need a server that is there, and everything that it knows. */
export const mayDecide = ({ kind }: Connection): boolean => kind === "live";
