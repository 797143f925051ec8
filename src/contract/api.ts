// What the dashboard asks and gets over HTTP: every route with its request and its answer. The page imports the types, the server the schemas.
//
// A session: the printed link is `/#token=…`. The page takes the token out of the address, sends `POST /api/session {token}` and has a
// cookie from then on (HttpOnly, SameSite=Strict), and a key in the header `x-lw-page`, which it keeps and sends with everything it asks:
// cookies know no port. Without both every route but the page's own files answers 401. Scripts send
// `Authorization: Bearer TOKEN` instead. Every other method than GET wants `Content-Type: application/json` and the page's own Origin.
//
// | method and path                    | asks                  | gets                                                         |
// | ---------------------------------- | --------------------- | ------------------------------------------------------------ |
// | POST /api/session                  | SessionBody           | Session                                                      |
// | GET  /api/health                   |                       | Health                                                       |
// | GET  /api/now                      |                       | NowView                                                      |
// | GET  /api/inbox                    | InboxQuery            | InboxView                                                    |
// | GET  /api/inbox/:id                |                       | InboxDocument (`id` as in a card)                            |
// | GET  /api/runs/:run/rehearsal      |                       | Rehearsal: what a yes would do now                           |
// | POST /api/runs/:run/decision       | DecisionBody          | DecisionAnswer; 409 Refusal with `now`                       |
// | GET  /api/loops                    | LoopsQuery            | LoopsPage                                                    |
// | GET  /api/loops/:loop              |                       | LoopDocument                                                 |
// | POST /api/loops/:loop/standing     | StandingBody          | StandingAnswer: pause, resume, stop, run now, promote        |
// | POST /api/standing                 | AllBody               | Health: stop everything, or let it go on                     |
// | GET  /api/runs                     | RunsQuery             | RunsPage, newest first                                       |
// | GET  /api/runs/:run                |                       | RunDocument                                                  |
// | GET  /api/runs/:run/records        | RecordsQuery          | RecordsPage, oldest first                                    |
// | GET  /api/runs/:run/diff           | DiffQuery             | text/plain, with ranges                                      |
// | GET  /api/runs/:run/receipt        |                       | ReceiptDocument                                              |
// | GET  /api/runs/:run/talk           |                       | TalkView: what its maker said so far                         |
// | GET  /api/artifacts/:sha256        |                       | text/plain, with ranges                                      |
// | GET  /api/spend                    | SpendQuery            | SpendDocument                                                |
// | GET  /api/schedule                 | ScheduleQuery         | ScheduleDocument                                             |
// | GET  /api/ledger                   | LedgerQuery           | LedgerPage, newest first                                     |
// | GET  /api/ledger/verification      |                       | VerificationView                                             |
// | GET  /api/new                      |                       | NewView: repositories and ready-made loops to choose from    |
// | GET  /api/new/:ready               | DraftQuery            | DraftView: its spec, for that repository                     |
// | POST /api/new/check                | DraftBody             | DraftView: problems at their lines, what it does and costs   |
// | POST /api/new/trial                | DraftBody             | TrialAnswer: one round of it goes on                         |
// | POST /api/new/loop                 | DraftBody             | AddAnswer: written as a new file, and added                  |
// | GET  /api/events                   | EventsQuery           | text/event-stream of LiveEvent                               |
// | GET  /api/openapi.json             |                       | this, as OpenAPI 3.1                                         |
// | POST /api/csp-report               | anything small        | 204; it is counted, and told in Health                       |
//
// Every refusal is a Refusal with its status: 400 (not understood), 401 (no session), 403 (foreign Origin or Host, or read-only),
// 404, 409 (it changed meanwhile; nothing moved), 413, 429, 503 (later).
import * as z from "zod";
import type { ArtifactRef } from "./artifacts.ts";
import type { Flake } from "./baseline.ts";
import type { BoxFact } from "./commands.ts";
import type { Finding, Proof } from "./evidence.ts";
import type { Amounts, Basis, ScopeName } from "./ledger.ts";
import type { MakerEvent } from "./maker-events.ts";
import type { Entry } from "./record.ts";
import type { Level } from "./spec.ts";
import type { Because } from "./verdict.ts";
import type { AutonomyView, InboxItem, LoopView, RunView, SpendView, Stage } from "./views.ts";
import type { Cause, Waking, WakingReason } from "./waking.ts";

