// Where a run stands, folded from its records. Pure.
import type { Baseline } from "../contract/baseline.ts";
import type { EgressFact } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { Evidence, Spend } from "../contract/evidence.ts";
import { AS_WRITTEN, type Improved, type ImprovementProposed, NO_CHANGE, type Undone, type Version } from "../contract/improve.ts";
import type { Amounts, AskedModel, Basis, Spender } from "../contract/ledger.ts";
import type { ChildFact } from "../contract/proposal.ts";
import type { Entry, LoopRecord, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { withBudgets } from "../contract/team-budgets.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { Because, Rest, Verdict } from "../contract/verdict.ts";
import { minus, plus } from "./ledger.ts";

/** Where a run stands. Never stored: always folded from its records. */
export interface RunState {
  readonly opened: RunOpened | undefined;
  readonly openedAt: string | undefined;
  readonly lastAt: string | undefined;
  readonly resumed: number;
  /** What was seen of base before the first round; undefined where nobody looked. */
  readonly baseline: Baseline | undefined;
  readonly baselineMs: number;
  readonly rounds: readonly RoundState[];
  readonly lessons: readonly Untrusted[];
  readonly spent: Spend;
  /** All that was counted. */
  readonly used: Amounts;
  /** The weakest footing of any of these figures; undefined while there are none. */
  readonly basis: Basis | undefined;
  readonly workedMs: number;
  /** The instructions that count now. */
  readonly version: Version;
  /** Every change of them, and every way back, oldest first. */
  readonly lineage: readonly (Improved | ImprovementProposed | Undone)[];
  readonly rest: { readonly verdict: Rest; readonly report: string; readonly at: string } | undefined;
  /** Which models were asked, and for whom, in the order in which they were first; not there while none was. */
  readonly asked?: readonly AskedModel[];
}

export interface RoundState {
  readonly round: Round;
  readonly steps: readonly { readonly step: string; readonly tookMs: number }[];
  readonly spent: Spend;
  /** What its tool calls were, as hashes. */
  readonly did: readonly string[];
  /** The commit of what was done when its budget ended it. */
  readonly kept: string | undefined;
  readonly failures: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly retry: "never" | "later";
  }[];
  readonly evidence: Evidence | undefined;
  readonly verdict: Verdict | undefined;
  /** Where its commands went through the proxy of their box, try by try; not there when they went nowhere. */
  readonly egress?: readonly EgressFact[];
  /** The name that each of the spec's makers has for its conversation, by its place from 1; not there where none has one. */
  readonly sessions?: { readonly [place: number]: string };
  /** Why notes of its makers were not kept; not there while all were. */
  readonly refusedNotes?: readonly string[];
  /** What each run that was called for it had used when it was last told of; not there where none was. */
  readonly called?: { readonly [run: string]: Amounts };
}

const NOTHING: Spend = { usd: 0, tokens: 0 };

const START: RunState = {
  opened: undefined,
  openedAt: undefined,
  lastAt: undefined,
  resumed: 0,
  baseline: undefined,
  baselineMs: 0,
  rounds: [],
  lessons: [],
  spent: NOTHING,
  used: {},
  basis: undefined,
  workedMs: 0,
  version: { version: AS_WRITTEN, instructions: NO_CHANGE },
  lineage: [],
  rest: undefined,
};

export const foldRun = (entries: readonly Entry[]): RunState => entries.reduce<RunState>(foldEntry, START);

/** One record further, for whoever cannot hold all of them; a run begins without a state. */
export const foldEntry = (state: RunState | undefined, { record, at }: Pick<Entry, "record" | "at">): RunState => ({
  ...next(state ?? START, record, at),
  lastAt: at,
});

/** The round that is under way, if any. */
export const openRound = ({ rounds }: RunState): RoundState | undefined => {
  const last = rounds.at(-1);
  return last && last.verdict === undefined ? last : undefined;
};

/** The round that a run came to rest with: its last, or the best where it did not end well. */
export const restedRound = ({ rest, rounds }: RunState): RoundState | undefined => {
  const best = rest?.verdict.kind === "accept" ? rest.verdict.best : undefined;
  return best ? rounds.find(({ round }) => round.id === best.roundId) : rounds.at(-1);
};

