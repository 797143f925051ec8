// Rules about what looks at a team's workers and speaks of them: verifiers, metrics and feedback. All of it is said when the spec is read.
import * as z from "zod";
import { OF_A_WORKER, TELLABLE } from "../contract/measuring.ts";
import { Team, VerifierRef, type Worker } from "../contract/spec.ts";
import { looksAtWork } from "../contract/team-graph.ts";
import { closest } from "../std/closest.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const { of, before } = VerifierRef.shape;
const Draft = z.object({ id: lenient(z.string()), of: lenient(of), before: lenient(before) });

const Outline = z.object({
  team: lenient(Team),
  document: z.unknown().optional(),
  verifiers: lenient(z.array(z.unknown().transform((ref) => Draft.safeParse(ref).data ?? {}))),
});

type Draft = z.infer<typeof Draft>;

const hasTeam = (value: unknown): boolean => typeof value === "object" && value !== null && "team" in value;

/** What a spec says of its verifiers that speak of workers, whatever else is wrong with it. */
export const draftVerifiers = (value: unknown): readonly Draft[] => Outline.safeParse(value).data?.verifiers ?? [];

/** Its workers; none where it has no team that can be read. */
export const draftWorkers = (value: unknown): { readonly [id: string]: Worker } =>
  hasTeam(value) ? (Outline.safeParse(value).data?.team?.workers ?? {}) : {};

/** Whether a verifier looks at what workers made, and not at what is proposed. */
export function isAboutWork(value: unknown, index: number): boolean {
  if (!hasTeam(value)) return false;
  const { team, document } = Outline.safeParse(value).data ?? {};
  const verifier = draftVerifiers(value)[index];
  return team !== undefined && verifier !== undefined && looksAtWork({ team, document: document === undefined ? undefined : {} }, verifier);
}

export function checksOfWorkersAreSound(value: unknown): readonly Complaint[] {
  const { team, verifiers = [] } = Outline.safeParse(value).data ?? {};
  return verifiers.flatMap((verifier, index) => {
    const at: Path = ["verifiers", index];
    const named = [...(verifier.of ?? []), ...(verifier.before ?? [])];
    if (!hasTeam(value))
      return named.length > 0
        ? [complain([...at, verifier.of ? "of" : "before"], "has a meaning in a team only", "Leave it out, or write a `team`.")]
        : [];
    return team ? ofTeam(team, verifier, at) : [];
  });
}

function ofTeam(team: Team, { id, of: looked, before: held }: Draft, at: Path): readonly Complaint[] {
  const workers = Object.keys(team.workers);
  const isTaken = id !== undefined && [...workers, ...Object.keys(team.joins ?? {})].includes(id);
  return [
    ...(isTaken ? [complain([...at, "id"], `${quoted(id)} is a worker or a join`, "Give the verifier another id.")] : []),
    ...(looked ?? []).flatMap((name, index) => isWorker(name, workers, [...at, "of", index])),
    ...(held ?? []).flatMap((name, index) => isWorker(name, workers, [...at, "before", index])),
    ...(held && !looked ? [complain([...at, "before"], "nobody waits for a check of what is proposed", "Add `of: [WORKER]`.")] : []),
  ];
}

export function isWorker(name: string, workers: readonly string[], path: Path): readonly Complaint[] {
  if (workers.includes(name)) return [];
  const guess = closest(name, workers);
  return [
    complain(path, `there is no worker ${quoted(name)}`, guess ? `Did you mean ${quoted(guess)}?` : `There is: ${workers.join(", ")}.`),
  ];
}

/** Whether a worker hands over what fields can be asked of. */
const hasFields = ({ gives }: Worker): boolean => gives.as === "json" || gives.as === "handover";

/** What of a worker's result a metric asks for. */
export function workerSourceIsSound(worker: Worker, field: string, path: Path): readonly Complaint[] {
  if (Object.hasOwn(OF_A_WORKER, field)) return [];
  const counted = Object.keys(OF_A_WORKER).join(", ");
  if (field === "")
    return [complain(path, "a worker has no figure of its own", `Name a field of its JSON behind it, or one of: ${counted}.`)];
  return hasFields(worker) ? [] : [complain(path, "this worker hands over no JSON, so that it has no fields", `Write one of: ${counted}.`)];
}

/** What of a verifier or a worker is told. */
export function tellIsSound(tell: readonly unknown[], worker: Worker | undefined, path: Path): readonly Complaint[] {
  return tell.flatMap((field, index) => {
    if (typeof field !== "string") return [];
    const known: readonly string[] = TELLABLE;
    if (!worker)
      return known.includes(field)
        ? []
        : [complain([...path, index], `of a verifier there is no ${quoted(field)}`, `Write one of: ${known.join(", ")}.`)];
    if (worker.gives.as === "commit")
      return [complain([...path, index], "this worker hands over a commit, which cannot be told", "Name another worker.")];
    return field === "raw" || hasFields(worker)
      ? []
      : [complain([...path, index], "this worker hands over no JSON, so that it has no fields", "Write raw.")];
  });
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
