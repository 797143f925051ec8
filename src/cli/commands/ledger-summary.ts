// lw ledger summary and lw ledger aggregate: what runs came to, of this home or of many places.
import { resolve } from "node:path";
import { viewLedgers } from "../../app/open-ledgers.ts";
import { type LedgerView, viewLedger } from "../../app/records/ledger-view.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { NamedTally } from "../../scoring/ledger-summary.ts";
import { displayLine } from "../../std/display-text.ts";
import { formatUsd } from "../../std/usd.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { ledgerPage, tellChain, tellLedgerCost, tellRate, tellWhole } from "../print/ledger-page.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";
import { writePage } from "../write-page.ts";

/** Over this home's own journal. */
export const summaryCommand: Command = (call) => withHouse(call, async (house) => tell(call, await viewLedger(house)));

/** Over files and folders of many repositories and machines. */
export const aggregateCommand: Command = async (call) => {
  const { args, options, io } = call;
  if (args.length === 0)
    throw new LoopError("bad-input", "lw ledger aggregate was given no path", {
      retry: "never",
      hint: "Name files or folders, e.g. lw ledger aggregate .",
    });
  const keyFiles = Array.isArray(options.key) ? options.key.map((path) => resolve(io.cwd, String(path))) : [];
  return tell(call, await viewLedgers(call.home, { paths: args, cwd: io.cwd, keyFiles }));
};

async function tell(call: Call, view: LedgerView): Promise<ExitName> {
  const { html } = call.options;
  if (typeof html === "string") await writePage(call, html, ledgerPage(view));
  if (wantsJson(call)) printJson(call, view);
  else call.io.out(tellView(view, createPaint(call.io.outColor)));
  return view.isWhole ? "done" : "cannotVerify";
}

function tellView(view: LedgerView, paint: Paint): string {
  const lines = [
    paint(view.isWhole ? "green" : "yellow", tellWhole(view)),
    ...view.sources.flatMap((source) => {
      const { word, why } = tellChain(source);
      const tone = source.chain.kind === "whole" ? "green" : "yellow";
      return [
        `  ${displayLine(source.label, 120)}  ${source.system}, ${source.runs} run(s), ${paint(tone, word)}`,
        ...(why === "" ? [] : [`    ${paint("dim", displayLine(why, 600))}`]),
      ];
    }),
    ...view.unseen.map((place) => `  ${paint("yellow", "not looked at")}  ${displayLine(place, 300)}`),
    ...view.conflicts.map(
      ({ run, sources }) => `  ${paint("red", "at odds")}  ${displayLine(run, 120)} in ${displayLine(sources.join(", "), 300)}`,
    ),
    ...view.notes.map((note) => `  ${paint("dim", displayLine(note, 300))}`),
    "",
    `${view.total} run(s): ${view.passed} passed, ${view.refused} refused, ${view.unknown} cannot tell, ${view.nothingToDo} nothing to do; rate ${tellRate(view.rate)}`,
    `findings ${view.findings}; cost ${tellLedgerCost(view)}; copies counted once ${view.duplicates}`,
    ...(view.first === null ? [] : [`from ${view.first} to ${view.last}`]),
    ...(view.total === 0 ? [] : ["", ...tallyLines("LOOP", view.byLoop, paint), "", ...tallyLines("MAKER", view.byMaker, paint)]),
    ...(view.total === 0 ? [] : ["", ...tallyLines("DAY", view.byDay.slice(-MOST_DAYS), paint)]),
    ...(view.byDay.length > MOST_DAYS ? [paint("dim", `the last ${MOST_DAYS} of ${view.byDay.length} days; --json has all`)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const MOST_DAYS = 14;

function tallyLines(what: string, tallies: readonly NamedTally[], paint: Paint): readonly string[] {
  const head = [what, "RUNS", "PASSED", "REFUSED", "CANNOT TELL", "NOTHING TO DO", "RATE", "COST"].map((title) => paint("dim", title));
  const rows = tallies.map(({ name, total, passed, refused, unknown, nothingToDo, rate, usd, costUnknown }) => [
    displayLine(name, 40),
    ...[total, passed, refused, unknown, nothingToDo].map(String),
    tellRate(rate),
    `${formatUsd(usd)}${costUnknown > 0 ? " + ?" : ""}`,
  ]);
  return columns([head, ...rows]);
}
