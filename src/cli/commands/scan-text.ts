// lw scan-text: looks for orders to an AI in text from outside.
import { inputs } from "../../app/open-inputs.ts";
import { NOT_UTF_8, scanInput, scanLine } from "../../app/scans/scan-input.ts";
import { LoopError } from "../../contract/errors.ts";
import { type ExitName, gravestOf } from "../../contract/exit.ts";
import type { TextScan } from "../../guard/text/scan-text.ts";
import { signals } from "../../guard/text/signals/index.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { sarifLog } from "../print/sarif.ts";
import { printTable } from "../print-table.ts";

const RULES = [...signals, { id: NOT_UTF_8, why: "Its bytes are not UTF-8, so its letters had to be guessed at." }].map(({ id, why }) => ({
  id,
  why,
}));
const WHY = new Map(RULES.map(({ id, why }) => [id, why]));

export const scanTextCommand: Command = async (call) => {
  const { args, options, io } = call;
  if (options.jsonl) return scanLines(call);
  if (options.list) return listSignals(call);
  const [file] = args;
  if (args.length !== 1 || file === undefined)
    throw new LoopError("bad-input", "lw scan-text takes one file, or - for standard input", {
      retry: "never",
      hint: "Write e.g. lw scan-text README.md",
    });
  const input = await scanInput(inputs, inputAt(file, io));
  if (input.kind === "unreadable") {
    if (wantsJson(call)) printJson(call, { file, severity: "unknown", score: 0, signals: [], why: input.why });
    io.err(`cannot tell: ${displayLine(input.why, 300)}\n  Give a file that can be read, or - and the text on standard input.\n`);
    // As everywhere: a file that is not there was named wrongly.
    return "usage";
  }
  const { scan } = input;
  if (options.sarif)
    printJson(call, sarifLog({ tool: "lw scan-text", version: call.version, rules: RULES, results: resultsOf(scan, file) }));
  else if (wantsJson(call)) printJson(call, { file, ...scan });
  else io.out(tell(scan, file, createPaint(io.outColor)));
  return exitOf(scan);
};

/** An injection is one, even where not all was seen; calm is only calm when all was seen. */
function exitOf({ severity, isWhole }: Pick<TextScan, "severity" | "isWhole">): ExitName {
  if (severity === "medium" || severity === "high") return "injection";
  return isWhole ? "done" : "cannotVerify";
}

/** One answer a line, in the order of the lines. It ends like the gravest. */
async function scanLines({ io }: Call): Promise<ExitName> {
  const heard = new Set<ExitName>();
  for await (const line of inputs.typed(io.input)) {
    const answer = scanLine(line);
    heard.add(answer.severity === "unknown" ? "cannotVerify" : exitOf({ ...answer, isWhole: true }));
    io.out(`${JSON.stringify(answer)}\n`);
  }
  return gravestOf(heard);
}

function listSignals(call: Call): ExitName {
  const list = signals.map(({ id, family, weight, why, examples }) => ({ id, family, weight, why, examples }));
  if (wantsJson(call)) printJson(call, { signals: list });
  else
    printTable(
      call,
      list.map(({ id, family, weight, why }) => [id, family, String(weight), why]),
    );
  return "done";
}

const LEVELS = { none: "note", low: "note", medium: "warning", high: "error" } as const;

const resultsOf = ({ severity, signals: found }: TextScan, file: string) =>
  found.map(({ id, where, line, how }) => ({
    ruleId: id,
    level: id === NOT_UTF_8 ? ("note" as const) : LEVELS[severity],
    message: `${WHY.get(id) ?? id}${how === "plain" ? "" : ` (${how})`} “${where}”`,
    file: file === "-" ? "stdin" : file,
    line,
  }));

const COLORS = { none: "green", low: "green", medium: "yellow", high: "red" } as const;

function tell({ severity, score, signals: found, isWhole }: TextScan, file: string, paint: Paint): string {
  const lines = found.flatMap(({ id, weight, where, line, how }) => [
    `  ${paint("bold", id)} +${weight}, line ${line}${how === "plain" ? "" : `, ${how}`}: ${WHY.get(id) ?? ""}`,
    `    “${where}”`,
  ]);
  const rest = isWhole ? [] : ["  Not all of it could be looked at: it is too long, or too much is encoded in it."];
  return `${[`${paint(COLORS[severity], severity)} ${score}  ${displayLine(file, 200)}`, ...lines, ...rest].join("\n")}\n`;
}
