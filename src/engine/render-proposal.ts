// What a run's report says of a proposal, by its kind.
import {
  factsOf,
  NOTABLE,
  type Proposal,
  type Rank,
  type ReportItem,
  type ReportProposal,
  type SourceReading,
} from "../contract/proposal.ts";
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

/** What a rank is worth in reports from before lines were weighed. */
const UNWEIGHED: { readonly [rank in Rank]: number } = {
  breaking: 60,
  security: 50,
  revert: 40,
  large: 30,
  risky: 20,
  change: NOTABLE,
  ordinary: 0,
  bump: 0,
};
const MOST_SMALL = 200;

const weightOf = ({ weight, rank }: ReportItem): number => weight ?? UNWEIGHED[rank];

/** What is worth a look first, each on a line; the rest together, and other versions of what is used in one line. */
function reportLines({ items, refs, divergence, found = [], summary }: ReportProposal): readonly string[] {
  const sorted = items.toSorted((one, other) => weightOf(other) - weightOf(one));
  const notable = sorted.filter((item) => weightOf(item) >= NOTABLE);
  const small = sorted.filter((item) => weightOf(item) < NOTABLE);
  const bumps = small.filter(({ rank }) => rank === "bump");
  const others = small.filter(({ rank }) => rank !== "bump");
  const ranked = [
    ...(notable.length > 0 ? ["### To look at", "", ...notable.map(itemLine), ""] : []),
    ...(others.length > 0 ? [`${notable.length > 0 ? "Besides" : "Small things"}: ${together(others)}`, ""] : []),
    ...(bumps.length > 0 ? [`Other versions (${bumps.length}): ${together(bumps)}`, ""] : []),
  ];
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

const itemLine = (item: ReportItem): string => {
  const { rank, commit, title, why, ref, author, at, size, area, link } = item;
  const about = [author, at?.slice(0, 10), size, area === undefined ? undefined : `in ${area}`].flatMap((one) => (one ? [inert(one)] : []));
  const where = link !== undefined && FORGE_LINK.test(link) ? `; <${link}>` : "";
  return `- ${rank} ${inertCode(commit.slice(0, 12))} ${inert(title)}: ${inert(why)} (${[...about, inert(ref)].join(", ")}${where})`;
};

/** Nothing that Markdown could read as anything but an address. */
const FORGE_LINK = /^https:\/\/[a-z0-9.-]+\/[\w./~-]+$/;

const together = (items: readonly ReportItem[]): string =>
  [
    ...items.slice(0, MOST_SMALL).map(({ commit, title }) => `${inertCode(commit.slice(0, 12))} ${inert(title)}`),
    ...(items.length > MOST_SMALL ? [`and ${items.length - MOST_SMALL} more`] : []),
  ].join("; ");
