// The graph that a team is: who waits for whom, and where a result lies. Pure.
import type { Join, Team, Worker } from "./spec.ts";

/** The joins that a worker makes one of, besides what it reads itself. */
export const joinsBy = ({ joins = {} }: Team, id: string): readonly Join[] => Object.values(joins).filter(({ by }) => by === id);

/** What a worker needs to have been made: what it reads, waits for, and builds on. */
export function needsOf(team: Team, { reads = [], after = [], onto = [] }: Worker): readonly string[] {
  const isOfTeam = (name: string): boolean => Object.hasOwn(team.workers, name) || Object.hasOwn(team.joins ?? {}, name);
  return [...new Set([...reads, ...after, ...onto].filter(isOfTeam))];
}

/** Everything that must have ended before it: also those of whom not all need to have made something. */
export function waitsFor(team: Team, id: string): readonly string[] {
  const worker = team.workers[id];
  const own = worker ? needsOf(team, worker) : joinWaits(team.joins?.[id]);
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
