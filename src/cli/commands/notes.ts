import { clearNotes, viewNotes } from "../../app/records/notes.ts";
import { findLoop } from "../../app/records/views.ts";
import { visibleText } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";

export const notes: Command = (call) =>
  withHouse(call, async (house) => {
    const { io, args, options } = call;
    const loop = await findLoop(house, args[0]!);
    if (options.clear === true) {
      const cleared = await clearNotes(house, loop);
      if (wantsJson(call)) printJson(call, { cleared });
      else io.out(`forgotten  ${cleared} note(s) of ${loop}\n`);
      return "done";
    }
    const found = await viewNotes(house, loop);
    const paint = createPaint(io.outColor);
    if (wantsJson(call)) printJson(call, { notes: found });
    else if (found.length === 0) io.err("lw: nobody has written anything down.\n");
    else {
      const told = found.map(
        ({ roundId, at, isTainted, text }) =>
          `${paint("bold", roundId)}  ${paint("dim", `${at}${isTainted ? ", after reading outsiders' text" : ""}`)}\n${indented(text)}\n`,
      );
      io.out(told.join("\n"));
    }
    return "done";
  });

const indented = (text: string): string =>
  visibleText(text)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
