// lw inbox: everything that waits for a human.
import { readInbox } from "../../app/decisions/inbox.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint } from "../print/paint.ts";
import { tellAgo } from "../print/words.ts";

export const inbox: Command = async (call) => {
  // Telling works, and so it needs the whole house.
  if (call.options.tell) await (await import("./tell-needs.ts")).tellNeeds(call);
  return withRecords(call, async (records) => {
    const items = await readInbox(records, call.options.all ? "all" : "due");
    if (wantsJson(call)) printJson(call, { items });
    else if (items.length === 0) call.io.err("lw: nothing waits for you\n");
    else {
      const paint = createPaint(call.io.outColor);
      const now = records.clock.now();
      const head = ["ID", "WHAT", "STATE", "SINCE", "WHY", "NEXT"].map((title) => paint("dim", title));
      const rows = items.map(({ id, kind, stage, since, why, next }) => [
        id,
        kind,
        paint(stage === "unclear" || kind === "halted" || kind === "absent" ? "red" : "yellow", stage),
        tellAgo(since, now),
        firstLine(why, 70),
        next,
      ]);
      call.io.out(`${columns([head, ...rows]).join("\n")}\n`);
    }
    return "done";
  });
};
