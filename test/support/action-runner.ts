// Runs the steps of a composite action as GitHub's runner does: expressions, files for outputs and summary, and workflow commands.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ActionStep {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: { readonly [name: string]: string };
  readonly with?: { readonly [name: string]: string };
}

export interface Action {
  readonly inputs: { readonly [name: string]: { readonly default?: string; readonly required?: boolean } };
  readonly outputs: { readonly [name: string]: { readonly value: string } };
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

export interface WorkflowCommand {
  readonly command: string;
  readonly properties: { readonly [name: string]: string };
  readonly message: string;
}

interface StepRun {
  readonly outcome: "success" | "failure" | "skipped";
  readonly outputs: { readonly [name: string]: string };
}

export interface JobRun {
  readonly isGood: boolean;
  readonly outputs: { readonly [name: string]: string };
  readonly steps: { readonly [id: string]: StepRun };
  /** What the runner obeyed. */
  readonly commands: readonly WorkflowCommand[];
  /** What it only showed. */
  readonly log: string;
  readonly summary: string;
  /** Other people's actions that would have run, with what they were given. */
  readonly used: readonly { readonly uses: string; readonly with: { readonly [name: string]: string } }[];
  /** The exit code of the last step that failed. */
  readonly exit: number | null;
  /** What later steps would find in their environment and on their path. */
  readonly leaks: string;
}

export interface JobAbout {
  readonly actionPath: string;
  readonly workspace: string;
  /** An empty folder for what the runner and the steps keep. */
  readonly temp: string;
  readonly inputs: { readonly [name: string]: string };
  readonly baseSha?: string;
  readonly env?: { readonly [name: string]: string };
}

export async function runAction(
  action: Action,
  { actionPath, workspace, temp, inputs, baseSha = "", env = {} }: JobAbout,
): Promise<JobRun> {
  mkdirSync(join(temp, "user"));
  const files = { GITHUB_ENV: "env", GITHUB_PATH: "path", GITHUB_STEP_SUMMARY: "summary", GITHUB_STATE: "state" };
  const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(temp, file)]));
  for (const path of Object.values(paths)) writeFileSync(path, "");
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: usual = "" }]) => [name, inputs[name] ?? String(usual)]),
  );
  const steps: { [id: string]: StepRun } = {};
  const used: JobRun["used"][number][] = [];
  const commands: WorkflowCommand[] = [];
  let log = "";
  let isGood = true;
  let exit: number | null = null;

  const context = () => ({ inputs: given, steps, baseSha, isGood });
  const filled = (values: { readonly [name: string]: string } = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(String(text), context())]));

  for (const [number, step] of action.runs.steps.entries()) {
    const id = step.id ?? `step-${number}`;
    const isWanted = step.if === undefined ? isGood : (isGood || step.if.includes("always()")) && isTrue(evaluate(step.if, context()));
    if (!isWanted) {
      steps[id] = { outcome: "skipped", outputs: {} };
      continue;
    }
    if (step.uses) {
      used.push({ uses: step.uses, with: filled(step.with) });
      continue;
    }
    const outputFile = join(temp, `output-${number}`);
    writeFileSync(outputFile, "");
    const ended = await runShell(step.run ?? "", {
      cwd: workspace,
      env: {
        PATH: process.env.PATH ?? "/usr/bin:/bin",
        HOME: join(temp, "user"),
        LANG: "C.UTF-8",
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_ACTION_PATH: actionPath,
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temp,
        ...paths,
        GITHUB_OUTPUT: outputFile,
        ...env,
        ...filled(step.env),
      },
    });
    // The two streams reach the runner in no order: whatever either of them says alone must be harmless.
    for (const stream of [ended.stdout, ended.stderr]) {
      const heard = hear(stream);
      commands.push(...heard.commands);
      log += heard.shown;
    }
    const outcome = ended.status === 0 ? "success" : "failure";
    if (outcome === "failure") {
      isGood = false;
      exit = ended.status;
    }
    steps[id] = { outcome, outputs: readOutputs(readFileSync(outputFile, "utf8")) };
  }
  return {
    isGood,
    exit,
    steps,
    used,
    commands,
    log,
    summary: readFileSync(paths.GITHUB_STEP_SUMMARY!, "utf8"),
    outputs: Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value, context())])),
    leaks: ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE"]
      .map((name) => (existsSync(paths[name]!) ? readFileSync(paths[name]!, "utf8") : ""))
      .join(""),
  };
}

