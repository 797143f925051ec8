// Rules about what a loop keeps: names that nobody could write or read are refused when the spec is read.
import * as z from "zod";
import { NotebookWish } from "../contract/keeping.ts";
import { shapeProblem } from "../std/json-shape.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";
import { draftWorkers, isWorker } from "./team-checks-rules.ts";

const Outline = z.object({ notebook: NotebookWish });

export function notebookIsSound(value: unknown): readonly Complaint[] {
  const { keep, keys } = Outline.safeParse(value).data?.notebook ?? {};
  if (!keys) return [];
  if (typeof value !== "object" || value === null || !("team" in value))
    return [complain(["notebook", "keys"], "has a meaning in a team only", "Leave it out, or write a `team`.")];
  const workers = draftWorkers(value);
  const ids = Object.keys(workers);
  if (ids.length === 0) return [];
  const readers = (name: string): readonly string[] => ids.filter((id) => workers[id]?.reads?.includes(`notes.${name}`));
  return [
    ...(keep === "none"
      ? [complain(["notebook", "keep"], "nothing is kept, and there are names to keep it under", "Write run or loop.")]
      : []),
    ...Object.entries(keys).flatMap(([name, { writes, reads, schema }]) => {
      const at: Path = ["notebook", "keys", name];
      const shape = schema === undefined ? undefined : shapeProblem(schema);
      return [
        ...writes.flatMap((id, index) => isWorker(id, ids, [...at, "writes", index])),
        ...(reads ?? []).flatMap((id, index) => isWorker(id, ids, [...at, "reads", index])),
        ...(reads ? readers(name).filter((id) => !reads.includes(id)) : []).map((id) =>
          complain(
            ["team", "workers", id, "reads"],
            `${quoted(name)} of the notebook is not for it`,
            `Add it to \`notebook.keys.${name}.reads\`.`,
          ),
        ),
        ...(shape === undefined ? [] : [complain([...at, "schema"], shape, "Write a smaller schema.")]),
      ];
    }),
  ];
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
