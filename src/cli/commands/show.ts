// lw show: what is on record of one run, for people, as JSON, or one of the files that were kept.
import type { Records } from "../../app/open-records.ts";
import { findRun } from "../../app/records/find-run.ts";
import { reportOf } from "../../app/records/report-of.ts";
import { isRunning, viewOf } from "../../app/records/views.ts";
import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { Baseline } from "../../contract/baseline.ts";
import type { EgressFact } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Evidence, PreparedEvidence } from "../../contract/evidence.ts";
import { factsOf, type ProposalArtifact } from "../../contract/proposal.ts";
import type { RoundView, RunView } from "../../contract/views.ts";
import { tellCause } from "../../contract/waking.ts";
import { restedView } from "../../journal/views.ts";
import { firstLine, visibleText } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import { tellBox } from "../../std/tell-box.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { firstOfEach } from "../print/first-of-each.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { tellStandsOn } from "../print/tell-decided.ts";
import { tellMetrics } from "../print/tell-metrics.ts";
import { tellMaking, tellProposed } from "../print/tell-proposal.ts";
import { isGood, isGoodRest, tellCheck, tellCost, tellOnlyProposed, tellStanding, tellVerdict, whyNotWell } from "../print/words.ts";

export const show: Command = (call) =>
  withRecords(call, async (records) => {
    const view = await viewOf(records, await findRun(records, call.args[0]!));
    const { report, diff, brief, output, records: all, all: every } = call.options;
    if (report) await printArtifact(call, records, "report", await mustReport(records, view));
    else if (diff) {
      await printArtifact(call, records, "diff", (await askedAbout(records, view)) ?? artifactOf(view, "diff"));
      tellAmended(call, view);
    } else if (brief) await printBrief(call, records, view);
    else if (output !== undefined) await printArtifact(call, records, "output", outputOf(view, String(output)));
    else if (all) await printRecords(call, records, view);
    else if (wantsJson(call)) printJson(call, view);
    else {
      const running = !view.rest && (await isRunning(records, view.loop));
      call.io.out(tellView(view, { running, isAll: every === true }, records.clock.now(), createPaint(call.io.outColor)));
    }
    return "done";
  });

/** What a reviewer made of it is in the repository, and on no record. */
function tellAmended({ io }: Call, { proposal, base }: RunView): void {
  if (proposal?.amendedBy === undefined) return;
  const now = `git diff ${base.commit.slice(0, 12)} ${proposal.commit.slice(0, 12)}`;
  io.err(`lw: this is what the maker proposed; ${proposal.amendedBy} amended it since. What is proposed now: ${now}\n`);
}

async function printArtifact(call: Call, records: Records, name: string, ref: ArtifactRef): Promise<void> {
  const bytes = await records.artifacts.read(ref);
  const text = Buffer.from(bytes).toString("utf8");
  if (wantsJson(call)) printJson(call, { [name]: text, truncated: ref.truncated });
  // A terminal would obey what a stranger's output tells it; a file or a pipe gets the bytes as they are.
  else call.io.out(call.io.outIsTerminal ? visibleText(text) : bytes);
  if (ref.truncated) call.io.err(`lw: there was more than ${ref.bytes} bytes; the rest was not kept\n`);
}

/** In a team everybody has a brief of their own: each stands under the name of who was told it. */
async function printBrief(call: Call, records: Records, view: RunView): Promise<void> {
  const evidence = lastEvidence(view);
  const told = (evidence && factsOf(evidence.proposal).team?.workers)?.flatMap(({ id, brief }) => (brief ? [{ id, brief }] : [])) ?? [];
  if (told.length === 0) return printArtifact(call, records, "brief", artifactOf(view, "brief"));
  const read = async (ref: ArtifactRef): Promise<string> => Buffer.from(await records.artifacts.read(ref)).toString("utf8");
  const briefs = await Promise.all(told.map(async ({ id, brief }) => [id, await read(brief)] as const));
  if (wantsJson(call)) return printJson(call, { briefs: Object.fromEntries(briefs) });
  const text = briefs.map(([id, brief]) => `==> ${id} <==\n${brief.trimEnd()}\n`).join("\n");
  call.io.out(call.io.outIsTerminal ? visibleText(text) : text);
}

