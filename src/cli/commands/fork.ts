// lw fork and lw mix: a loop out of another one, with what is changed and what is loosened told before anything is written.
import { dirname, join, resolve } from "node:path";
import { type MadeLoop, makeLoop, readSetting } from "../../app/authoring/edit-loop.ts";
import { movedSpec } from "../../app/authoring/move-spec.ts";
import { mixOf } from "../../app/authoring/overlays.ts";
import { lineDiff } from "../../app/hooks/line-diff.ts";
import { knownOverlays, readSpecFile, writeSpecFile } from "../../app/open-editing.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec } from "../../app/open-specs.ts";
import type { ExitName } from "../../contract/exit.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { writeNew } from "../write-page.ts";

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export const fork: Command = async (call) => {
  const { args, io, options, home } = call;
  const [from = "", name = ""] = args;
  const file = await findSpec(from, io.cwd);
  const out =
    typeof options.out === "string" ? options.out : join(dirname(file), `${name}.loop.${file.endsWith(".json") ? "json" : "yaml"}`);
  const text = await readSpecFile(file, io.cwd);
  const overlays = mixOf(listOf(options.mix), await knownOverlays(home));
  const set = listOf(options.set).map(readSetting);
  const made = makeLoop(file, text, { name, overlays, set, isMeant: options.yes === true }, await partsOf(call.home));
  return finish(call, { file, text, made, out });
};

export const mix: Command = async (call) => {
  const { args, io, options, home } = call;
  const known = await knownOverlays(home);
  const [from, ...names] = args;
  if (options.list === true || from === undefined) {
    if (wantsJson(call)) printJson(call, { overlays: known });
    else io.out(known.map(({ name, from: where, about }) => `${name.padEnd(16)} ${where.padEnd(9)} ${displayLine(about, 120)}\n`).join(""));
    return "done";
  }
  const file = await findSpec(from, io.cwd);
  const text = await readSpecFile(file, io.cwd);
  const made = makeLoop(file, text, { overlays: mixOf(names, known), set: [], isMeant: options.yes === true }, await partsOf(call.home));
  return finish(call, { file, text, made, out: options.write === true ? file : typeof options.out === "string" ? options.out : undefined });
};

function movedTo(made: MadeLoop, from: string, to: string): MadeLoop {
  const text = movedSpec(made.text, from, to);
  return text === made.text ? made : { ...made, text, changed: [...made.changed, "target.repo"] };
}

interface Making {
  readonly file: string;
  readonly text: string;
  readonly made: MadeLoop;
  readonly out: string | undefined;
}

async function finish(call: Call, { file, text, made: asMade, out }: Making): Promise<ExitName> {
  const { io, options } = call;
  const made = out === undefined ? asMade : movedTo(asMade, resolve(io.cwd, file), resolve(io.cwd, out));
  const isHeld = made.loosened.length > 0 && options.yes !== true;
  const writes = !isHeld && out !== undefined;
  // Only `mix --write` is for the file that it reads.
  const isOwn = options.write === true;
  if (writes && isOwn) await writeSpecFile(out, io.cwd, made.text);
  else if (writes) await writeNew(call, [{ path: out, text: made.text }], [file]);
  const { changed, loosened, left } = made;
  if (wantsJson(call))
    printJson(call, { file, out: out ?? null, did: writes ? "written" : "not-written", changed, loosened, left, text: made.text });
  else {
    for (const { path, says } of loosened) io.err(`loosened: ${displayLine(`${path} ${says}`, 300)}\n`);
    for (const { path, says } of left) io.err(`left as it is: ${displayLine(`${path}: it would be looser (${says})`, 300)}\n`);
    if (out === undefined) io.out(made.text);
    else for (const line of lineDiff(text, made.text)) io.out(`${visibleText(line)}\n`);
    if (writes && isOwn) io.err(`lw: written to ${displayLine(out, 300)}\n`);
    else if (isHeld) io.err("Nothing was written: say --yes if you mean what is loosened.\n");
  }
  return isHeld ? "waiting" : "done";
}
