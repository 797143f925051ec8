// Verifiers: who proves or doubts a proposal, and who looks at base before there is one.

import type { z } from "zod";
import type { ArtifactRef } from "./artifacts.ts";
import type { BaseSight } from "./baseline.ts";
import type { Gathered } from "./connector.ts";
import type { Proof } from "./evidence.ts";
import type { ModelRef } from "./models.ts";
import { type Configured, described, type Part, withOptions } from "./part.ts";
import type { CheckWorld, VerifierWorld } from "./part-worlds.ts";
import { type CommitProposal, KINDS, type KindName, type ReportProposal } from "./proposal.ts";
import type { Checkout } from "./workshop.ts";

/** What a verifier saw; the engine adds who it was and whether that is proof or opinion. */
export type Sight = Pick<Proof, "outcome" | "detail" | "output" | "measured" | "stillRed" | "emptyHanded">;

export interface CommitClaim {
  readonly proposal: CommitProposal;
  /** A copy of the proposed commit of this verifier's own, that the maker never touched. */
  readonly checkout: Checkout;
  readonly timeLeftMs: number;
  /** Tests, by id, that base cannot make up its mind about: how they end counts neither way, and none may go away. */
  readonly quarantined?: readonly string[];
  /** Tests, by id, that failed every time on base when this verifier looked at it. Not there where it did not, or could not tell them all. */
  readonly red?: readonly string[];
  /** What the run gathered and anybody may rightly cite: commits by their ids, what else there is by its address. */
  readonly gathered?: readonly string[];
  /** The diffs of the rounds before this one, newest first. */
  readonly earlier?: readonly ArtifactRef[];
}

export interface ReportClaim {
  readonly proposal: ReportProposal;
  readonly repo: string;
  /** What connectors brought in this round, as it is on record. */
  readonly gathered: readonly Gathered[];
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

interface Verifies<K extends KindName, Claim> {
  readonly name: string;
  readonly kind: Proof["kind"];
  readonly proves: K;
  /** Folders it brings to its room, as the spec names them. They are looked for before anything is spent. */
  readonly brings?: readonly string[];
  /** There where nobody but its commands looks at its room, save for these files: then base may lie under it. */
  readonly onlyRuns?: readonly string[];
  /** There when the maker is told nothing of this check; what of the sealed files it does not get to see. */
  readonly holdsOut?: { readonly samples: readonly Sample[] };
  /** Not there where base alone has nothing to tell. */
  readonly baseline?: LookAtBase;
  /** There where people are asked: what, and how long is waited for them. The engine asks; `verify` is not called. */
  readonly asks?: { readonly ask: string; readonly withinMs: number };
  /** Models without whose answer it cannot tell anything: where the account of one is used up, a run would only wait for it. */
  readonly models?: readonly ModelRef[];
  readonly verify: (claim: Claim, world: VerifierWorld) => Promise<Sight>;
}

interface Verifiers {
  readonly commit: Verifies<"commit", CommitClaim>;
  /** A document is a commit in a repository of the loop's own: who looks at changes may look at it too. */
  readonly document: Verifies<"document", CommitClaim>;
  readonly report: Verifies<"report", ReportClaim>;
}

export type VerifyOf<K extends KindName> = Verifiers[K];
export type Verify = VerifyOf<KindName>;

export type Verifier = Configured<
  Part & {
    readonly proves: Verify["proves"];
    /** Whether one that is about changes is also about documents. */
    readonly provesDocuments?: true;
    readonly kind: Proof["kind"];
    readonly looksAtBase: boolean;
    /** Why a loop with it and these options never acts alone, whatever is proposed; undefined where it may. */
    readonly whyNeverAlone?: (options: unknown) => string | undefined;
  },
  Verify
>;

/** Whether a verifier is about what a loop proposes. */
export const canProve = ({ proves, provesDocuments }: Pick<Verifier, "proves" | "provesDocuments">, kind: KindName): boolean =>
  proves === kind || (KINDS[kind].isOwn && provesDocuments === true);

export function defineCommitVerifier<Options extends z.ZodType>(
  part: Part & {
    readonly kind: Proof["kind"];
    readonly provesDocuments?: true;
    readonly options: Options;
    readonly brings?: (options: z.infer<Options>) => readonly string[];
    readonly onlyRuns?: (options: z.infer<Options>) => readonly string[];
    readonly holdsOut?: (options: z.infer<Options>) => readonly Sample[];
    readonly baseline?: BaselinePart<z.infer<Options>>;
    readonly asks?: (options: z.infer<Options>) => { readonly ask: string; readonly withinMs: number };
    readonly models?: (options: z.infer<Options>) => readonly ModelRef[];
    readonly whyNeverAlone?: (options: z.infer<Options>) => string | undefined;
    readonly verify: (claim: CommitClaim, options: z.infer<Options>, world: VerifierWorld) => Promise<Sight>;
  },
): Verifier {
  const { name, kind, baseline, whyNeverAlone } = part;
  return {
    ...described(part),
    kind,
    proves: "commit",
    ...(part.provesDocuments ? { provesDocuments: true } : {}),
    looksAtBase: baseline !== undefined,
    ...(whyNeverAlone ? { whyNeverAlone: (raw) => asked(part.options, raw, whyNeverAlone) } : {}),
    configure: (raw) =>
      withOptions(part, raw, (options) => ({
        name,
        kind,
        proves: "commit",
        ...(part.brings ? { brings: part.brings(options) } : {}),
        ...(part.onlyRuns ? { onlyRuns: part.onlyRuns(options) } : {}),
        ...(part.holdsOut ? { holdsOut: { samples: part.holdsOut(options) } } : {}),
        ...(baseline ? { baseline: lookAtBase(baseline, options) } : {}),
        ...(part.asks ? { asks: part.asks(options) } : {}),
        ...(part.models ? { models: part.models(options) } : {}),
        verify: (claim, world) => part.verify(claim, options, world),
      })),
  };
}

/** Of options that are wrong it is said elsewhere. */
function asked<Options extends z.ZodType, T>(options: Options, raw: unknown, ask: (options: z.infer<Options>) => T): T | undefined {
  const parsed = options.safeParse(raw ?? {});
  return parsed.success ? ask(parsed.data) : undefined;
}

const lookAtBase = <Options>({ matter, isHidden, look }: BaselinePart<Options>, options: Options): LookAtBase => ({
  matter: matter(options),
  isHidden: isHidden ?? false,
  look: (checkout, world) => look(checkout, options, world),
});

/** One that is about documents and nothing else. It is handed the document as the commit that it is. */
export function defineDocumentVerifier<Options extends z.ZodType>(
  part: Part & {
    readonly kind: Proof["kind"];
    readonly options: Options;
    readonly brings?: (options: z.infer<Options>) => readonly string[];
    readonly verify: (claim: CommitClaim, options: z.infer<Options>, world: VerifierWorld) => Promise<Sight>;
  },
): Verifier {
  const { name, kind } = part;
  return {
    ...described(part),
    kind,
    proves: "document",
    looksAtBase: false,
    configure: (raw) =>
      withOptions(part, raw, (options) => ({
        name,
        kind,
        proves: "document",
        ...(part.brings ? { brings: part.brings(options) } : {}),
        verify: (claim, world) => part.verify(claim, options, world),
      })),
  };
}

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
