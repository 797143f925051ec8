// lw lint: what is wrong with loops, and what can go wrong with them, before they run.
import type { LintedFile, LintReport } from "../../app/authoring/lint-files.ts";
import { lintFiles } from "../../app/open-linting.ts";
import { partsOf } from "../../app/open-parts.ts";
import { FAILURES } from "../../lint/detector.ts";
import { detectors } from "../../lint/detectors/index.ts";
import type { LintFinding } from "../../lint/lint-text.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { sarifLog } from "../print/sarif.ts";

export const lint: Command = async (call) => {
  const { args, io, options, version } = call;
  if (options.rules === true) {
    if (wantsJson(call))
      printJson(call, { failures: FAILURES, rules: detectors.map(({ id, failure, weight, why }) => ({ id, failure, weight, why })) });
    else
      io.out(
        detectors.map(({ id, failure, weight, why }) => `${id.padEnd(26)} ${failure.padEnd(4)} ${weight.padEnd(8)} ${why}\n`).join(""),
      );
    return "done";
  }
  const report = await lintFiles(args.length > 0 ? args : ["."], io.cwd, await partsOf(call.home), { fix: options.fix === true });
  if (options.sarif === true) printJson(call, lintSarif(report, version));
  else if (wantsJson(call)) printJson(call, report);
  else tell(report, io.out, io.err, createPaint(io.outColor));
  return report.exit;
};

function tell({ files, unseen }: LintReport, out: (text: string) => void, err: (text: string) => void, paint: Paint): void {
  for (const file of files) {
    for (const finding of file.mended) out(`${paint("green", "mended")}   ${line(finding)}\n`);
    for (const finding of file.findings) out(`${paint(COLORS[finding.weight], finding.weight.padEnd(8))} ${line(finding)}\n`);
    if (file.findings.length === 0) out(`${displayLine(file.file, 300)}: ok\n`);
  }
  for (const one of unseen) err(`not looked at: ${displayLine(one, 300)}\n`);
  if (files.length > 1) err(`${files.length} loops: ${countOf(files)}\n`);
}

const COLORS = { error: "red", warning: "yellow", note: "cyan" } as const;

const line = (finding: LintFinding): string =>
  displayLine(`${formatProblem(finding)} [${[finding.failure, finding.rule].filter((word) => word !== null).join(" ")}]`, 1000);

const countOf = (files: readonly LintedFile[]): string =>
  (["error", "warning", "note"] as const)
    .map((weight) => `${files.flatMap(({ findings }) => findings).filter((finding) => finding.weight === weight).length} ${weight}(s)`)
    .join(", ");

function lintSarif({ files }: LintReport, version: string) {
  const findings = files.flatMap((file) => file.findings);
  const known = detectors.map(({ id, why }) => ({ id, why }));
  const others = [...new Set(findings.map(({ rule }) => rule))].filter((rule) => !known.some(({ id }) => id === rule));
  return sarifLog({
    tool: "lw lint",
    version,
    rules: [...known, ...others.map((id) => ({ id, why: "The file breaks a rule of its own format." }))],
    results: findings.map(({ rule, weight, problem, instead, file, line: at }) => ({
      ruleId: rule,
      level: weight,
      message: `${problem}. ${instead}`,
      file,
      line: at,
    })),
  });
}
