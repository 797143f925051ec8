// lw evolve: how a loop's own changes of its instructions did, and a way back.
import { goTo, type LineageView, viewLineage } from "../../app/improving/evolve.ts";
import { findLoop } from "../../app/records/views.ts";
import type { VersionView } from "../../journal/lineage.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import { tellFigure } from "../../std/tell-figure.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { deciderOf } from "../who.ts";

export const evolve: Command = (call) => (call.options.to === undefined ? show(call) : goBack(call, String(call.options.to)));

const show: Command = (call) =>
  withRecords(call, async (records) => {
    tell(call, await viewLineage(records, await findLoop(records, call.args[0]!)));
    return "done";
  });

/** What is to be on record needs the whole house. */
async function goBack(call: Call, to: string): ReturnType<Command> {
  const { by, why } = deciderOf(call);
  const { withHouse } = await import("../with-house.ts");
  return withHouse(call, async (house) => {
    tell(call, await goTo(house, await findLoop(house, call.args[0]!), to, { by, why }));
    return "done";
  });
}

function tell(call: Call, view: LineageView): void {
  const { io } = call;
  if (wantsJson(call)) printJson(call, view);
  else if (view.versions.length === 0) io.err(`lw: ${view.loop} has changed nothing about itself.\n`);
  else io.out(lineageText(view, createPaint(io.outColor)));
}

function lineageText(view: LineageView, paint: Paint): string {
  const lasts = view.lasts === "run" ? "what it changes lasts for one run" : "what it gains lasts";
  return [
    `${paint("bold", view.loop)}  ${lasts}; the next run begins with ${view.next}`,
    ...view.versions.map((version) => tellVersion(version, paint)),
    ...view.wentBack.map(
      ({ by, from, to, at, why }) => `  ${at}  ${displayLine(by, 60)} went from ${from} to ${to}${why ? `: ${displayLine(why, 200)}` : ""}`,
    ),
    "",
  ].join("\n");
}

const figure = (value: number | null): string => (value === null ? "not known" : tellFigure(value));

function tellVersion(
  { version, parent, roundId, use, why, instructions, metric, before, after, state, undone }: VersionView,
  paint: Paint,
): string {
  const ended = { tried: "stands", untried: "no round worked by it", waits: "waits for a person", undone: `undone: ${undone?.why ?? ""}` }[
    state
  ];
  const changes = Object.entries(instructions.of).flatMap(([id, { heed = [], with: options = {} }]) => [
    ...heed.map((line) => `${id}: ${displayLine(line, 120)}`),
    ...Object.entries(options).map(([name, value]) => `${id}: ${name} = ${JSON.stringify(value)}`),
  ]);
  return [
    `  ${paint("bold", version)} from ${parent}  ${paint("dim", `${roundId}, ${use}: ${visibleText(why)}`)}`,
    `    ${metric} ${figure(before)} → ${state === "tried" || state === "undone" ? figure(after) : "…"}  ${paint(state === "undone" ? "yellow" : "green", visibleText(ended))}`,
    ...[...changes, ...(instructions.notes ?? []).map((note) => `note: ${displayLine(note, 120)}`)].map((line) => `      ${line}`),
  ].join("\n");
}