// ── what is asked ───────────────────────────────────────────────────────────────────────────────────────────────

const why = z.string().max(2_000).default("");
/** A git tree, whole: a decision counts for exactly what was shown. */
const Tree = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: "must be a whole tree id" });
const Sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const most = (usual: number, cap: number) => z.coerce.number().int().min(1).max(cap).default(usual);
const Name = z.string().min(1).max(300);
const Day = z.iso.date();

export const SessionBody = z.strictObject({ token: z.string().min(1).max(200) });

export const InboxQuery = z.strictObject({
  /** `all` shows also what is deferred. */
  which: z.enum(["due", "all"]).default("due"),
});

export const DecisionBody = z.discriminatedUnion("decision", [
  z.strictObject({
    decision: z.literal("approve"),
    tree: Tree,
    why,
    /** From then on the yes counts no more. */
    until: z.iso.datetime({ offset: true }).optional(),
  }),
  /** `tree` is null for what is no proposal: then it is only taken from the inbox. */
  z.strictObject({ decision: z.literal("reject"), tree: Tree.nullable(), why }),
  /** The tree that was shown; what counts from then on is what lies on the branch. */
  z.strictObject({ decision: z.literal("amend"), tree: Tree, why }),
  z.strictObject({ decision: z.literal("defer"), tree: Tree, why, until: z.iso.datetime({ offset: true }) }),
  z.strictObject({ decision: z.literal("answer"), text: z.string().trim().min(1).max(20_000) }),
]);
export type DecisionBody = z.input<typeof DecisionBody>;

export const StandingBody = z.discriminatedUnion("wish", [
  z.strictObject({ wish: z.literal("pause"), why }),
  /** Ends a pause or a halt, and takes up a run that was interrupted. */
  z.strictObject({ wish: z.literal("resume"), why }),
  /** Asks the run that is under way to stop; it can be resumed. */
  z.strictObject({ wish: z.literal("stop"), why }),
  z.strictObject({ wish: z.literal("run-now"), why }),
  /** One level further; `anyway` where its record does not support it, which takes a `why`. */
  z.strictObject({ wish: z.literal("promote"), why, anyway: z.boolean().default(false) }),
]);
export type StandingBody = z.input<typeof StandingBody>;

export const AllBody = z.strictObject({ wish: z.enum(["stop-all", "resume-all"]) });
export type AllBody = z.input<typeof AllBody>;

export const LoopsQuery = z.strictObject({
  /** The last name of the page before. */
  after: Name.optional(),
  most: most(100, 500),
  /** Part of a name. */
  q: z.string().max(100).optional(),
});

export const RunsQuery = z.strictObject({ before: Sequence.optional(), most: most(50, 200), loop: Name.optional() });

export const RecordsQuery = z.strictObject({ after: Sequence.default(0), most: most(100, 500) });

/** Which round's; default: what is proposed now, also where it was amended, else the last that made something. */
export const DiffQuery = z.strictObject({ round: z.coerce.number().int().min(1).max(100_000).optional() });

export const SpendQuery = z.strictObject({ by: z.enum(["loop", "day", "maker", "model"]).default("loop"), since: Day.optional() });

export const ScheduleQuery = z.strictObject({
  /** In the zone; default: today. */
  day: Day.optional(),
  /** An IANA name; default: the home's. */
  zone: z.string().min(1).max(60).optional(),
  loop: Name.optional(),
});

