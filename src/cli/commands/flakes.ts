import { type FlakeView, forgetFlake, viewFlakes } from "../../app/records/flakes.ts";
import { findLoop } from "../../app/records/views.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";

export const flakes: Command = (call) =>
  withHouse(call, async (house) => {
    const { io, args, options } = call;
    const loop = args[0] === undefined ? undefined : await findLoop(house, args[0]);
    if (typeof options.forget === "string") {
      const forgotten = await forgetFlake(house, loop, options.forget);
      if (wantsJson(call)) printJson(call, { forgotten });
      else for (const flake of forgotten) io.out(`forgotten  ${displayLine(flake.id, 200)}  in ${flake.loop}; it counts again\n`);
      return "done";
    }
    const found = await viewFlakes(house, loop);
    if (wantsJson(call)) printJson(call, { flakes: found });
    else if (found.length === 0) io.err("lw: no test is in quarantine.\n");
    else io.out(`${tellFlakes(found, createPaint(io.outColor)).join("\n")}\n`);
    return "done";
  });

const tellFlakes = (found: readonly FlakeView[], paint: Paint): readonly string[] =>
  columns([
    ["LOOP", "FAILED", "FIRST SEEN", "UNTIL", "TEST"].map((title) => paint("dim", title)),
    ...found.map(({ loop, failed, runs, firstSeen, until, state, id }) => [
      loop,
      `${failed} of ${runs}`,
      firstSeen,
      state === "run-out" ? paint("dim", "run out") : until,
      displayLine(id, 200),
    ]),
  ]);
