// lw scan-diff: sees whether a change fakes its own success.
import { resolve } from "node:path";
import { inputs } from "../../app/open-inputs.ts";
import { scanDiff, scanRepository } from "../../app/open-scans.ts";
import { readDiffLines, readDiffText, type Scanned } from "../../app/scans/scan-diff.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import { type ExitName, gravestOf } from "../../contract/exit.ts";
import { diffRules } from "../../guard/diff/rules/index.ts";
import { BLIND_RULE, type DiffFinding, type DiffScan } from "../../guard/diff/scan.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { scanSarif, tellScan } from "../print/tell-scan.ts";
import { printTable } from "../print-table.ts";

const EXITS: { readonly [verdict in DiffScan["verdict"]]: ExitName } = {
  clean: "done",
  suspect: "tampering",
  tampering: "tampering",
  "cannot-tell": "cannotVerify",
};

export const scanDiffCommand: Command = async (call) => {
  const { args, options, io, version } = call;
  if (args.length === 1 && args[0] === "rules") return listRules(call);
  if (args.length > 1) throw misused("lw scan-diff takes one diff at a time", "Write e.g. git diff main... | lw scan-diff");
  if (options.jsonl) return scanLines(call);

  const scan = await scanAsked(call);
  if (options.sarif) printJson(call, scanSarif(scan, diffRules, version));
  else if (wantsJson(call)) printJson(call, scan);
  else io.out(tellScan(scan, scan.files, createPaint(io.outColor), options.all === true));
  if (scan.files === 0 && scan.findings.length === 0) io.err("note: nothing changed, so there was nothing to look at\n");
  return EXITS[scan.verdict];
};

async function scanAsked(call: Call): Promise<Scanned> {
  const { args, options, io } = call;
  const { repo, base, head, worktree } = options;
  if (repo === undefined && base === undefined && head === undefined && !worktree) return scanDiff(await readAsked(call));

  if (args.length > 0)
    throw misused("a diff and a repository cannot be scanned at once", "Leave out the file, or --repo, --base and --head.");
  if (head !== undefined && worktree) throw misused("--head and --worktree name two different ends", "Leave out one of them.");
  if (base === undefined && !worktree) throw misused("--base is missing", "Name the commit to compare with, e.g. --base main.");
  const until = worktree ? ({ kind: "work-tree" } as const) : ({ kind: "commit", head: String(head ?? "HEAD") } as const);
  return scanRepository(resolve(io.cwd, String(repo ?? ".")), String(base ?? "HEAD"), until, environmentOf(call.env));
}

/** Nothing at all on stdin is more often a broken pipe than a change of nothing. */
async function readAsked({ args: [file], io }: Call): Promise<string> {
  if (file !== undefined && file !== "-") return readDiffText(inputs, inputAt(file, io));
  const nothing = misused(
    "there is no diff on standard input",
    "Pipe one in (git diff main... | lw scan-diff), name a file, or use --base.",
  );
  if (file === undefined && io.input.isTyped()) throw nothing;
  const text = await readDiffText(inputs, inputAt("-", io));
  if (file === undefined && text === "") throw nothing;
  return text;
}

/** One answer a line, in the order of the questions; a line that cannot be read is answered like a diff that cannot. It ends like the gravest. */
async function scanLines({ args: [file], io }: Call): Promise<ExitName> {
  const heard = new Set<ExitName>();
  let number = 0;
  for await (const line of readDiffLines(inputs, inputAt(file ?? "-", io))) {
    number += 1;
    if (line?.trim() === "") continue;
    const { id, diff } = readQuestion(line);
    const { verdict, findings } = diff === undefined ? unreadable(number) : await scanDiff(diff);
    heard.add(EXITS[verdict]);
    io.out(`${JSON.stringify({ id, verdict, findings: findings.map(inBrief) })}\n`);
  }
  return gravestOf(heard);
}

const inBrief = ({ rule, severity, confidence, file, line, why }: DiffFinding) => ({
  rule,
  severity,
  confidence,
  file,
  line: line ?? null,
  why,
});

function readQuestion(line: string | undefined): { readonly id: unknown; readonly diff: string | undefined } {
  try {
    const asked: unknown = JSON.parse(line ?? "");
    if (typeof asked !== "object" || asked === null) return { id: null, diff: undefined };
    const id = "id" in asked ? asked.id : null;
    return { id, diff: "diff" in asked && typeof asked.diff === "string" ? asked.diff : undefined };
  } catch {
    return { id: null, diff: undefined };
  }
}

const unreadable = (number: number): DiffScan => ({
  verdict: "cannot-tell",
  findings: [
    {
      rule: BLIND_RULE,
      severity: "medium",
      confidence: "high",
      file: "",
      line: number,
      what: "line cannot be read",
      why: `Line ${number} of the input is no JSON object with a text \`diff\`. Write {"id": …, "diff": …} on each line.`,
    },
  ],
});

function listRules(call: Call): ExitName {
  const rules = diffRules.map(({ id, severity, why, examples }) => ({ id, severity, why, examples }));
  if (wantsJson(call)) printJson(call, { rules });
  else
    printTable(
      call,
      rules.map(({ id, severity, why }) => [id, severity, why]),
    );
  return "done";
}

const misused = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
