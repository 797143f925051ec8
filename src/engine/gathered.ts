// What connectors brought, and in which round.
import type { Gathered, GatheredThings, Thing } from "../contract/connector.ts";
import type { RefWalk } from "../contract/git.ts";
import type { Round } from "../contract/round.ts";
import type { Run } from "./run.ts";

/** As it is on record; nothing where the spec gathers nothing. */
export const gatheredIn = ({ id }: Pick<Round, "id">, journal: Run["journal"]): readonly Gathered[] =>
  (journal.result(id, "gather")?.result ?? []) as readonly Gathered[]; // what the step `gather` writes

export const walksIn = (gathered: readonly Gathered[]): readonly RefWalk[] =>
  gathered.flatMap((brought) => (brought.kind === "commits" ? brought.walks : []));

/** Sources that have something new. */
export const sourcesIn = (gathered: readonly Gathered[]): readonly GatheredThings[] =>
  gathered.flatMap((brought) => (brought.kind === "things" && brought.things.length > 0 ? [brought] : []));

/** How far everything of a source can be trusted: as far as the least of it. */
export const trustIn = (things: readonly Thing[]): Thing["trust"] =>
  (["outsider", "member", "owner", "machine"] as const).find((trust) => things.some((thing) => thing.trust === trust)) ?? "outsider";
