// lw hook: puts the guard and the referee into other agents, or before a push.
import { join } from "node:path";
import type { HookChange } from "../../app/hooks/change-settings-file.ts";
import { installGitHook, installWakeHooks, uninstallGitHook, uninstallWakeHooks } from "../../app/hooks/git-hook.ts";
import { describeHooks, type HookPlace, installHook, uninstallHook } from "../../app/hooks/install-hook.ts";
import { answerPush, answerSession, readCallInput, stopHookOf } from "../../app/hooks/referee-hooks.ts";
import { answerAgent } from "../../app/open-agent-hook.ts";
import { openHooks } from "../../app/open-hooks.ts";
import { looksFolder } from "../../app/records/daemon-view.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import { EXIT, type ExitName } from "../../contract/exit.ts";
import { shellWord } from "../../std/shell-word.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { tellHookChange } from "../print/tell-hook-change.ts";
import { watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

const EXITS: { readonly [code: number]: ExitName } = { 0: "done", 2: "blocked", 9: "waiting" };
const GIT = "git";

export const hook: Command = async (call) => {
  const [action, agent] = call.args;
  if (action === "list" && agent === undefined) return listHooks(call);
  if (agent === undefined || !["run", "install", "uninstall"].includes(action ?? "")) {
    throw new LoopError("bad-input", `lw hook ${call.args.join(" ")} is not complete`, {
      retry: "never",
      hint: "Write lw hook install|uninstall|run AGENT, or lw hook list.",
    });
  }
  if (action === "run") return call.options.referee === true ? runReferee(call, agent) : answerHook(call, agent);
  const { git, settings, makeFolder } = openHooks(environmentOf(call.env));
  if (agent === GIT && call.options.wake === true) {
    const mode = call.options.dryRun === true ? "show" : "write";
    const looks = looksFolder(call.home);
    if (action === "install" && mode === "write") makeFolder(looks);
    const project = call.io.cwd;
    const changes = await (action === "install"
      ? installWakeHooks(project, join(looks, "git"), mode, git)
      : uninstallWakeHooks(project, mode, git));
    if (wantsJson(call)) printJson(call, { hooks: changes });
    else for (const change of changes) tellHookChange(call.io, change, mode === "show");
    return changes.some(({ kind }) => kind === "refused") ? "usage" : "done";
  }
  const [changeGit, changeAgent] = action === "install" ? [installGitHook, installHook] : [uninstallGitHook, uninstallHook];
  return changeHook(call, (place, mode) => (agent === GIT ? changeGit(place, mode, git) : changeAgent(place, mode, settings)), agent);
};

async function answerHook({ io, env }: Call, agent: string): Promise<ExitName> {
  const { stdout, stderr, exitCode } = await answerAgent(agent, { cwd: io.cwd, env, input: io.input });
  if (stdout) io.out(stdout);
  if (stderr) io.err(stderr);
  return EXITS[exitCode] ?? "blocked";
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

async function runReferee(call: Call, agent: string): Promise<ExitName> {
  const { io, options } = call;
  const around = { cwd: io.cwd, loop: textOf(options.loop), base: textOf(options.base) };
  if (agent === GIT) return judgePushes(call, { ...around, remote: textOf(options.remote) });
  const stopHook = stopHookOf(agent);
  if (!stopHook)
    throw new LoopError("bad-input", `no hook of ${agent} can ask the referee`, {
      retry: "never",
      hint: "`lw hook list` says which agents can.",
    });
  const input = await readCallInput(call.io.input);
  return withHouse(call, async (house) => {
    const { stdout, stderr, exitCode } = await watched(call, house, (watch) => answerSession(house, agent, stopHook, input, around, watch));
    if (stdout) io.out(stdout);
    if (stderr) io.err(stderr);
    return EXITS[exitCode] ?? "blocked";
  });
}

async function judgePushes(call: Call, around: Parameters<typeof answerPush>[2]): Promise<ExitName> {
  const input = await readCallInput(call.io.input);
  return withHouse(call, async (house) => {
    const pushed = await watched(call, house, (watch) => answerPush(house, input, around, watch));
    if (wantsJson(call)) printJson(call, { pushed });
    for (const { ref, exit, says } of pushed) call.io.err(`lw: ${ref}: ${exit === "done" ? "" : "not pushed: "}${says}\n`);
    return pushed.reduce<ExitName>((worst, { exit }) => (EXIT[exit].code > EXIT[worst].code ? exit : worst), "done");
  });
}

type Change = (place: HookPlace, mode: "write" | "show") => Promise<HookChange>;

async function changeHook(call: Call, change: Change, adapter: string): Promise<ExitName> {
  const { io, options } = call;
  const env = environmentOf(call.env);
  const home = env.get("HOME") ?? env.get("USERPROFILE") ?? "";
  const scope = scopeOf(call);
  const ifMissing = ifMissingOf(call, scope, adapter);
  const flags = (["loop", "base"] as const)
    .map((name) => (options[name] === undefined ? "" : ` --${name} ${shellWord(String(options[name]))}`))
    .join("");
  const referee = options.referee === true ? { referee: { flags } } : {};
  const result = await change({ adapter, scope, ifMissing, project: io.cwd, home, ...referee }, options.dryRun === true ? "show" : "write");
  if (wantsJson(call)) printJson(call, result);
  else tellHookChange(call.io, result, options.dryRun === true);
  if (result.kind === "changed" && call.args[0] === "install" && adapter !== GIT && !wantsJson(call))
    io.err(`lw: ${WHOSE[scope]}${MISSING[ifMissing]}\n`);
  return result.kind === "refused" ? "usage" : "done";
}

type Scope = HookPlace["scope"];

/** Said of what was changed, so that nobody is surprised by whom it binds. */
const WHOSE: { readonly [scope in Scope]: string } = {
  project: "it binds everybody who works on this project with that file (--local: only you, --user: you everywhere)",
  local: "it binds only you, in this project",
  user: "it binds only you, in all your projects",
};
const MISSING: { readonly [then in "allow" | "deny"]: string } = {
  allow: "; where lw is not installed a command goes through with a warning (--if-missing deny)",
  deny: "; where lw is not installed no command goes through",
};

function scopeOf({ options }: Call): Scope {
  const asked = (["local", "project", "user"] as const).filter((scope) => options[scope] === true);
  if (asked.length > 1)
    throw new LoopError("bad-input", `--${asked.join(" and --")} mean different files`, { retry: "never", hint: "Write one of them." });
  return asked[0] ?? "project";
}

/** What is shared must not lock out who has no lw; what is one's own is as strict as it can be. */
function ifMissingOf({ options }: Call, scope: Scope, agent: string): "allow" | "deny" {
  const { ifMissing } = options;
  if (ifMissing === "allow" || ifMissing === "deny") return ifMissing;
  if (ifMissing !== undefined)
    throw new LoopError("bad-input", `--if-missing ${String(ifMissing)} is not known`, { retry: "never", hint: "Write allow or deny." });
  return scope === "project" && describeHooks().some(({ name, inShell }) => name === agent && inShell) ? "allow" : "deny";
}

function listHooks(call: Call): ExitName {
  const hooks = describeHooks();
  if (wantsJson(call)) printJson(call, { hooks });
  else {
    const lines = hooks.flatMap(({ name, summary, notes, settings, referee }) => [
      `${name}  ${summary}`,
      ...(settings ? [`  settings: ${settings.project}, or with --user ~/${settings.user}`] : []),
      `  referee: ${referee ? "yes, with --referee it is judged before it stops" : "no, its hooks cannot keep it from stopping, or do not say how"}`,
      ...notes.map((note) => `  - ${note}`),
    ]);
    call.io.out(`${lines.join("\n")}\n`);
  }
  return "done";
}
