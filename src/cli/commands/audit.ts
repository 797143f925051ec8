// lw audit: what level a loop is ready for by its spec and its record, and what is missing.
import { type Audit, auditLoop } from "../../app/authoring/audit-loop.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, readTheirs } from "../../app/open-specs.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint, type Paint } from "../print/paint.ts";

export const audit: Command = (call) =>
  withRecords(call, async (records) => {
    const { io } = call;
    const file = await findSpec(call.args[0]!, io.cwd);
    const { text } = await readTheirs(file, io.cwd);
    const answer = await auditLoop(records, { file, text }, await partsOf(call.home));
    if (wantsJson(call)) printJson(call, answer);
    else io.out(tell(answer, createPaint(io.outColor)));
    return answer.exit;
  });

function tell({ loop, file, claims, readyFor, bySpec, byRecord, demands, missing, runs, exit }: Audit, paint: Paint): string {
  const ready = readyFor === null ? "ready for nothing yet" : `ready for ${readyFor}`;
  return [
    `${paint("bold", displayLine(loop === "" ? file : loop, 100))}  ${claims === null ? "claims no level" : `claims ${claims}`}, ${paint(exit === "done" ? "green" : "red", ready)}`,
    `  by its spec ${bySpec ?? "nothing"}, by its record ${byRecord ?? "nothing"} (${runs.counted} runs${runs.others > 0 ? `; ${runs.others} more were by other work, and do not count` : ""})`,
    ...demands.map(
      ({ level, isMet, asks, sees }) =>
        `  ${isMet ? paint("green", "yes") : paint("red", "no ")}  ${level}  ${displayLine(`${asks}: ${sees}`, 400)}`,
    ),
    ...(missing.length > 0 ? ["Missing:", ...missing.map((line) => `  ${displayLine(line, 400)}`)] : []),
    "",
  ].join("\n");
}
