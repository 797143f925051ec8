// The one function every command passes: it says allow, ask or deny, with findings that say why.
import type { Severity } from "../../contract/evidence.ts";
import type { Call, CommandLine } from "./call.ts";
import type { CommandDecision, CommandFinding, Decision } from "./decision.ts";
import { applyPolicy } from "./policy.ts";
import { reachesNetwork } from "./reach.ts";
import { isReadOnly } from "./read-only.ts";
import type { CommandRule, Surroundings } from "./rule.ts";
import { commandRules } from "./rules/index.ts";
import { understand } from "./understand.ts";
import { unwrap } from "./unwrap.ts";

const DECISION: { readonly [S in Severity]: Decision } = { critical: "deny", high: "deny", medium: "ask", low: "allow" };

/** What matters most is told first. */
const GRAVITY: readonly Severity[] = ["critical", "high", "medium", "low"];

const RANK: { readonly [D in Decision]: number } = { allow: 0, ask: 1, deny: 2 };

/** Which rules a program concerns; most programs concern none. */
const BY_PROGRAM = indexed(commandRules);

const FOR_ALL = BY_PROGRAM.get("*") ?? [];

const FOR_REDIRECTED = BY_PROGRAM.get(">") ?? [];

/** The findings are the explanation: there is no second path that explains a decision. */
export function askGuard(text: string, surroundings: Surroundings = {}): CommandDecision {
  const line = understand(text);
  // A command inside a program's text is asked about once; what is inside that in turn is not run by us.
  const at: Surroundings = {
    ...surroundings,
    decide: surroundings.decide ?? ((inner) => askGuard(inner, { ...surroundings, decide: () => "allow" }).decision),
  };
  const all: readonly CommandFinding[] = [
    ...unclear(line),
    ...line.calls.flatMap((call) => [
      ...applyPolicy(at.policy ?? [], call, findingsOf(call, line, at)),
      ...beyondLevel(call, at),
      ...beyondReach(call, at),
    ]),
  ];
  const findings = all.toSorted((a, b) => GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity));
  const decision = findings.reduce<Decision>(
    (worst, { severity }) => (RANK[DECISION[severity]] > RANK[worst] ? DECISION[severity] : worst),
    "allow",
  );
  return { decision, findings };
}

function findingsOf(call: Call, line: CommandLine, at: Surroundings): readonly CommandFinding[] {
  const findings: CommandFinding[] = [];
  const own = rulesFor(call.program);
  const redirected = call.redirects.length > 0 ? FOR_REDIRECTED.filter((rule) => !own.includes(rule)) : [];
  for (const rules of [own, redirected, FOR_ALL]) {
    for (const { id, severity, why, instead, find } of rules) {
      const found = find(call, line, at);
      if (found === undefined || found === false) continue;
      findings.push({ rule: id, severity, where: (found === true ? call.text : found).slice(0, 300), why, instead });
    }
  }
  return findings;
}

/** At L1 only what is known to change nothing passes. */
function beyondLevel(call: Call, { level }: Surroundings): readonly CommandFinding[] {
  if (level !== "L1" || isReadOnly(call) || unwrap(call).kind !== "none") return [];
  return [
    {
      rule: "level-read-only",
      severity: "high",
      where: call.text.slice(0, 300),
      why: "An L1 loop may only read, and this is not known to change nothing.",
      instead: "Use a command that only reads, or raise the level.",
    },
  ];
}

/** A run that read strangers' text may be told to send something out, or to fetch something in. */
function beyondReach(call: Call, { network }: Surroundings): readonly CommandFinding[] {
  if (network !== "closed" || !reachesNetwork(call)) return [];
  return [
    {
      rule: "network-closed",
      severity: "high",
      where: call.text.slice(0, 300),
      why: "This run has read text of outsiders, and may not reach the network.",
      instead: "Do without it, or say `outsiders: { network: open }` in the spec.",
    },
  ];
}

/** `mkfs.ext4` is a `mkfs`, `python3.11` a `python3`, and Windows does not mind about case. */
const rulesFor = (program: string): readonly CommandRule[] =>
  program === ""
    ? []
    : (BY_PROGRAM.get(program) ?? BY_PROGRAM.get(program.toLowerCase()) ?? BY_PROGRAM.get(program.toLowerCase().split(".")[0]!) ?? []);

function unclear(line: CommandLine): readonly CommandFinding[] {
  const why = line.unclear.map((reason) => ({
    rule: "command-unclear",
    severity: "high" as const,
    where: line.text.slice(0, 300),
    why: `This command cannot be read for certain: ${reason}.`,
    instead: "Write it more plainly, or put it in a script file that can be looked at.",
  }));
  return line.traits.includes("fork-bomb")
    ? [
        ...why,
        {
          rule: "fork-bomb",
          severity: "critical",
          where: line.text.slice(0, 300),
          why: "A function that starts itself again and again takes the machine down.",
          instead: "Do not run it.",
        },
      ]
    : why;
}

function indexed(rules: readonly CommandRule[]): ReadonlyMap<string, readonly CommandRule[]> {
  const map = new Map<string, CommandRule[]>();
  for (const rule of rules) {
    for (const program of rule.programs) map.set(program, [...(map.get(program) ?? []), rule]);
  }
  return map;
}
