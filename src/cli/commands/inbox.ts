import { alertNeeds } from "../../app/decisions/alert.ts";
import { readInbox } from "../../app/decisions/inbox.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { columns, createPaint } from "../print/paint.ts";
import { tellAgo } from "../print/words.ts";
import { withHouse } from "../with-house.ts";

export const inbox: Command = (call) =>
  withHouse(call, async (house) => {
    if (call.options.tell) for (const loop of await house.journal.loops()) await alertNeeds(house, loop);
    const items = await readInbox(house, call.options.all ? "all" : "due");
    if (wantsJson(call)) printJson(call, { items });
    else if (items.length === 0) call.io.err("lw: nothing waits for you\n");
    else {
      const paint = createPaint(call.io.outColor);
      const now = house.world.clock.now();
      const head = ["ID", "WHAT", "STATE", "SINCE", "WHY", "NEXT"].map((title) => paint("dim", title));
      const rows = items.map(({ id, kind, stage, since, why, next }) => [
        id,
        kind,
        paint(stage === "unclear" || kind === "halted" ? "red" : "yellow", stage),
        tellAgo(since, now),
        firstLine(why, 70),
        next,
      ]);
      call.io.out(`${columns([head, ...rows]).join("\n")}\n`);
    }
    return "done";
  });
