// lw inbox: everything that waits for a human.
import { readInbox } from "../../app/decisions/inbox.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint } from "../print/paint.ts";
import { tellAgo, tellDay } from "../print/words.ts";
import { printTable } from "../print-table.ts";

export const inbox: Command = async (call) => {
  // Telling works, and so it needs the whole house.
  if (call.options.tell) await (await import("./tell-needs.ts")).tellNeeds(call);
  return withRecords(call, async (records) => {
    const all = await readInbox(records, "all");
    const items = call.options.all ? all : all.filter(({ stage }) => stage !== "deferred");
    const hidden = all.length - items.length;
    if (wantsJson(call)) printJson(call, { items, hidden });
    else if (items.length === 0) call.io.err(`lw: nothing waits for you${hidden > 0 ? " now" : ""}\n`);
    else {
      const paint = createPaint(call.io.outColor);
      const now = records.clock.now();
      const head = ["ID", "WHAT", "STATE", "SINCE", "WHY", "NEXT"].map((title) => paint("dim", title));
      const rows = items.map(({ id, kind, stage, until, since, why, next }) => [
        id,
        kind,
        paint(
          stage === "unclear" || kind === "halted" || kind === "absent" ? "red" : "yellow",
          until === undefined ? stage : `${stage} until ${tellDay(until)}`,
        ),
        tellAgo(since, now),
        firstLine(why, 200),
        next,
      ]);
      printTable(call, [head, ...rows], [1]);
    }
    if (hidden > 0 && !wantsJson(call)) call.io.err(`lw: ${hidden} deferred, not shown: lw inbox --all\n`);
    return "done";
  });
};