/** What a run spent that was called for a worker is its caller's spending too. Rounds and time are each run's own. */
function withCalled(state: RunState, { roundId, step, result }: Extract<LoopRecord, { kind: "step-done" }>): RunState {
  const child = step.startsWith("worker-") ? (result as { readonly child?: ChildFact }).child : undefined; // as that step writes it
  if (!child) return state;
  // One that went on with more budget was counted before, as far as it had come then.
  const before = state.rounds.find(({ round }) => round.id === roundId)?.called?.[child.run] ?? {};
  const { rounds: _, timeMs: __, ...used } = minus(child.used, before);
  const known = inRound(state, roundId, (round) => ({ ...round, called: { ...round.called, [child.run]: child.used } }));
  return Object.keys(used).length === 0 ? known : count(known, roundId, used, child.basis ?? "reported");
}

function next(state: RunState, record: LoopRecord, at: string): RunState {
  switch (record.kind) {
    case "run-opened":
      return { ...state, opened: record, openedAt: at, version: record.improved ?? state.version };
    case "run-resumed":
      return resumed(state, record);
    case "baseline-taken":
      // A base that a proposal was put on later is not the one that its run began with.
      if (state.rest) return state;
      return { ...state, baseline: record.baseline, baselineMs: record.tookMs, workedMs: state.workedMs + record.tookMs };
    case "round-opened":
      return {
        ...state,
        rounds: [
          ...state.rounds,
          {
            round: record.round,
            steps: [],
            spent: NOTHING,
            did: [],
            kept: undefined,
            failures: [],
            evidence: undefined,
            verdict: undefined,
          },
        ],
      };
    case "step-done":
      return {
        ...inRound(withCalled(state, record), record.roundId, (round) => ({
          ...round,
          steps: [...round.steps, { step: record.step, tookMs: record.tookMs }],
        })),
        workedMs: state.workedMs + record.tookMs,
      };
    case "spent": {
      const { spend, unknown = [], amounts = amountsOf(spend), basis = unknown.length > 0 ? "unknown" : "reported", did = [] } = record;
      const counted = withAsked(count(state, record.roundId, amounts, basis), record.who);
      return inRound(counted, record.roundId, (round) => ({ ...round, did: [...round.did, ...did] }));
    }
    case "settled":
      return withAsked(count(state, record.roundId, record.amounts, record.basis), record.who);
    case "noted": {
      const { refused } = record;
      if (refused.length === 0) return state;
      return inRound(state, record.roundId, (round) => ({ ...round, refusedNotes: [...(round.refusedNotes ?? []), ...refused] }));
    }
    case "kept":
      return inRound(state, record.roundId, (round) => ({ ...round, kept: record.work.commit }));
    case "maker-reached":
      return inRound(state, record.roundId, (round) => ({ ...round, egress: [...(round.egress ?? []), record.egress] }));
    case "maker-heard": {
      const { session, place = 1 } = record;
      if (session === undefined) return state;
      return inRound(state, record.roundId, (round) => ({ ...round, sessions: { ...round.sessions, [place]: session } }));
    }
    case "round-closed": {
      const { evidence, verdict } = record;
      const closed = inRound(state, record.roundId, (round) => ({ ...round, evidence, verdict }));
      return verdict.kind === "retry" ? { ...closed, lessons: [...state.lessons, verdict.lesson] } : closed;
    }
    case "round-failed": {
      const { code, message, hint, retry } = record;
      const worked = { ...state, workedMs: state.workedMs + record.tookMs };
      return inRound(worked, record.roundId, (round) => ({
        ...round,
        failures: [...round.failures, { code, message, hint, retry }],
        // A failure that passes leaves the round open: it goes on at the step that failed.
        verdict: retry === "later" ? round.verdict : { kind: "halt", because: haltedBy(code), reason: message },
      }));
    }
    case "answered":
      return answered(state, record);
    case "run-rested":
      return { ...state, rest: { verdict: record.rest, report: record.report.sha256, at } };
    case "improved":
      return {
        ...state,
        version: { version: record.version, instructions: record.instructions },
        lineage: [...state.lineage, record],
      };
    case "improvement-proposed":
      return { ...state, lineage: [...state.lineage, record] };
    case "undone":
      return { ...state, version: record.to, lineage: [...state.lineage, record] };
    // What is only reserved is not spent; the ledger knows of it.
    case "reserved":
    case "calibrated":
    case "client-asked":
    case "tools-accepted":
    case "notes-cleared":
    case "stop-requested":
    case "flake-forgotten":
    case "remembered":
    case "decided":
    case "amended":
    case "refreshed":
    case "not-refreshed":
    case "rechecked":
    case "action-began":
    case "action-done":
    case "action-failed":
    case "action-unclear":
    case "proposal-settled":
    case "reverted":
    case "loop-paused":
    case "loop-halted":
    case "loop-resumed":
    case "level-held":
    case "alerted":
    case "journal-mended":
    case "receipted":
    case "checkpointed":
    case "waking":
    case "heard":
    case "first-seen":
    case "place-added":
    case "place-removed":
    case "loop-known":
    case "loop-wrong":
    case "loop-removed":
    case "clock-set-back":
    case "limit-seen":
    case "limit-over":
    case "absence-told":
    case "review-asked":
    case "reviewed":
    case "signer-changed":
      return state;
    default:
      return unknownKind(record);
  }
}

