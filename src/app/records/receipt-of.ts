// What a run's receipt says, from its records alone. Pure: the same records give the same words.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { Evidence } from "../../contract/evidence.ts";
import type { MetricsView } from "../../contract/measuring.ts";
import { factsOf, PROPOSAL_ARTIFACTS, type Proposal } from "../../contract/proposal.ts";
import { RECEIPT_TYPE, type ReceiptDecision, type RunReceipt, type Statement, type Subject } from "../../contract/receipt.ts";
import type { Entry, LoopRecord, RunOpened } from "../../contract/record.ts";
import { makersOf } from "../../contract/spec.ts";
import { foldRun, restedRound } from "../../journal/fold.ts";
import { viewMetrics } from "../../journal/measured.ts";
import { makeStatement } from "../../receipts/dsse.ts";

/** More findings than these are in the journal, and in the report. */
const MOST_FINDINGS = 200;

export interface ReceiptPlace {
  readonly chain: string;
  readonly at: string;
  readonly version: string;
}

/** Undefined while the run has not come to rest. */
export function receiptOf(entries: readonly Entry[], { chain, at, version }: ReceiptPlace): RunReceipt | undefined {
  const told = entries.filter(({ record }) => record.kind !== "receipted");
  const state = foldRun(told);
  const { opened, openedAt, rounds, rest, used, basis } = state;
  const [first, last] = [told[0], told.at(-1)];
  if (!opened || !rest || !first || !last) return undefined;
  const rested = restedRound(state);
  const round = rested?.evidence ? rested : rounds.findLast(({ evidence }) => evidence !== undefined);
  const evidence = round?.evidence;
  const { spec, specHash, policyHash, base } = opened;
  // Verifiers ask models too, and theirs are not its.
  const workers = (evidence && factsOf(evidence.proposal).team?.workers) ?? [];
  const makers = new Set([...makersOf(spec), ...workers].map(({ use }) => use));
  const models = unique((state.asked ?? []).flatMap(({ maker, model }) => (makers.has(maker) ? [model] : [])));
  return {
    kind: opened.referee ? "referee" : "run",
    loop: opened.parent ? first.loop : spec.name,
    run: first.run,
    ...(opened.parent ? { calledBy: opened.parent.run } : {}),
    number: entries.length - told.length,
    at,
    version,
    asked: {
      intent: spec.intent,
      level: spec.level,
      specHash,
      ...(policyHash ? { policyHash } : {}),
      base,
      openedAt: openedAt ?? first.at,
    },
    maker: {
      name: opened.referee ? "somebody else" : (makersOf(spec)[0]?.use ?? "unknown"),
      rounds: rounds.length,
      ...(models.length > 0 ? { models } : {}),
      ...makerFacts(evidence),
    },
    ...(evidence && round ? testedIn(evidence.proposal, round.round.base, opened.referee) : {}),
    checks: (evidence?.proofs ?? []).map(({ verifier, kind, outcome, detail, output, room, box, of }) => ({
      verifier,
      kind,
      outcome,
      detail,
      output,
      ...(room ? { room } : {}),
      ...(of ? { of } : {}),
      ...(box ? { box } : {}),
    })),
    findings: (evidence?.findings ?? []).slice(0, MOST_FINDINGS).map(({ rule, severity, where }) => ({ rule, severity, where })),
    rest: rest.verdict,
    ...(spec.metrics ? { metrics: newestOf(viewMetrics(spec.metrics, state)) } : {}),
    cost: { amounts: used, ...(basis ? { basis } : {}) },
    decisions: told.flatMap(decisionIn),
    rechecks: recheckedIn(told),
    moved: told.flatMap(({ record }) => (record.kind === "action-done" ? [record.receipt] : [])),
    ...settledIn(told),
    artifacts: artifactsIn(told, evidence),
    journal: { chain, from: first.seq, to: last.seq, records: told.length, head: last.hash },
  };
}

/** About the commit and the tree that were tested, every tree that was verified again, and the run's report. */
export function statementOf(receipt: RunReceipt): Statement<RunReceipt> {
  const { tested, rechecks, artifacts } = receipt;
  const trees = [...(tested ? [tested] : []), ...rechecks];
  const subject: readonly Subject[] = [
    ...unique(trees.flatMap(({ commit }) => commit ?? [])).map((commit) => ({ name: "commit", digest: { gitCommit: commit } })),
    ...unique(trees.map(({ tree }) => tree)).map((tree) => ({ name: "tree", digest: { gitTree: tree } })),
    ...artifacts.filter(({ name }) => name === "report").map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  ];
  return makeStatement(subject, RECEIPT_TYPE, JSON.parse(JSON.stringify(receipt)) as RunReceipt); // what JSON leaves out is left out here
}

