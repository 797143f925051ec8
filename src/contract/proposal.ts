// What a maker hands back: a change, a document or a report, with what is known of how it was made.
import type { ArtifactRef } from "./artifacts.ts";
import type { BoxFact } from "./commands.ts";
import type { Finding } from "./finding.ts";
import type { Amounts, Basis } from "./ledger.ts";
import type { Heard } from "./maker-events.ts";
import type { Untrusted } from "./text.ts";
import type { Rest } from "./verdict.ts";

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

export type Rank = "breaking" | "security" | "revert" | "large" | "risky" | "change" | "ordinary" | "bump";

/** From this weight on a line of a report is worth a look. */
export const NOTABLE = 12;

/** One line of a report. Every one cites a commit, and the verifier looks each of them up. */
export interface ReportItem {
  readonly rank: Rank;
  readonly commit: string;
  readonly ref: string;
  readonly title: string;
  readonly why: string;
  /** How much it matters beside the others, by what its lines do; undefined in reports from before that was weighed. */
  readonly weight?: number;
  readonly at?: string;
  readonly author?: string;
  /** How many lines of how many files, and where most of them are. */
  readonly size?: string;
  readonly area?: string;
  readonly link?: string;
  /** What else it leans on. */
  readonly cites?: readonly Citation[];
}

/** Something a report says is there. Commits are full ids, paths start at the root of the repository, lines are counted from 1. */
export type Citation =
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "file"; readonly path: string; readonly commit: string }
  | { readonly kind: "line"; readonly path: string; readonly line: number; readonly commit: string }
  | { readonly kind: "test"; readonly path: string; readonly name: string; readonly commit: string }
  /** By its full name. It may have moved on since, but not away from this commit. */
  | { readonly kind: "branch"; readonly branch: string; readonly commit: string }
  /** These lie outside the repository: only their form is looked at. */
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "issue"; readonly issue: string };

/** What one connector brought besides commits, as the report tells of it. */
export interface SourceReading {
  readonly source: string;
  readonly items: readonly FoundItem[];
  readonly notes: readonly string[];
}

/** One line of a report about something that is no commit. The verifier looks whether it was gathered, and looks up what it cites. */
export interface FoundItem {
  /** As it was gathered. */
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly address?: string;
  readonly cites: readonly Citation[];
}

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
  /** What a worker of a team hands over, where it says it and does not write it into a file. It is not kept as talk. */
  readonly result?: Untrusted;
  /** Not there for makers that are not agents, nor in records from before there were agents. */
  readonly heard?: Heard;
}

/** Which of several makers it was. */
export interface MakerFact {
  readonly name: string;
  /** Its place in the spec's list, from 1. */
  readonly place: number;
  /** Those before it, and why they did not do it: a limit, or that they could not be reached. */
  readonly insteadOf: readonly { readonly name: string; readonly why: string }[];
}

/** What came of the workers of a team. */
export interface TeamFact {
  readonly workers: readonly WorkerFact[];
  readonly joins: readonly JoinFact[];
  /** Files of which two workers changed the same lines: neither was taken. */
  readonly conflicts: readonly { readonly between: readonly string[]; readonly paths: readonly string[] }[];
  /** What guards of the spec saw in what workers were told and made; not there when they saw nothing. */
  readonly guarded?: readonly Finding[];
}

export interface WorkerFact {
  readonly id: string;
  readonly use: string;
  /** `uncalled`: its `when` was not so, or it had nothing to do. */
  readonly ended: "made" | "failed" | "skipped" | "uncalled";
  readonly tries: number;
  /** There for a worker that is another loop. */
  readonly child?: ChildFact;
  /** What it handed over; not there where that is a commit, or nothing. */
  readonly result?: ArtifactRef;
  readonly commit?: string;
  /** Why there is nothing of it. */
  readonly why?: string;
  /** What it was told. */
  readonly brief?: ArtifactRef;
  /** Figures of its JSON that a metric of the spec asks for, by the way to each. */
  readonly figures?: { readonly [field: string]: number };
  /** What of its result somebody else is told in the next round, by field. */
  readonly says?: { readonly [field: string]: Untrusted };
  /** What it used in this round; a loop that was called says that itself. Not there in records from before, where no metric asked for it. */
  readonly used?: { readonly usd: number; readonly tokens: number };
  /** How long it worked, in all its tries. */
  readonly tookMs?: number;
  /** What it was given: inputs, notes, and what others had made. */
  readonly from?: readonly string[];
}

/** A run that was called for a worker. */
export interface ChildFact {
  readonly run: string;
  /** How it came to rest. */
  readonly rest?: Rest;
  /** What it used, and all that it called; and the weakest footing of any figure in that. */
  readonly used: Amounts;
  readonly basis?: Basis;
  /** What its checks said of what it proposed last, by their ids; null where nobody could tell. */
  readonly passed: { readonly [verifier: string]: boolean | null };
  /** Whether it had read outsiders' text. */
  readonly isTainted: boolean;
  /** Its receipt, by its hash. */
  readonly receipt?: string;
}

