import type { Heard } from "./maker-events.ts";
import type { Taint, Untrusted } from "./text.ts";

export type Severity = "critical" | "high" | "medium" | "low";

/** One thing a guard rule saw, and where. A finding states a fact; it decides nothing. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly where: string;
  readonly why: string;
  /** How sure the rule is, where it says so. */
  readonly confidence?: "high" | "medium" | "low";
  readonly file?: string;
  readonly line?: number;
  /** The lines it is about, as they were and as they are. */
  readonly before?: string;
  readonly after?: string;
}

/** Bytes kept by their hash; the record holds only this. */
export interface ArtifactRef {
  readonly sha256: string;
  readonly bytes: number;
  /** True when there was more than could be kept. */
  readonly truncated: boolean;
}

/** What the operating system truly kept the commands of a part to. */
export type BoxFact =
  /** It ran no command, so there was nothing to keep. */
  | { readonly kind: "unused" }
  | { readonly kind: "none"; readonly why: string }
  | {
      readonly kind: "bubblewrap" | "seatbelt";
      /** `listed`: only the hosts below, by way of our proxy. */
      readonly network: "closed" | "open" | "listed";
      readonly reaches?: readonly string[];
      /** Where it could write besides its own room. */
      readonly writes: readonly string[];
      /** What it could not see. */
      readonly hides: readonly string[];
    };

/** One connection that a command asked our proxy for. */
export interface EgressConnection {
  readonly host: string;
  readonly port: number;
  /** Why it was refused, or came to nothing; not there for one that was made. */
  readonly refused?: string;
  /** The header that a credential was put into. */
  readonly credential?: string;
  readonly sent: number;
  readonly received: number;
}

/** Where the commands of a maker went, host by host. */
export interface EgressFact {
  readonly hosts: readonly {
    readonly host: string;
    readonly port: number;
    readonly allowed: number;
    readonly refused: number;
    readonly sent: number;
    readonly received: number;
  }[];
  /** Connections all together, also to hosts that did not fit into the list; those after the first 20,000 are not told. */
  readonly connections: number;
  /** Each of them, one JSON a line. */
  readonly log: ArtifactRef;
}

/**
 * What one verifier saw. A `proof` was run by the engine itself; an `opinion` can sink a proposal but never float one.
 * `gap` means that two equivalent checks disagree, so that neither can be believed.
 * `unknown` means that the check could not be made: it is never read as success.
 */
export interface Proof {
  readonly verifier: string;
  readonly kind: "proof" | "opinion";
  readonly outcome: "holds" | "refuted" | "fabricated" | "gap" | "unknown";
  readonly detail: string;
  readonly output: ArtifactRef | undefined;
  /** Only where the proposal changed sealed files: with base's version of them, or with its own. */
  readonly room?: "sealed" | "own";
  /** What its commands were kept to. Not there in records from before there was a box. */
  readonly box?: BoxFact;
}

export interface Spend {
  readonly usd: number;
  readonly tokens: number;
}

/** One path that differs between base and proposal, by object ids: diff text can lie, objects cannot. */
export interface Change {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

export interface FileVersion {
  /** As git writes it: 100644, 100755, 120000 (symlink), 160000 (submodule). */
  readonly mode: string;
  readonly blob: string;
}

export type Rank = "breaking" | "security" | "revert" | "large" | "risky" | "ordinary";

/** One line of a report. Every one cites a commit, and the verifier looks each of them up. */
export interface ReportItem {
  readonly rank: Rank;
  readonly commit: string;
  readonly ref: string;
  readonly title: string;
  readonly why: string;
  /** What else it leans on. */
  readonly cites?: readonly Citation[];
}

/** Something a report says is there. Commits are full ids, paths start at the root of the repository, lines are counted from 1. */
export type Citation =
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "file"; readonly path: string; readonly commit: string }
  | { readonly kind: "line"; readonly path: string; readonly line: number; readonly commit: string }
  | { readonly kind: "test"; readonly path: string; readonly name: string; readonly commit: string }
  /** These lie outside the repository: only their form is looked at. */
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "issue"; readonly issue: string };

/** How far one watched ref was read, and what happened to it since. */
export interface RefReading {
  readonly ref: string;
  readonly tip: string | undefined;
  readonly commits: number;
  /** What a reader should know: cursor lost, history shallow, ref missing, list cut. */
  readonly notes: readonly string[];
}

