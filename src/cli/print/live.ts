// The screen while a run goes on: each step with its time, and why it stopped.
import type { EgressFact } from "../../contract/commands.ts";
import type { MakerEvent } from "../../contract/maker-events.ts";
import type { BaselineTaken, Entry, LoopRecord } from "../../contract/record.ts";
import type { Watch } from "../../contract/watch.ts";
import { formatCount } from "../../std/count.ts";
import { firstLine } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import { formatUsd } from "../../std/usd.ts";
import type { Io } from "../call.ts";
import { createPaint, type Paint } from "./paint.ts";
import { tellStandsOn } from "./tell-decided.ts";
import { isGood, tellCheck, tellVerdict } from "./words.ts";

interface Timer {
  repeat(everyMs: number, work: () => void): { readonly end: () => void };
  nowMs(): number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Writes to stderr only. On a terminal the running step is redrawn; elsewhere each finished step is one line. */
export function createLive(io: Io, timer: Timer): { readonly watch: Watch; readonly end: () => void } {
  const paint = createPaint(io.errColor);
  let running: { readonly step: string; readonly sinceMs: number } | undefined;
  let frame = 0;
  let spent = { usd: 0, tokens: 0, isGuess: false };

  const clear = (): void => {
    if (io.isLive && running) io.err("\r\u001b[2K");
  };
  const draw = (): void => {
    if (!io.isLive || !running) return;
    frame = (frame + 1) % FRAMES.length;
    io.err(
      `\r\u001b[2K  ${paint("cyan", FRAMES[frame]!)} ${tellStep(running.step)} ${paint("dim", [formatDuration(timer.nowMs() - running.sinceMs), ...tellSpent(spent)].join(" · "))}`,
    );
  };
  const ticking = io.isLive ? timer.repeat(100, draw) : undefined;

  return {
    watch(sighting) {
      clear();
      if (sighting.kind === "step-began") {
        running = { step: sighting.step, sinceMs: timer.nowMs() };
        return draw();
      }
      if (sighting.kind === "maker-said") {
        const said = tellSaid(sighting.event, io.columns);
        if (said !== undefined) io.err(`  ${paint("dim", said)}\n`);
        return draw();
      }
      if (sighting.entry.record.kind === "step-done") running = undefined;
      spent = addSpent(spent, sighting.entry.record);
      const lines = tellRecord(sighting.entry, paint, io.columns);
      if (lines.length > 0) io.err(`${lines.join("\n")}\n`);
      draw();
    },
    end() {
      clear();
      running = undefined;
      ticking?.end();
    },
  };
}

function tellBaseline({ baseline, tookMs }: BaselineTaken, run: string, paint: Paint, room: number): readonly string[] {
  const { checks, failure } = baseline;
  const time = paint("dim", formatDuration(tookMs));
  if (failure) return [`  ${paint("red", "✗")} ${firstLine(failure.message, room)} ${time}`, `    ${failure.hint}`];
  return checks.map((check) => {
    const isSettled = check.state === "red" || check.state === "green";
    return `  ${isSettled ? paint("dim", "·") : paint("red", "✗")} ${firstLine(tellCheck(check, run), room)} ${time}`;
  });
}

/** One line of what a maker says, and nothing of what only the record needs. */
function tellSaid(event: MakerEvent, columns: number): string | undefined {
  const room = Math.max(20, columns - 4);
  switch (event.kind) {
    case "text":
      return firstLine(`│ ${event.text.trim()}`, room);
    case "tool-call":
      return firstLine(`│ ${event.tool} ${event.about}`, room);
    case "limit":
      return firstLine(`│ limit: ${event.says}`, room);
    case "question":
      return firstLine(`│ asks: ${event.text}`, room);
    case "refused":
      return firstLine(`│ refused: ${event.what}`, room);
    case "error":
      return firstLine(`│ error: ${event.text}`, room);
    case "compacted":
      return firstLine(
        `│ made its conversation shorter: about ${event.tokensBefore} to ${event.tokensAfter} tokens, ${event.leftOut} older replies summed up`,
        room,
      );
    case "session":
    case "file-change":
    case "usage":
      return undefined;
  }
}

interface RunningFigure {
  readonly usd: number;
  readonly tokens: number;
  readonly isGuess: boolean;
}

/** What was spent since this process took the run up. */
function addSpent(before: RunningFigure, record: LoopRecord): RunningFigure {
  if (record.kind !== "spent" && record.kind !== "settled") return before;
  const { microUsd = 0, tokens = 0 } = record.amounts ?? {};
  if (microUsd === 0 && tokens === 0) return before;
  return { usd: before.usd + microUsd / 1e6, tokens: before.tokens + tokens, isGuess: before.isGuess || record.basis !== "reported" };
}

const tellSpent = ({ usd, tokens, isGuess }: RunningFigure): readonly string[] =>
  usd === 0 && tokens === 0 ? [] : [`${isGuess ? "about " : ""}${formatUsd(usd)}, ${formatCount(tokens)} tokens`];

const STEPS: { readonly [step: string]: string } = {
  baseline: "looking at base",
  gather: "gathering work",
  prepare: "preparing on base",
  make: "maker at work",
  commit: "committing what it left",
  admit: "examining what it will read",
  "admit-gathered": "examining what was gathered",
  "admit-agents-file": "examining AGENTS.md",
  scan: "scanning the change",
  seal: "putting sealed files back as they are on base",
  act: "handing over",
  take: "taking the change as it lies there",
  "look-again": "looking whether it is still the same",
};
const tellStep = (step: string): string =>
  STEPS[step] ??
  step
    .replace("verify-", "verifier ")
    .replace("notify-", "telling ")
    .replace("prepare-again-", "something wrote into what was prepared; made again, time ");

function tellRecord({ run, record }: Entry, paint: Paint, columns: number): readonly string[] {
  switch (record.kind) {
    case "run-opened":
      return [`${paint("bold", run)}  ${record.spec.level}  ${record.spec.intent}`];
    case "run-resumed":
      return [`${paint("bold", run)}  resumed`];
    case "round-opened":
      return [paint("bold", `Round ${record.round.number}`)];
    case "step-done":
      return tellStepDone(record, paint, columns);
    case "kept":
      return [`  ${paint("yellow", "·")} what it had done is kept (${record.work.commit.slice(0, 12)}); lw resume goes on from it`];
    case "round-closed":
      return [`  ${isGood(record.verdict) ? paint("green", "✓") : paint("yellow", "→")} ${tellVerdict(record.verdict)}`];
    case "round-failed":
      return [`  ${paint("red", "✗")} ${firstLine(record.message, columns - 4)}`, `    ${record.hint}`];
    case "baseline-taken":
      return tellBaseline(record, run, paint, Math.max(20, columns - 12));
    case "spent":
    case "settled":
      return tellFigure(record, paint);
    case "noted":
      return [
        ...(record.notes.length === 0
          ? []
          : [`  ${paint("dim", `wrote ${record.notes.length} note(s) for the next; lw notes shows them`)}`]),
        ...record.refused.map((why) => `  ${paint("yellow", "·")} a note was not kept: ${firstLine(why, Math.max(20, columns - 24))}`),
      ];
    case "improved":
      return [`  ${paint("dim", `instructions ${record.version} from the next round on (${record.use}: ${record.why})`)}`];
    case "improvement-proposed":
      return [`  ${paint("yellow", "·")} proposes instructions ${record.version}; lw evolve shows them`];
    case "undone":
      return [
        `  ${paint("yellow", "·")} instructions ${record.version} undone, back to ${record.to.version}: ${firstLine(record.why, columns - 20)}`,
      ];
    case "maker-reached":
      return tellReached(record.egress, paint);
    case "calibrated":
    case "client-asked":
    case "tools-accepted":
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
    case "flake-forgotten":
    case "notes-cleared":
    case "maker-heard":
    case "reserved":
    case "stop-requested":
    case "remembered":
    case "run-rested":
    case "decided":
    case "amended":
    case "refreshed":
    case "not-refreshed":
    case "answered":
    case "proposal-settled":
    case "reverted":
    case "loop-paused":
    case "loop-halted":
    case "loop-resumed":
    case "level-held":
    case "alerted":
    case "journal-mended":
    case "receipted":
    case "signer-changed":
      return [];
    case "checkpointed":
      return record.failed.map(
        ({ anchor, why }) => `  ${paint("yellow", "!")} ${firstLine(`not written to ${anchor}: ${why}`, columns - 4)}`,
      );
    case "rechecked":
      return [record.standsOn === undefined ? `  verified again: ${tellVerdict(record.verdict)}` : `  ${tellStandsOn(record.standsOn)}`];
    case "action-began":
      return [`  ${record.action}: ${firstLine(record.plan, columns - 12)}`];
    case "action-done":
      return [`  ${paint("green", "✓")} ${firstLine(record.receipt.says, columns - 4)}`];
    case "action-failed":
    case "action-unclear":
      return [`  ${paint("red", "✗")} ${firstLine(record.why, columns - 4)}`];
  }
}

function tellReached({ connections, hosts }: EgressFact, paint: Paint): readonly string[] {
  const refused = hosts.filter((host) => host.refused > 0).map(({ host, port }) => firstLine(`${host}:${port}`, 60));
  const told = refused.length > 0 ? `; refused: ${refused.slice(0, 3).join(", ")}${refused.length > 3 ? " …" : ""}` : "";
  return [`  ${paint(refused.length > 0 ? "yellow" : "dim", `${connections} connection(s) through the proxy${told}`)}`];
}

/** Each figure with its footing; what was only counted, such as time, is not worth a line. */
function tellFigure(record: Extract<LoopRecord, { kind: "spent" | "settled" }>, paint: Paint): readonly string[] {
  const { microUsd = 0, tokens = 0 } = record.amounts ?? {};
  if (microUsd === 0 && tokens === 0) return [];
  if (microUsd < 0) return [`  ${paint("dim", `${formatUsd(-microUsd / 1e6)} less: it was estimated, and is reported now`)}`];
  return [`  ${paint("dim", `spent ${formatUsd(microUsd / 1e6)}, ${formatCount(tokens)} tokens (${record.basis ?? "reported"})`)}`];
}

function tellStepDone(
  { step, tookMs, result }: Extract<LoopRecord, { kind: "step-done" }>,
  paint: Paint,
  columns: number,
): readonly string[] {
  const line = (mark: string, text: string): string => `  ${mark} ${text} ${paint("dim", formatDuration(tookMs))}`;
  const room = Math.max(20, columns - 12);
  if (step === "scan") {
    const findings = result as readonly { readonly severity: string; readonly rule: string; readonly where: string }[]; // what the step writes
    if (findings.length === 0) return [line(paint("green", "✓"), "scanned the change: nothing found")];
    return findings.map(({ severity, rule, where }) => line(markOf(severity, paint), firstLine(`${severity} ${rule}: ${where}`, room)));
  }
  if (step.startsWith("verify-")) {
    const { outcome, detail } = result as { readonly outcome: string; readonly detail: string }; // what the step writes
    const how = step.endsWith("-own") ? `${outcome} with its own sealed files` : outcome;
    return [line(outcome === "holds" ? paint("green", "✓") : paint("red", "✗"), firstLine(`${how}: ${detail}`, room))];
  }
  // What was over at once is worth no line.
  if (step.startsWith("admit") && tookMs < LONG_MS) return [];
  if (step === "make") return tellMade(result as Made, tookMs, paint, room); // what the step writes
  return [line(paint("dim", "·"), tellStep(step))];
}

const LONG_MS = 100;
const MOST_LAST_LINES = 3;

interface Made {
  readonly ended?: string;
  readonly summary?: string;
  readonly workedMs?: number;
}

/** The maker's own time beside what its copy took; and of one that failed what it said last. */
function tellMade({ ended, summary = "", workedMs }: Made, tookMs: number, paint: Paint, room: number): readonly string[] {
  const besides = workedMs === undefined ? 0 : tookMs - workedMs;
  const time =
    workedMs === undefined || besides < LONG_MS
      ? formatDuration(tookMs)
      : `${formatDuration(workedMs)}, and ${formatDuration(besides)} for its copy`;
  if (ended !== "gave-up") return [`  ${paint("dim", "·")} ${tellStep("make")} ${paint("dim", time)}`];
  const [why = "", ...said] = summary.split("\n").filter((text) => text.trim() !== "");
  return [
    `  ${paint("red", "✗")} the maker gave up: ${firstLine(why, room)} ${paint("dim", time)}`,
    ...said.slice(-MOST_LAST_LINES).map((text) => `    ${paint("dim", firstLine(text, room))}`),
  ];
}

/** Only what sinks a round is a cross. */
const markOf = (severity: string, paint: Paint): string =>
  severity === "critical" || severity === "high" ? paint("red", "✗") : paint(severity === "medium" ? "yellow" : "dim", "·");
