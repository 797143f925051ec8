// Everything that can be said of a loop from the text of its spec: what is wrong with it, what it is made of, its lint score, and its diagrams.
import { levelOf, type TaxonomyLevel } from "../../anatomy/level.ts";
import { toMermaid } from "../../anatomy/mermaid.ts";
import { toSvg } from "../../anatomy/svg.ts";
import type { Anatomy } from "../../contract/anatomy.ts";
import type { Registries } from "../../contract/crew.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import { EMPTY_SHELF } from "../../dialects/translation.ts";
import { lintScore } from "../../scoring/les/lint.ts";
import type { Score } from "../../scoring/les/score.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { dialectOf } from "../dialects/dialect-of.ts";
import { anatomyOfTheirs } from "../dialects/import-file.ts";

export interface LoopDescription {
  readonly problems: readonly SpecProblem[];
  /** Null where a spec of ours is wrong: then only its problems are told. */
  readonly about: {
    readonly anatomy: Anatomy;
    readonly level: TaxonomyLevel;
    readonly score: Score;
    readonly mermaid: string;
    readonly svg: string;
  } | null;
}

/** Pure: nothing that the text names is opened. */
export function describeLoop(file: string, text: string, registries: Registries): LoopDescription {
  const sheet = sheetOf(text);
  const dialect = dialectOf(file, sheet);
  if (dialect) {
    const { anatomy, problems } = anatomyOfTheirs(dialect, { file, sheet, shelf: EMPTY_SHELF }, registries);
    return { problems, about: anatomy === undefined ? null : aboutOf(anatomy) };
  }
  const reading = readSpec(file, text, registries);
  return reading.kind === "refused"
    ? { problems: reading.problems, about: null }
    : { problems: [], about: aboutOf(anatomyOf(reading.spec, registries)) };
}

const aboutOf = (anatomy: Anatomy): NonNullable<LoopDescription["about"]> => ({
  anatomy,
  level: levelOf(anatomy),
  score: lintScore(anatomy),
  mermaid: toMermaid(anatomy),
  svg: toSvg(anatomy),
});
