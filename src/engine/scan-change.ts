// What the diff scanner sees in a proposal, in the form that goes on record: bounded, the gravest first.
import type { Finding } from "../contract/evidence.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { World } from "../contract/world.ts";
import { boundWork } from "../guard/diff/bound-work.ts";
import { changeSetOf } from "../guard/diff/change-set-of.ts";
import { type DiffFinding, scanChangeSet } from "../guard/diff/scan.ts";
import { languagesIn } from "../guard/diff/view.ts";

const MOST_FINDINGS = 50;
const MOST_CHARS = 600;

export async function scanChange(
  round: Round,
  { commit }: CommitProposal,
  seal: readonly string[],
  { workshop, loadSyntax }: Pick<World, "workshop" | "loadSyntax">,
): Promise<readonly Finding[]> {
  const set = boundWork(changeSetOf(await workshop.compareWithBase(round, commit), seal));
  const { findings } = scanChangeSet(set, await loadSyntax(languagesIn(set)));
  return recordFindings(findings);
}

/** The scanner gives them by gravity, so what is left out is never graver than what is kept. */
export function recordFindings(findings: readonly DiffFinding[]): readonly Finding[] {
  const kept = findings.slice(0, MOST_FINDINGS).map(recordOne);
  const more = findings.length - kept.length;
  if (more === 0) return kept;
  const { severity } = findings[MOST_FINDINGS]!;
  return [...kept, { rule: "more-findings", severity, where: `${more} more`, why: "See all of them with `lw scan-diff`." }];
}

function recordOne({ rule, severity, confidence, file, line, what, why, before, after }: DiffFinding): Finding {
  const place = line === undefined ? file : `${file}:${line}`;
  return {
    rule,
    severity,
    where: `${place} ${what}`.slice(0, MOST_CHARS),
    why,
    confidence,
    file: file.slice(0, MOST_CHARS),
    ...(line === undefined ? {} : { line }),
    ...(before === undefined ? {} : { before: before.slice(0, MOST_CHARS) }),
    ...(after === undefined ? {} : { after: after.slice(0, MOST_CHARS) }),
  };
}