interface ShellEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runShell(script: string, { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<ShellEnd> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, ...texts }));
  });
}

/** Which lines of a stream are commands: none between `stop-commands` and its mark, and the old form counts anywhere in a line. */
function hear(stream: string): { readonly commands: readonly WorkflowCommand[]; readonly shown: string } {
  const commands: WorkflowCommand[] = [];
  let mark: string | undefined;
  let shown = "";
  for (const line of stream.split(/\r\n|\r|\n/)) {
    const command = readCommand(line);
    if (mark !== undefined && command?.command === mark) mark = undefined;
    else if (mark === undefined && command?.command === "stop-commands") mark = command.message;
    else if (mark === undefined && command) commands.push(command);
    else shown += `${line}\n`;
  }
  return { commands, shown };
}

function readCommand(line: string): WorkflowCommand | undefined {
  const [, command, properties = "", message = ""] =
    /^\s*::([^\s:]+)(?:\s+(.*?))?::(.*)$/.exec(line) ?? /##\[([^\s\]]+)(?:\s+([^\]]*))?\](.*)$/.exec(line) ?? [];
  if (command === undefined) return undefined;
  const pairs = properties.split(",").filter((one) => one.includes("="));
  return {
    command,
    properties: Object.fromEntries(pairs.map((one) => [one.slice(0, one.indexOf("=")), unescaped(one.slice(one.indexOf("=") + 1))])),
    message: unescaped(message),
  };
}

const unescaped = (text: string): string =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");

function readOutputs(text: string): { readonly [name: string]: string } {
  const outputs: { [name: string]: string } = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, name, mark] = /^([^=<]+)<<(.+)$/.exec(lines[at]!) ?? [];
    if (name && mark) {
      const end = lines.indexOf(mark, at + 1);
      outputs[name] = lines.slice(at + 1, end).join("\n");
      at = end;
    } else if (lines[at]!.includes("=")) {
      outputs[lines[at]!.slice(0, lines[at]!.indexOf("="))] = lines[at]!.slice(lines[at]!.indexOf("=") + 1);
    }
  }
  return outputs;
}

interface Context {
  readonly inputs: { readonly [name: string]: string };
  readonly steps: { readonly [id: string]: StepRun };
  readonly baseSha: string;
  readonly isGood: boolean;
}

const fill = (text: string, context: Context): string => text.replace(/\$\{\{(.*?)\}\}/g, (_, inner: string) => evaluate(inner, context));

const isTrue = (value: string): boolean => value !== "" && value !== "false";

/** The few expressions that the action uses: `||`, `&&`, `==`, `!=`, texts, and paths. Anything else is a mistake in the test or the action. */
function evaluate(expression: string, context: Context): string {
  const text = expression.trim();
  const or = text.split("||");
  if (or.length > 1) return or.map((part) => evaluate(part, context)).find(isTrue) ?? "";
  const and = text.split("&&");
  if (and.length > 1) return and.every((part) => isTrue(evaluate(part, context))) ? "true" : "";
  const [, left, operator, right] = /^(.+?)\s*(==|!=)\s*(.+)$/.exec(text) ?? [];
  if (left && right) return (evaluate(left, context) === evaluate(right, context)) === (operator === "==") ? "true" : "";
  if (/^'.*'$/.test(text)) return text.slice(1, -1);
  if (text === "always()") return "true";
  if (text === "github.event.pull_request.base.sha") return context.baseSha;
  const [, input] = /^inputs\.([\w-]+)$/.exec(text) ?? [];
  if (input) return context.inputs[input] ?? "";
  const [, id, output] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(text) ?? [];
  if (id && output) return context.steps[id]?.outputs[output] ?? "";
  const [, asked] = /^steps\.([\w-]+)\.outcome$/.exec(text) ?? [];
  if (asked) return context.steps[asked]?.outcome ?? "";
  throw new Error(`the runner of the tests does not know the expression ${text}`);
}