/** The question that ended the run is one of its lessons now, with the answer, and the run goes on. */
function answered(state: RunState, { text, by }: Extract<LoopRecord, { kind: "answered" }>): RunState {
  const last = state.rounds.at(-1);
  if (!last || !state.rest || last.verdict?.kind !== "escalate" || last.verdict.because !== "question") return state;
  const lesson = untrustedText(`${last.verdict.reason}\n${by} answered: ${text}`);
  const asked = inRound(state, last.round.id, (round) => ({ ...round, verdict: { kind: "retry", because: "question", lesson } }));
  return { ...asked, lessons: [...state.lessons, lesson], rest: undefined };
}

/** The word for what a failure that does not pass does to a run. */
export function haltedBy(code: string): Because {
  if (code === "budget-spent") return "budget";
  if (code === "runaway") return "runaway";
  if (code === "command-blocked") return "blocked";
  if (code === "injection") return "injection";
  return code === "bug" ? "bug" : "outside-failure";
}

const inRound = (state: RunState, id: string, change: (round: RoundState) => RoundState): RunState => ({
  ...state,
  rounds: withRound(state.rounds, id, change),
});

/** Nearly always it is the last one: what a record costs does not grow with how many rounds there are. */
function withRound(rounds: readonly RoundState[], id: string, change: (round: RoundState) => RoundState): readonly RoundState[] {
  const at = rounds.findLastIndex(({ round }) => round.id === id);
  const found = rounds[at];
  return found ? rounds.with(at, change(found)) : rounds;
}

/** A run that its budget ended goes on where it was, once it has more. */
function resumed(state: RunState, { budget, team }: Extract<LoopRecord, { kind: "run-resumed" }>): RunState {
  const { opened, rounds } = state;
  const last = rounds.at(-1);
  const isHalted = last?.verdict?.kind === "halt" && last.verdict.because === "budget";
  return {
    ...state,
    resumed: state.resumed + 1,
    rest: undefined,
    opened: opened && budget ? { ...opened, spec: withBudgets(opened.spec, { budget, ...(team ? { team } : {}) }) } : opened,
    rounds: last && isHalted ? [...rounds.slice(0, -1), { ...last, verdict: undefined }] : rounds,
  };
}

function withAsked(state: RunState, who: Spender | undefined): RunState {
  const { maker, model } = who ?? {};
  if (maker === undefined || model === undefined) return state;
  const { asked = [] } = state;
  return asked.some((one) => one.maker === maker && one.model === model) ? state : { ...state, asked: [...asked, { maker, model }] };
}

function count(state: RunState, roundId: string, amounts: Amounts, basis: Basis): RunState {
  const spend = spendOf(amounts);
  return {
    ...inRound(state, roundId, (round) => ({ ...round, spent: sum(round.spent, spend) })),
    spent: spendOf(plus(state.used, amounts)),
    used: plus(state.used, amounts),
    basis: weaker(state.basis, basis),
  };
}

const amountsOf = ({ usd, tokens }: Spend): Amounts => ({ microUsd: Math.ceil(usd * 1e6), tokens: Math.ceil(tokens) });

const spendOf = ({ microUsd = 0, tokens = 0 }: Amounts): Spend => ({ usd: microUsd / 1e6, tokens });

const STRENGTH: readonly (Basis | undefined)[] = ["unknown", "estimated", "reported", undefined];

const weaker = (a: Basis | undefined, b: Basis): Basis | undefined => STRENGTH[Math.min(STRENGTH.indexOf(a), STRENGTH.indexOf(b))];

const sum = (a: Spend, b: Spend): Spend => ({ usd: a.usd + b.usd, tokens: a.tokens + b.tokens });

function unknownKind(record: never): never {
  throw new LoopError(
    "journal-damaged",
    `the journal holds a record of a kind this version does not know: ${JSON.stringify(record).slice(0, 80)}`,
    {
      retry: "never",
      hint: "It was written by a newer loopwright: use that one.",
    },
  );
}
