// What a proof report says, in order, before it is put into any form. Pure: a receipt and the texts it names in, a page out.

import type { Amounts, Measure } from "../contract/ledger.ts";
import { MEASURES } from "../contract/ledger.ts";
import type { ReceiptCheck, RunReceipt, RunResult } from "../contract/receipt.ts";
import { type BestRound, nameOfBest } from "../contract/verdict.ts";
import { formatDuration } from "../std/duration.ts";
import { tellBox } from "../std/tell-box.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { tellShort } from "../std/tell-tests.ts";
import { tellJoin, tellWorker } from "../std/tell-worker.ts";
import { formatUsd } from "../std/usd.ts";
import { resultFor, resultOf } from "./receipt.ts";
import { joinWords, type Words, words } from "./words.ts";

export interface ReportMatter {
  readonly receipt: RunReceipt;
  /** By hash: what the artifacts hold that the receipt names. */
  readonly texts: ReadonlyMap<string, ArtifactText>;
  /** Where the signed receipt lies; not there when none was made. */
  readonly keptAt?: string;
}

export type ArtifactText =
  /** The end of it; `length` is how many characters there are in all. */
  { readonly kind: "text"; readonly text: string; readonly length: number } | { readonly kind: "gone"; readonly why: string };

export interface ReportPage {
  readonly title: Words;
  readonly banner: { readonly result: RunResult; readonly words: Words };
  readonly sections: readonly Section[];
  /** What this page does and does not show. */
  readonly scope: readonly string[];
}

export interface Section {
  readonly heading: Words;
  readonly level: 2 | 3;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "facts"; readonly facts: readonly Fact[] }
  | { readonly kind: "list"; readonly items: readonly Words[] }
  | { readonly kind: "says"; readonly words: Words }
  /** Lines that somebody else printed or wrote. */
  | { readonly kind: "lines"; readonly text: string };

export interface Fact {
  readonly label: string;
  readonly words: Words;
}

export function layOutReport({ receipt, texts, keptAt }: ReportMatter): ReportPage {
  return {
    title: words`Proof report: ${receipt.loop}`,
    banner: bannerOf(receipt),
    sections: [
      askedSection(receipt),
      madeSection(receipt),
      ...teamSections(receipt),
      ...checkSections(receipt, texts),
      findingsSection(receipt),
      verdictSection(receipt),
      ...measuredSections(receipt),
      costSection(receipt),
      decisionsSection(receipt),
      movedSection(receipt),
      originSection(receipt, keptAt),
    ],
    scope: SCOPE,
  };
}

const SCOPE = [
  "This page was made from the records of the run. It tells what was checked and what came of it, and nothing about what nobody looked at.",
  "A check that holds shows that this check passed on that tree in that box. It does not show that the change is right in every other way.",
  "The page itself is not signed and can be edited. What counts is the signed receipt: verify it, and compare the hashes.",
];

/** How it ended, and never prettier than the rest of the record: a pass that its own checks do not bear out is none. */
export function resultOfReceipt(receipt: RunReceipt): RunResult {
  const { tested, checks, findings } = receipt;
  const result = resultOf(receipt);
  if (result !== "passed") return result;
  const again = tested && resultFor(receipt, tested.tree);
  if (again !== undefined && again !== "passed") return again;
  const counting = checks.filter(({ room }) => room !== "own");
  const isBorneOut =
    counting.some(({ kind, outcome, of }) => kind === "proof" && outcome === "holds" && of === undefined) &&
    counting.every(({ outcome }) => outcome === "holds") &&
    findings.every(({ severity }) => severity !== "critical" && severity !== "high");
  return isBorneOut ? "passed" : "unknown";
}

function bannerOf(receipt: RunReceipt): ReportPage["banner"] {
  const result = resultOfReceipt(receipt);
  const was = (what: string): boolean => receipt.decisions.some(({ decision }) => decision === what);
  const since = [
    ...(was("reject") ? words` Somebody rejected it afterwards.` : []),
    ...(was("revert") ? words` It was taken back afterwards.` : []),
  ];
  return { result, words: joinWords(BANNERS[result], since) };
}

