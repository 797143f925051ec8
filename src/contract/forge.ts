// Forges: where people keep issues, pull requests and what their CI said, read in one way for all of them.
import type { Trust, Untrusted } from "./text.ts";

export const FORGES = ["github", "gitlab"] as const;
export type ForgeName = (typeof FORGES)[number];

export interface ForgeWish {
  readonly forge: ForgeName;
  /** Owner and name; of GitLab the whole path. */
  readonly repo: string;
  /** Where its API begins; undefined for the forge's own place. */
  readonly api: string | undefined;
  /** What the spec says of the token. Undefined: the forge's usual variable, or its own program, for its own place alone. */
  readonly token: TokenWish | undefined;
  /** Pages are kept for this loop, and what was read since this instant is not asked for again. */
  readonly loop: string;
  readonly sinceMs: number;
  /** How long it may wait for a limit to end, as a spec has it. */
  readonly wait: string;
}

/** Where a token comes from; never the token. */
export type TokenWish = { readonly kind: "variable"; readonly name: string } | { readonly kind: "command"; readonly run: string };

/** Reading a repository of a forge. */
export interface Forge {
  /** Host and repository, for people. */
  readonly place: string;
  /** Open ones, changed last first. */
  issues(asked: IssuesAsked): Promise<ForgeList>;
  /** Open ones, with what reviews, comments and checks say of them, changed last first. */
  pulls(asked: { readonly most: number }): Promise<ForgeList>;
  /** Failed jobs of CI, those of the newest runs first, each with the end of its log. */
  failures(asked: FailuresAsked): Promise<ForgeList>;
  /** Those that were published, the newest first. */
  releases(asked: { readonly most: number }): Promise<ForgeList<ForgeRelease>>;
  /** Open alerts about dependencies and code. */
  alerts(asked: { readonly about: readonly AlertKind[]; readonly most: number }): Promise<ForgeList<ForgeAlert>>;
}

export const ALERT_KINDS = ["dependencies", "code"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The gravest first. One that the forge does not weigh is `unknown`, and left out by nobody. */
export const ALERT_SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number] | "unknown";

export interface IssuesAsked {
  readonly labels: readonly string[];
  /** Only what changed at this instant or later; all that are open where it is undefined. */
  readonly since: string | undefined;
  readonly most: number;
}

export interface FailuresAsked {
  readonly branch: string | undefined;
  /** Of a run, whose id begins those of its jobs: they are not asked for again. */
  readonly isKnown: (id: string) => boolean;
  readonly most: number;
  readonly mostLogChars: number;
}

export interface ForgeList<Item = ForgeItem> {
  readonly items: readonly Item[];
  /** What a reader should know: what was not read, and why. */
  readonly notes: readonly string[];
}

export interface ForgeItem {
  /** The same for the same thing in the same state. */
  readonly id: string;
  readonly title: Untrusted;
  readonly body?: Untrusted;
  readonly author?: Untrusted;
  /** Of the least trusted of those whose words are in it, by the roles that the forge tells. */
  readonly trust: Trust;
  /** When it changed last. */
  readonly at: string;
  readonly address: string;
  /** What is to be known of it at a glance. */
  readonly says: Untrusted;
}

export interface ForgeRelease extends ForgeItem {
  readonly isPrerelease: boolean;
}

export interface ForgeAlert extends ForgeItem {
  readonly severity: AlertSeverity;
}

export interface Forges {
  open(wish: ForgeWish): Promise<Forge>;
}