export const LedgerQuery = z.strictObject({
  before: Sequence.optional(),
  most: most(100, 500),
  loop: Name.optional(),
  run: Name.optional(),
  kind: z.string().min(1).max(40).optional(),
  /** Part of the record's text. */
  q: z.string().min(1).max(200).optional(),
});

/** A repository that loops of this home work on already, by its id in NewView. */
const TargetId = z.string().regex(/^[0-9a-f]{16}$/, { error: "must be the id of a repository" });
export const DraftQuery = z.strictObject({ target: TargetId });
export const DraftBody = z.strictObject({ target: TargetId, text: z.string().max(50_000) });
export type DraftBody = z.input<typeof DraftBody>;

/** The last record that is known already; a browser that reconnects says it by itself, with Last-Event-ID. Default: the newest. */
export const EventsQuery = z.strictObject({ after: Sequence.optional() });

// ── what is answered ────────────────────────────────────────────────────────────────────────────────────────────

/** Why not, and what to do next. */
export interface Refusal {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    /** What does not fit, by its place in what was sent. */
    readonly problems?: readonly { readonly at: string; readonly problem: string }[];
  };
  /** Of a 409: what is there now; null where it waits no more. */
  readonly now?: InboxCard | null;
}

/** Who is on record for what is decided here, and how that is known. */
export interface Who {
  readonly name: string;
  readonly how: string;
}

export interface Session {
  readonly who: Who;
  readonly isReadOnly: boolean;
}

export interface Health extends Session {
  readonly version: string;
  readonly home: string;
  readonly at: string;
  /** The newest record; null while there is none. */
  readonly journal: { readonly chain: string; readonly seq: number; readonly hash: string } | null;
  /** Since it was found damaged when it was opened. */
  readonly mended: string | null;
  readonly isAllStopped: boolean;
  /** When this server began: another one means that it was restarted. */
  readonly since: string;
  readonly pages: number;
  readonly cspReports: number;
}

/** Something paged by the numbers of records. `next` is what to ask with, as `after` or `before`; null at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: number | null;
  /** Of the journal when this was read: what comes later arrives as an event with a greater id. */
  readonly asOf: number;
}

/** How something came out, as it is drawn. `waiting`: it is proven, or asks, and a human must decide. */
export type OutcomeKind =
  | "proven"
  | "waiting"
  | "refused"
  | "tampering"
  | "halted"
  | "stopped"
  | "nothing-to-do"
  | "rejected"
  | "running"
  | "interrupted"
  | "skipped"
  | "missed"
  | "failed";

export interface Outcome {
  readonly kind: OutcomeKind;
  readonly at: string;
  /** One sentence; strangers' words may be in it. */
  readonly says: string;
  /** Null for a waking that opened none. */
  readonly run: string | null;
  readonly because: Because | WakingReason | null;
  /** The record that says so. */
  readonly seq: number;
}

/** Something taken of a cap. */
export interface Meter {
  readonly scope: ScopeName;
  readonly measure: string;
  readonly taken: number;
  readonly most: number;
  /** Both in words: `$1.20`, `$5.00`. */
  readonly takenSays: string;
  readonly mostSays: string;
  /** Where the cap is written: `budget.usd`. */
  readonly from: string;
}

// now

export interface NowView {
  readonly asOf: number;
  readonly at: string;
  /** The finding, as a sentence. */
  readonly says: string;
  readonly isAllStopped: boolean;
  readonly running: readonly RunningRun[];
  readonly waiting: { readonly count: number; readonly first: readonly InboxCard[] };
  /** The next wakings, soonest first. */
  readonly next: readonly NextWaking[];
  /** What came to rest last, newest first. */
  readonly rested: readonly RunRow[];
  readonly loops: number;
}

