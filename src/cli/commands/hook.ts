import { answerAgent } from "../../app/answer-agent.ts";
import { describeHooks, type HookChange, installHook, uninstallHook } from "../../app/hooks.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";

const EXITS: { readonly [code: number]: ExitName } = { 0: "done", 2: "blocked", 9: "waiting" };

export const hook: Command = async (call) => {
  const [action, agent] = call.args;
  if (action === "list" && agent === undefined) return listHooks(call);
  if (agent === undefined || !["run", "install", "uninstall"].includes(action ?? "")) {
    throw new LoopError("bad-input", `lw hook ${call.args.join(" ")} is not complete`, {
      retry: "never",
      hint: "Write lw hook install|uninstall|run AGENT, or lw hook list.",
    });
  }
  return action === "run" ? answerHook(call, agent) : changeHook(call, action === "install" ? installHook : uninstallHook, agent);
};

async function answerHook({ io }: Call, agent: string): Promise<ExitName> {
  const { stdout, stderr, exitCode } = await answerAgent(agent, io.cwd);
  if (stdout) io.out(stdout);
  if (stderr) io.err(stderr);
  return EXITS[exitCode] ?? "blocked";
}

async function changeHook(call: Call, change: typeof installHook, adapter: string): Promise<ExitName> {
  const { io, options } = call;
  const home = process.env.HOME ?? process.env.USERPROFILE ?? "";
  const scope = options.user === true ? "user" : "project";
  const result = await change({ adapter, scope, project: io.cwd, home }, options.dryRun === true ? "show" : "write");
  if (wantsJson(call)) printJson(call, result);
  else tell(call, result, options.dryRun === true);
  return result.kind === "refused" ? "usage" : "done";
}

function tell({ io }: Call, result: HookChange, isShown: boolean): void {
  switch (result.kind) {
    case "changed":
      io.out(`${result.diff.join("\n")}\n`);
      io.err(isShown ? `lw: nothing was written; leave out --dry-run to change ${result.path}\n` : `lw: changed ${result.path}\n`);
      return;
    case "unchanged":
      io.err(`lw: ${result.path} is already so\n`);
      return;
    case "refused":
      io.err(`lw: ${result.why}\n`);
  }
}

function listHooks(call: Call): ExitName {
  const hooks = describeHooks();
  if (wantsJson(call)) printJson(call, { hooks });
  else {
    const lines = hooks.flatMap(({ name, summary, notes, settings }) => [
      `${name}  ${summary}`,
      ...(settings ? [`  settings: ${settings.project}, or with --user ~/${settings.user}`] : []),
      ...notes.map((note) => `  - ${note}`),
    ]);
    call.io.out(`${lines.join("\n")}\n`);
  }
  return "done";
}
