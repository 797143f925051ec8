// Which of the six levels of the taxonomy a loop is of, why, and what would raise or lower it. What a file says of itself is not asked.
import { type Anatomy, nodesOf } from "../contract/anatomy.ts";
import { rowsOf } from "./shape.ts";

export interface TaxonomyLevel {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly name: string;
  /** What makes it of this level. */
  readonly reasons: readonly string[];
  readonly raise: string;
  readonly lower: string;
  /** What it would need to deserve its level, and does not have. */
  readonly lacks: readonly string[];
}

const NAMES = ["single-step", "reflective", "multi-agent", "evolutionary", "self-modifying", "recursive meta"] as const;

const RAISE = [
  "Let what a check refuses come back to the maker, in more than one round.",
  "Let makers of different roles work on it side by side, or three and more in a row.",
  "Let it make several candidates, score them, keep the best and vary them.",
  "Let it change its own structure from what its runs show, and ask a person first.",
  "Let it improve the loop that improves others, within bounds that it cannot change.",
  "There is nothing above it.",
] as const;

const LOWER = [
  "There is nothing below it.",
  "One round, or no way back from the checks.",
  "One maker, or two in a row of which the second mends what the first made.",
  "Give up the search: refine prompts instead of parameters.",
  "Let it refine prompts or parameters, and leave its structure alone.",
  "Take the loops inside it out, or leave its structure alone.",
] as const;

export function levelOf(anatomy: Anatomy): TaxonomyLevel {
  const found = RULES.map((rule) => ({ level: rule.level, reasons: rule.reasons(anatomy) })).find(({ reasons }) => reasons.length > 0);
  const { level, reasons } = found ?? { level: 1 as const, reasons: ["what it makes is checked once, and nothing comes back"] };
  return { level, name: NAMES[level - 1]!, reasons, raise: RAISE[level - 1]!, lower: LOWER[level - 1]!, lacks: lacksOf(anatomy, level) };
}

interface Rule {
  readonly level: TaxonomyLevel["level"];
  /** Empty where it is not of this level. */
  readonly reasons: (anatomy: Anatomy) => readonly string[];
}

/** The deepest that goes on inside one round counts: asked from the top. */
const RULES: readonly Rule[] = [
  {
    level: 6,
    reasons: (anatomy) =>
      anatomy.changes === "structure" && anatomy.composition === "nested"
        ? ["it changes its own structure, and holds a loop inside it"]
        : [],
  },
  { level: 5, reasons: (anatomy) => (anatomy.changes === "structure" ? ["it changes its own structure from round to round"] : []) },
  {
    level: 4,
    reasons: (anatomy) => (anatomy.changes === "parameters" ? ["it searches: candidates are made, scored, selected and varied"] : []),
  },
  {
    level: 3,
    reasons: (anatomy) => {
      const rows = rowsOf(anatomy);
      const makers = rows.flat().length;
      const widest = Math.max(0, ...rows.map((row) => row.length));
      return [
        ...(makers > 1 && widest > 1 ? [`${makers} makers, up to ${widest} of them side by side`] : []),
        ...(makers > 2 && widest === 1 ? [`${makers} makers in a row, each with a role of its own`] : []),
        ...(anatomy.composition === "none" ? [] : [`it is composed of other loops, ${anatomy.composition}`]),
      ];
    },
  },
  {
    level: 2,
    reasons: (anatomy) => {
      const back = anatomy.edges.filter(({ kind }) => kind === "feedback").length;
      const isMore = anatomy.bounds.rounds === undefined || anatomy.bounds.rounds > 1;
      return back > 0 && isMore ? [`what is refused comes back to a maker (${back} way(s)), and it is revised`] : [];
    },
  },
];

/** How many guards the standard wants of each level. */
const FEWEST_GUARDS = [1, 2, 3, 4, 5, 5] as const;

function lacksOf(anatomy: Anatomy, level: TaxonomyLevel["level"]): readonly string[] {
  const guards = nodesOf(anatomy, "guard").length;
  const wanted = FEWEST_GUARDS[level - 1]!;
  const checks = nodesOf(anatomy, "verifier");
  const isSeparate = checks.some(({ refuses, isSelfGraded }) => refuses === "yes" && !isSelfGraded);
  const isAsked = nodesOf(anatomy, "gate").some(({ asks }) => asks === "human") || checks.some(({ is }) => is === "human");
  return [
    ...(guards < wanted ? [`${wanted} guards, and it has ${guards}`] : []),
    ...(level >= 3 && !isSeparate ? ["a check by somebody else than who made it"] : []),
    ...(level >= 5 && !isAsked ? ["a person who is asked before it changes itself"] : []),
    ...(anatomy.bounds.rounds === undefined ? ["a bound on its rounds"] : []),
  ];
}