export interface Divergence {
  readonly ref: string;
  readonly from: string;
  /** Undefined where the histories share no commit that is to be had. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
}

/** How a maker's work ended, in its own words. */
export interface Talk {
  /** `asked`: it stopped to ask a human, and nobody answers while a loop runs. */
  readonly ended: "finished" | "gave-up" | "asked";
  readonly summary: Untrusted;
  /** The question that it ended with, if it did. */
  readonly question?: Untrusted;
  /** Not there for makers that are not agents, nor in records from before there were agents. */
  readonly heard?: Heard;
}

/** What the maker's copy had besides what is in the repository. */
export interface OutfitFact {
  /** Not there when nothing was named. */
  readonly included?: Included;
  /** First and last of the ports that were kept for it. */
  readonly ports?: { readonly first: number; readonly last: number };
  /** The spec's set-up command; one that fails leaves no proposal. */
  readonly setup?: { readonly tookMs: number; readonly output: ArtifactRef };
}

/** What the maker was told. */
export interface BriefFact {
  /** The whole text, by its hash. */
  readonly text: ArtifactRef;
  /** By an estimate of three bytes a token. */
  readonly tokens: number;
  /** What was left out or cut, so that it is no longer than the spec says. */
  readonly cut: readonly string[];
}

/** Ignored files of the user's checkout that were copied, because `.worktreeinclude` names them. */
export interface Included {
  /** Whose `.worktreeinclude` it was. */
  readonly by: "checkout" | "base";
  readonly files: readonly string[];
  readonly bytes: number;
  /** What it names and was not copied, and why; the first of them. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** What a maker hands back. What it cost is already on the meter. */
export type Proposal =
  | {
      readonly kind: "commit";
      readonly commit: string;
      readonly tree: string;
      readonly changes: readonly Change[];
      readonly diff: ArtifactRef;
      /** Held-out paths at which the maker left something, where base's version stands now. Not there when there are none. */
      readonly displaced?: readonly string[];
      /** What the maker said. It is kept as talk and counts for nothing. */
      readonly talk: Talk;
      /** What the maker's commands were kept to. Not there in records from before there was a box. */
      readonly box?: BoxFact;
      /** Not there when there was nothing besides the repository, nor in records from before there could be. */
      readonly outfit?: OutfitFact;
      /** Not there in records from before it was kept. */
      readonly brief?: BriefFact;
    }
  | {
      readonly kind: "report";
      readonly items: readonly ReportItem[];
      readonly refs: readonly RefReading[];
      readonly divergence: readonly Divergence[];
      readonly summary: string;
    };

export interface SealEvidence {
  /** Verified in their base version. */
  readonly restored: readonly string[];
  /** Verified without them. */
  readonly dropped: readonly string[];
}

/** Folders that were made from base by the spec's `prepare`, once, and are copied into every room. */
export interface PreparedEntry {
  /** The same for the same command, the same files that decide about it, and the same kind of machine. */
  readonly id: string;
  /** Of what lies there, with sizes and times: whoever writes into it changes this. */
  readonly sha256: string;
  readonly how: "made" | "reused";
  readonly files: number;
  readonly bytes: number;
  /** What a reader should know: links that were left out, and the like. */
  readonly notes: readonly string[];
}

export interface PreparedEvidence extends PreparedEntry {
  /** How often it had to be made again, because something had written into it. */
  readonly again: number;
  /** Files the proposal changed that would have decided what is prepared: it was verified with what base's versions gave. */
  readonly changed: readonly string[];
}

/** What was kept from the maker. While another maker of the run may come, only how many files and a hash of their names are told. */
export interface HeldOut {
  /** What checks of this round drew from; the next round has another. */
  readonly seed: number;
  readonly files: number;
  readonly sha256: string;
  /** There when the round's verdict ended the run. */
  readonly paths?: readonly string[];
}

/** Every fact gathered in one round. Plain data: it can be stored, shown, and judged again. */
export interface Evidence {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  /** Sealed files that the proposal changed; not there when it changed none. */
  readonly seal?: SealEvidence;
  /** Not there in records from before it was kept. */
  readonly taint?: Taint;
  /** Not there when the spec prepares nothing, nor in records from before it could. */
  readonly prepared?: PreparedEvidence;
  /** Not there when no verifier holds anything out, nor in records from before one could. */
  readonly heldOut?: HeldOut;
  /** What might help a person who reads of a failure. Not there when nothing comes to mind. */
  readonly hints?: readonly string[];
}
