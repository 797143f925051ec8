// lw flakes: tests that are left out of verdicts, since base cannot make up its mind.
import { type FlakeView, forgetFlake, viewFlakes } from "../../app/records/flakes.ts";
import { findLoop } from "../../app/records/views.ts";
import type { ExitName } from "../../contract/exit.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";

export const flakes: Command = async (call) => {
  const { forget } = call.options;
  return typeof forget === "string" ? forgetOne(call, forget) : list(call);
};

const list: Command = (call) =>
  withRecords(call, async (records) => {
    const { io, args } = call;
    const found = await viewFlakes(records, args[0] === undefined ? undefined : await findLoop(records, args[0]));
    if (wantsJson(call)) printJson(call, { flakes: found });
    else if (found.length === 0) io.err("lw: no test is in quarantine.\n");
    else io.out(`${tellFlakes(found, createPaint(io.outColor)).join("\n")}\n`);
    return "done";
  });

/** Forgetting writes, and so it needs the whole house. */
async function forgetOne(call: Call, id: string): Promise<ExitName> {
  const { withHouse } = await import("../with-house.ts");
  return withHouse(call, async (house) => {
    const [asked] = call.args;
    const forgotten = await forgetFlake(house, asked === undefined ? undefined : await findLoop(house, asked), id);
    if (wantsJson(call)) printJson(call, { forgotten });
    else for (const flake of forgotten) call.io.out(`forgotten  ${displayLine(flake.id, 200)}  in ${flake.loop}; it counts again\n`);
    return "done";
  });
}

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
