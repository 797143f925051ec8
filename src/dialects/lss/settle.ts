// Settles what a file leaves in the dark and whoever imports it says: a merge that the standard does not name, and ids that are there twice.
import type { Path } from "../../spec/path.ts";
import type { Bindings, DialectProblem } from "../translation.ts";
import { compositionProblems } from "./composition-rules.ts";
import { type LssDocument, MERGES } from "./document.ts";
import { brokenRules } from "./rules.ts";
import { sketchOf } from "./sketch.ts";
import { conditionsUnmet } from "./unmet-conditions.ts";

export interface Settled {
  readonly document: LssDocument;
  /** What was settled, where it stands in the file. */
  readonly told: readonly { readonly path: Path; readonly why: string }[];
}

/** Undefined where something is wrong with the document that nobody settled, or that nobody can: names of workers and children lead to them. */
export function settled(document: LssDocument, problems: readonly DialectProblem[], { set }: Pick<Bindings, "set">): Settled | undefined {
  const strategy = MERGES.find((known) => known === set.get(MERGE));
  const renames = set.get("ids") === "rename";
  const isSettled = ({ path, code }: DialectProblem): boolean =>
    (strategy !== undefined && path === `composition.${MERGE}`) || (renames && (code === "ids-unique" || code === "one-primary-metric"));
  if (!problems.every(isSettled)) return undefined;
  const renamed = renames ? renameTwins(document) : { document, told: [] };
  const done = strategy === undefined ? renamed : mergedBy(strategy, renamed);
  const sketch = sketchOf(done.document);
  const left = [...brokenRules(sketch), ...compositionProblems(sketch), ...conditionsUnmet(done.document)];
  return left.length === 0 ? done : undefined;
}

const MERGE = "merge.strategy";

function mergedBy(strategy: string, { document, told }: Settled): Settled {
  const { composition } = document;
  if (composition?.merge === undefined) return { document, told };
  return {
    document: { ...document, composition: { ...composition, merge: { ...composition.merge, strategy } } },
    told: [...told, { path: ["composition", "merge", "strategy"], why: `--set ${MERGE}=${strategy}` }],
  };
}

/** A name means the first that has it; what is wanted of a metric is wanted of all that have its name. */
function renameTwins(document: LssDocument): Settled {
  const evaluators = apart(document.evaluators, ({ id }) => id);
  const channels = apart(document.feedback_channels, ({ id }) => id);
  const constraints = apart(document.safety_constraints, ({ id }) => id);
  const metrics = apart(document.metrics, ({ name }) => name);
  const primary = document.metrics.findIndex((metric) => metric.primary === true);
  const ofAll = <T extends { readonly metric: string }>(ends: readonly T[] | undefined): T[] | undefined =>
    ends?.flatMap((end) => [
      end,
      ...metrics.flatMap(({ entry, name }) => (entry.name === end.metric && name !== end.metric ? [{ ...end, metric: name }] : [])),
    ]);
  const { success, stall } = document.termination_conditions;
  const [all, still] = [ofAll(success), ofAll(stall)];
  const told = (list: string, key: string, entries: readonly Apart<unknown>[]) =>
    entries.flatMap(({ name, isTwin }, index) => (isTwin ? [{ path: [list, index, key], why: `--set ids=rename: it is ${name}` }] : []));
  return {
    document: {
      ...document,
      evaluators: evaluators.map(({ entry, name }) => ({ ...entry, id: name })),
      feedback_channels: channels.map(({ entry, name }) => ({ ...entry, id: name })),
      safety_constraints: constraints.map(({ entry, name }) => ({ ...entry, id: name })),
      metrics: metrics.map(({ entry, name }, index) => ({ ...entry, name, primary: index === primary })),
      termination_conditions: {
        ...document.termination_conditions,
        ...(all === undefined ? {} : { success: all }),
        ...(still === undefined ? {} : { stall: still }),
      },
    },
    told: [
      ...told("evaluators", "id", evaluators),
      ...told("feedback_channels", "id", channels),
      ...told("safety_constraints", "id", constraints),
      ...told("metrics", "name", metrics),
    ],
  };
}

interface Apart<T> {
  readonly entry: T;
  readonly name: string;
  readonly isTwin: boolean;
}

/** Each by a name that no other has. */
function apart<T>(entries: readonly T[], nameOf: (entry: T) => string): readonly Apart<T>[] {
  const taken = new Set(entries.map(nameOf));
  const seen = new Set<string>();
  return entries.map((entry) => {
    const name = nameOf(entry);
    if (!seen.has(name)) {
      seen.add(name);
      return { entry, name, isTwin: false };
    }
    let number = 2;
    while (taken.has(`${name}_${number}`)) number += 1;
    taken.add(`${name}_${number}`);
    return { entry, name: `${name}_${number}`, isTwin: true };
  });
}
