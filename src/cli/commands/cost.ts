// lw cost: what a run of a loop would cost, before it runs.
import { type CostForecast, forecastCost } from "../../app/authoring/forecast-cost.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { viewCost } from "../../app/records/spending.ts";
import type { Measure } from "../../contract/ledger.ts";
import { tellAmount } from "../../guard/budget.ts";
import type { CheckTimes, Times } from "../../scoring/check-times.ts";
import type { Forecast, Spread } from "../../scoring/forecast.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { columns } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";

export const cost: Command = (call) =>
  withHouse(call, async (house) => {
    const loading = await loadSpec(await findSpec(call.args[0]!, call.io.cwd), call.io.cwd, house.registries);
    if (loading.kind === "refused") {
      for (const problem of loading.problems) call.io.err(`${formatProblem(problem)}\n`);
      return "usage";
    }
    const { spec } = loading.loaded;
    const forecast = await forecastCost(house, spec, house.registries);
    if (wantsJson(call)) printJson(call, { ...(await viewCost(house, spec)), forecast });
    else call.io.out(tellForecast(forecast));
    return "done";
  });

const tellForecast = ({ loop, basis, because, run, cappedPercent, day, wakes, checks, caps }: CostForecast): string =>
  [
    `${loop}: from ${basis === "history" ? "its history" : "a simulation"}`,
    ...because.map((line) => `  ${line}`),
    "",
    ...columns([
      ["", "", "1 of 10 below", "usually", "1 of 10 above"],
      ...rowsOf("a run", run),
      ...(day ? rowsOf("a day", day.spent) : []),
    ]),
    "",
    `  ${wakes}`,
    ...(cappedPercent > 0 ? [`  ${cappedPercent} of 100 runs are ended by a cap.`] : []),
    ...(checks ? tellChecks(checks) : []),
    `  Caps: ${caps.map(({ cap, most }) => `${cap} ${most}`).join(", ")}.`,
  ]
    .map((line) => `${line}\n`)
    .join("");

const tellTimes = ({ least, most }: Times): string => (least === most ? `${least}` : `${least} to ${most}`);

function tellChecks({ each, all, plainMs, roundMs }: CheckTimes): readonly string[] {
  const named = each.map((times) => `${times.use} ${tellTimes(times)}`).join(", ");
  const times = all.most === 1 ? "as long as one run of the tests" : `${tellTimes(all)} times as long as one run of the tests`;
  const share =
    plainMs === undefined || plainMs === 0 || roundMs === undefined ? "" : `, ${(roundMs.usual / plainMs).toFixed(1)} times that`;
  return [
    `  Checks of a round take ${times} (${named}), and no tokens.`,
    ...(plainMs === undefined ? [] : [`  One run took ${tellAmount("timeMs", plainMs)} on base.`]),
    ...(roundMs === undefined
      ? []
      : [`  The checks of its last rounds took ${tellAmount("timeMs", Math.round(roundMs.usual))} usually${share}.`]),
  ];
}

const SHOWN: readonly Extract<Measure, "microUsd" | "tokens" | "timeMs">[] = ["microUsd", "tokens", "timeMs"];

const MEANT: { readonly [measure in (typeof SHOWN)[number]]: string } = { microUsd: "cost", tokens: "tokens of all kinds", timeMs: "time" };

const rowsOf = (what: string, spent: Forecast["run"]): readonly (readonly string[])[] =>
  SHOWN.map((measure, index) => {
    const told = (part: keyof Spread): string => tellAmount(measure, Math.round(spent[measure][part]));
    return [index === 0 ? `  ${what}` : "", MEANT[measure], told("low"), told("usual"), told("high")];
  });
