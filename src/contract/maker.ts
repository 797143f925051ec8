// Makers: who proposes a change or a report.

import type { z } from "zod";
import type { Gathered } from "./connector.ts";
import type { ModelRef } from "./models.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { MakerWorld } from "./part-worlds.ts";
import type { FilesKind, KindName, ReportProposal, Talk } from "./proposal.ts";
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
  /** The tools that it has; undefined where it has all of them. */
  readonly tools?: readonly string[];
  /** There where it hands over a result and not a change: it may say it, or write it into that file of its folder. */
  readonly gives?: { readonly file: string; readonly mostChars: number };
}

export interface ReportOrder {
  readonly spec: LoopSpec;
  readonly round: Round;
  readonly gathered: readonly Gathered[];
}

/** A maker either edits its copy, which becomes a commit, or writes a report and touches nothing. */
export type MakeOf<K extends KindName> = Makes[K];
export type Make = MakeOf<KindName>;

interface Edits<K extends FilesKind> {
  readonly proposes: K;
  /** Places below the home folder where the agent that it drives keeps its login and its state. */
  readonly keeps?: readonly string[];
  /** Hosts of its model and its login. */
  readonly hosts?: readonly string[];
  /** Whose account it uses; not there where it uses none that is known. */
  readonly login?: Login;
  /** It has no model behind it: no money and no tokens are set aside for it, so that a crash costs none. */
  readonly isFree?: true;
  /** We read and write files of its copy for it, so that all that is in it must lie there. */
  readonly throughUs?: true;
  /** It has no tools but ours, and writes notes with one of them: a file outside its copy is none that it could write. */
  readonly notesByTool?: true;
  readonly edit: (order: EditOrder, world: MakerWorld) => Promise<Talk>;
}

interface Makes {
  readonly commit: Edits<"commit">;
  /** The same makers, whose copy is of the loop's own documents. */
  readonly document: Edits<"document">;
  readonly report: { readonly proposes: "report"; readonly report: (order: ReportOrder) => ReportProposal };
}

export type Maker = Configured<
  Part & {
    readonly proposes: Make["proposes"];
    readonly program?: AgentProgram;
    /** The provider whose model it asks; `lw doctor` looks for its key. */
    readonly provider?: ModelRef["provider"];
    /** Whether it has no tools but those that it is given. */
    readonly keepsToTools?: true;
  },
  Make
>;

/** Where it is to be seen who is logged in with what a maker uses: who uses the same account shares its limits. Names only. */
export interface Login {
  /** The program, or the provider. */
  readonly of: string;
  /** Variables that it gets and that may hold a key: where one is set, that key is who is logged in. */
  readonly variables: readonly string[];
  /** Files below the home folder that say who is logged in, each with the way to that word in its JSON; the first that does counts. */
  readonly says: readonly { readonly file: string; readonly at: readonly string[] }[];
  /** Where it is asked, if that is not one place for all. */
  readonly address?: string;
}

/** Somebody else's agent that a maker drives: how `lw doctor` finds it, and sees whether somebody is logged in. Names only. */
export interface AgentProgram {
  readonly name: string;
  /** Variables that hold its key, or say where it is. */
  readonly variables: readonly string[];
  /** Files below the home folder that are there once somebody logged in. */
  readonly files: readonly string[];
  /** Those that say who that is: the way to an id or a name, and never to a key. */
  readonly says?: Login["says"];
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
    readonly programOf?: (options: z.infer<Options>) => (Pick<AgentProgram, "keeps" | "hosts"> & Partial<AgentProgram>) | undefined;
    /** Whose account it uses, where it is no agent's. */
    readonly loginOf?: (options: z.infer<Options>) => Login | undefined;
    /** Whether its options say that it spends neither money nor tokens. */
    readonly isFree?: (options: z.infer<Options>) => boolean;
    readonly provider?: ModelRef["provider"];
    readonly keepsToTools?: true;
    /** Whether its program has us read and write files. Who has no tools but ours does so anyway. */
    readonly throughUs?: true;
    readonly edit: (order: EditOrder, options: z.infer<Options>, world: MakerWorld) => Promise<Talk>;
  },
): Maker {
  return {
    ...described(part),
    ...(part.program ? { program: part.program } : {}),
    ...(part.provider ? { provider: part.provider } : {}),
    ...(part.keepsToTools ? { keepsToTools: true } : {}),
    proposes: "commit",
    configure: (raw) =>
      withOptions(part, raw, (options) => {
        const program = part.programOf?.(options) ?? part.program;
        return {
          proposes: "commit",
          ...(program ? { keeps: program.keeps, hosts: program.hosts ?? [] } : {}),
          ...loginWith(part.loginOf?.(options) ?? (program && loginOfAgent(program, options))),
          ...(part.isFree?.(options) ? { isFree: true } : {}),
          ...(part.throughUs || part.keepsToTools ? { throughUs: true } : {}),
          ...(part.keepsToTools ? { notesByTool: true } : {}),
          edit: (order, world) => part.edit(order, options, world),
        };
      }),
  };
}

const loginWith = (login: Login | undefined): { readonly login?: Login } => (login ? { login } : {});

/** An agent gets no variable but those that its options name. */
function loginOfAgent({ name, variables = [], says = [] }: Partial<AgentProgram>, options: unknown): Login | undefined {
  if (name === undefined) return undefined;
  const inherit: unknown = typeof options === "object" && options !== null ? Reflect.get(options, "inherit") : undefined;
  const inherited = Array.isArray(inherit) ? inherit : [];
  return { of: name, variables: variables.filter((variable) => inherited.includes(variable)), says };
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
