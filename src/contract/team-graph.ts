// The graph that a team is: who waits for whom, and where a result lies. Pure.
import type { Join, LoopSpec, Team, VerifierRef, Worker } from "./spec.ts";

/** The joins that a worker makes one of, besides what it reads itself. */
export const joinsBy = ({ joins = {} }: Team, id: string): readonly Join[] => Object.values(joins).filter(({ by }) => by === id);

/** What a worker needs to have been made: what it reads, waits for, and builds on. */
export function needsOf(team: Team, { reads = [], after = [], onto = [], give = {} }: Worker): readonly string[] {
  const given = Object.values(give).map((from) => sourceOf(from).of);
  return [...new Set([...reads, ...after, ...onto, ...given].filter((name) => isOfTeam(team, name)))];
}

const isOfTeam = ({ workers, joins = {} }: Team, name: string): boolean => Object.hasOwn(workers, name) || Object.hasOwn(joins, name);

/** Whom a worker's `when` asks about: it waits for them, whatever becomes of them. */
export function asksAbout(team: Team, { when = "" }: Worker): readonly string[] {
  const names = [...when.matchAll(/(?<![\w.-])([a-z][a-z0-9_-]*)\./g)].map(([, name = ""]) => name);
  return [...new Set(names.filter((name) => Object.hasOwn(team.workers, name)))];
}

/** What a name in `give` stands for: a worker or `inputs`, and a field of that. */
export function sourceOf(from: string): { readonly of: string; readonly field: string | undefined } {
  const dot = from.indexOf(".");
  return dot < 0 ? { of: from, field: undefined } : { of: from.slice(0, dot), field: from.slice(dot + 1) };
}

/** What a worker is given: inputs and notes by their names, what others made, and the target where it reads that. */
export function flowsInto(team: Team, id: string): readonly string[] {
  const { reads = [], onto = [], give = {} } = team.workers[id] ?? {};
  return [...new Set([...reads, ...onto, ...Object.values(give), ...joinsBy(team, id).flatMap(({ of }) => of)])];
}

/** Everything that must have ended before it: also those of whom not all need to have made something. */
export function waitsFor(team: Team, id: string): readonly string[] {
  const worker = team.workers[id];
  const own = worker ? [...needsOf(team, worker), ...asksAbout(team, worker)] : joinWaits(team.joins?.[id]);
  return [...new Set([...own, ...joinsBy(team, id).flatMap(({ of }) => of)])];
}

const joinWaits = (join: Join | undefined): readonly string[] => (join ? [...join.of, ...(join.by === undefined ? [] : [join.by])] : []);

/** The way round a circle of names, if there is one: nobody in it could ever begin. */
export function circleIn(team: Team): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (id: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id];
    if (done.has(id)) return undefined;
    for (const other of waitsFor(team, id)) {
      const circle = walk(other, [...way, id]);
      if (circle) return circle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of [...Object.keys(team.workers), ...Object.keys(team.joins ?? {})]) {
    const circle = walk(id, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The file that a worker's result is in. */
export const fileOf = (id: string, { gives }: Worker): string => gives.file ?? `${id}.${ENDING[gives.as]}`;

const ENDING = { text: "txt", markdown: "md", json: "json", handover: "json", file: "txt", commit: "" } as const;

/** The workers whose results a name of `proposes` stands for: a worker itself, or those of a join. */
export function membersOf({ joins = {} }: Team, name: string): readonly string[] {
  const join = Object.hasOwn(joins, name) ? joins[name] : undefined;
  if (!join) return [name];
  return join.by === undefined ? join.of : [join.by];
}

/** The team with what its verifiers hold back: who waits for a check waits for those that it looks at. */
export function gatedTeam(team: Team, verifiers: readonly Pick<VerifierRef, "of" | "before">[]): Team {
  const gates = verifiers.filter(({ before }) => before !== undefined);
  if (gates.length === 0) return team;
  const workers = Object.entries(team.workers).map(([id, worker]) => {
    const waited = gates.flatMap(({ of = [], before }) => (before?.includes(id) ? of : []));
    return [id, waited.length === 0 ? worker : { ...worker, after: [...new Set([...(worker.after ?? []), ...waited])] }] as const;
  });
  return { ...team, workers: Object.fromEntries(workers) };
}

/**
 * Whether a verifier looks at what workers made, and not at what is proposed. One that is `of` everything proposed looks at the
 * proposal itself; only what holds somebody back looks before there is one.
 */
export function looksAtWork(
  { team, document }: Pick<LoopSpec, "team" | "document">,
  { of, before }: Pick<VerifierRef, "of" | "before">,
): boolean {
  if (!team || of === undefined) return false;
  const proposed = [...new Set(team.proposes.flatMap((name) => membersOf(team, name)))];
  const isAll = proposed.every((id) => of.includes(id));
  return before !== undefined || !isAll || (document === undefined && of.length > proposed.length);
}

/** The spec of a worker that is a loop; undefined of any other. It was read and checked with the spec that calls it. */
export const calledSpec = ({ spec }: Pick<Worker, "spec">): LoopSpec | undefined => spec as LoopSpec | undefined; // as the reader filled it in
