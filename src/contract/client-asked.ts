// What programs asked this home by a protocol: on record with the name that each goes by. Nobody vouches for that name.
import type { Untrusted } from "./text.ts";

/** Some of what one client asked, in the order in which it was answered. Recorded in the home's own place, a few at a time. */
export interface ClientAsked {
  readonly kind: "client-asked";
  /** The protocol and the way it came: `mcp stdio`. */
  readonly over: string;
  readonly client: Untrusted;
  readonly asked: readonly AskedOne[];
}

export interface AskedOne {
  readonly at: string;
  /** The tool, resource or prompt, or what was asked for in its place. */
  readonly what: Untrusted;
  /** What it was asked with, cut short. */
  readonly about: Untrusted;
  /** `begun`: it moves something, and is on record before it does; how it ended follows as another. */
  readonly came: "begun" | "answered" | "refused" | "failed";
  readonly tookMs: number;
}
