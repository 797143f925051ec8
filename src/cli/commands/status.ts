import { viewLoops } from "../../app/records/views.ts";
import type { LoopView } from "../../contract/views.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { isGoodRest, tellAgo, tellCost, tellRest } from "../print/words.ts";

export const status: Command = (call) =>
  withRecords(call, async (records) => {
    const loops = await viewLoops(records);
    if (wantsJson(call)) {
      printJson(call, { home: records.home.folder, loops });
      return "done";
    }
    if (loops.length === 0) {
      call.io.err("lw: no loop has run yet. See one with `lw demo`, or run your own with `lw run FILE`.\n");
      return "done";
    }
    const paint = createPaint(call.io.outColor);
    const now = records.clock.now();
    const head = ["LOOP", "LEVEL", "STATE", "LAST RUN", "ROUNDS", "COST", "NEXT", "WHY"].map((title) => paint("dim", title));
    call.io.out(`${columns([head, ...loops.map((loop) => row(loop, now, paint))]).join("\n")}\n`);
    return "done";
  });

function row({ loop, state, last, nextDue }: LoopView, now: Date, paint: Paint): readonly string[] {
  if (!last) return [loop, "", paint("red", state), "", "", "", "", "its records are damaged; see lw doctor"];
  const { rest } = last;
  const isHeld = state === "paused" || state === "halted" || state === "all-stopped";
  const told = rest && !isHeld ? tellRest(rest) : state;
  const color = isHeld ? "yellow" : rest && isGoodRest(rest) ? "green" : state === "running" ? "cyan" : "red";
  const why =
    rest && rest.kind !== "accept" ? firstLine(rest.reason, 60) : (last.branch ?? (state === "interrupted" ? `lw resume ${loop}` : ""));
  return [
    loop,
    last.level,
    paint(color, told),
    tellAgo(last.lastAt, now),
    String(last.rounds.length),
    tellCost(last.cost),
    nextDue ? tellDue(nextDue, now) : "",
    why,
  ];
}

function tellDue(at: string, now: Date): string {
  const minutes = Math.round((Date.parse(at) - now.getTime()) / 60_000);
  if (minutes <= 0) return "due";
  return minutes < 120 ? `in ${minutes}m` : `in ${Math.round(minutes / 60)}h`;
}
