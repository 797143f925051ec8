// Rules about guards: one that could not be kept to, or would never see anything, is refused when the spec is read.
import * as z from "zod";
import { GUARD_MATRIX, type Guard, Guards } from "../contract/guarding.ts";
import type { Worker } from "../contract/spec.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";
import { draftWorkers, isWorker } from "./team-checks-rules.ts";

const Outline = z.object({ guards: Guards });

export function guardsAreSound(value: unknown): readonly Complaint[] {
  const guards = Outline.safeParse(value).data?.guards ?? [];
  if (guards.length === 0) return [];
  const hasTeam = typeof value === "object" && value !== null && "team" in value;
  const workers = draftWorkers(value);
  return guards.flatMap((guard, index) => {
    const at: Path = ["guards", index];
    const isTwice = guards.findIndex(({ id }) => id === guard.id) < index;
    return [
      ...(isTwice ? [complain([...at, "id"], `${quoted(guard.id)} is the id of another guard too`, "Give each an id of its own.")] : []),
      ...canBeKept(guard, at),
      ...(hasTeam ? ofWorkers(guard, workers, at) : withoutTeam(guard, at)),
    ];
  });
}

function canBeKept({ rule, at: place, then, most }: Guard, at: Path): readonly Complaint[] {
  const thens = GUARD_MATRIX[place][rule];
  const rules = Object.keys(GUARD_MATRIX[place]).join(", ");
  return [
    ...(thens === undefined ? [complain([...at, "rule"], `cannot be looked for at ${quoted(place)}`, `Write one of: ${rules}.`)] : []),
    ...(thens !== undefined && !thens.includes(then)
      ? [
          complain(
            [...at, "then"],
            `${quoted(then)} cannot be done about ${rule} at ${quoted(place)}`,
            `Write one of: ${thens.join(", ")}.`,
          ),
        ]
      : []),
    ...(rule === "size" && (most === undefined || most === 0)
      ? [complain([...at, "most"], "a size needs a bound", "Write e.g. 16kB.")]
      : []),
    ...(rule === "injection" && most !== undefined && (typeof most === "string" || most > 1)
      ? [complain([...at, "most"], "is how much it may read like one, from 0 to 1", "Write e.g. 0.5.")]
      : []),
    ...(most !== undefined && rule !== "size" && rule !== "injection"
      ? [complain([...at, "most"], `has no meaning for ${rule}`, "Leave it out.")]
      : []),
  ];
}

function withoutTeam({ at: place, of }: Guard, at: Path): readonly Complaint[] {
  if (of) return [complain([...at, "of"], "has a meaning in a team only", "Leave it out.")];
  return place === "brief" || place === "result"
    ? [complain([...at, "at"], "one maker alone hands over nothing but its proposal", "Write proposal, note or desk, or a `team`.")]
    : [];
}

function ofWorkers({ rule, at: place, of, then }: Guard, workers: { readonly [id: string]: Worker }, at: Path): readonly Complaint[] {
  const ids = Object.keys(workers);
  if (of && (place === "proposal" || place === "desk"))
    return [complain([...at, "of"], `what is at ${quoted(place)} is no worker's alone`, "Leave it out.")];
  const looked = (of ?? ids).flatMap((id) => (workers[id] ? [workers[id]] : []));
  const isShapeless = rule === "schema" && looked.every(({ gives }) => gives.schema === undefined && gives.as !== "handover");
  const isCommit = place === "result" && then === "redact" && looked.some(({ gives }) => gives.as === "commit");
  return [
    ...(of ?? []).flatMap((id, index) => isWorker(id, ids, [...at, "of", index])),
    ...(isShapeless && looked.length > 0
      ? [complain(at, "none of these workers has a shape to keep to", "Give one a `gives.schema`.")]
      : []),
    ...(isCommit
      ? [complain([...at, "then"], "nothing can be taken out of a commit", "Write withhold, or name the workers in `of`.")]
      : []),
  ];
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
