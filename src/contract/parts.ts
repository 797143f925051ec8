import type { z } from "zod";
import type { Allowlist, Ruling } from "./allowlist.ts";
import type { BaseSight } from "./baseline.ts";
import type { Approval, Receipt } from "./decision.ts";
import type { Divergence, Evidence, Proof, Proposal, Talk } from "./evidence.ts";
import type { ModelRef } from "./models.ts";
import type { Http, Mover, NotMoved } from "./mover.ts";
import type { Cursors } from "./record.ts";
import type { Round } from "./round.ts";
import type { Level, LoopSpec } from "./spec.ts";
import type {
  Checkout,
  CheckWorld,
  Environment,
  Files,
  GitReader,
  MakerWorld,
  NotifierWorld,
  Proc,
  RefWalk,
  VerifierWorld,
  Workspace,
} from "./world.ts";

/** What every pluggable part tells about itself; `lw parts`, the schema and the reference are made from it. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType;
}

/** A part of one registry with its options checked: it cannot be handed bad ones. */
type Configured<P, Ready> = P & { readonly configure: (options: unknown) => Ready };

export type CommitProposal = Extract<Proposal, { kind: "commit" }>;
export type ReportProposal = Extract<Proposal, { kind: "report" }>;

// ── connectors: where work comes from ───────────────────────────────────────────────────────────────────────────

/** What a connector brought. Its texts are strangers' words. */
export interface Gathered {
  readonly kind: "commits";
  readonly walks: readonly RefWalk[];
  readonly divergence: readonly Divergence[];
}

export interface GatherOrder {
  readonly repo: string;
  readonly baseRef: string;
  readonly cursors: Cursors;
  readonly nowMs: number;
}
export type Gather = (order: GatherOrder, world: { readonly git: GitReader }) => Promise<Gathered>;
export type Connector = Configured<Part, Gather>;

export function defineConnector<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly gather: (order: GatherOrder, options: z.infer<Options>, world: { readonly git: GitReader }) => Promise<Gathered>;
  },
): Connector {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (order, world) => part.gather(order, options, world)),
  };
}

// ── makers: who proposes ────────────────────────────────────────────────────────────────────────────────────────

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
export type Make =
  | {
      readonly proposes: "commit";
      /** Places below the home folder where the agent that it drives keeps its login and its state. */
      readonly keeps?: readonly string[];
      /** Hosts of its model and its login. */
      readonly hosts?: readonly string[];
      readonly edit: (order: EditOrder, world: MakerWorld) => Promise<Talk>;
    }
  | { readonly proposes: "report"; readonly report: (order: ReportOrder) => ReportProposal };

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

// ── verifiers: who proves or doubts ─────────────────────────────────────────────────────────────────────────────

/** What a verifier saw; the engine adds who it was and whether that is proof or opinion. */
export type Sight = Pick<Proof, "outcome" | "detail" | "output">;

export interface CommitClaim {
  readonly proposal: CommitProposal;
  /** A copy of the proposed commit of this verifier's own, that the maker never touched. */
  readonly checkout: Checkout;
  readonly timeLeftMs: number;
  /** Tests, by id, that base cannot make up its mind about: how they end counts neither way, and none may go away. */
  readonly quarantined?: readonly string[];
}
export interface ReportClaim {
  readonly proposal: ReportProposal;
  readonly repo: string;
}

/** A part of the sealed files, drawn anew for every run. */
export interface Sample {
  readonly from: readonly string[];
  readonly size: { readonly share: number } | { readonly count: number };
}

/** How a verifier looks at base, before there is a proposal. */
export interface LookAtBase {
  /** What is run and how, as a plain value: verifiers with the same matter lean on one look. */
  readonly matter: unknown;
  /** Whether the maker may hear what was seen. */
  readonly isHidden: boolean;
  /** One run, in a fresh copy of base. */
  readonly look: (checkout: Checkout, world: CheckWorld) => Promise<BaseSight>;
}

/** The same as a part writes it down. */
interface BaselinePart<Options> {
  readonly matter: (options: Options) => unknown;
  readonly isHidden?: true;
  readonly look: (checkout: Checkout, options: Options, world: CheckWorld) => Promise<BaseSight>;
}

export type Verify = {
  readonly name: string;
  readonly kind: Proof["kind"];
  /** Folders it brings to its room, as the spec names them. They are looked for before anything is spent. */
  readonly brings?: readonly string[];
  /** There when the maker is told nothing of this check; what of the sealed files it does not get to see. */
  readonly holdsOut?: { readonly samples: readonly Sample[] };
} & (
  | {
      readonly proves: "commit";
      /** Not there where base alone has nothing to tell. */
      readonly baseline?: LookAtBase;
      readonly verify: (claim: CommitClaim, world: VerifierWorld) => Promise<Sight>;
    }
  | { readonly proves: "report"; readonly verify: (claim: ReportClaim, world: VerifierWorld) => Promise<Sight> }
);

export type Verifier = Configured<
  Part & { readonly proves: Verify["proves"]; readonly kind: Proof["kind"]; readonly looksAtBase: boolean },
  Verify
>;