export interface RunningRun {
  readonly run: string;
  readonly loop: string;
  readonly intent: string;
  readonly level: Level;
  readonly state: "running" | "interrupted";
  readonly openedAt: string;
  readonly lastAt: string;
  readonly round: number;
  readonly mostRounds: number;
  /** Done in this round, in order. */
  readonly steps: readonly { readonly step: string; readonly tookMs: number }[];
  /** What is being done now, where this server does it; null where nobody told. */
  readonly step: { readonly step: string; readonly since: string } | null;
  readonly spend: readonly Meter[];
  readonly microUsd: number;
  readonly basis: Basis | null;
  /** The last of what its maker said, oldest first. Strangers' words. */
  readonly talk: readonly TalkLine[];
}

export interface TalkLine {
  readonly at: string;
  readonly event: MakerEvent;
}

export interface TalkView {
  readonly run: string;
  /** What this server heard while it goes on; none after a restart. */
  readonly live: readonly TalkLine[];
  /** Whole logs, one JSON a line, of what was heard in each round. */
  readonly logs: readonly { readonly round: number; readonly log: ArtifactRef; readonly counts: { readonly [kind: string]: number } }[];
}

export interface NextWaking {
  readonly loop: string;
  readonly at: string;
  /** What wakes it, in words: `every 1h`. */
  readonly trigger: string;
  /** Why it will not, as things stand: paused, halted… */
  readonly barred: string | null;
}

// inbox

export type Risk = "high" | "medium" | "low" | "none";

/** One line of the inbox. */
export interface InboxCard extends InboxItem {
  readonly risk: Risk;
  /** What makes it so, in a few words each. */
  readonly risks: readonly string[];
  readonly level: Level | null;
  readonly intent: string;
  readonly files: number;
  /** Opinions that hold, of how many. */
  readonly votes: { readonly yes: number; readonly of: number };
  readonly isTainted: boolean;
  readonly findings: number;
  /** The record that put it there. */
  readonly seq: number;
}

export interface InboxView {
  readonly asOf: number;
  readonly at: string;
  /** By risk, then age. */
  readonly items: readonly InboxCard[];
  /** How many are deferred and not shown. */
  readonly deferred: number;
}

/** Everything that somebody should see before deciding. */
export interface InboxDocument {
  readonly asOf: number;
  readonly card: InboxCard;
  /** Null where the item is a loop that halted. */
  readonly run: RunView | null;
  /** Who changed the tree after it was proven; then what was proven is of another one. Null where nobody did. */
  readonly amendedBy: string | null;
  readonly claims: readonly Claim[];
  /** What nobody looked at. Never empty: something always is. */
  readonly unseen: readonly string[];
  /** Of the tree that a decision counts for. */
  readonly diff: ArtifactRef | null;
  readonly who: Who;
}

/** One sentence of the argument, and how it is known. */
export interface Claim {
  /** `holds` and `opinion` speak for it; the others against it or not at all. */
  readonly mark: "holds" | "refuted" | "fabricated" | "gap" | "unknown" | "opinion" | "finding";
  readonly says: string;
  /** In the verifier's words. Strangers' words may be in it. */
  readonly detail: string;
  readonly how: {
    readonly part: string;
    readonly kind: Proof["kind"] | "scan";
    readonly room: string | null;
    readonly box: BoxFact | null;
    readonly tookMs: number | null;
    readonly output: ArtifactRef | null;
  };
}

export interface Rehearsal {
  readonly run: string;
  readonly tree: string;
  /** In this order; what would be refused says so. */
  readonly actions: readonly { readonly action: string; readonly says: string; readonly isRefused: boolean }[];
  /** What each gate would say after this yes; `ask`: others must say yes too. */
  readonly gates: readonly { readonly kind: "yes" | "no" | "ask" | "asked-then"; readonly says: string }[];
  /** Where base is now, and whether that is where it was verified. */
  readonly base: { readonly ref: string; readonly verifiedOn: string; readonly now: string | null; readonly hasMoved: boolean };
  /** What the branch holds now, where that is something else. */
  readonly branch: { readonly name: string | null; readonly tip: string | null; readonly hasMoved: boolean };
  /** Why a yes would not move anything now; null where it would. */
  readonly barred: string | null;
  /** What happens if it does not hold. */
  readonly otherwise: string;
}

