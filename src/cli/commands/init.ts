// lw init: one loop for this repository, from what can be seen of it.
import { dirname, resolve } from "node:path";
import { type InitPlan, planInit } from "../../app/authoring/init-loop.ts";
import { tellTried } from "../../app/authoring/outline-loop.ts";
import { tryOnBase } from "../../app/authoring/try-checks.ts";
import { inPassingHouse, loopFiles, scanFolder } from "../../app/open-authoring.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import { shellWord } from "../../std/shell-word.ts";
import { type Asking, createAsking } from "../ask.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";

export const init: Command = async (call) => {
  const { args, io, options } = call;
  const seen = await scanFolder(resolve(io.cwd, args[0] ?? "."), call);
  if (!seen.isRepository)
    throw new LoopError("bad-input", `${displayLine(seen.root, 300)} is in no git repository`, {
      retry: "never",
      hint: "Loops work on commits: make one with `git init && git add -A && git commit -m Begin`, and try again.",
    });
  if (!seen.hasCommits)
    throw new LoopError("bad-input", `${displayLine(seen.root, 300)} has no commit yet`, {
      retry: "never",
      hint: "Loops work on commits: make a first commit with `git add -A && git commit -m Begin`, and try again.",
    });
  if (typeof options.pattern === "string") {
    if ([options.agent, options.test, options.at, options.name, options.merge].some((wish) => wish !== undefined)) throw patternAlone();
    const { planPattern } = await import("../../app/authoring/init-pattern.ts");
    const plan = await planPattern(seen, options.pattern, loopFiles);
    return finish(call, plan, options.yes === true || wantsJson(call) ? TAKES_FIRST : createAsking(io));
  }
  const asking = options.yes === true || wantsJson(call) ? TAKES_FIRST : createAsking(io);
  const plan = await planInit(seen, wishesOf(call), {
    ...loopFiles,
    choose: asking.choose,
    isSet: (variable) => (call.env[variable] ?? "") !== "",
    tryOnBase(path, fields) {
      if (options.try === false) return Promise.resolve({ kind: "not-tried", why: "--no-try was given" });
      io.err("Running the tests once on base, in a clean copy …\n");
      return inPassingHouse(call.home, call.version, call, (house) => tryOnBase(house, { path, folder: dirname(path) }, fields));
    },
  });
  return finish(call, plan, asking);
};

const patternAlone = (): LoopError =>
  new LoopError("bad-input", "--pattern writes a loop as it is, and takes neither --name, --agent, --test, --at nor --merge", {
    retry: "never",
    hint: "Write it, then change the file.",
  });

/** Where nobody is asked, what comes first is taken, and nothing is run. */
const TAKES_FIRST: Asking = { choose: async (_, [first]) => first ?? "", isYes: async () => false };

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const wishesOf = ({ options: { name, agent, test, at, merge } }: Call) => ({
  name: textOf(name),
  agent: textOf(agent),
  test: textOf(test),
  at: textOf(at),
  merge: merge === true ? (true as const) : undefined,
});

async function finish(call: Call, plan: InitPlan, asking: Asking): Promise<ExitName> {
  const { io, options } = call;
  const { kind, file, name, path, diff, tried, notes, text } = plan;
  // Data on standard output is no yes; nor can anybody be asked then.
  const asks = options.yes !== true && !wantsJson(call);
  if (!wantsJson(call)) tellPlan(call, plan);
  const writes = kind !== "unchanged" && options.dryRun !== true && (asks ? await asking.isYes(`Write ${file}?`) : options.yes === true);
  if (writes) await loopFiles.writeText(path, text);
  const did = kind === "unchanged" ? "unchanged" : writes ? "written" : "not-written";
  const next = nextSteps(name, file);
  if (wantsJson(call)) printJson(call, { kind, did, name, file, path, tried: tried ?? null, notes, diff, text, next });
  else io.out(`${did === "written" ? `Wrote ${file}.` : did === "unchanged" ? `${file} is as it was.` : "Nothing was written."}\n`);
  if (did === "not-written" || wantsJson(call)) return "done";
  if (asks && (await asking.isYes("Run it now?").catch(nobodyIsNo))) return runIt(call, path);
  io.out(`${next.map((line) => `  ${line}`).join("\n")}\n`);
  return "done";
}

/** What was to be written is written: where nobody answers any more, nothing is run, and that is all. */
function nobodyIsNo(error: unknown): false {
  if (error instanceof LoopError && error.code === "bad-input") return false;
  throw error;
}

const nextSteps = (name: string, file: string): readonly string[] => [
  `lw cost ${name}         # what a run may cost`,
  `lw run ${name}          # until it rests; a proven change waits for you`,
  `lw add ${shellWord(file)}   # let it wake by itself, with lw serve`,
];

const runIt = async (call: Call, path: string): Promise<ExitName> => (await import("./run.ts")).run({ ...call, args: [path], options: {} });

function tellPlan({ io }: Call, { file, kind, before, diff, tried, notes }: InitPlan): void {
  const paint = createPaint(io.outColor);
  const colors = { "+": "green", "-": "red", "@": "cyan" } as const;
  const painted = diff.map((line) => {
    const mark = line[0];
    const shown = visibleText(line);
    return mark === "+" || mark === "-" || mark === "@" ? paint(colors[mark], shown) : shown;
  });
  io.out(
    [
      ...(tried ? [tellTried(tried)] : []),
      ...(kind === "unchanged"
        ? []
        : [paint("bold", `--- ${before === undefined ? "/dev/null" : `a/${file}`}`), paint("bold", `+++ b/${file}`), ...painted]),
      ...notes.map((note) => paint("yellow", displayLine(note, 800))),
    ]
      .map((line) => `${line}\n`)
      .join(""),
  );
}
