// What can be made out of a document that may have anything wrong with it, so that rules say all they have to say at once.
import type { Path } from "../../spec/path.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../values.ts";

/** An entry of a list of the document, with what it goes by. */
export interface Entry {
  readonly path: Path;
  readonly name: string | undefined;
  readonly fields: Fields;
}

export interface Sketch {
  readonly root: Fields;
  readonly workers: readonly Entry[];
  readonly evaluators: readonly Entry[];
  readonly channels: readonly Entry[];
  readonly metrics: readonly Entry[];
  readonly constraints: readonly Entry[];
  readonly children: readonly Entry[];
  readonly names: { readonly [list in "workers" | "evaluators" | "metrics" | "inputs" | "children"]: ReadonlySet<string> };
}

export function sketchOf(value: unknown): Sketch {
  const root = fieldsOf(value);
  const workers = entriesOf(root.workers, ["workers"], "id");
  const evaluators = entriesOf(root.evaluators, ["evaluators"], "id");
  const metrics = entriesOf(root.metrics, ["metrics"], "name");
  const children = entriesOf(fieldsOf(root.composition).children, ["composition", "children"], "id");
  return {
    root,
    workers,
    evaluators,
    channels: entriesOf(root.feedback_channels, ["feedback_channels"], "id"),
    metrics,
    constraints: entriesOf(root.safety_constraints, ["safety_constraints"], "id"),
    children,
    names: {
      workers: namesOf(workers),
      evaluators: namesOf(evaluators),
      metrics: namesOf(metrics),
      inputs: new Set(Object.keys(fieldsOf(fieldsOf(root.inputs).schema))),
      children: namesOf(children),
    },
  };
}

const entriesOf = (value: unknown, path: Path, name: string): readonly Entry[] =>
  listOf(value).map((entry, index) => {
    const fields = fieldsOf(entry);
    return { path: [...path, index], name: textOf(fields[name]), fields };
  });

const namesOf = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ name }) => (name === undefined ? [] : [name])));
