// lw minify: the shortest text of the same spec.
import { resolve } from "node:path";
import { mustMeanTheSame } from "../../app/authoring/move-spec.ts";
import { readSpecFile } from "../../app/open-editing.ts";
import { partsOf } from "../../app/open-parts.ts";
import { LoopError } from "../../contract/errors.ts";
import { minify as shorten } from "../../spec/lay-out.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { writeNew } from "../write-page.ts";

export const minify: Command = async (call) => {
  const { args, io, options } = call;
  const file = args[0] ?? "";
  const text = await readSpecFile(file, io.cwd);
  const edited = shorten(file, text, await partsOf(call.home));
  if (edited.kind === "refused")
    throw new LoopError("bad-input", `${file} cannot be shortened: ${edited.why}`, {
      retry: "never",
      hint: "`lw validate` says what is wrong with it.",
    });
  if (typeof options.out === "string") mustMeanTheSame(text, resolve(io.cwd, file), resolve(io.cwd, options.out));
  if (typeof options.out === "string") await writeNew(call, [{ path: options.out, text: edited.text }], [file]);
  if (wantsJson(call))
    printJson(call, { file, bytes: { before: Buffer.byteLength(text), after: Buffer.byteLength(edited.text) }, text: edited.text });
  else if (typeof options.out !== "string") io.out(edited.text);
  return "done";
};