export interface DecisionAnswer {
  readonly run: string;
  readonly loop: string;
  readonly stage: Stage | null;
  /** What came of it, as a sentence. */
  readonly says: string;
  readonly who: Who;
  /** What it looks like now; null where it waits no more. */
  readonly now: InboxCard | null;
  readonly asOf: number;
}

export interface StandingAnswer {
  readonly loop: string;
  readonly says: string;
  readonly who: Who;
  readonly row: LoopRow;
}

// loops

/** One line of the list. `last` is left out: `outcomes` says what a list shows of it. */
export interface LoopRow extends Omit<LoopView, "last"> {
  readonly intent: string;
  readonly level: Level | null;
  /** Held at a lower level than its spec says; null where it is not. */
  readonly held: Level | null;
  /** Why nothing may begin; null while something may. */
  readonly barred: string | null;
  /** What wakes it, in words. */
  readonly trigger: string;
  /** The last thirty, oldest first: runs, and wakings that opened none. */
  readonly outcomes: readonly Outcome[];
  readonly lastAt: string | null;
  readonly lastRun: string | null;
  /** Of the last run, and of the loop today and this month. */
  readonly microUsd: { readonly last: number; readonly today: number; readonly month: number };
  readonly waiting: number;
  readonly isReferee: boolean;
}

export interface LoopsPage {
  readonly items: readonly LoopRow[];
  readonly next: string | null;
  readonly total: number;
  readonly asOf: number;
}

export interface LoopDocument extends LoopRow {
  readonly asOf: number;
  readonly repo: string | null;
  readonly base: string | null;
  readonly autonomy: AutonomyView | null;
  readonly caps: readonly Meter[];
  /** The last runs, oldest first, for charts. */
  readonly history: readonly RunPoint[];
  readonly notes: readonly NoteView[];
  readonly flakes: readonly (Flake & { readonly state: "in-quarantine" | "run-out" })[];
  readonly spec: SpecDocument;
  readonly graph: LoopGraph;
  readonly recent: readonly RunRow[];
  /** What a run costs, by its history or, without one, by its budget. A forecast. */
  readonly cost: { readonly basis: "history" | "spec"; readonly because: string; readonly usual: Amounts | null; readonly most: Amounts };
}

export interface RunPoint {
  readonly run: string;
  readonly at: string;
  readonly kind: OutcomeKind;
  readonly microUsd: number;
  readonly tookMs: number;
  readonly rounds: number;
}

export interface NoteView {
  readonly run: string;
  readonly at: string;
  readonly isTainted: boolean;
  readonly text: string;
}

export interface SpecDocument {
  readonly path: string | null;
  /** As it lies there now; null where it cannot be read. */
  readonly text: string | null;
  /** Of what lies there now, and of what the last run went by. */
  readonly hash: string | null;
  readonly ranHash: string | null;
  readonly problems: readonly SpecProblemView[];
  readonly warnings: readonly SpecProblemView[];
}

export interface SpecProblemView {
  readonly line: number;
  readonly col: number;
  readonly path: string;
  readonly problem: string;
  readonly instead: string;
}

/** Drawn in columns by kind. Later kinds of loops draw themselves by the same data. */
export interface LoopGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** How many of the last runs the counts are of. */
  readonly runs: number;
}

export interface GraphNode {
  readonly id: string;
  readonly kind: "trigger" | "gather" | "maker" | "verifier" | "gate" | "action";
  readonly part: string;
  /** In a few words: `every 1h`, `npm test`. */
  readonly says: string;
  readonly counts: { readonly done: number; readonly refused: number };
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `lesson`: the way back of a round that was refused. */
  readonly kind: "flow" | "lesson";
  readonly count: number;
}

// runs

