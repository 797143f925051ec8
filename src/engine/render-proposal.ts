// What a run's report says of a proposal, by its kind.
import { factsOf, type Proposal, type Rank, type ReportProposal, type SourceReading } from "../contract/proposal.ts";
import { inert, inertCode } from "../std/inert-markdown.ts";

/** One line, among what happened in its round. */
export function proposedLine(proposal: Proposal): string {
  const { says } = factsOf(proposal);
  switch (proposal.kind) {
    case "commit":
    case "document":
      return `- proposed: ${says} in ${proposal.commit.slice(0, 12)}; diff kept as ${proposal.diff.sha256.slice(0, 12)}`;
    case "report":
      return `- proposed: ${says}`;
  }
}

/** What is in it, where people are to read that here; a change is read as a diff. */
export function contentLines(proposal: Proposal): readonly string[] {
  switch (proposal.kind) {
    case "commit":
    case "document":
      return [];
    case "report":
      return reportLines(proposal);
  }
}

const RANKS: readonly Rank[] = ["breaking", "security", "revert", "large", "risky", "ordinary"];

function reportLines({ items, refs, divergence, found = [], summary }: ReportProposal): readonly string[] {
  const ranked = RANKS.flatMap((rank) => {
    const some = items.filter((item) => item.rank === rank);
    if (some.length === 0) return [];
    return [
      `### ${rank} (${some.length})`,
      "",
      ...some.map(({ commit, ref, title, why }) => `- ${inertCode(commit.slice(0, 12))} ${inert(title)} (${inert(ref)}; ${inert(why)})`),
      "",
    ];
  });
  return [
    "## Findings",
    "",
    inert(summary),
    "",
    ...ranked,
    ...found.flatMap(sourceLines),
    ...(refs.length + divergence.length === 0 ? [] : ["## Refs", ""]),
    ...refs.map(
      ({ ref, tip, commits, notes }) =>
        `- ${inert(ref)}: ${tip ? `at ${inertCode(tip.slice(0, 12))}` : "not there"}, ${commits} new commit(s)${notes.map((note) => `; ${inert(note)}`).join("")}`,
    ),
    ...divergence.map(({ ref, from, ahead, behind }) =>
      ahead === undefined
        ? `- ${inert(ref)} and ${inert(from)}: cannot be compared`
        : `- ${inert(ref)} is ${ahead} ahead of and ${behind} behind ${inert(from)}`,
    ),
    "",
  ];
}

/** What cannot be seen in a title cannot be clicked either: an address is shown as it is. */
const sourceLines = ({ source, items, notes }: SourceReading): readonly string[] => [
  `### ${inert(source)} (${items.length})`,
  "",
  ...items.map(({ title, why, address }) => `- ${inert(title)} (${inert(why)})${address === undefined ? "" : ` ${inertCode(address)}`}`),
  ...notes.map((note) => `- note: ${inert(note)}`),
  ...(items.length + notes.length === 0 ? ["Nothing new."] : []),
  "",
];
