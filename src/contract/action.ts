// Actions: what may move something outside the copy.

import type { z } from "zod";
import type { Environment } from "./clock.ts";
import type { Proc } from "./commands.ts";
import type { Receipt } from "./decision.ts";
import type { Files } from "./files.ts";
import type { Passing } from "./gate.ts";
import type { Mover, NotMoved } from "./git.ts";
import type { Http } from "./net.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";

// ── actions: what may move ──────────────────────────────────────────────────────────────────────────────────────

/** What an action acts on: decided about, and verified again. */
export interface Deed extends Omit<Passing, "approvals" | "now" | "level" | "evidence"> {
  /** The same for the same action on the same tree, whoever does it and how often. */
  readonly key: string;
  /** The repository that the spec names, where this is a document: `repo` is then the loop's own. */
  readonly target?: { readonly repo: string; readonly ref: string };
  /** When its round was opened: what is made of it carries this time, so that it is the same when it is made again. */
  readonly at?: string;
  readonly title: string;
  /** What people read about it, in Markdown. */
  readonly report: string;
}

export type Readiness = { readonly kind: "ready"; readonly says: string } | NotMoved;

export type Executed = { readonly kind: "done"; readonly receipt: Omit<Receipt, "action"> } | NotMoved;

export type Found =
  | { readonly kind: "done"; readonly receipt: Omit<Receipt, "action"> }
  | { readonly kind: "not-done" }
  | { readonly kind: "unclear"; readonly why: string };

export interface ActionWorld {
  readonly git: Mover;
  readonly http: Http;
  readonly proc: Proc;
  readonly files: Files;
  readonly env: Environment;
}

/** What the engine calls: what it would do, doing it, and finding out whether an interrupted try did it. */
export interface Act {
  readonly name: string;
  readonly prepare: (deed: Deed, world: ActionWorld) => Promise<Readiness>;
  /** A failure that is thrown says nothing about whether it happened: `confirm` is asked. */
  readonly execute: (deed: Deed, world: ActionWorld) => Promise<Executed>;
  readonly confirm: (deed: Deed, world: ActionWorld) => Promise<Found>;
}

export type Action = Configured<Part, Act>;

export function defineAction<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly prepare: (deed: Deed, options: z.infer<Options>, world: ActionWorld) => Promise<Readiness>;
    readonly execute: (deed: Deed, options: z.infer<Options>, world: ActionWorld) => Promise<Executed>;
    readonly confirm: (deed: Deed, options: z.infer<Options>, world: ActionWorld) => Promise<Found>;
  },
): Action {
  return {
    ...described(part),
    configure: (raw) =>
      withOptions(part, raw, (options) => ({
        name: part.name,
        prepare: (deed, world) => part.prepare(deed, options, world),
        execute: (deed, world) => part.execute(deed, options, world),
        confirm: (deed, world) => part.confirm(deed, options, world),
      })),
  };
}
