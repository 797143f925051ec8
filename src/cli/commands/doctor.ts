// lw doctor: says what this machine has, and what is missing.
import { type Check, examine } from "../../app/doctor.ts";
import { openPatient } from "../../app/open-doctor.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";

export const doctor: Command = async (call) => {
  const { io } = call;
  const checks = await examine(openPatient(call.home, io.cwd, call, call.version));
  const isFit = checks.every(({ needed, result }) => !needed || result === "ok");
  if (wantsJson(call)) printJson(call, { ok: isFit, checks });
  else io.out(`${columns(checks.map((check) => row(check, createPaint(io.outColor)))).join("\n")}\n`);
  return isFit ? "done" : "checkFailed";
};

function row({ name, result, needed, detail }: Check, paint: Paint): readonly string[] {
  const color = result === "ok" ? "green" : result === "unknown" || !needed ? "yellow" : "red";
  return [name, paint(color, result), detail];
}
