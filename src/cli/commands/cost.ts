// lw cost: what a run of a loop would cost, before it runs.
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { type CostView, viewCost } from "../../app/records/spending.ts";
import { type Amounts, MEASURES } from "../../contract/ledger.ts";
import { tellAmount } from "../../guard/budget.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withHouse } from "../with-house.ts";

export const cost: Command = (call) =>
  withHouse(call, async (house) => {
    const loading = await loadSpec(await findSpec(call.args[0]!, call.io.cwd), call.io.cwd, house.registries);
    if (loading.kind === "refused") {
      for (const problem of loading.problems) call.io.err(`${formatProblem(problem)}\n`);
      return "usage";
    }
    const view = await viewCost(house, loading.loaded.spec);
    if (wantsJson(call)) printJson(call, view);
    else call.io.out(tellView(view));
    return "done";
  });

const tellView = ({ loop, basis, because, usual, most }: CostView): string =>
  [
    `${loop}: from ${basis === "history" ? "its history" : "its budget"}; ${because}`,
    ...(usual ? [`  usually  ${tell(usual)}`] : []),
    `  at most  ${tell(most)}`,
  ]
    .map((line) => `${line}\n`)
    .join("");

const tell = (amounts: Amounts): string =>
  MEASURES.flatMap((measure) => {
    const amount = amounts[measure];
    return amount === undefined || amount === 0 ? [] : [tellAmount(measure, amount)];
  }).join(", ");
