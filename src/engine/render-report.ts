// What a person reads about a run: made from its records alone, so that it can be made again at any time.

import type { Baseline } from "../contract/baseline.ts";
import type { Evidence, HeldOut, PreparedEvidence } from "../contract/evidence.ts";
import type { Metrics } from "../contract/measuring.ts";
import { factsOf, type Proposal } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Accepted, BestRound, Rest, Verdict } from "../contract/verdict.ts";
import type { RoundState, RunState } from "../journal/fold.ts";
import { passedCaps } from "../journal/passed-caps.ts";
import { formatDuration } from "../std/duration.ts";
import { inert } from "../std/inert-markdown.ts";
import { tellBox } from "../std/tell-box.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { tellShort } from "../std/tell-tests.ts";
import { tellJoin, tellWorker } from "../std/tell-worker.ts";
import { formatUsd } from "../std/usd.ts";
import { levelOf, whyHeldBack } from "./level-of.ts";
import { branchOf } from "./names.ts";
import { contentLines, proposedLine } from "./render-proposal.ts";
import { namesOf } from "./weigh-base.ts";

export interface ReportMatter {
  readonly loop: string;
  readonly run: string;
  readonly opened: RunOpened;
  readonly state: RunState;
  readonly rest: Rest;
}

export function renderReport({ loop, run, opened, state, rest }: ReportMatter): string {
  const best = rest.kind === "accept" ? rest.best : undefined;
  const last = best ? state.rounds.find(({ round }) => round.id === best.roundId) : state.rounds.at(-1);
  const lines = [
    `# ${loop}: ${opened.referee && rest.kind === "accept" ? "proven" : headline(rest)}`,
    "",
    `> ${inert(opened.spec.intent)}`,
    "",
    `- Run: ${run}, level ${opened.spec.level}, ${state.rounds.length} round(s), ${formatDuration(workedMs(state))} of work, ${tellCost(state)}`,
    ...passedCaps(opened.spec.budget, state.used).map((passed) => `- Past its budget: ${passed}; it was reported only afterwards`),
    ...(state.asked ?? []).map(({ maker, model }) => `- Model of ${inert(maker)}: ${inert(model)}`),
    `- Base: ${inert(opened.base.ref)} at ${opened.base.commit.slice(0, 12)}`,
    ...(opened.referee ? refereeLines(opened.referee) : []),
    `- Verdict: ${opened.referee && rest.kind === "accept" ? "the change is proven; nothing was moved" : tellRest(rest)}`,
    ...(last?.evidence ? levelLines(opened, last.evidence) : []),
    ...(rest.kind === "accept" && rest.action === "propose" && last ? proposalLines(last, rest.on) : []),
    "",
    ...(opened.spec.metrics ? metricLines(opened.spec.metrics, state, best) : []),
    ...(last?.evidence ? contentLines(last.evidence.proposal) : []),
    ...(state.baseline ? baseLines(state.baseline) : []),
    "## What happened",
    "",
    ...(state.rounds.length === 0 ? ["No maker was called, and nothing was spent.", ""] : []),
    ...state.rounds.flatMap(roundLines),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Only what base and rounds took, so that telling people about it does not change the report. */
const workedMs = ({ baselineMs, rounds }: RunState): number =>
  rounds.flatMap(({ steps }) => steps).reduce((sum, { tookMs }) => sum + tookMs, baselineMs);

/** Unknown is said, never shown as nothing. */
export function tellCost({ basis, spent }: Pick<RunState, "basis" | "spent">): string {
  const figure = `${formatUsd(spent.usd)} and ${spent.tokens} tokens`;
  switch (basis) {
    case undefined:
      return "cost unknown: nothing was reported";
    case "reported":
      return `cost ${figure} as reported`;
    case "estimated":
      return `cost about ${figure}: not all of it was reported, and the rest is estimated`;
    case "unknown":
      return `cost up to ${figure}: what nobody reported counts as all that was set aside for it`;
  }
}

const refereeLines = ({ of, tree, commit, by, begun }: NonNullable<RunOpened["referee"]>): readonly string[] => {
  const what =
    of === "commit"
      ? `the commit ${commit?.slice(0, 12)}`
      : commit
        ? `the checkout, which is the commit ${commit.slice(0, 12)}`
        : "the checkout";
  return [
    `- Judged: ${what}, tree ${tree.slice(0, 12)}; no maker was called. Asked by ${inert(by)}`,
    ...(begun ? [`- Beginning: ${begun.at} at ${begun.commit.slice(0, 12)}, with ${begun.files} ignored file(s) that are protected`] : []),
  ];
};

const ACCEPTED: { readonly [A in Accepted["action"]]: { readonly headline: string; readonly says: string } } = {
  report: { headline: "reported", says: "the report is proven" },
  propose: { headline: "proposed", says: "the change is proven and waits for you" },
};

const headline = (rest: Rest): string => {
  if (rest.kind === "nothing-to-do") return "nothing to do";
  if (rest.kind === "accept") {
    const opinion = rest.on === "opinion" ? ", on opinion alone" : rest.on === "part" ? ", PARTLY" : "";
    return `${rest.best ? "proposed, below its target" : ACCEPTED[rest.action].headline}${opinion}`;
  }
  return `handed over (${rest.because})`;
};

const tellRest = (rest: Rest): string => {
  if (rest.kind === "accept" && rest.best) return `${tellBest(rest.best)}${rest.on ? `; ${tellShort(rest.on, rest.stillRed)}` : ""}`;
  if (rest.kind === "accept" && rest.on === "opinion") return "opinions alone speak for it: nothing was proven, and it waits for you";
  if (rest.kind === "accept" && rest.on) return `${inert(tellShort(rest.on, rest.stillRed))}; it waits for you`;
  if (rest.kind === "accept") return ACCEPTED[rest.action].says;
  if (rest.kind === "nothing-to-do") return inert(rest.reason);
  return `${rest.kind === "halt" ? "halted" : "needs a human"}: ${inert(rest.reason)}`;
};

const tellBest = ({ number, value, because, reason }: BestRound): string =>
  `the run did not end well (${because}: ${inert(reason)}); round ${number} is ${value === null ? "the first" : "the best"} whose checks hold, and waits for you`;

/** What was measured, as a table. */
function metricLines(metrics: Metrics, { rounds }: RunState, best: BestRound | undefined): readonly string[] {
  const names = Object.keys(metrics);
  const measured = rounds.flatMap(({ round: { number }, evidence }) => (evidence?.metrics ? [{ number, ...evidence.metrics }] : []));
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const shown = measured.slice(-MOST_MEASURED);
  return [
    "## What was measured",
    "",
    row([
      "Round",
      ...names.map((name) => `${name}${metrics[name]?.target === undefined ? "" : ` (target ${tellFigure(metrics[name].target)})`}`),
      "Checks",
    ]),
    row(["---", ...names.map(() => "---"), "---"]),
    ...shown.map(({ number, values, holds }) =>
      row([
        `${number}${number === best?.number ? (best.value === null ? " (proposed)" : " (best)") : ""}`,
        ...names.map((name) => tellFigure(values[name] ?? null)),
        holds ? "hold" : "do not hold",
      ]),
    ),
    ...(measured.length > shown.length ? ["", `${measured.length - shown.length} earlier round(s) are on record.`] : []),
    "",
  ];
}

const MOST_MEASURED = 50;

const levelLines = ({ spec }: RunOpened, evidence: Evidence): readonly string[] => {
  const level = levelOf(spec, evidence);
  if (level === spec.level) return [];
  return [`- Level: held at ${level}: ${inert(whyHeldBack(spec, evidence) ?? "it read text of outsiders")}`];
};

const proposalLines = ({ round }: RoundState, on: Accepted["on"]): readonly string[] => {
  const branch = branchOf(round.id, on);
  return [`- Branch: ${branch}`, `- Look: \`git diff ${round.base.slice(0, 12)} ${branch}\`, then merge it or delete it`];
};

function baseLines({ checks, quarantine, failure }: Baseline): readonly string[] {
  const apart = new Set(checks.flatMap(({ quarantined }) => quarantined));
  return [
    "## On base, before any change",
    "",
    ...(failure ? [`- failed outside: ${inert(failure.message)} (${failure.hint})`] : []),
    ...checks.map((check) => {
      const runs = check.runs < check.asked ? `${check.runs} of ${check.asked} run(s)` : `${check.runs} run(s)`;
      return `- ${namesOf(check)}: ${check.state} in ${runs}, seen by ${check.lookedBy} at ${check.lookedAt}: ${inert(check.detail)}`;
    }),
    ...quarantine
      .filter(({ id }) => apart.has(id))
      .map(({ id, until, runs, failed }) => `- flaky: ${inert(id)} failed in ${failed} of ${runs} runs on base; left out until ${until}`),
    "",
  ];
}

function roundLines({ round, steps, evidence, verdict, failures }: RoundState): readonly string[] {
  const took = steps.reduce((sum, { tookMs }) => sum + tookMs, 0);
  return [
    `### Round ${round.number} (${formatDuration(took)})`,
    "",
    ...(evidence ? [...evidenceLines(evidence), ...boxLines(evidence)] : []),
    ...failures.map(({ message, hint }) => `- failed outside: ${inert(message)} (${hint})`),
    `- verdict: ${verdict ? tellVerdict(verdict) : "none yet"}`,
    "",
  ];
}

/** Which box held what: a line where there was one, and where there was none. */
const boxLines = ({ proposal, proofs }: Evidence): readonly string[] => [
  ...factsOf(proposal).boxes.flatMap((box) => (box ? [`- box of the maker: ${inert(tellBox(box))}`] : [])),
  ...proofs.flatMap(({ caches, verifier }) =>
    caches ? [`- caches lent to ${verifier}: ${inert(caches.join(", "))}, from the look at base`] : [],
  ),
  ...[...new Set(proofs.flatMap(({ box, verifier }) => (box ? [`- box of ${verifier}: ${inert(tellBox(box))}`] : [])))],
];

const evidenceLines = ({ proposal, findings, proofs, taint, seal, prepared, heldOut, hints = [] }: Evidence): readonly string[] => [
  proposedLine(proposal),
  ...makerLines(proposal),
  ...(taint?.kind === "tainted" ? [`- tainted: it read text of outsiders (${inert(taint.by.join(", "))})`] : []),
  ...(prepared ? preparedLines(prepared) : []),
  ...(heldOut ? [`- held out: ${tellHeldOut(heldOut)}; seed ${heldOut.seed}`] : []),
  ...findings.map(({ rule, severity, where }) => `- finding: ${severity} ${rule}: ${inert(where)}`),
  ...(seal
    ? [`- sealed files it changed: ${inert([...seal.restored, ...seal.dropped].join(", "))}; checked with base's version and with its own`]
    : []),
  ...proofs.map(
    ({ verifier, kind, outcome, detail, room, of }) =>
      `- ${kind}: ${verifier}${room ? ` (${room})` : ""}${of ? ` (of ${of.join(", ")})` : ""} ${outcome}: ${inert(detail)}`,
  ),
  ...hints.map((hint) => `- hint: ${inert(hint)}`),
];

/** Who it was of several, and why not those before it. */
const makerLines = (proposal: Proposal): readonly string[] => {
  const { maker, team } = factsOf(proposal);
  if (team)
    return [
      ...team.workers.map((worker) => `- worker ${inert(tellWorker(worker))}`),
      ...team.joins.map((join) => `- join ${inert(tellJoin(join))}`),
    ];
  if (!maker) return [];
  return [`- maker: ${maker.name}`, ...maker.insteadOf.map(({ name, why }) => `- instead of ${name}: ${inert(why)}`)];
};

const preparedLines = ({ how, files, notes, again, changed }: PreparedEvidence): readonly string[] => [
  `- prepared: ${files} file(s) from base, ${how}${again > 0 ? `, and made again ${again} time(s) because something had written into them` : ""}`,
  ...notes.map((note) => `- prepared, note: ${inert(note)}`),
  ...(changed.length > 0 ? [`- prepared, note: it was checked with what base's ${inert(changed.join(", "))} gave, not with its own`] : []),
];

const tellHeldOut = ({ files, paths }: HeldOut): string => {
  if (files === 0) return "a check";
  return paths ? `${files} file(s): ${inert(paths.join(", "))}` : `${files} file(s), which are told when the run is over`;
};

const tellVerdict = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case "accept":
      return `accepted, ${verdict.action}`;
    case "retry":
      return `refused (${verdict.because}), try again`;
    case "escalate":
      return `handed over (${verdict.because})`;
    case "halt":
      return `halted (${verdict.because})`;
  }
};
