// What the tools have at hand, and who asks them.
import type { PageHouse } from "../app/page/act.ts";
import type { Hear } from "../app/page/run-now.ts";
import type { Scanned } from "../app/scans/scan-diff.ts";
import type { PolicyReading } from "../guard/command/policy.ts";

export interface Desk {
  readonly house: PageHouse;
  /** The folder that it was opened for: the only one whose changes are judged, and where commands are thought to run. */
  readonly folder: string;
  /**
   * By which loop and from which base the referee judges, where the person who opened it said so. A client never says it. Undefined where
   * no checkout is judged.
   */
  readonly referee: { readonly loop: string | undefined; readonly base: string | undefined } | undefined;
  readonly policy: () => Promise<PolicyReading>;
  readonly scanDiff: (text: string) => Promise<Scanned>;
  readonly hear: Hear;
  /** Whether only reading and the guard are offered. */
  readonly isLooking: boolean;
  /** Told where something failed that nobody thought of. */
  readonly tellBug: (error: unknown) => void;
}

/** One request, and who made it. */
export interface Asking {
  /** What the client calls itself, fit to be shown. Nobody vouches for it. */
  readonly client: string;
  /** Aborted where the client takes the request back, or is gone. */
  readonly signal: AbortSignal;
  /** How far it is, in our own words. */
  readonly tell: (says: string) => void;
}

/** How a client is called where something is on record that it began or said: never like a person. */
export const OVER_MCP = " (over MCP)";
export const nameOnRecord = ({ client }: Pick<Asking, "client">): string => `${client}${OVER_MCP}`;
