// lw doctor: says what this machine has, and what is missing.

import { assembleCrew } from "../../app/crew.ts";
import { type Check, examine } from "../../app/doctor.ts";
import { openPatient, planFor } from "../../app/open-doctor.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { type BoxView, viewBoxes } from "../../app/view-box.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { printTable } from "../print-table.ts";

export const doctor: Command = async (call) => {
  const { io } = call;
  if (call.options.box !== undefined) return showBoxes(call, String(call.options.box));
  const checks = await examine(openPatient(call.home, io.cwd, call, call.version));
  const isFit = checks.every(({ needed, result }) => !needed || result === "ok");
  if (wantsJson(call)) printJson(call, { ok: isFit, checks });
  else
    printTable(
      call,
      checks.map((check) => row(check, createPaint(io.outColor))),
    );
  return isFit ? "done" : "checkFailed";
};

function row({ name, result, needed, detail }: Check, paint: Paint): readonly string[] {
  const color = result === "ok" ? "green" : result === "unknown" || !needed ? "yellow" : "red";
  return [name, paint(color, result), detail];
}

/** What the makers and the verifiers of a loop would see. */
async function showBoxes(call: Call, loop: string): Promise<ExitName> {
  const { io } = call;
  const loading = await loadSpec(await findSpec(loop, io.cwd), io.cwd, await partsOf(call.home));
  if (loading.kind === "refused") {
    for (const problem of loading.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  const { loaded } = loading;
  const boxes = await viewBoxes(loaded, assembleCrew(loaded.spec, await partsOf(call.home)), planFor(call.home, call));
  if (wantsJson(call)) printJson(call, { boxes });
  else io.out(boxes.map(tellBoxView).join("\n"));
  return "done";
}

function tellBoxView({ part, when, network, reads, writes, scratch, hides }: BoxView): string {
  if (when === "off") return `${part}: no box, the spec says off\n`;
  const list = (name: string, paths: readonly string[]): string => paths.map((path) => `  ${name}  ${path}\n`).join("");
  const reached = typeof network === "string" ? network : `only to ${network?.join(", ") || "nobody"}`;
  return [
    `${part}: ${when}, network ${reached}; its own room is written, and whatever is not named here is not there\n`,
    list("read   ", reads),
    list("write  ", writes),
    list("scratch", scratch),
    list("hidden ", hides),
  ].join("");
}
