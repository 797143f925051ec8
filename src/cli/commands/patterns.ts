// lw patterns: ready-made specs for ways of thinking, each with what always holds of it.
import { listPatterns, type PatternView, writePattern } from "../../app/patterns.ts";
import { LoopError } from "../../contract/errors.ts";
import type { PatternBindings } from "../../contract/pattern.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { writePage } from "../write-page.ts";

export const patterns: Command = async (call) => {
  const [action = "list", name] = call.args;
  if (action === "list") return list(call);
  if (action !== "show" && action !== "write") throw wrong(`${action} is not known`, "Write list, show NAME or write NAME.");
  if (name === undefined) throw wrong("no pattern is named", `Write e.g. lw patterns ${action} reflection.`);
  const { pattern, text } = writePattern(name, bindingsIn(call));
  if (action === "show") return show(call, pattern, text);
  if (typeof call.options.out !== "string") throw wrong("nobody says where to write it", "Give --out FILE.");
  await writePage(call, call.options.out, text);
  if (wantsJson(call)) printJson(call, { pattern, out: call.options.out });
  return "done";
};

function list(call: Call): "done" {
  const all = listPatterns();
  const paint = createPaint(call.io.outColor);
  if (wantsJson(call)) printJson(call, { patterns: all });
  else call.io.out(`${all.map((pattern) => told(pattern, paint)).join("\n")}\n`);
  return "done";
}

function show(call: Call, pattern: PatternView, text: string): "done" {
  if (wantsJson(call)) printJson(call, { pattern, text });
  else call.io.out(text);
  return "done";
}

const told = ({ name, level, purpose, invariant, needs }: PatternView, paint: Paint): string =>
  `${paint("bold", name)}  ${paint("dim", `level ${level} of the taxonomy; needs ${needs.join(", ")}`)}\n  ${purpose}\n  Always: ${invariant}`;

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
  };
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
