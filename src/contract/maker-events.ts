// What is heard from a maker while it works, whichever program it is. All of it is talk: the screen and the journal read it, no verdict does.
import type { ArtifactRef } from "./artifacts.ts";
import type { Untrusted } from "./text.ts";

export type MakerEvent =
  /** The agent's own name for its conversation, by which it can be taken up again. */
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "text"; readonly text: Untrusted }
  | { readonly kind: "tool-call"; readonly tool: string; readonly about: Untrusted }
  | { readonly kind: "file-change"; readonly path: Untrusted }
  | UsageEvent
  /** A provider takes no more for now. When that passes is an ISO time, where the agent said so. */
  | { readonly kind: "limit"; readonly says: Untrusted; readonly resetsAt?: string }
  | { readonly kind: "question"; readonly text: Untrusted }
  /** What the guard, or the agent's own rules, did not let it do. */
  | { readonly kind: "refused"; readonly what: Untrusted }
  | {
      /** A conversation was made shorter: replies that are only in a summary from now on, and that summary, empty where none was made. */
      readonly kind: "compacted";
      readonly leftOut: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly summary: Untrusted;
    }
  | { readonly kind: "error"; readonly text: Untrusted };

/** What an agent says it used: since its last report, or altogether. What it does not know is left out. */
export interface UsageEvent {
  readonly kind: "usage";
  readonly of: "part" | "all";
  /** Agents report one part more than once; parts of the same name are one. */
  readonly part?: string;
  readonly tokens?: number;
  readonly usd?: number;
}

/** What was heard of a maker in one step. */
export interface Heard {
  /** How many of each kind. */
  readonly counts: { readonly [kind in MakerEvent["kind"]]?: number };
  /** Lines that said nothing we know. */
  readonly unread: number;
  /** The events, one JSON a line, up to a cap. */
  readonly log: ArtifactRef;
}
