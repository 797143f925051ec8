// Makers: who proposes a change or a report.

import type { z } from "zod";
import type { Gathered } from "./connector.ts";
import type { ModelRef } from "./models.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { MakerWorld } from "./part-worlds.ts";
import type { KindName, ReportProposal, Talk } from "./proposal.ts";
import type { Round } from "./round.ts";
import type { LoopSpec } from "./spec.ts";
import type { Workspace } from "./workshop.ts";

export interface EditOrder {
  readonly spec: LoopSpec;
  readonly round: Round;
  readonly workspace: Workspace;
  readonly brief: string;
  /** What is left of the run's time. */
  readonly timeLeftMs: number;
}

export interface ReportOrder {
  readonly spec: LoopSpec;
  readonly round: Round;
  readonly gathered: readonly Gathered[];
}

/** A maker either edits its copy, which becomes a commit, or writes a report and touches nothing. */
export type MakeOf<K extends KindName> = Makes[K];
export type Make = MakeOf<KindName>;

interface Makes {
  readonly commit: {
    readonly proposes: "commit";
    /** Places below the home folder where the agent that it drives keeps its login and its state. */
    readonly keeps?: readonly string[];
    /** Hosts of its model and its login. */
    readonly hosts?: readonly string[];
    readonly edit: (order: EditOrder, world: MakerWorld) => Promise<Talk>;
  };
  readonly report: { readonly proposes: "report"; readonly report: (order: ReportOrder) => ReportProposal };
}

export type Maker = Configured<
  Part & {
    readonly proposes: Make["proposes"];
    readonly program?: AgentProgram;
    /** The provider whose model it asks; `lw doctor` looks for its key. */
    readonly provider?: ModelRef["provider"];
  },
  Make
>;

/** Somebody else's agent that a maker drives: how `lw doctor` finds it, and sees whether somebody is logged in. Names only. */
export interface AgentProgram {
  readonly name: string;
  /** Variables that hold its key, or say where it is. */
  readonly variables: readonly string[];
  /** Files below the home folder that are there once somebody logged in. */
  readonly files: readonly string[];
  /** Places where it keeps its state, and that a box must leave open. */
  readonly keeps: readonly string[];
  /** Hosts of its model and its login, which a box with a list of hosts lets it reach. */
  readonly hosts?: readonly string[];
  /** How to log in. */
  readonly login: string;
}

export function defineMaker<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly program?: AgentProgram;
    /** Which agent it is, where the options say so. */
    readonly programOf?: (options: z.infer<Options>) => Pick<AgentProgram, "keeps" | "hosts"> | undefined;
    readonly provider?: ModelRef["provider"];
    readonly edit: (order: EditOrder, options: z.infer<Options>, world: MakerWorld) => Promise<Talk>;
  },
): Maker {
  return {
    ...described(part),
    ...(part.program ? { program: part.program } : {}),
    ...(part.provider ? { provider: part.provider } : {}),
    proposes: "commit",
    configure: (raw) =>
      withOptions(part, raw, (options) => {
        const program = part.programOf?.(options) ?? part.program;
        return {
          proposes: "commit",
          ...(program ? { keeps: program.keeps, hosts: program.hosts ?? [] } : {}),
          edit: (order, world) => part.edit(order, options, world),
        };
      }),
  };
}

export function defineReporter<Options extends z.ZodType>(
  part: Part & { readonly options: Options; readonly report: (order: ReportOrder, options: z.infer<Options>) => ReportProposal },
): Maker {
  return {
    ...described(part),
    proposes: "report",
    configure: (raw) => withOptions(part, raw, (options) => ({ proposes: "report", report: (order) => part.report(order, options) })),
  };
}
