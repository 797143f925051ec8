// lw parts: lists makers, verifiers and other parts, with their options, and says which of one's own are trusted.
import { distrust, partsOf, trust, trustedIn } from "../../app/open-parts.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { describeParts, type PartDescription } from "../../spec/describe-parts.ts";
import { closest } from "../../std/closest.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { deciderOf } from "../who.ts";

export const parts: Command = async (call) => {
  const [asked, file] = call.args;
  if (asked === "trust" || asked === "distrust") return decide(call, asked, file);
  const all = describeParts(await partsOf(call.home));
  const shown = asked ? all.filter(({ name }) => name === asked) : all;
  if (asked && shown.length === 0) throw unknownPart(asked, all);
  const own = await trustedIn(call.home);
  if (wantsJson(call)) {
    printJson(call, { parts: shown, ...(own.length > 0 ? { trusted: own } : {}) });
    return "done";
  }
  const paint = createPaint(call.io.outColor);
  const from = new Map(own.flatMap((trusted) => trusted.parts.map((name) => [name.split(" ")[1], trusted.from] as const)));
  call.io.out(`${shown.map((part) => tellPart(part, from.get(part.name), paint)).join("\n\n")}\n`);
  return "done";
};

async function decide(call: Call, action: "trust" | "distrust", file: string | undefined): Promise<ExitName> {
  const { by } = deciderOf(call);
  const { io, home } = call;
  if (file === undefined)
    throw new LoopError("bad-input", `lw parts ${action} takes a file`, {
      retry: "never",
      hint: `Write e.g. lw parts ${action} ./checks/links.mjs.`,
    });
  if (action === "distrust") {
    const out = await distrust(home, file, io.cwd);
    if (!out)
      throw new LoopError("bad-input", `nobody trusted ${file}`, { retry: "never", hint: "`lw parts --json` lists what is trusted." });
    if (wantsJson(call)) printJson(call, { distrusted: out });
    else io.out(`no longer trusted: ${displayLine(out.from, 300)} (${out.parts.join(", ")})\n`);
    return "done";
  }
  const trusted = await trust(home, file, { cwd: io.cwd, by });
  if (wantsJson(call)) printJson(call, { trusted });
  else
    io.out(
      `trusted by ${by}: ${trusted.parts.join(", ")}\n  ${displayLine(trusted.from, 300)}, as it is now (sha256 ${trusted.sha256.slice(0, 12)})\n`,
    );
  return "done";
}

function tellPart({ registry, name, summary, facts, options }: PartDescription, from: string | undefined, paint: Paint): string {
  const rows = options.map((option) => [
    `    ${option.name}`,
    option.type,
    option.required ? "required" : option.default === undefined ? "" : `default ${JSON.stringify(option.default)}`,
    option.description,
  ]);
  const own = from === undefined ? [] : [`of your own, from ${displayLine(from, 200)}`];
  return [
    `${paint("bold", name)}  ${paint("dim", `${registry}${[...facts, ...own].map((fact) => `, ${fact}`).join("")}`)}`,
    `  ${summary}`,
    ...columns(rows),
  ].join("\n");
}

function unknownPart(asked: string, all: readonly PartDescription[]): LoopError {
  const names = all.map(({ name }) => name);
  const near = closest(asked, names);
  return new LoopError("bad-input", `no part is called ${asked}`, {
    retry: "never",
    hint: near
      ? `Did you mean ${near}?`
      : `There are: ${[...new Set(names)].join(", ")}. One of your own is trusted first: lw parts trust FILE.`,
  });
}
