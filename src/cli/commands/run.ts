// lw run: runs a loop until it rests.

import { isRoot } from "../../app/open-doctor.ts";
import { inputs } from "../../app/open-inputs.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, loadSpec, loadToRun } from "../../app/open-specs.ts";
import { runSpec } from "../../app/runs/wake.ts";
import { tellSandbox } from "../../app/tell-sandbox.ts";
import { LoopError } from "../../contract/errors.ts";
import type { GivenInput, GivenInputs } from "../../contract/inputs.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { besideOf } from "../beside.ts";
import { bindingsOf, fromOf } from "../bindings.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { describeEnding, watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

/** Larger than any input may be: one that is cut could be taken for whole. */
const MOST_INPUT_BYTES = 1024 * 1024;

export const run: Command = async (call) => {
  const { io, args, options } = call;
  if (options.waking !== undefined) return (await import("./woken.ts")).runForKey(call, args[0]!, String(options.waking));
  if (options.resuming !== undefined) return (await import("./woken.ts")).takeUp(call, args[0]!, String(options.resuming));
  if (options.trial === true) return (await import("./woken.ts")).tryOut(call, args[0]!);
  const path = await findSpec(args[0]!, io.cwd);
  const ours = await loadSpec(path, io.cwd, await partsOf(call.home));
  const loading =
    ours.kind === "loaded" && !isBound(options)
      ? ours
      : await loadToRun(path, io.cwd, bindingsOf(call), await partsOf(call.home), fromOf(call));
  if (loading.kind === "refused") {
    if (wantsJson(call)) printJson(call, { problems: loading.problems });
    for (const problem of loading.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  const { loaded } = loading;
  for (const warning of loaded.warnings) io.err(`warning: ${formatProblem(warning)}\n`);
  return withHouse(call, async (house) => {
    for (const line of tellSandbox(await house.box.means(), isRoot())) io.err(`${line}\n`);
    const given = await readGiven(call);
    const wishes = {
      onlyIfDue: options.ifDue === true,
      again: options.again === true,
      beside: besideOf(call),
      ...(given ? { inputs: given } : {}),
    };
    const result = await watched(call, house, (watch) => runSpec(house, loaded, wishes, watch), { isSaid: true });
    const { exit, document, tell } = await describeEnding(house, result);
    if (wantsJson(call)) printJson(call, document);
    else tell(io);
    return exit;
  });
};

/** Whether something is said that only a file of another system needs. */
const isBound = ({ from, provider, use, test, set, commits, library }: Call["options"]): boolean =>
  [from, provider, use, test, set, commits, library].some((said) => said !== undefined && !(Array.isArray(said) && said.length === 0));

/** `--input name=value` and `--input-file name=path`, as they were written; undefined where there are none. */
async function readGiven({ options, io }: Call): Promise<GivenInputs | undefined> {
  const pairs = (from: unknown): readonly (readonly [name: string, text: string])[] =>
    (Array.isArray(from) ? from : []).map((written: unknown) => named(String(written)));
  const said = pairs(options.input).map(([name, text]) => [name, { text, by: "hand" }] as const);
  const files = await Promise.all(
    pairs(options.inputFile).map(async ([name, path]) => {
      const text = await inputs.text(inputAt(path, io), MOST_INPUT_BYTES);
      if (Buffer.byteLength(text) >= MOST_INPUT_BYTES)
        throw badInput(`${path} is too large to be the input ${name}`, "Give less than 1 MB.");
      return [name, { text, by: "file" }] as const;
    }),
  );
  const all: readonly (readonly [string, GivenInput])[] = [...said, ...files];
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) !== index);
  if (twice) throw badInput(`the input ${twice[0]} is given twice`, "Give it once.");
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function named(written: string): readonly [name: string, text: string] {
  const at = written.indexOf("=");
  if (at < 1) throw badInput(`${written.slice(0, 60)} is no input`, "Write name=value, such as --input topic=caches.");
  return [written.slice(0, at), written.slice(at + 1)];
}

const badInput = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