/** One line of a list of runs. */
export interface RunRow {
  readonly run: string;
  readonly loop: string;
  readonly outcome: Outcome;
  readonly level: Level;
  readonly openedAt: string;
  readonly lastAt: string;
  readonly rounds: number;
  readonly workedMs: number;
  readonly microUsd: number;
  readonly basis: Basis | null;
  readonly stage: Stage | null;
  /** Of its first record; runs are paged by it. */
  readonly seq: number;
}
export type RunsPage = Page<RunRow>;

export interface RunDocument {
  readonly asOf: number;
  readonly row: RunRow;
  readonly view: RunView;
  readonly claims: readonly Claim[];
  readonly unseen: readonly string[];
  /** Why it was judged so, round by round, as sentences. */
  readonly reasons: readonly {
    readonly round: number;
    readonly verdict: string;
    readonly because: Because | null;
    readonly says: string;
  }[];
  /** When each step of each round began and ended, on one clock, base first (round 0). */
  readonly timeline: readonly TimelineStep[];
  readonly findings: readonly (Finding & { readonly round: number })[];
  readonly meters: readonly Meter[];
  readonly artifacts: readonly ({ readonly name: string; readonly round: number | null } & ArtifactRef)[];
  readonly records: { readonly first: number; readonly last: number; readonly count: number };
  readonly decisions: readonly {
    readonly at: string;
    readonly seq: number;
    readonly says: string;
    readonly by: string;
    readonly why: string;
  }[];
  readonly hasReceipt: boolean;
}

export interface TimelineStep {
  readonly round: number;
  readonly step: string;
  readonly kind: "base" | "work" | "proof" | "opinion" | "scan" | "act" | "other";
  readonly outcome: Proof["outcome"] | null;
  readonly startedAt: string;
  readonly tookMs: number;
  readonly seq: number;
}

export type RecordsPage = Page<Entry>;

/** The receipt, to be verified in the browser: DSSE over the payload with one of these keys (Ed25519). */
export interface ReceiptDocument {
  readonly run: string;
  /** The envelope, byte for byte; null while there is none. */
  readonly envelope: string | null;
  readonly number: number | null;
  readonly sha256: string | null;
  /** Keys of this home, the newest last. `raw` is the 32 bytes in base64, for WebCrypto. */
  readonly keys: readonly {
    readonly keyid: string;
    readonly pem: string;
    readonly raw: string;
    readonly since: string;
    readonly until: string | null;
  }[];
  /** The journal's hash at the record that the receipt names, to compare with; null where it is not there. */
  readonly journal: { readonly chain: string | null; readonly seq: number | null; readonly hash: string | null };
}

// spend

export interface SpendDocument extends SpendView {
  readonly asOf: number;
  readonly zone: string;
  /** Cost of each of the last days, oldest first, those without any too. */
  readonly days: readonly { readonly day: string; readonly microUsd: number }[];
  /** A forecast, and nothing that is on record. Null with too little to go by. */
  readonly forecast: { readonly month: string; readonly microUsd: number; readonly soFar: number; readonly because: string } | null;
  readonly meters: readonly Meter[];
  /** Loops that are near their caps today. */
  readonly near: readonly { readonly loop: string; readonly meter: Meter }[];
}

// schedule

export interface ScheduleDocument {
  readonly asOf: number;
  readonly day: string;
  readonly zone: string;
  /** Both ends of the day in UTC, and where now is in it; null on another day. */
  readonly from: string;
  readonly to: string;
  readonly now: string | null;
  readonly says: string;
  readonly tally: { readonly [F in Waking["fate"]]: number } & { readonly planned: number };
  readonly lanes: readonly Lane[];
  /** How many there were that did not fit into the answer; ask by loop. */
  readonly left: number;
}

export interface Lane {
  readonly loop: string;
  readonly marks: readonly LaneMark[];
}