const MOST_MEASURED = 50;

const newestOf = (view: MetricsView): MetricsView => ({ ...view, rounds: view.rounds.slice(-MOST_MEASURED) });

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

function makerFacts(evidence: Evidence | undefined): Partial<RunReceipt["maker"]> {
  if (!evidence) return {};
  const { proposal, taint } = evidence;
  const { box, maker, team } = factsOf(proposal);
  return {
    ...(team
      ? {
          workers: team.workers.map(({ id, use, ended, result, commit, child, tries, why, tookMs, used, from }) => ({
            id,
            use,
            ended,
            tries,
            ...(why === undefined ? {} : { why }),
            ...(tookMs === undefined ? {} : { tookMs }),
            ...(used ? { used } : {}),
            ...(from ? { from } : {}),
            ...(result ? { result: result.sha256 } : {}),
            ...(commit ? { commit } : {}),
            ...(child ? { child: { run: child.run, ...(child.receipt ? { receipt: child.receipt } : {}) } } : {}),
          })),
          ...(team.joins.length > 0 ? { joins: team.joins } : {}),
        }
      : {}),
    ...(maker ? { name: maker.name, ...(maker.insteadOf.length > 0 ? { insteadOf: maker.insteadOf.map(({ name }) => name) } : {}) } : {}),
    ...(box ? { box } : {}),
    ...(taint ? { taint: taint.kind === "clean" ? ("clean" as const) : ("tainted" as const) } : {}),
  };
}

/** A work tree that is no commit was tested as one of ours, which nobody else has. */
function testedIn(proposal: Proposal, base: string, referee: RunOpened["referee"]): Pick<RunReceipt, "tested"> {
  const { commit: own, tree, changes } = factsOf(proposal);
  if (tree === undefined) return {};
  const commit = referee ? referee.commit : own;
  return { tested: { ...(commit ? { commit } : {}), tree, base, files: changes.length } };
}

function decisionIn({ record, at }: Entry): readonly ReceiptDecision[] {
  switch (record.kind) {
    case "decided":
      return [{ decision: record.decision, by: record.by, why: record.why, at, ...(record.tree === "" ? {} : { tree: record.tree }) }];
    case "amended":
      return [{ decision: "amend", by: record.by, why: record.why, at, tree: record.tree }];
    case "refreshed":
      return [{ decision: "refresh", by: record.by ?? "loopwright", why: movedBase(record), at, tree: record.tree }];
    case "answered":
      return [{ decision: "answer", by: record.by, why: record.text, at }];
    case "reverted":
      return [{ decision: "revert", by: record.commit, why: record.why, at }];
    default:
      return [];
  }
}

const movedBase = ({ before, base, isSameChange }: Extract<LoopRecord, { kind: "refreshed" }>): string =>
  `base moved from ${before.base} to ${base}; ${isSameChange ? "the change is the same" : "the change was merged with what came in between"}`;

function recheckedIn(entries: readonly Entry[]): RunReceipt["rechecks"] {
  const commits = new Map(
    entries.flatMap(({ record }) => (record.kind === "amended" || record.kind === "refreshed" ? [[record.tree, record.commit]] : [])),
  );
  return entries.flatMap(({ record, at }) => {
    if (record.kind !== "rechecked") return [];
    const { tree, base, verdict, standsOn } = record;
    const commit = commits.get(tree);
    const stands = standsOn ? { standsOn: standsOn.seq } : {};
    return [{ ...(commit ? { commit } : {}), tree, base, verdict: verdict.kind, at, ...stands }];
  });
}

function settledIn(entries: readonly Entry[]): Pick<RunReceipt, "settled"> {
  const record = entries.findLast((entry): entry is Entry<Settlement> => entry.record.kind === "proposal-settled")?.record;
  return record ? { settled: { how: record.how, why: record.why } } : {};
}

type Settlement = Extract<LoopRecord, { kind: "proposal-settled" }>;

function artifactsIn(entries: readonly Entry[], evidence: Evidence | undefined): RunReceipt["artifacts"] {
  const rested = entries.findLast(({ record }) => record.kind === "run-rested")?.record;
  const kept = evidence ? factsOf(evidence.proposal).artifacts : {};
  const named: readonly (readonly [string, ArtifactRef | undefined])[] = [
    ["report", rested?.kind === "run-rested" ? rested.report : undefined],
    ...PROPOSAL_ARTIFACTS.map((name) => [name, kept[name]] as const),
    ...(evidence?.proofs ?? []).map((proof, index) => [`output ${index + 1}`, proof.output] as const),
  ];
  return named.flatMap(([name, ref]) => (ref ? [{ name, ...ref }] : []));
}