export interface JoinFact {
  readonly id: string;
  readonly how: "all" | "first" | "vote" | "synthesis";
  readonly ended: "made" | "failed";
  /** Whose results it stands for. */
  readonly chosen: readonly string[];
  /** Those that say something else, or nothing; it is kept what they said. */
  readonly dissent: readonly string[];
  readonly why?: string;
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

/** A change of the repository. What it cost is already on the meter. */
export interface CommitProposal {
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
  /** Not there where the spec names only one maker. */
  readonly maker?: MakerFact;
  /** Not there where one maker worked alone. */
  readonly team?: TeamFact;
}

/**
 * Files that are no change of the target: a brief, a report, a data set. They are kept as commits in a repository of the loop's own,
 * on the version that was accepted last, so that they are compared, decided about and told of as changes are.
 */
export interface DocumentProposal extends Omit<CommitProposal, "kind"> {
  readonly kind: "document";
}

/** Findings with citations; nothing is touched. */
export interface ReportProposal {
  readonly kind: "report";
  readonly items: readonly ReportItem[];
  readonly refs: readonly RefReading[];
  readonly divergence: readonly Divergence[];
  /** Not there where nothing but commits was gathered. */
  readonly found?: readonly SourceReading[];
  readonly summary: string;
}

interface Proposals {
  readonly commit: CommitProposal;
  readonly document: DocumentProposal;
  readonly report: ReportProposal;
}

export type KindName = keyof Proposals;
export type ProposalOf<K extends KindName> = Proposals[K];
export type Proposal = ProposalOf<KindName>;

/** Kinds whose makers leave files in a copy. */
export type FilesKind = "commit" | "document";

/** What a kind of proposal needs, before there is one. */
interface KindNeeds {
  /** It is files: one without any change is nothing. */
  readonly hasFiles: boolean;
  /** They lie in a repository of the loop's own, and not in the target. */
  readonly isOwn: boolean;
  /** It changes files of a repository: it is looked at beside base, and its files can be sealed and prepared for. */
  readonly hasBase: boolean;
  /** People or gates decide whether it moves; what nobody decides about is over once it is proven. */
  readonly isDecided: boolean;
  /** Its maker works with what connectors gathered, and with nothing else. */
  readonly isGathered: boolean;
  /** It may be accepted where nothing could be proven of it: it is then said to be so, and never moves alone. */
  readonly mayBeOpinion: boolean;
}

export const KINDS = {
  commit: { hasFiles: true, hasBase: true, isOwn: false, isDecided: true, isGathered: false, mayBeOpinion: false },
  document: { hasFiles: true, hasBase: false, isOwn: true, isDecided: true, isGathered: false, mayBeOpinion: true },
  report: { hasFiles: false, hasBase: false, isOwn: false, isDecided: false, isGathered: true, mayBeOpinion: false },
} as const satisfies { readonly [K in KindName]: KindNeeds };

/** Kinds that wait for a decision once they are proven. */
export type DecidedKind = { readonly [K in KindName]: (typeof KINDS)[K]["isDecided"] extends true ? K : never }[KindName];

export const isDecided = (proposal: Proposal): proposal is ProposalOf<DecidedKind> => KINDS[proposal.kind].isDecided;

/** What everybody who reads a proposal may ask of it, whatever it is. */
export interface ProposalFacts extends Partial<Pick<CommitProposal, "commit" | "tree" | "talk" | "box" | "outfit" | "maker" | "team">> {
  readonly changes: readonly Change[];
  readonly displaced: readonly string[];
  /** What the commands of its maker were kept to, where it runs any; undefined where that is not on record. */
  readonly boxes: readonly (BoxFact | undefined)[];
  /** What of it is kept as files, each by the name that people ask for it by. */
  readonly artifacts: { readonly [name in ProposalArtifact]?: ArtifactRef };
  /** How much it is, in a few words. */
  readonly says: string;
}

/** In the order in which a receipt tells of them. */
export const PROPOSAL_ARTIFACTS = ["diff", "brief"] as const;
export type ProposalArtifact = (typeof PROPOSAL_ARTIFACTS)[number];

/** Asks a proposal once what it is, for whoever would only ask that to get at one of these. */
export function factsOf(proposal: Proposal): ProposalFacts {
  switch (proposal.kind) {
    case "commit":
    case "document": {
      const { kind, diff, brief, box, changes, displaced = [] } = proposal;
      const artifacts = { diff, ...(brief ? { brief: brief.text } : {}) };
      const says = kind === "document" ? `a document of ${changes.length} file(s)` : `${changes.length} file(s)`;
      return { ...proposal, displaced, boxes: [box], artifacts, says };
    }
    case "report":
      return { changes: [], displaced: [], boxes: [], artifacts: {}, says: `a report of ${countOf(proposal)} item(s)` };
  }
}

const countOf = ({ items, found = [] }: ReportProposal): number => found.reduce((sum, source) => sum + source.items.length, items.length);