const BANNERS: { readonly [R in RunResult]: Words } = {
  passed: words`PASSED: every check on record that counts holds.`,
  refused: words`REFUSED: it was shown not to be right, or not to be allowed.`,
  unknown: words`CANNOT TELL: it was neither proven nor refuted, which is not a pass.`,
  "nothing-to-do": words`NOTHING TO DO: base needed nothing, and nothing was changed.`,
};

function askedSection({ asked, kind, loop, run, at, version }: RunReceipt): Section {
  return section("What was asked", [
    facts([
      ["Intent", words`${asked.intent}`],
      ["Loop", words`${loop}`],
      ["Run", words`${run}`],
      ["Kind", kind === "referee" ? words`a referee judged a change that somebody else made` : words`a run of the loop`],
      ["Level", words`${asked.level}`],
      ["Spec", words`sha256 ${asked.specHash}`],
      ["Policy", asked.policyHash === undefined ? words`not on record` : words`sha256 ${asked.policyHash}`],
      ["Base", words`${asked.base.ref} at ${asked.base.commit}`],
      ["Opened", words`${asked.openedAt}`],
      ["Told", words`${at}, by version ${version}`],
    ]),
    ...longText(asked.intent),
  ]);
}

/** Who did what, what flowed where, and who says something else. */
function teamSections({ maker: { workers, joins = [] } }: RunReceipt): readonly Section[] {
  if (!workers) return [];
  const lines = [...workers.map((worker) => words`${tellWorker(worker)}`), ...joins.map((join) => words`join ${tellJoin(join)}`)];
  return [section("Who worked", [{ kind: "list", items: lines }])];
}

function madeSection({ maker, tested }: RunReceipt): Section {
  return section("What was made and tested", [
    facts([
      ["Maker", words`${maker.name}`],
      ...(maker.models ? ([["Models", words`${maker.models.join(", ")}`]] as const) : []),
      ...(maker.insteadOf
        ? ([["Instead of", words`${maker.insteadOf.join(", ")}, who had reached a limit or could not be reached`]] as const)
        : []),
      ["Rounds", words`${maker.rounds}`],
      ["Box", maker.box ? words`${tellBox(maker.box)}` : words`not on record`],
      ["Outsiders", tellTaint(maker.taint)],
      ...(tested
        ? ([
            ["Commit", tested.commit === undefined ? words`none: a work tree that is no commit` : words`${tested.commit}`],
            ["Tree", words`${tested.tree}`],
            ["On base", words`${tested.base}`],
            ["Files", words`${tested.files}`],
          ] as const)
        : ([["Tested", words`no change: no round came so far, or it made none`]] as const)),
    ]),
  ]);
}

function tellTaint(taint: "clean" | "tainted" | undefined): Words {
  if (taint === undefined) return words`not on record`;
  return taint === "tainted" ? words`it read text that outsiders wrote` : words`it read no text that outsiders wrote`;
}

function checkSections({ checks }: RunReceipt, texts: ReportMatter["texts"]): readonly Section[] {
  const head = section("Checks", [
    checks.length === 0 ? says(words`No check is on record, so nothing was shown.`) : says(words`${checks.length} on record:`),
  ]);
  return [head, ...checks.map((check, index) => checkSection(check, index + 1, texts))];
}

function checkSection(check: ReceiptCheck, number: number, texts: ReportMatter["texts"]): Section {
  const { verifier, kind, outcome, detail, room, box, output, of } = check;
  const printed = output && texts.get(output.sha256);
  return {
    level: 3,
    heading: words`Check ${number}: ${verifier} ${outcome}`,
    blocks: [
      facts([
        ["Kind", kind === "proof" ? words`proof: the engine ran it itself` : words`opinion: it can sink a change and never carry it`],
        ["Outcome", words`${outcome}`],
        ["Detail", words`${detail}`],
        ...(room
          ? ([
              ["Sealed files", room === "own" ? words`in the version of the change: this does not count` : words`as they are on base`],
            ] as const)
          : []),
        ...(of ? ([["Looked at", words`what ${of.join(", ")} made: it can sink a proposal and never carry it`]] as const) : []),
        ["Box", box ? words`${tellBox(box)}` : words`not on record`],
        ["Output", output ? words`sha256 ${output.sha256}, ${output.bytes} bytes` : words`none was kept`],
      ]),
      ...(isIn(detail, printed) ? [] : longText(detail)),
      ...(output ? outputBlocks(printed, output.truncated) : []),
    ],
  };
}

