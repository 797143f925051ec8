// Improvers: strategies by which a loop's instructions or options may become better between rounds.
import type { z } from "zod";
import type { Change, Instructions, Space } from "./improve.ts";
import type { Models } from "./models.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { Shown, Trust, Untrusted } from "./text.ts";

/** One whose instructions may change. */
export interface Improvable {
  readonly id: string;
  /** What the spec says that it does. */
  readonly role: string;
  readonly with: { readonly [option: string]: unknown };
}

export interface ImproveMatter {
  readonly intent: string;
  readonly targets: readonly Improvable[];
  /** What counts now. */
  readonly now: Instructions;
  /** What the round taught. It may quote what was verified, so it is a stranger's words. */
  readonly lessons: readonly Untrusted[];
  readonly keep: readonly string[];
  readonly space: Space;
  /** All instructions that this run has worked by, or tried and undone. */
  readonly tried: readonly Instructions[];
  /** Where the primary metric stands, in words. */
  readonly standing: string;
}

/** What a strategy may reach: models by a meter, and nothing of the loop itself. */
export interface ImproverWorld {
  /** The same in one round, on record after it. */
  readonly seed: number;
  readonly models: Models;
  show(text: Untrusted, label: { readonly source: string; readonly trust: Trust; readonly mostChars: number }): Shown;
}

/** What a strategy wants. The engine takes of it what may be changed at all. */
export type Wish =
  | { readonly kind: "change"; readonly of: { readonly [target: string]: Change }; readonly why: string }
  | { readonly kind: "note"; readonly notes: readonly Untrusted[]; readonly why: string }
  | { readonly kind: "nothing"; readonly why: string };

export type ImproveBy = (matter: ImproveMatter, world: ImproverWorld) => Promise<Wish>;

export type Improver = Configured<
  Part & {
    /** Whether a person has to say yes first. */
    readonly needsPerson?: true;
    /** Whether it chooses from a declared space. */
    readonly space: "needed" | "taken" | "refused";
  },
  ImproveBy
>;

export function defineImprover<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly needsPerson?: true;
    readonly space: Improver["space"];
    readonly improve: (matter: ImproveMatter, options: z.infer<Options>, world: ImproverWorld) => Promise<Wish>;
  },
): Improver {
  return {
    ...described(part),
    ...(part.needsPerson ? { needsPerson: true } : {}),
    space: part.space,
    configure: (raw) => withOptions(part, raw, (options) => (matter, world) => part.improve(matter, options, world)),
  };
}
