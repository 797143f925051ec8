// lw calibrate: how far a rubric agrees with people who labelled examples.

import { type CalibrationView, calibrate } from "../../app/improving/calibrate.ts";
import { inputs } from "../../app/open-inputs.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { LoopError } from "../../contract/errors.ts";
import { Usd } from "../../contract/spec.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { tellFigure } from "../../std/tell-figure.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { withHouse } from "../with-house.ts";

const MOST_BYTES = 64 * 1024 * 1024;

export const calibrateCommand: Command = async (call) => {
  const { io, args, options } = call;
  const loading = await loadSpec(await findSpec(args[0]!, io.cwd), io.cwd, await partsOf(call.home));
  if (loading.kind === "refused") {
    for (const problem of loading.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  if (options.examples === undefined) throw badInput("there are no examples", "Give them with --examples FILE, one JSON value a line.");
  const usd = options.usd === undefined ? undefined : String(options.usd);
  if (usd !== undefined && !Usd.safeParse(usd).success) throw badInput(`${usd} is not an amount of money`, "Write e.g. --usd $0.50.");
  const text = await inputs.text(inputAt(String(options.examples), io), MOST_BYTES);
  const verifier = options.verifier === undefined ? undefined : String(options.verifier);
  return withHouse(call, async (house) => {
    tell(call, await calibrate(house, loading.loaded, text, { verifier, usd }));
    return "done";
  });
};

function tell(call: Call, view: CalibrationView): void {
  if (wantsJson(call)) return void printJson(call, view);
  const { labels, marks } = view.agreement;
  const { yesYes, yesNo, noYes, noNo } = labels.confusion;
  const lines = [
    `${view.verifier} of ${view.loop}: ${view.says}`,
    ...(labels.n > 0
      ? [
          "",
          "                 rubric says yes   rubric says no",
          `people say yes   ${cell(yesYes)}   ${cell(yesNo)}`,
          `people say no    ${cell(noYes)}   ${cell(noNo)}`,
        ]
      : []),
    ...Object.entries(marks).map(([name, { n, rank, apart }]) => {
      const order = rank
        ? `rank agreement ${tellFigure(rank.value)} (${tellFigure(rank.low)} to ${tellFigure(rank.high)})`
        : "no rank agreement can be had";
      return `${name}: ${order}, ${apart === null ? "" : `${tellFigure(apart)} apart, `}${n} examples`;
    }),
    `cost: $${view.costUsd.toFixed(4)}`,
  ];
  call.io.out(`${lines.join("\n")}\n`);
}

const cell = (count: number): string => String(count).padStart(15);

const badInput = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
