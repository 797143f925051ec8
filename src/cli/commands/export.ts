// lw export: a loop in another system's words, with what those have no room for.

import { EXPORT_FORMS, type Exported, type ExportForm, isStarter, STARTER_NAMES } from "../../app/dialects/export-file.ts";
import { partsOf } from "../../app/open-parts.ts";
import { exportFile, exportStarter } from "../../app/open-specs.ts";
import { LoopError } from "../../contract/errors.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { writeNew } from "../write-page.ts";

export const exportSpec: Command = async (call) => {
  const { args, io, options } = call;
  const file = args[0] ?? "";
  const exported = await exportedBy(call, file);
  if (exported.kind === "exported" && typeof options.out === "string")
    await writeNew(call, [{ path: options.out, text: exported.text }], [file], "page");
  if (wantsJson(call)) printJson(call, { file, to: options.to, form: options.to === "lss" ? formOf(options.form) : null, ...exported });
  if (exported.kind === "refused") {
    for (const problem of wantsJson(call) ? [] : exported.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  for (const { path, why } of wantsJson(call) ? [] : exported.left) io.err(`lost  ${path}: ${why}\n`);
  if (typeof options.out !== "string" && !wantsJson(call)) io.out(exported.text);
  return "done";
};

async function exportedBy({ io, options, home }: Call, file: string): Promise<Exported> {
  if (isStarter(options.to)) return exportStarter(file, io.cwd, options.to, await partsOf(home));
  if (options.to !== "lss") throw wrong(`--to ${String(options.to)} is not known`, `Write one of: lss, ${STARTER_NAMES.join(", ")}.`);
  const form = formOf(options.form);
  const notation = form === "min" || (typeof options.out === "string" && options.out.endsWith(".json")) ? "json" : "yaml";
  return exportFile(file, io.cwd, form, notation, await partsOf(home));
}

function formOf(written: unknown = "1.1"): ExportForm {
  const form = EXPORT_FORMS.find((one) => one === written);
  if (form === undefined) throw wrong(`--form ${String(written)} is not known`, `Write one of: ${EXPORT_FORMS.join(", ")}.`);
  return form;
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
