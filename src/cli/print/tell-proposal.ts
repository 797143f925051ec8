// How a proposal is told on a terminal, by its kind.
import { factsOf, type MakerFact, type OutfitFact, type Proposal } from "../../contract/proposal.ts";
import { firstLine } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import { tellBox } from "../../std/tell-box.ts";
import { tellJoin, tellWorker } from "../../std/tell-worker.ts";
import type { Paint } from "./paint.ts";

const MOST_TOLD = 20;

/** What it is. */
export function tellProposed(proposal: Proposal, paint: Paint): readonly string[] {
  switch (proposal.kind) {
    case "commit":
    case "document":
      return [
        `  proposed  ${factsOf(proposal).says}, commit ${proposal.commit.slice(0, 12)}`,
        ...proposal.changes
          .slice(0, MOST_TOLD)
          .map(({ path, before, after }) => `            ${before ? (after ? "M" : "D") : "A"} ${firstLine(path, 120)}`),
        ...(proposal.talk.summary.trim() === "" ? [] : [`  said      ${paint("dim", firstLine(proposal.talk.summary, 120))}`]),
      ];
    case "report":
      return [
        `  reported  ${proposal.summary}`,
        ...proposal.items
          .slice(0, MOST_TOLD)
          .map(({ rank, commit, title }) => `            ${rank.padEnd(8)} ${commit.slice(0, 12)} ${firstLine(title, 100)}`),
        ...(proposal.found ?? []).flatMap(({ source, items }) =>
          items
            .slice(0, MOST_TOLD)
            .map(({ title, why }) => `            ${firstLine(source, 40)}: ${firstLine(title, 100)} (${firstLine(why, 60)})`),
        ),
      ];
  }
}

/** What its maker had, and was kept to. */
export function tellMaking(proposal: Proposal, paint: Paint): readonly string[] {
  const { outfit, boxes, maker, team } = factsOf(proposal);
  return [
    ...(team?.workers ?? []).map((worker) => `  worker    ${firstLine(tellWorker(worker), 200)}`),
    ...(team?.joins ?? []).map((join) => `  join      ${firstLine(tellJoin(join), 200)}`),
    ...(maker ? [`  maker     ${firstLine(tellMaker(maker), 200)}`] : []),
    ...(outfit ? [`  outfit    ${paint("dim", firstLine(tellOutfit(outfit), 200))}`] : []),
    ...boxes.flatMap((box) => (box ? [`  box       ${paint("dim", `maker: ${firstLine(tellBox(box), 160)}`)}`] : [])),
  ];
}

/** Who it was of several, and why not those before it. */
const tellMaker = ({ name, insteadOf }: MakerFact): string =>
  [name, ...insteadOf.map((other) => `instead of ${other.name}: ${other.why}`)].join("; ");

const tellOutfit = ({ included, ports, setup }: OutfitFact): string =>
  [
    ...(included ? [`${included.files.length} file(s) of your checkout, ${included.leftOut.length} left out`] : []),
    ...(ports ? [`ports ${ports.first} to ${ports.last}`] : []),
    ...(setup ? [`set up in ${formatDuration(setup.tookMs)}`] : []),
  ].join("; ");
