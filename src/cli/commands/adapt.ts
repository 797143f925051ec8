// lw adapt: teaches the agents of a repository its loops, and takes that out again.
import { resolve } from "node:path";
import { type AdaptPlan, carryOutAdapt, describeAgents, planAdapt } from "../../app/adapting/plan-adapt.ts";
import { openAdapting } from "../../app/open-adapting.ts";
import { partsOf } from "../../app/open-parts.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import { createAsking } from "../ask.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";

export const adapt: Command = async (call) => {
  const { args, io, options } = call;
  if (options.list === true) return listAgents(call);
  if (options.check === true && options.remove === true)
    throw new LoopError("bad-input", "--check and --remove ask for two things", { retry: "never", hint: "Leave one of them out." });
  const { tree, findProgram, loops } = await openAdapting(resolve(io.cwd, args[0] ?? "."), await partsOf(call.home), call);
  const mode = options.remove === true ? "take" : "put";
  const taught = await loops(namesIn(options.loops));
  const plan = await planAdapt(
    taught.loops,
    {
      agents: namesIn(options.agents),
      mode,
      edits: options.overwriteEdits === true ? "overwrite" : "keep",
      hooks: options.hooks !== false,
      server: options.server !== false,
      referee: typeof options.referee === "string" ? options.referee : undefined,
    },
    { tree, findProgram },
  );
  const notes = [...(mode === "put" ? taught.notes : []), ...plan.notes];
  if (!wantsJson(call)) tellPlan(call, plan, notes);
  const did = await act(call, plan, () => carryOutAdapt(plan, tree));
  if (wantsJson(call)) {
    const files = plan.files.map(({ path, kind, agents, diff }) => ({ path, kind, agents, diff }));
    printJson(call, { did, agents: plan.agents, loops: taught.loops.map(({ name }) => name), files, left: plan.left, notes });
  } else io.err(`lw: ${tellDid(did, plan)}\n`);
  return exitFor(call, did, plan);
};

type Did = "written" | "not-written" | "unchanged";

async function act(call: Call, { files }: AdaptPlan, carryOut: () => Promise<void>): Promise<Did> {
  const { io, options } = call;
  if (files.length === 0) return "unchanged";
  if (options.check === true || options.dryRun === true) return "not-written";
  // Data on standard output is no yes; nor can anybody be asked then.
  const isWanted = options.yes === true || (!wantsJson(call) && (await createAsking(io).isYes(`Change ${files.length} file(s)?`)));
  if (!isWanted) return "not-written";
  await carryOut();
  return "written";
}

/** Drift is a failed check; what is left for a person to look at waits for one. */
function exitFor({ options }: Call, did: Did, { left }: AdaptPlan): ExitName {
  if (options.check === true) return did === "unchanged" && left.length === 0 ? "done" : "checkFailed";
  return left.length > 0 ? "waiting" : "done";
}

function tellDid(did: Did, { files, left }: AdaptPlan): string {
  const rest = left.length === 0 ? "" : `; ${left.length} left as they are`;
  switch (did) {
    case "written":
      return `changed ${files.length} file(s)${rest}`;
    case "not-written":
      return `nothing was written; ${files.length} file(s) would change${rest}`;
    case "unchanged":
      return `everything is as it should be${rest}`;
  }
}

/** Separated by commas or blanks. */
function namesIn(option: unknown): readonly string[] | undefined {
  const said = Array.isArray(option) ? option.map(String) : typeof option === "string" ? [option] : undefined;
  return said?.flatMap((words) => words.split(/[\s,]+/)).filter((name) => name !== "");
}

function tellPlan({ io, options }: Call, { agents, files, left }: AdaptPlan, notes: readonly string[]): void {
  const paint = createPaint(io.outColor);
  const colors = { "+": "green", "-": "red", "@": "cyan" } as const;
  const painted = (line: string): string => {
    const [mark] = line;
    return mark === "+" || mark === "-" || mark === "@" ? paint(colors[mark], visibleText(line)) : visibleText(line);
  };
  if (options.remove !== true) io.err(`Agents: ${agents.map(({ name, because }) => `${name} (${because})`).join(", ")}\n`);
  io.out(
    files
      .flatMap(({ path, kind, diff }) => [
        paint("bold", `--- ${kind === "new" ? "/dev/null" : `a/${displayLine(path, 300)}`}`),
        paint("bold", `+++ ${kind === "removed" ? "/dev/null" : `b/${displayLine(path, 300)}`}`),
        ...diff.map(painted),
      ])
      .map((line) => `${line}\n`)
      .join(""),
  );
  for (const { path, kind, why } of left)
    io.err(
      `lw: ${displayLine(path, 300)} is left as it is: ${displayLine(why, 400)}.${kind === "edited" ? " --overwrite-edits writes over that." : ""}\n`,
    );
  for (const note of notes) io.err(`lw: ${displayLine(note, 600)}\n`);
}

function listAgents(call: Call): ExitName {
  const agents = describeAgents();
  if (wantsJson(call)) printJson(call, { agents });
  else
    call.io.out(
      agents
        .map(({ name, title, summary, notes }) => `${name}  ${title}\n  ${summary}\n${notes.map((note) => `  - ${note}\n`).join("")}`)
        .join(""),
    );
  return "done";
}
