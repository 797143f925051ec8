// lw compose: one loop of several, each of which becomes a worker of its team.
import { dirname, resolve } from "node:path";
import { composeLoops } from "../../app/authoring/compose-loops.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { LoopError } from "../../contract/errors.ts";
import { inNotation } from "../../dialects/notation.ts";
import { formatProblem, readSpec } from "../../spec/read-spec.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { writeNew } from "../write-page.ts";

export const compose: Command = async (call) => {
  const { args, io, options } = call;
  const [name = "", ...asked] = args;
  const children = await Promise.all(asked.map((one) => childAt(call, one)));
  const out = typeof options.out === "string" ? options.out : undefined;
  const folders = new Set(
    [...children.map(({ file }) => file), ...(out === undefined ? [] : [out])].map((file) => dirname(resolve(io.cwd, file))),
  );
  if (folders.size > 1)
    throw new LoopError("bad-input", "the loops, and what is made of them, must lie in one folder: their paths begin there", {
      retry: "never",
      hint: "Put them side by side.",
    });
  const composed = composeLoops(name, children, options.side === true ? "side" : "row");
  if (composed.kind === "refused")
    throw new LoopError("bad-input", `they cannot be composed: ${composed.why.join("; ")}`, {
      retry: "never",
      hint: "Change the loops, or let them wake each other with the trigger `loop`.",
    });
  const head = `# Composed of ${children.map(({ spec }) => spec.name).join(", ")}, ${options.side === true ? "side by side" : "in a row"}.\n`;
  const text = `${head}${composed.left.map((line) => `# Not in it: ${line.replaceAll(/[^\x20-\x7e]/g, "_")}.\n`).join("")}${inNotation(composed.value, "yaml")}`;
  const reading = readSpec(`${name}.loop.yaml`, text, await partsOf(call.home));
  if (reading.kind === "refused")
    throw new LoopError("bad-input", reading.problems.map(formatProblem).join("\n"), { retry: "never", hint: "Change the loops." });
  if (out !== undefined)
    await writeNew(
      call,
      [{ path: out, text }],
      children.map(({ file }) => file),
    );
  if (wantsJson(call)) printJson(call, { name, out: out ?? null, left: composed.left, text });
  else {
    for (const line of composed.left) io.err(`not in it: ${line}\n`);
    if (out === undefined) io.out(text);
  }
  return "done";
};

async function childAt({ io, home }: Call, asked: string) {
  const file = await findSpec(asked, io.cwd);
  const loading = await loadSpec(file, io.cwd, await partsOf(home));
  if (loading.kind === "loaded") return { file, spec: loading.loaded.spec };
  throw new LoopError("bad-input", loading.problems.map(formatProblem).join("\n"), {
    retry: "never",
    hint: "`lw validate` says all that is wrong with it.",
  });
}
