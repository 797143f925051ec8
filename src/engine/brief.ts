import type { LoopSpec } from "../contract/spec.ts";
import type { Admitted } from "../contract/text.ts";
import type { BaseTold } from "./read-outside.ts";

export interface BriefMatter {
  readonly spec: LoopSpec;
  readonly roundNumber: number;
  /** What was seen of base before the first round. */
  readonly base?: BaseTold;
  /** What earlier rounds taught, oldest first. */
  readonly lessons: readonly Admitted[];
  readonly timeLeft: string;
  /** Places in the spec of checks that the maker is told nothing of. */
  readonly untold?: ReadonlySet<number>;
  /** Caps that are nearly used up, in words. */
  readonly nearCaps?: readonly string[];
  /** Whether its copy holds what an earlier try of this round had done. */
  readonly goesOn?: boolean;
}

/** Everything a maker is told, made by one pure function. Outside text gets in only as `Admitted`. */
export function writeBrief({
  spec,
  roundNumber,
  base = { lines: [], names: undefined },
  lessons,
  timeLeft,
  untold,
  nearCaps = [],
  goesOn = false,
}: BriefMatter): string {
  const sections = [
    `# ${spec.name}`,
    `Intent: ${spec.intent}`,
    `## Task\n\n${spec.task ?? spec.intent}`,
    `## How far you may go\n\nLevel ${spec.level}: edit files in this folder. What you leave here is committed for you, checked in a clean copy, and shown to a human. Do not push or merge.`,
    `## How it will be checked\n\n${spec.verifiers.map((check, index) => describeCheck(check, untold?.has(index) === true)).join("\n")}\n\nDo not delete, skip or weaken tests: such a change is refused, whatever the checks say.`,
    spec.seal.length > 0 ? `## Sealed\n\nLeave these files as they are: ${spec.seal.join(", ")}` : "",
    base.lines.length > 0 ? `## On base, before any change\n\n${[...base.lines, ...(base.names ? ["", base.names] : [])].join("\n")}` : "",
    lessons.length > 0
      ? `## What earlier rounds taught\n\n${lessons.map((lesson, index) => `Round ${index + 1}:\n${lesson}`).join("\n\n")}`
      : "",
    `## Budget\n\nThis is round ${roundNumber} of ${spec.budget.rounds}; ${timeLeft} are left for the whole run.${warning(nearCaps)}`,
    goesOn ? "## Where it stands\n\nAn earlier try was ended by its budget. What it had done is in this folder: go on from there." : "",
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const warning = (nearCaps: readonly string[]): string =>
  nearCaps.length === 0
    ? ""
    : `\n\nWarning: the budget is nearly used up. When it is, you are ended at once. Finish what matters first.\n${nearCaps.map((line) => `- ${line}`).join("\n")}`;

function describeCheck({ use, with: options }: LoopSpec["verifiers"][number], isUntold: boolean): string {
  if (isUntold) return `- ${use}: a check that you do not see`;
  const run = options?.run;
  return typeof run === "string" ? `- ${use}: \`${run}\` must succeed` : `- ${use}`;
}
