// lw patterns: ready-made loops, each with what always holds of it, what it needs, and what was measured of it.
import { listLoops, listPatterns, type PatternView, type WrittenPattern, writePattern, writePatternAsLss } from "../../app/patterns.ts";
import { LoopError } from "../../contract/errors.ts";
import type { PatternBindings } from "../../contract/pattern.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { writeNew } from "../write-page.ts";

export const patterns: Command = async (call) => {
  const [action = "list", name] = call.args;
  if (action === "list") return list(call);
  if (action !== "show" && action !== "write") throw wrong(`${action} is not known`, "Write list, show NAME or write NAME.");
  if (name === undefined) throw wrong("no pattern is named", `Write e.g. lw patterns ${action} reflection.`);
  const written = (isLss(call) ? writePatternAsLss : writePattern)(name, bindingsIn(call));
  for (const { path, why } of written.left) call.io.err(`left out: ${path}: ${why}\n`);
  if (action === "show") return show(call, written);
  if (typeof call.options.out !== "string") throw wrong("nobody says where to write it", "Give --out FILE.");
  await writeNew(call, [{ path: call.options.out, text: written.text }], [], "page");
  if (wantsJson(call)) printJson(call, { pattern: written.pattern, left: written.left, out: call.options.out });
  return "done";
};

function list(call: Call): "done" {
  const all = listPatterns();
  const paint = createPaint(call.io.outColor);
  if (wantsJson(call)) printJson(call, { loops: listLoops(), patterns: all });
  else call.io.out(`${[...listLoops().map((loop) => toldLoop(loop, paint)), ...all.map((pattern) => told(pattern, paint))].join("\n")}\n`);
  return "done";
}

const toldLoop = ({ name, does, needs, costs, level, why }: ReturnType<typeof listLoops>[number], paint: Paint): string =>
  [
    `${paint("bold", name)}  ${paint("dim", `for daily work; ${level}; needs ${needs.join(", ")}`)}`,
    `  ${does}`,
    `  ${level}: ${why}.`,
    `  ${paint("dim", `Costs ${costs}. Begin: lw init --pattern ${name}`)}`,
  ].join("\n");

function show(call: Call, written: WrittenPattern): "done" {
  if (wantsJson(call)) printJson(call, written);
  else call.io.out(written.text);
  return "done";
}

function isLss({ options: { to = "loopwright" } }: Call): boolean {
  if (to !== "lss" && to !== "loopwright") throw wrong(`--to ${to} is not known`, "Write lss, or leave it out.");
  return to === "lss";
}

const told = (pattern: PatternView, paint: Paint): string => {
  const { kind, family, name, level, purpose, invariant, needs } = pattern;
  const what = kind === "pattern" ? "a pattern" : kind === "loop" ? "a loop" : `a chore (${family})`;
  const about = `${what} of level ${level}; needs ${needs.join(", ")}`;
  const lines = [`${paint("bold", name)}  ${paint("dim", about)}`, `  ${purpose}`, `  Always: ${invariant}`];
  // What chores promise is in their checks, which are the repository's own: there is no scripted model to measure them on.
  return [...lines, ...(kind === "template" ? [] : [`  ${paint("dim", measuredOf(pattern))}`])].join("\n");
};

function measuredOf({ measured }: PatternView): string {
  if (measured === undefined) return "Not measured.";
  const { ended, calls, usd, score, band, dimensions } = measured;
  // An opinion alone shows nothing: docs/les.md.
  const shown = dimensions.effectiveness === 0 ? "no proof of it ever refused anything" : "proven";
  return `Measured on the scripted model: ${ended}; ${shown}; ${calls} calls, $${usd.toFixed(3)}; ${score} of 100, ${band} (speed left out).`;
}

/** What is said for the text; the model that judges is asked where the one that writes is. */
function bindingsIn({ options }: Call): Partial<PatternBindings> {
  const said = (name: string): string | undefined => (options[name] === undefined ? undefined : String(options[name]));
  const [provider, model, judge, baseUrl, test] = [said("provider"), said("model"), said("judge"), said("baseUrl"), said("test")];
  if ((provider === undefined) !== (model === undefined))
    throw wrong("a provider and its model are named together", "Give both --provider and --model.");
  if (provider !== undefined && judge === undefined)
    throw wrong("nobody says which model judges", "Give --judge MODEL: another one than the one that writes.");
  const at = baseUrl === undefined ? {} : { baseUrl };
  return {
    ...(provider !== undefined && model !== undefined
      ? { use: provider, with: { model, ...at }, judge: { provider, model: judge, ...at } }
      : {}),
    ...(test === undefined ? {} : { test }),
    ...Object.fromEntries(
      (["lint", "build", "types", "coverage"] as const).flatMap((name) => (said(name) === undefined ? [] : [[name, said(name)]])),
    ),
  };
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
