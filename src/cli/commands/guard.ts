// lw guard: asks the guard whether a command may run.
import { resolve } from "node:path";
import { userFolder } from "../../app/home.ts";
import { askWithPolicy } from "../../app/hooks/ask-with-policy.ts";
import { policyIn } from "../../app/open-guard.ts";
import { inputs } from "../../app/open-inputs.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import { type ExitName, gravestOf } from "../../contract/exit.ts";
import type { CommandDecision } from "../../guard/command/decision.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { commandRules } from "../../guard/command/rules/index.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { printTable } from "../print-table.ts";

const EXITS: { readonly [decision in CommandDecision["decision"]]: ExitName } = { allow: "done", ask: "waiting", deny: "blocked" };

export const guard: Command = async (call) => {
  const { args, options, io } = call;
  if (options.jsonl) return guardLines(call);
  if (args.length === 1 && args[0] === "rules") return listRules(call);
  if (args.length !== 1) {
    throw new LoopError("bad-input", "lw guard takes one command, in quotes", {
      retry: "never",
      hint: `Write e.g. lw guard "git push --force"; \`lw guard rules\` lists the rules.`,
    });
  }
  const workspace = resolve(io.cwd, typeof options.cwd === "string" ? options.cwd : ".");
  const decision = askWithPolicy(args[0]!, { workspace, ...levelOf(call) }, await policyFor(workspace, call));
  if (wantsJson(call)) printJson(call, decision);
  else io.out(tell(decision, options.explain === true, createPaint(io.outColor)));
  return EXITS[decision.decision];
};

function levelOf({ options }: Call): { readonly level?: "L1" | "L2" | "L3" } {
  const { level } = options;
  if (level === undefined) return {};
  if (level === "L1" || level === "L2" || level === "L3") return { level };
  throw new LoopError("bad-input", `--level ${String(level)} is no level`, { retry: "never", hint: "Write L1, L2 or L3." });
}

const policyFor = (project: string, { env }: Call): Promise<PolicyReading> => policyIn({ project, user: userFolder(environmentOf(env)) });

/** One answer a line, in the order of the questions; a line that cannot be read is denied like a command that cannot. It ends like the gravest. */
async function guardLines(call: Call): Promise<ExitName> {
  const policies = new Map<string, PolicyReading>();
  const heard = new Set<ExitName>();
  for await (const line of inputs.typed(call.io.input)) {
    const asked = readQuestion(line);
    const workspace = resolve(call.io.cwd, asked?.cwd ?? ".");
    const policy = policies.get(workspace) ?? (await policyFor(workspace, call));
    policies.set(workspace, policy);
    const decision = asked ? askWithPolicy(asked.cmd, { workspace, ...levelOf(call) }, policy) : unreadable(line);
    heard.add(EXITS[decision.decision]);
    call.io.out(`${JSON.stringify(decision)}\n`);
  }
  return gravestOf(heard);
}

function readQuestion(line: string): { readonly cmd: string; readonly cwd?: string } | undefined {
  try {
    const asked: unknown = JSON.parse(line);
    if (typeof asked !== "object" || asked === null || !("cmd" in asked) || typeof asked.cmd !== "string") return undefined;
    return "cwd" in asked && typeof asked.cwd === "string" ? { cmd: asked.cmd, cwd: asked.cwd } : { cmd: asked.cmd };
  } catch {
    return undefined;
  }
}

const unreadable = (line: string): CommandDecision => ({
  decision: "deny",
  findings: [
    {
      rule: "command-unclear",
      severity: "high",
      where: line.slice(0, 300),
      why: "This line is no JSON object with a text `cmd`.",
      instead: 'Write {"cmd": "ls"} on each line.',
    },
  ],
});

function listRules(call: Call): ExitName {
  const rules = commandRules.map(({ id, family, severity, why, instead, examples }) => ({ id, family, severity, why, instead, examples }));
  if (wantsJson(call)) printJson(call, { rules });
  else
    printTable(
      call,
      rules.map(({ id, family, severity, why }) => [id, family, severity, why]),
    );
  return "done";
}

function tell({ decision, findings }: CommandDecision, explain: boolean, paint: Paint): string {
  const color = decision === "allow" ? "green" : decision === "ask" ? "yellow" : "red";
  const lines = findings.flatMap(({ rule, severity, where, why, instead, from }) => [
    `  ${paint("bold", rule)} (${severity}): ${why}`,
    `    ${instead}`,
    ...(explain ? [`    in: ${displayLine(where, 200)}`, ...(from ? [`    settled by ${from}`] : [])] : []),
  ]);
  return `${[paint(color, decision), ...lines].join("\n")}\n`;
}