/** Whether everything but the first line of a detail is shown with the output anyway. */
const isIn = (detail: string, printed: ArtifactText | undefined): boolean =>
  detail.includes("\n") && printed?.kind === "text" && printed.text.includes(detail.slice(detail.indexOf("\n") + 1).trim());

/** More of one output is not shown. */
export const MOST_OUTPUT = 32 * 1024;

function outputBlocks(kept: ArtifactText | undefined, wasCut: boolean): readonly Block[] {
  if (!kept || kept.kind === "gone") return [says(words`The output cannot be shown: ${kept?.why ?? "it was not read"}`)];
  const shown = kept.text.slice(-MOST_OUTPUT);
  return [
    ...(shown.length < kept.text.length
      ? [says(words`Only the last ${shown.length} of ${kept.text.length} characters of the output:`)]
      : []),
    ...(wasCut ? [says(words`There was more output than was kept.`)] : []),
    shown === "" ? says(words`It printed nothing.`) : { kind: "lines", text: shown },
  ];
}

const findingsSection = ({ findings }: RunReceipt): Section =>
  section("Findings", [
    listOr(
      findings.map(({ rule, severity, where }) => words`${severity} ${rule}: ${where}`),
      words`None on record.`,
    ),
  ]);

function verdictSection({ rest }: RunReceipt): Section {
  if (rest.kind === "accept" && rest.best) return section("Verdict", bestBlocks(rest.best));
  if (rest.kind === "accept")
    return section("Verdict", [
      facts([
        [
          "Verdict",
          rest.on === "opinion"
            ? words`accepted on opinion alone, to ${rest.action}: nothing was proven`
            : rest.on === "part"
              ? words`accepted, to ${rest.action}, ${tellShort("part", rest.stillRed)}`
              : words`accepted, to ${rest.action}`,
        ],
      ]),
    ]);
  return section("Verdict", [
    facts([
      ["Verdict", words`${rest.kind}`],
      ...(rest.kind === "nothing-to-do" ? [] : ([["Because", words`${rest.because}`]] as const)),
      ["Reason", words`${rest.reason}`],
    ]),
    ...longText(rest.reason),
  ]);
}

/** A row for each round: a plain list reads well in every form that a report has. */
function measuredSections({ metrics }: RunReceipt): readonly Section[] {
  if (!metrics) return [];
  const { metrics: named, rounds, best } = metrics;
  const targets = named.flatMap(({ name, target, better, from, isPrimary }) => [
    words`${name}, from ${from}${isPrimary ? ", by which rounds are compared" : ""}: ${target === null ? "no target" : `target ${better === "lower" ? "at most" : "at least"} ${tellFigure(target)}`}`,
  ]);
  const measured = rounds.map(
    ({ number, values, holds }) =>
      words`Round ${number}${number === best ? " (the best, proposed)" : ""}: ${named.map(({ name }) => `${name} ${tellFigure(values[name] ?? null)}`).join(", ")}; checks ${holds ? "hold" : "do not hold"}`,
  );
  return [section("What was measured", [{ kind: "list", items: targets }, listOr(measured, words`No round was measured.`)])];
}

/** Whoever reads it must not take the best there was for what was asked for. */
const bestBlocks = ({ number, metric, value, because, reason }: BestRound): readonly Block[] => [
  facts([
    ["Verdict", words`proposed as ${nameOfBest({ value })} of its rounds: its checks hold, and the run did not end well`],
    ["Round", words`${number}`],
    ...(metric === null ? [] : ([["Best by", value === null ? words`${metric}` : words`${metric}, which was ${value}`]] as const)),
    ["The run ended", words`${because}`],
    ["Reason", words`${reason}`],
  ]),
  ...longText(reason),
];

function costSection({ cost: { amounts, basis } }: RunReceipt): Section {
  const counted = MEASURES.flatMap((measure) =>
    amounts[measure] === undefined ? [] : [[MEASURED[measure], tellAmount(measure, amounts)] as const],
  );
  return section("Cost", [facts([["Footing", basis === undefined ? words`unknown: nothing was reported` : words`${basis}`], ...counted])]);
}

