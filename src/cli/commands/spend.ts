// lw spend: what loops have spent, and what is reserved.
import { readSince, readSpendBy, spendCsv, viewSpending } from "../../app/records/spending.ts";
import type { SpendLine, SpendView } from "../../contract/views.ts";
import { tellAmount } from "../../guard/budget.ts";
import { firstLine } from "../../std/display-text.ts";
import { formatUsd } from "../../std/usd.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";

export const spend: Command = (call) =>
  withRecords(call, async (records) => {
    const { by, since, csv } = call.options;
    const view = await viewSpending(records, readSpendBy(textOf(by)), readSince(textOf(since)));
    if (wantsJson(call)) printJson(call, view);
    else call.io.out(csv ? spendCsv(view) : tellView(view, createPaint(call.io.outColor)));
    return "done";
  });

const textOf = (option: unknown): string | undefined => (option === undefined ? undefined : String(option));

function tellView(view: SpendView, paint: Paint): string {
  const head = [view.by.toUpperCase(), "COST", "TOKENS", "CALLS", "LAUNCHES", "TIME", "FOOTING"].map((title) => paint("dim", title));
  const lines = view.lines.length === 0 ? ["nothing was spent yet"] : columns([head, ...view.lines.map(row), row(view.total)]);
  const reserved = view.reserved.microUsd ?? 0;
  return `${[
    ...lines,
    ...(reserved > 0 ? ["", `reserved and not settled yet: ${formatUsd(reserved / 1e6)}`] : []),
    "",
    ...view.machine.map(({ cap, taken, most }) => `${cap}: ${taken} of ${most} on ${view.today}`),
  ].join("\n")}\n`;
}

const row = ({ key, amounts, microUsdBy }: SpendLine): readonly string[] => [
  firstLine(key, 40),
  formatUsd((amounts.microUsd ?? 0) / 1e6),
  String(amounts.tokens ?? 0),
  String(amounts.calls ?? 0),
  String(amounts.launches ?? 0),
  tellAmount("timeMs", amounts.timeMs ?? 0),
  tellFooting(microUsdBy),
];

/** Where the money's figures come from; nothing spent has no footing to tell. */
const tellFooting = (by: SpendLine["microUsdBy"]): string =>
  (["reported", "estimated", "unknown"] as const)
    .filter((basis) => by[basis] > 0)
    .map((basis) => `${formatUsd(by[basis] / 1e6)} ${basis}`)
    .join(", ");