async function printRecords(call: Call, records: Records, view: RunView): Promise<void> {
  const { entries } = await records.journal.story(view.run);
  if (wantsJson(call)) return printJson(call, { records: entries });
  for (const entry of entries) call.io.out(`${JSON.stringify(entry)}\n`);
}

async function mustReport(records: Records, { run }: RunView): Promise<ArtifactRef> {
  const report = await reportOf(records, run);
  if (!report) throw nothing(`the run ${run} has not come to rest, so there is no report yet`);
  return report;
}

/** What a person is asked about while the last round goes on, where that is what workers of a team made. */
async function askedAbout({ journal }: Records, { run, rounds }: RunView): Promise<ArtifactRef | undefined> {
  const last = rounds.at(-1);
  if (!last || last.evidence) return undefined;
  const asked = (await journal.story(run)).entries.map(({ record }) => record).findLast((record) => record.kind === "review-asked");
  return asked?.roundId === last.id ? asked.shows : undefined;
}

const MISSING: { readonly [name in ProposalArtifact]: (run: string) => string } = {
  diff: (run) => `the run ${run} has proposed no change`,
  brief: (run) => `no brief of the run ${run} is on record`,
};

function artifactOf(view: RunView, name: ProposalArtifact): ArtifactRef {
  const evidence = lastEvidence(view);
  const ref = evidence && factsOf(evidence.proposal).artifacts[name];
  if (!ref) throw nothing(MISSING[name](view.run));
  return ref;
}

function outputOf(view: RunView, asked: string): ArtifactRef {
  const proofs = lastEvidence(view)?.proofs ?? [];
  const output = proofs[Number(asked) - 1]?.output;
  if (!output) throw nothing(`the last round of ${view.run} has no output of a verifier ${asked}; it had ${proofs.length} verifier(s)`);
  return output;
}

const lastEvidence = (view: RunView): Evidence | undefined =>
  restedView(view)?.evidence ?? view.rounds.findLast(({ evidence }) => evidence)?.evidence ?? undefined;

const nothing = (message: string): LoopError =>
  new LoopError("bad-input", message, { retry: "never", hint: "`lw show RUN` shows what there is." });

interface Telling {
  readonly running: boolean;
  /** Every finding, and not the first of each kind. */
  readonly isAll: boolean;
}

