// lw parts: lists makers, verifiers and other parts, with their options.
import { builtIn } from "../../app/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { describeParts, type PartDescription } from "../../spec/describe-parts.ts";
import { closest } from "../../std/closest.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";

export const parts: Command = async (call) => {
  const [asked] = call.args;
  const all = describeParts(builtIn);
  const shown = asked ? all.filter(({ name }) => name === asked) : all;
  if (asked && shown.length === 0) throw unknownPart(asked, all);
  if (wantsJson(call)) {
    printJson(call, { parts: shown });
    return "done";
  }
  const paint = createPaint(call.io.outColor);
  call.io.out(`${shown.map((part) => tellPart(part, paint)).join("\n\n")}\n`);
  return "done";
};

function tellPart({ registry, name, summary, facts, options }: PartDescription, paint: Paint): string {
  const rows = options.map((option) => [
    `    ${option.name}`,
    option.type,
    option.required ? "required" : option.default === undefined ? "" : `default ${JSON.stringify(option.default)}`,
    option.description,
  ]);
  return [
    `${paint("bold", name)}  ${paint("dim", `${registry}${facts.map((fact) => `, ${fact}`).join("")}`)}`,
    `  ${summary}`,
    ...columns(rows),
  ].join("\n");
}

function unknownPart(asked: string, all: readonly PartDescription[]): LoopError {
  const names = all.map(({ name }) => name);
  const near = closest(asked, names);
  return new LoopError("bad-input", `no part is called ${asked}`, {
    retry: "never",
    hint: near ? `Did you mean ${near}?` : `There are: ${[...new Set(names)].join(", ")}.`,
  });
}
