// lw add, lw remove, lw loops: which loops this home looks after.
import type { Tended } from "../../app/loops/tend.ts";
import type { KnownView } from "../../contract/views.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { tellIn } from "../print/words.ts";
import { printTable } from "../print-table.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const add: Command = (call) =>
  withHouse(call, async (house) => {
    const { addPlaces, wakeByHand } = await import("../../app/loops/tend.ts");
    const { by } = deciderOf(call);
    const tended = await addPlaces(house, call.io.cwd, call.args, by);
    const woken: string[] = [];
    if (call.options.now === true)
      for (const { loop, state } of tended.loops) if (state === "known") woken.push(await wakeByHand(house, loop, by));
    return tell(call, tended, { woken, nothing: `no spec lies in ${tended.places.join(", ")} yet; those that come there are found` });
  });

export const remove: Command = (call) =>
  withHouse(call, async (house) => {
    const { removePlaces } = await import("../../app/loops/tend.ts");
    const tended = await removePlaces(house, call.io.cwd, call.args, deciderOf(call).by);
    return tell(call, tended, { woken: [], nothing: `${tended.places.join(", ")} is not looked after any more; no loop came from there` });
  });

interface Told {
  readonly woken: readonly string[];
  /** What is said where no loop is concerned. */
  readonly nothing: string;
}

/** What is wrong is said, and what is right counts all the same. */
function tell(call: Call, { places, loops, removed, takenOver, wrong, looked, notes }: Tended, { woken, nothing }: Told): "done" | "usage" {
  const { io } = call;
  const problems = [...loops.flatMap((loop) => loop.problems), ...wrong.flatMap((file) => file.problems)];
  if (wantsJson(call)) {
    const changes = looked.changes.map(({ kind, loop, path }) => ({ kind, loop, path }));
    printJson(call, {
      ok: problems.length === 0,
      places,
      loops: loops.map(({ loop, state, path }) => ({ loop, state, path })),
      changes,
      takenOver,
      woken,
      problems,
      notes,
    });
    return problems.length === 0 ? "done" : "usage";
  }
  const changed = new Map(looked.changes.map(({ kind, loop }) => [loop, kind]));
  const paint = createPaint(io.outColor);
  // Those that had gone before are nobody's news.
  const shown = loops.filter(({ loop, state }) => state !== "removed" || changed.has(loop) || removed.includes(loop));
  const rows = [
    ...shown.map(({ loop, state, path }) => [paint(state === "wrong" ? "red" : "green", changed.get(loop) ?? state), loop, path]),
    ...takenOver.map(({ loop, was }) => [paint("green", "removed"), loop, was]),
  ];
  if (rows.length > 0) printTable(call, rows);
  else if (problems.length === 0) io.err(`lw: ${nothing}\n`);
  for (const { loop, path } of takenOver)
    io.err(`lw: ${loop} comes from ${path} now, which has the same name; take that away too with: lw remove ${path}\n`);
  for (const problem of problems) io.err(`${problem}\n`);
  for (const note of notes) io.err(`lw: ${note}\n`);
  if (woken.length > 0) io.err("lw: what was added is woken now if `lw serve` runs, else as soon as it does\n");
  const idle = woken.length > 0 ? [] : shown.filter(({ state, good }) => state === "known" && good.record.trigger?.use === "manual");
  for (const { loop } of idle) io.err(`lw: ${loop} has no trigger: \`lw run\` and \`lw add --now\` wake it, and nothing else does\n`);
  return problems.length === 0 ? "done" : "usage";
}

export const loops: Command = (call) =>
  withRecords(call, async (records) => {
    const { viewKnown } = await import("../../app/loops/view-known.ts");
    const view = await viewKnown(records);
    if (wantsJson(call)) {
      printJson(call, view);
      return "done";
    }
    const { io } = call;
    if (view.loops.length === 0 && view.wrong.length === 0) {
      io.err("lw: this home looks after no loops yet. Add some with `lw add FILE` or `lw add FOLDER`.\n");
      return "done";
    }
    const paint = createPaint(io.outColor);
    const now = records.clock.now();
    const head = ["LOOP", "TRIGGER", "NEXT", "STATE", "SPEC", "WHY"].map((title) => paint("dim", title));
    if (view.loops.length > 0) printTable(call, [head, ...view.loops.map((loop) => row(loop, now, paint))], [4]);
    for (const { path, problems } of view.wrong)
      io.out(`${paint("red", "wrong")}  ${path}\n${problems.map((line) => `  ${line}\n`).join("")}`);
    return "done";
  });

const row = ({ loop, trigger, next, standing, isRight, path, why }: KnownView, now: Date, paint: Paint): readonly string[] => [
  loop,
  firstLine(trigger, 40),
  next === null ? "" : tellIn(next, now),
  isRight
    ? standing !== "free"
      ? paint("yellow", standing)
      : why === null
        ? paint("green", "ready")
        : paint("yellow", "kept")
    : paint("red", "wrong"),
  path,
  why === null ? "" : firstLine(why, 80),
];