function tellView(view: RunView, { running, isAll }: Telling, now: Date, paint: Paint): string {
  const ending = view.rest ? tellStanding({ ...view, rest: view.rest }, now) : running ? "running" : "interrupted";
  const why = view.rest?.kind === "nothing-to-do" ? view.rest.reason : view.rest ? whyNotWell(view.rest) : undefined;
  const lines = [
    `${paint("bold", view.run)}  ${paint(view.rest && isGoodRest(view.rest) ? "green" : "yellow", ending)}`,
    `  intent   ${view.intent}`,
    `  level    ${view.level}`,
    ...(view.alone?.kind === "not" && !view.proposal?.settled
      ? [`  ${paint("yellow", firstLine(tellOnlyProposed(view.alone.why), 600))}`]
      : []),
    `  target   ${view.repo} at ${view.base.ref} (${view.base.commit.slice(0, 12)})`,
    `  spec     ${view.specPath} (${view.specHash.slice(0, 12)})`,
    ...(view.cause?.causes ?? []).slice(0, 5).map((cause, at) => `  ${at === 0 ? "woken by" : "        "} ${tellCause(cause)}`),
    ...Object.entries(view.inputs ?? {}).map(
      ([name, { value, by }]) => `  input    ${name}: ${firstLine(typeof value === "string" ? value : JSON.stringify(value), 120)} (${by})`,
    ),
    `  opened   ${view.openedAt}, worked ${formatDuration(view.workedMs)}${view.resumed > 0 ? `, resumed ${view.resumed} time(s)` : ""}`,
    `  cost     ${tellCost(view.cost)}`,
    ...(view.models ?? []).map(({ maker, model }, at) => `  ${at === 0 ? "models  " : "        "} ${firstLine(`${maker}: ${model}`, 160)}`),
    ...(view.passedCaps ?? []).map((passed) => `           ${paint("yellow", `past its budget: ${passed}`)}`),
    ...(view.damagedRecords.length > 0 ? [`  ${paint("red", `damaged records: ${view.damagedRecords.join(", ")}`)}`] : []),
    ...(view.baseline ? tellBaseline(view.baseline, view.run, paint) : []),
    ...view.rounds.flatMap((round) => tellRound(round, isAll, paint)),
    "",
    ...(view.metrics ? [paint("bold", "Metrics"), ...tellMetrics(view.metrics, MOST_ROUNDS_TOLD).map((line) => `  ${line}`), ""] : []),
    ...(why !== undefined
      ? [
          `${paint("bold", "Why")}  ${why
            .split("\n")
            .slice(0, 12)
            .map((line) => firstLine(line, 200))
            .join("\n     ")}`,
        ]
      : []),
    ...(view.branch ? [`${paint("bold", "Branch")}  ${view.branch}`] : []),
    ...(view.proposal ? tellProposal(view.proposal, paint) : []),
    ...(view.exit
      ? [paint("dim", `exit ${view.exit.code}: ${view.exit.means}`)]
      : [paint("dim", running ? `stop it: lw stop ${view.loop}` : `go on: lw resume ${view.loop}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

const MOST_ROUNDS_TOLD = 30;

const tellProposal = (proposal: NonNullable<RunView["proposal"]>, paint: Paint): readonly string[] => [
  `${paint("bold", "Tree")}    ${proposal.tree}${proposal.amendedBy ? ` (amended by ${proposal.amendedBy})` : ""}`,
  ...proposal.approvals.map(
    ({ by, at, why, until }) =>
      `  ${paint("green", "approved")}  by ${by} at ${at}${until ? ` until ${until}` : ""}${why === "" ? "" : `: ${firstLine(why, 120)}`}`,
  ),
  ...(proposal.refreshed ? [`  put on ${proposal.refreshed.base.slice(0, 12)}, where base is since`] : []),
  ...(proposal.stuck ? [`  ${paint("yellow", "base moved")}  ${firstLine(proposal.stuck.why, 160)}`] : []),
  ...(proposal.rejected ? [`  ${paint("red", "rejected")}  by ${proposal.rejected.by}: ${firstLine(proposal.rejected.why, 120)}`] : []),
  ...(proposal.recheck?.standsOn
    ? [`  ${tellStandsOn(proposal.recheck.standsOn)}`]
    : proposal.recheck
      ? [`  verified again: ${proposal.recheck.holds ? "holds" : firstLine(proposal.recheck.why, 160)}`]
      : []),
  ...proposal.receipts.map(({ action, says }) => `  ${paint("green", action)}  ${firstLine(says, 160)}`),
  ...(proposal.unclear ? [`  ${paint("red", "unclear")}  ${firstLine(proposal.unclear, 160)}`] : []),
  ...(proposal.failed ? [`  ${paint("red", "failed")}  ${firstLine(`${proposal.failed.why} ${proposal.failed.hint}`, 200)}`] : []),
  ...(proposal.settled ? [`  ${proposal.settled.how}: ${firstLine(proposal.settled.why, 160)}`] : []),
];

function tellBaseline({ checks, quarantine, failure }: Baseline, run: string, paint: Paint): readonly string[] {
  const apart = new Set(checks.flatMap(({ quarantined }) => quarantined));
  return [
    "",
    paint("bold", "Base"),
    ...(failure ? [`  ${paint("red", "failed")}    ${firstLine(failure.message, 200)} ${failure.hint}`] : []),
    ...checks.map((check) => `  ${check.state.padEnd(9)} ${firstLine(tellCheck(check, run), 200)}`),
    ...quarantine
      .filter(({ id }) => apart.has(id))
      .map(
        ({ id, runs, failed, until }) =>
          `  ${paint("yellow", "flaky")}     ${firstLine(id, 120)}: failed in ${failed} of ${runs} runs; left out until ${until}`,
      ),
  ];
}

function tellRound(
  { number, steps, evidence, verdict, egress = [], failures, refusedNotes = [] }: RoundView,
  isAll: boolean,
  paint: Paint,
): readonly string[] {
  return [
    "",
    `${paint("bold", `Round ${number}`)}  ${paint("dim", steps.map(({ step, tookMs }) => `${step} ${formatDuration(tookMs)}`).join(" · "))}`,
    ...(evidence ? tellEvidence(evidence, isAll, paint) : []),
    ...egress.flatMap(({ hosts }) => hosts.slice(0, MOST_HOSTS_TOLD).map((host) => `  network   ${tellHost(host, paint)}`)),
    ...refusedNotes.map((why) => `  ${paint("yellow", "note")}      not kept: ${firstLine(why, 160)}`),
    ...failures.map(({ message, hint }) => `  ${paint("red", "failed")}    ${firstLine(message, 200)} ${hint}`),
    ...(verdict ? [`  ${isGood(verdict) ? paint("green", "verdict") : paint("yellow", "verdict")}   ${tellVerdict(verdict)}`] : []),
  ];
}

const MOST_HOSTS_TOLD = 10;

const tellHost = ({ host, port, allowed, refused, sent, received }: EgressFact["hosts"][number], paint: Paint): string => {
  const where = firstLine(`${host}:${port}`, 80);
  return [
    ...(allowed > 0 ? [paint("dim", `${where} ${allowed} time(s), ${sent} bytes sent, ${received} received`)] : []),
    ...(refused > 0 ? [paint("yellow", `${where} refused ${refused} time(s)`)] : []),
  ].join("; ");
};

const tellEvidence = (
  { proposal, findings, proofs, prepared, heldOut, hints = [] }: Evidence,
  isAll: boolean,
  paint: Paint,
): readonly string[] => [
  ...tellProposed(proposal, paint),
  ...(prepared ? [`  prepared  ${tellPrepared(prepared)}`, ...prepared.notes.map((note) => `            ${firstLine(note, 160)}`)] : []),
  ...(heldOut ? [`  held out  ${heldOut.files} file(s), seed ${heldOut.seed}`] : []),
  ...(heldOut?.paths ?? []).slice(0, 20).map((path) => `            ${firstLine(path, 120)}`),
  ...tellFindings(findings, isAll, paint),
  ...proofs.map(
    ({ verifier, kind, outcome, detail }) =>
      `  ${kind.padEnd(9)} ${outcome === "holds" ? paint("green", outcome) : paint("red", outcome)} ${verifier}: ${firstLine(detail, 160)}`,
  ),
  ...tellMaking(proposal, paint),
  ...proofs.flatMap(({ verifier, box }) => (box ? [`  box       ${paint("dim", `${verifier}: ${firstLine(tellBox(box), 160)}`)}`] : [])),
  ...hints.map((hint) => `  ${paint("yellow", "hint")}      ${firstLine(hint, 200)}`),
];

function tellFindings(findings: Evidence["findings"], isAll: boolean, paint: Paint): readonly string[] {
  const { told, more } = firstOfEach(findings, isAll);
  return [
    ...told.map(({ severity, rule, where }) => `  ${paint("red", "finding")}   ${severity} ${rule}: ${firstLine(where, 160)}`),
    ...more.map(({ severity, rule, count }) => `  ${paint("red", "finding")}   ${severity} ${rule}: ${count} more; --all tells them`),
  ];
}

function tellPrepared({ how, files, again, changed }: PreparedEvidence): string {
  const remade = again > 0 ? `, made again ${again} time(s) because something had written into them` : "";
  const notOwn = changed.length > 0 ? `; from base's ${firstLine(changed.join(", "), 100)}, not from its own` : "";
  return `${files} file(s) from base, ${how}${remade}${notOwn}`;
}