export interface LaneMark {
  readonly kind: Waking["fate"] | "planned" | "by-hand";
  readonly at: string;
  /** When the run rested; null while it goes on, and where there is none. */
  readonly until: string | null;
  readonly outcome: OutcomeKind | null;
  readonly reason: WakingReason | null;
  readonly says: string;
  readonly cause: Cause | null;
  readonly run: string | null;
  /** Of the record; null for what is only planned. */
  readonly seq: number | null;
  /** Slots that it stands for besides its own. */
  readonly covers: number;
}

// ledger

export interface LedgerPage extends Page<Entry> {
  /** How many records were looked at for this answer. With a search, fewer may fit than were asked for while there are more below. */
  readonly looked: number;
}

export interface VerificationView {
  /** `looking`: it goes on, ask again. */
  readonly state: "looking" | "done";
  /** The journal's newest record when it began, and when that was. */
  readonly upTo: number;
  readonly at: string;
  /** Null until the first look is done. */
  readonly found: {
    readonly kind: "whole" | "broken" | "empty";
    readonly entries: number;
    readonly chain: string | null;
    readonly signedUpTo: number;
    readonly checkpoints: number;
    readonly receipts: number;
    readonly firstBad: number | null;
    readonly problems: readonly { readonly what: string; readonly seq: number | null; readonly why: string }[];
    readonly notChecked: readonly string[];
  } | null;
}

// a new loop

export interface NewView {
  readonly asOf: number;
  /** Why none can be tried or added here; null where it can. */
  readonly barred: string | null;
  readonly targets: readonly NewTarget[];
  readonly ready: readonly ReadyLoop[];
}

/** A repository that loops of this home work on already. */
export interface NewTarget {
  readonly id: string;
  readonly path: string;
  /** The first of those loops, and how many there are. */
  readonly loops: readonly string[];
  readonly count: number;
}

/** A spec that comes with this program. */
export interface ReadyLoop {
  readonly name: string;
  readonly about: string;
  readonly intent: string;
  readonly level: Level;
  readonly trigger: string;
}

export interface DraftView {
  readonly target: string;
  readonly text: string;
  /** What follows is null where the spec has problems. */
  readonly name: string | null;
  /** Where it would be written. */
  readonly path: string | null;
  /** Why it cannot be added as it is, though nothing is wrong with its text; null where it can. */
  readonly taken: string | null;
  readonly problems: readonly SpecProblemView[];
  readonly warnings: readonly SpecProblemView[];
  readonly says: { readonly intent: string; readonly level: Level; readonly trigger: string } | null;
  readonly graph: LoopGraph | null;
  readonly cost: LoopDocument["cost"] | null;
  readonly caps: readonly { readonly scope: ScopeName; readonly measure: string; readonly mostSays: string; readonly from: string }[];
}

export interface TrialAnswer {
  readonly loop: string;
  readonly run: string;
  readonly says: string;
}

export interface AddAnswer {
  readonly loop: string;
  readonly path: string;
  /** Whether the home looks after it now. */
  readonly isKnown: boolean;
  readonly says: string;
}

// live

/**
 * What comes over `/api/events`. `record` has the record's number as its id, so that a reconnect misses nothing; whoever was away for too
 * long gets `gap` and reads again. `talk` and `step` have no id: they are told once. `beat` comes every 15 s.
 */
export type LiveEvent =
  | { readonly event: "record"; readonly id: number; readonly data: LiveRecord }
  | { readonly event: "talk"; readonly data: { readonly run: string; readonly loop: string } & TalkLine }
  | { readonly event: "step"; readonly data: { readonly run: string; readonly loop: string; readonly step: string; readonly at: string } }
  | { readonly event: "gap"; readonly data: { readonly from: number; readonly to: number } }
  | { readonly event: "beat"; readonly data: { readonly seq: number; readonly at: string } };

/** A record without its body, which is asked for where it is shown. */
export interface LiveRecord {
  readonly seq: number;
  readonly at: string;
  readonly loop: string;
  readonly run: string;
  readonly kind: Entry["record"]["kind"];
  readonly hash: string;
}