const MEASURED: { readonly [M in Measure]: string } = {
  microUsd: "Money",
  tokens: "Tokens",
  input: "Input tokens",
  output: "Output tokens",
  cached: "Cached tokens",
  reasoning: "Reasoning tokens",
  timeMs: "Time",
  cpuMs: "CPU time",
  rounds: "Rounds",
  launches: "Launches",
  calls: "Model calls",
  tools: "Tool calls",
  processes: "Processes",
  diskBytes: "Disk bytes",
};

function tellAmount(measure: Measure, amounts: Amounts): Words {
  const amount = amounts[measure] ?? 0;
  if (measure === "microUsd") return words`${formatUsd(amount / 1e6)}`;
  return measure === "timeMs" || measure === "cpuMs" ? words`${formatDuration(amount)}` : words`${amount}`;
}

function decisionsSection({ decisions, rechecks }: RunReceipt): Section {
  return section("Decisions", [
    listOr(
      decisions.map(({ decision, by, at, why, tree }) =>
        joinWords(
          words`${decision} by ${by} at ${at}`,
          tree === undefined ? [] : words`, of tree ${tree}`,
          why === "" ? [] : words`: ${why}`,
        ),
      ),
      words`Nobody decided about it so far.`,
    ),
    ...(rechecks.length > 0 ? [{ kind: "list", items: rechecks.map(tellRecheck) } as const] : []),
  ]);
}

const tellRecheck = ({ commit, tree, base, verdict, at, standsOn }: RunReceipt["rechecks"][number]): Words =>
  joinWords(
    standsOn === undefined
      ? words`verified again at ${at}: tree ${tree} on base ${base}`
      : words`not proven again at ${at}, since nothing that record ${standsOn} went by had changed: tree ${tree} on base ${base}`,
    commit === undefined ? [] : words`, commit ${commit}`,
    words`: ${verdict}`,
  );

function movedSection({ moved, settled }: RunReceipt): Section {
  return section("What moved", [
    listOr(
      moved.map(({ action, says: said, facts: known }) =>
        joinWords(words`${action}: ${said}`, ...Object.entries(known).map(([name, value]) => words`; ${name} ${value}`)),
      ),
      words`Nothing is on record that moved.`,
    ),
    ...(settled ? [facts([["Settled", words`${settled.how}: ${settled.why}`]])] : []),
  ]);
}

function originSection({ journal, artifacts, run }: RunReceipt, keptAt: string | undefined): Section {
  return section("Where this comes from", [
    facts([
      ["Journal", words`chain ${journal.chain}`],
      ["Records", words`${journal.records}, from number ${journal.from} to ${journal.to}`],
      ["Last hash", words`${journal.head}`],
      ["Receipt", keptAt === undefined ? words`no signed receipt of this run was found: ${run}` : words`${keptAt}`],
    ]),
    listOr(
      artifacts.map(({ name, sha256, bytes, truncated }) =>
        joinWords(words`${name}: sha256 ${sha256}, ${bytes} bytes`, truncated ? words`, of which there was more than was kept` : []),
      ),
      words`No artifacts are on record.`,
    ),
  ]);
}

const section = (heading: string, blocks: readonly Block[]): Section => ({ level: 2, heading: [{ whose: "ours", text: heading }], blocks });

const facts = (rows: readonly (readonly [label: string, words: Words])[]): Block => ({
  kind: "facts",
  facts: rows.map(([label, told]) => ({ label, words: told })),
});

const says = (told: Words): Block => ({ kind: "says", words: told });

const listOr = (items: readonly Words[], none: Words): Block => (items.length === 0 ? says(none) : { kind: "list", items });

const MOST_LINE = 200;
const MOST_LONG = 8 * 1024;

/** What does not fit into a line is told in full below it, as far as anybody would read. */
function longText(text: string): readonly Block[] {
  if (!text.trim().includes("\n") && text.length <= MOST_LINE) return [];
  const shown = text.slice(0, MOST_LONG);
  return [
    says(shown.length < text.length ? words`The first ${shown.length} of its ${text.length} characters:` : words`In full:`),
    { kind: "lines", text: shown },
  ];
}
