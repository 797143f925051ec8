// lw fmt: specs in one settled form, with every comment and in their order.
import { readSpecFile, writeSpecFile } from "../../app/open-editing.ts";
import { layOut } from "../../spec/lay-out.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";

export const fmt: Command = async (call) => {
  const { args, io, options } = call;
  const files = [];
  for (const file of args) {
    const text = await readSpecFile(file, io.cwd);
    const edited = layOut(text);
    const did = edited.kind === "refused" ? "refused" : edited.text === text ? "unchanged" : options.check === true ? "differs" : "written";
    if (edited.kind === "edited" && did === "written") await writeSpecFile(file, io.cwd, edited.text);
    files.push({ file, did, why: edited.kind === "refused" ? edited.why : "" });
  }
  if (wantsJson(call)) printJson(call, { files });
  else
    for (const { file, did, why } of files) io.out(`${displayLine(file, 300)}: ${did}${why === "" ? "" : `: ${displayLine(why, 300)}`}\n`);
  if (files.some(({ did }) => did === "refused")) return "usage";
  return files.some(({ did }) => did === "differs") ? "checkFailed" : "done";
};
