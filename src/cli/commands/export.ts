// lw export: a loop in another system's words, with what those have no room for.
import { builtIn } from "../../app/crew.ts";
import { EXPORT_FORMS } from "../../app/dialects/export-file.ts";
import { exportFile } from "../../app/open-specs.ts";
import { LoopError } from "../../contract/errors.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { writePage } from "../write-page.ts";

export const exportSpec: Command = async (call) => {
  const { args, io, options } = call;
  const file = args[0] ?? "";
  if (options.to !== "lss") throw wrong(`--to ${String(options.to)} is not known`, "Write --to lss.");
  const form = EXPORT_FORMS.find((one) => one === (options.form ?? "1.1"));
  if (form === undefined) throw wrong(`--form ${String(options.form)} is not known`, `Write one of: ${EXPORT_FORMS.join(", ")}.`);
  const notation = form === "min" || (typeof options.out === "string" && options.out.endsWith(".json")) ? "json" : "yaml";
  const exported = await exportFile(file, io.cwd, form, notation, builtIn);
  if (wantsJson(call)) printJson(call, { file, form, ...exported });
  if (exported.kind === "refused") {
    for (const problem of wantsJson(call) ? [] : exported.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  for (const { path, why } of wantsJson(call) ? [] : exported.left) io.err(`lost  ${path}: ${why}\n`);
  if (typeof options.out === "string") await writePage(call, options.out, exported.text);
  else if (!wantsJson(call)) io.out(exported.text);
  return "done";
};

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
