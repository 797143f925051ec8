// lw notes: what makers of a loop wrote down for those who come after them.
import { clearNotes, viewNotes } from "../../app/records/notes.ts";
import { findLoop } from "../../app/records/views.ts";
import type { ExitName } from "../../contract/exit.ts";
import { visibleText } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint } from "../print/paint.ts";

export const notes: Command = async (call) => (call.options.clear === true ? clear(call) : list(call));

const list: Command = (call) =>
  withRecords(call, async (records) => {
    const { io, args } = call;
    const found = await viewNotes(records, await findLoop(records, args[0]!));
    const paint = createPaint(io.outColor);
    if (wantsJson(call)) printJson(call, { notes: found });
    else if (found.length === 0) io.err("lw: nobody has written anything down.\n");
    else {
      const told = found.map(
        ({ roundId, at, isTainted, text, under, by }) =>
          `${paint("bold", roundId)}  ${under === undefined ? "" : `${under}, by ${by ?? "?"}  `}${paint("dim", `${at}${isTainted ? ", after reading outsiders' text" : ""}`)}\n${indented(text)}\n`,
      );
      io.out(told.join("\n"));
    }
    return "done";
  });

/** Clearing writes, and so it needs the whole house. */
async function clear(call: Call): Promise<ExitName> {
  const { withHouse } = await import("../with-house.ts");
  return withHouse(call, async (house) => {
    const loop = await findLoop(house, call.args[0]!);
    const cleared = await clearNotes(house, loop);
    if (wantsJson(call)) printJson(call, { cleared });
    else call.io.out(`forgotten  ${cleared} note(s) of ${loop}\n`);
    return "done";
  });
}

const indented = (text: string): string =>
  visibleText(text)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
