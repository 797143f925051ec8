// lw alone: where the loops stand, and what to do next.
import { type HereView, viewHere } from "../../app/records/here.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { headOf, statusRow } from "../print/status-rows.ts";
import { printTable } from "../print-table.ts";

export const here: Command = (call) =>
  withRecords(call, async (records) => {
    const view = await viewHere(records, call.io.cwd);
    if (wantsJson(call)) {
      printJson(call, view);
      return "done";
    }
    const paint = createPaint(call.io.outColor);
    const now = records.clock.now();
    if (view.loops.length > 0) {
      printTable(call, [headOf(paint), ...view.loops.map((loop) => statusRow(loop, now, paint))], [4, 1, 5, 6]);
      call.io.out("\n");
    } else if (view.written.length === 0) call.io.out("No loop has run here yet. Three ways to begin:\n\n");
    call.io.out(tellNext(view, paint));
    return "done";
  });

const tellNext = ({ loops, next, waiting }: HereView, paint: Paint): string =>
  [
    ...(loops.length === 0
      ? []
      : [
          waiting.length === 0
            ? "Nothing waits for you."
            : `${waiting.length} ${waiting.length === 1 ? "thing waits" : "things wait"} for you. Next:`,
        ]),
    ...columns(next.map(({ line, what }) => [`  ${paint("bold", line)}`, what])),
    "",
    "lw --help shows the commands of a day, lw help --all every one.",
    "",
  ].join("\n");
