// What a referee came to, for people and for code hosts.
import type { Finding, Proof } from "../../contract/evidence.ts";
import type { RunView } from "../../contract/views.ts";
import { displayLine, firstLine } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import type { SarifResult } from "../../std/read-sarif.ts";
import type { Paint } from "./paint.ts";
import { sarifLog } from "./sarif.ts";

const MOST_TOLD = 20;

export function tellReferee(view: RunView, paint: Paint): string {
  const { rest, referee } = view;
  const evidence = view.rounds.at(-1)?.evidence;
  const commit = referee?.commit;
  const what = commit ? `commit ${commit.slice(0, 12)}` : `the checkout (tree ${referee?.tree.slice(0, 12)})`;
  const head =
    rest?.kind === "accept"
      ? paint("green", "proven")
      : paint(rest ? "red" : "yellow", rest && "because" in rest ? `refused: ${rest.because}` : "not finished");
  const findings = evidence?.findings ?? [];
  return `${[
    `${head}  ${what} against ${displayLine(view.base.ref, 80)} at ${view.base.commit.slice(0, 12)}, ${formatDuration(view.workedMs)}`,
    ...(referee?.begun
      ? [`  since the beginning of ${referee.begun.at}, with ${referee.begun.files} ignored file(s) that are protected`]
      : []),
    ...findings.slice(0, MOST_TOLD).map(({ rule, where, why }) => `  ${rule}: ${displayLine(where, 200)}. ${displayLine(why, 300)}`),
    ...(findings.length > MOST_TOLD ? [`  and ${findings.length - MOST_TOLD} more finding(s)`] : []),
    ...(evidence?.proofs ?? []).map(
      (proof) => `  ${proof.verifier}: ${proof.outcome}${proof.outcome === "holds" ? "" : `: ${firstLine(proof.detail, 200)}`}`,
    ),
    ...(rest && rest.kind !== "accept" && findings.length === 0 ? [`  ${firstLine(rest.reason, 400)}`] : []),
    `  More: lw show ${view.run}`,
  ].join("\n")}\n`;
}

const LEVELS: { readonly [severity in Finding["severity"]]: SarifResult["level"] } = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
};

/** Findings beside their lines, and checks that did not hold as results of the whole change. */
export function refereeSarif(view: RunView | undefined, version: string) {
  const evidence = view?.rounds.at(-1)?.evidence;
  const findings = evidence?.findings ?? [];
  const failed = (evidence?.proofs ?? []).filter(({ outcome }) => outcome !== "holds");
  const rules = [
    ...new Map<string, string>([
      ...findings.map(({ rule, why }) => [rule, why] as const),
      ...failed.map(({ verifier }) => [`check/${verifier}`, "A check of the loop does not hold."] as const),
      ...(failed.length === 0 && findings.length === 0 && view?.rest?.kind !== "accept"
        ? [["referee", "The change was not proven."] as const]
        : []),
    ]),
  ].map(([id, why]) => ({ id, why }));
  return sarifLog({
    tool: "loopwright",
    version,
    rules,
    results: [...findings.map(ofFinding), ...failed.map(ofProof), ...ofRest(view, findings, failed)],
  });
}

const ofFinding = ({ rule, severity, where, why, file, line }: Finding): SarifResult => ({
  ruleId: rule,
  level: LEVELS[severity],
  message: `${displayLine(where, 1_000)}. ${why}`,
  file,
  line,
});

const ofProof = ({ verifier, outcome, detail }: Proof): SarifResult => ({
  ruleId: `check/${verifier}`,
  level: "error",
  message: `${verifier} ${outcome}: ${displayLine(detail, 2_000)}`,
  file: undefined,
  line: undefined,
});

/** What was refused without a finding or a failed check is told as well: no result at all would read like a pass. */
function ofRest(view: RunView | undefined, findings: readonly Finding[], failed: readonly Proof[]): readonly SarifResult[] {
  if (findings.length > 0 || failed.length > 0 || view?.rest?.kind === "accept") return [];
  const why = view?.rest && "reason" in view.rest ? displayLine(view.rest.reason, 2_000) : "nothing was judged";
  return [{ ruleId: "referee", level: "error", message: `Not proven: ${why}`, file: undefined, line: undefined }];
}