export function defineCommitVerifier<Options extends z.ZodType>(
  part: Part & {
    readonly kind: Proof["kind"];
    readonly options: Options;
    readonly brings?: (options: z.infer<Options>) => readonly string[];
    readonly holdsOut?: (options: z.infer<Options>) => readonly Sample[];
    readonly baseline?: BaselinePart<z.infer<Options>>;
    readonly verify: (claim: CommitClaim, options: z.infer<Options>, world: VerifierWorld) => Promise<Sight>;
  },
): Verifier {
  const { name, kind, baseline } = part;
  return {
    ...described(part),
    kind,
    proves: "commit",
    looksAtBase: baseline !== undefined,
    configure: (raw) =>
      withOptions(part, raw, (options) => ({
        name,
        kind,
        proves: "commit",
        ...(part.brings ? { brings: part.brings(options) } : {}),
        ...(part.holdsOut ? { holdsOut: { samples: part.holdsOut(options) } } : {}),
        ...(baseline ? { baseline: lookAtBase(baseline, options) } : {}),
        verify: (claim, world) => part.verify(claim, options, world),
      })),
  };
}

const lookAtBase = <Options>({ matter, isHidden, look }: BaselinePart<Options>, options: Options): LookAtBase => ({
  matter: matter(options),
  isHidden: isHidden ?? false,
  look: (checkout, world) => look(checkout, options, world),
});

export function defineReportVerifier<Options extends z.ZodType>(
  part: Part & {
    readonly kind: Proof["kind"];
    readonly options: Options;
    readonly verify: (claim: ReportClaim, options: z.infer<Options>, world: VerifierWorld) => Promise<Sight>;
  },
): Verifier {
  const { name, kind } = part;
  return {
    ...described(part),
    kind,
    proves: "report",
    looksAtBase: false,
    configure: (raw) =>
      withOptions(part, raw, (options) => ({ name, kind, proves: "report", verify: (claim, world) => part.verify(claim, options, world) })),
  };
}

// ── triggers: what wakes a loop ─────────────────────────────────────────────────────────────────────────────────

/** When the loop wants to be woken next, given when it was last opened. Pure. */
export type NextDue = (lastOpened: Date | undefined) => Due;
export type Due = { readonly kind: "never" } | { readonly kind: "at-once" } | { readonly kind: "at"; readonly time: Date };
export type Trigger = Configured<Part, NextDue>;

export function defineTrigger<Options extends z.ZodType>(
  part: Part & { readonly options: Options; readonly nextDue: (lastOpened: Date | undefined, options: z.infer<Options>) => Due },
): Trigger {
  return { ...described(part), configure: (raw) => withOptions(part, raw, (options) => (last) => part.nextDue(last, options)) };
}

// ── gates: who says that it may go on ───────────────────────────────────────────────────────────────────────────

/** Something proven that wants to move, and everything a gate may know about it. */
export interface Passing {
  readonly loop: string;
  readonly run: string;
  readonly intent: string;
  readonly level: Level;
  readonly repo: string;
  /** Where the spec lies; commands run here. */
  readonly folder: string;
  readonly branch: string;
  readonly commit: string;
  readonly tree: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly evidence: Evidence;
  /** Those that count at this moment, for exactly this tree. */
  readonly approvals: readonly Approval[];
  readonly now: Date;
}

/** `ask`: people must say yes first. `no`: not now, or not at all, whoever said yes. */
export interface GateAnswer {
  readonly kind: "yes" | "ask" | "no";
  readonly why: string;
}

export interface GateWorld {
  /** Whether the change is inside this allowlist, with everything that speaks against it. */
  allowlist(list: Allowlist): Promise<Ruling>;
  readonly proc: Proc;
  readonly http: Http;
  readonly env: Environment;
}
export type AskGate = (passing: Passing, world: GateWorld) => Promise<GateAnswer>;
export type Gate = Configured<Part, AskGate>;

export function defineGate<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly ask: (passing: Passing, options: z.infer<Options>, world: GateWorld) => Promise<GateAnswer>;
  },
): Gate {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (passing, world) => part.ask(passing, options, world)),
  };
}

// ── actions: what may move ──────────────────────────────────────────────────────────────────────────────────────

/** What an action acts on: decided about, and verified again. */
export interface Deed extends Omit<Passing, "approvals" | "now" | "level" | "evidence"> {
  /** The same for the same action on the same tree, whoever does it and how often. */
  readonly key: string;
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

// ── notifiers: who is told how a run ended ──────────────────────────────────────────────────────────────────────

export interface Telling {
  readonly loop: string;
  readonly run: string;
  readonly repo: string;
  /** Where the spec lies; relative paths start here. */
  readonly folder: string;
  readonly report: string;
}
export type Tell = (telling: Telling, world: NotifierWorld) => Promise<void>;
export type Notifier = Configured<Part, Tell>;

export function defineNotifier<Options extends z.ZodType>(
  part: Part & {
    readonly options: Options;
    readonly tell: (telling: Telling, options: z.infer<Options>, world: NotifierWorld) => Promise<void>;
  },
): Notifier {
  return {
    ...described(part),
    configure: (raw) => withOptions(part, raw, (options) => (telling, world) => part.tell(telling, options, world)),
  };
}

/** The parts one spec asked for, already checked and ready to work. */
export interface Crew {
  readonly gather: readonly Gather[];
  readonly make: Make;
  readonly verifiers: readonly Verify[];
  readonly nextDue: NextDue;
  readonly notify: readonly { readonly name: string; readonly tell: Tell }[];
  readonly gates: readonly { readonly name: string; readonly ask: AskGate }[];
  readonly act: readonly Act[];
}

const described = ({ name, summary, options }: Part): Part => ({ name, summary, options });

/** Checks the options of a part once, where the spec hands them over. */
function withOptions<Options extends z.ZodType, Ready>(
  part: { readonly options: Options },
  raw: unknown,
  ready: (options: z.infer<Options>) => Ready,
): Ready {
  return ready(part.options.parse(raw ?? {}));
}
