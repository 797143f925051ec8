// Connectors: where work comes from.

import type { z } from "zod";
import type { Environment } from "./clock.ts";
import type { Proc } from "./commands.ts";
import type { Files } from "./files.ts";
import type { Forges } from "./forge.ts";
import type { GitReader, GitScout, RefWalk } from "./git.ts";
import type { TalkWithServer } from "./mcp.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { Citation, Divergence } from "./proposal.ts";
import type { Cursors } from "./record.ts";
import type { Trust, Untrusted } from "./text.ts";

/** What a connector brought. Its texts are strangers' words. */
export type Gathered = GatheredCommits | GatheredThings;

export interface GatheredCommits {
  readonly kind: "commits";
  readonly walks: readonly RefWalk[];
  readonly divergence: readonly Divergence[];
}

/** What is no commit: issues, branches, TODOs, findings of other tools. Only what is new since it was read last. */
export interface GatheredThings {
  readonly kind: "things";
  /** Where they come from, for people. No two of a loop have the same. */
  readonly source: string;
  readonly things: readonly Thing[];
  /** What a reader should know: what was left out, and why. */
  readonly notes: readonly string[];
  /** How far it is read once the round that tells of it is accepted. */
  readonly cursors: Cursors;
}

export interface Thing {
  /** The same for the same thing in the same state. */
  readonly id: string;
  readonly title: Untrusted;
  readonly body?: Untrusted;
  readonly author?: Untrusted;
  readonly trust: Trust;
  readonly at?: string;
  /** Where people look at it, if that is a URL. */
  readonly address?: string;
  /** Why it was brought. */
  readonly why: Untrusted;
  /** Where it is in the repository; looked up like every citation. */
  readonly cites: readonly Citation[];
}

export interface GatherOrder {
  readonly repo: string;
  readonly baseRef: string;
  readonly cursors: Cursors;
  readonly nowMs: number;
  /** Where the spec lies; commands run there. */
  readonly folder: string;
  readonly loop: string;
}

/** What connectors may reach. */
export interface ConnectorWorld {
  readonly git: GitReader;
  readonly scout: GitScout;
  readonly proc: Proc;
  readonly forges: Forges;
  readonly files: Pick<Files, "readText">;
  readonly env: Environment;
  /** Servers that the spec names, in their boxes, and of their tools those that somebody accepted. */
  readonly talk: TalkWithServer;
}

export type Gather = (order: GatherOrder, world: ConnectorWorld) => Promise<Gathered>;

export type Connector = Configured<Part, Gather>;

/** A connector says of which part of the world it makes use: it is handed no more than that in tests, and no more is needed to read it. */
export function defineConnector<Options extends z.ZodType, Brings extends Gathered, Reached>(
  part: Part & {
    readonly options: Options;
    readonly gather: (order: GatherOrder, options: z.infer<Options>, world: Reached) => Promise<Brings>;
  },
): Configured<Part, (order: GatherOrder, world: Reached) => Promise<Brings>> {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (order, world) => part.gather(order, options, world)),
  };
}
