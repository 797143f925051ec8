// Caches of tool chains, warm and honest: filled by base's own look and by nobody else, and lent to the rooms of that base.
import type { CacheEntry, CacheWish } from "../contract/caches.ts";
import type { KindName } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Checkout, RoomPlan, Workshop } from "../contract/workshop.ts";
import { compileGlobs } from "../std/glob.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { isBoxed } from "./box-wish.ts";
import { preparationsOf } from "./prepare.ts";
import type { Run } from "./run.ts";

export const cacheWishOf = ({ rooms }: Pick<LoopSpec, "rooms">): CacheWish => rooms?.caches ?? "honest";

/** Of which base, and of which check there. */
interface Looked {
  readonly tree: string;
  readonly matter: string;
}

/** Whatever caches go by that they do not know themselves. */
async function keyOf({ opened, journal, world }: Pick<Run, "opened" | "journal" | "world">, { tree, matter }: Looked): Promise<string> {
  const prepared = preparationsOf(journal).at(-1)?.sha256 ?? "";
  const toolchain = await world.surroundings.toolchain();
  return sha256(canonicalJson({ version: 1, repo: opened.repo, tree, matter, prepared, toolchain }));
}

/** After a look at base, from its room: no proposal ever touched it. */
export async function fillCaches(run: Run, round: Round, checkout: Checkout, looked: Looked): Promise<readonly CacheEntry[]> {
  const { opened, world } = run;
  if (cacheWishOf(opened.spec) === "cold") return [];
  return world.caches.fill({
    key: await keyOf(run, looked),
    room: checkout,
    tracked: (await world.git.filesOf(opened.repo, round.base)).map(({ path }) => path),
    without: opened.spec.prepare?.keep ?? [],
    ignored: (paths) => world.workshop.listIgnored(round, checkout, paths),
  });
}

/**
 * The same run, in which the rooms of checks have the caches that base's look filled. What a hold-out's look left is lent to nobody: it
 * holds what the maker may not see.
 */
export function lendCaches<K extends KindName>(run: Run<K>): Run<K> {
  const { opened, journal, world } = run;
  if (cacheWishOf(opened.spec) === "cold") return run;
  const lend = async (
    room: Checkout,
    round: Round,
    plan: Pick<RoomPlan, "commit" | "over" | "olderByMs" | "isCopied">,
  ): Promise<Checkout> => {
    const { baseline } = journal.state;
    const entries = await wantedOf(run, plan);
    if (entries.length === 0) return room;
    const changes = await changesIn(world.workshop, round, plan, entries);
    const may = isBoxed("maker", run) && isBoxed("verifiers", run) && !baseline?.checks.some(({ rooms }) => rooms === "copied");
    let lent = room;
    for (const entry of entries) {
      if (!fits(entry, changes)) continue;
      const lending = await world.caches.lend(entry, room, may ? "lend" : "copy");
      if (lending.kind === "gone" || lending.kind === "not-lent") continue;
      lent = { ...lent, caches: [...new Set([...(lent.caches ?? []), entry.tool])] };
      if (lending.kind === "lent" && entry.under === "work") lent = { ...lent, below: [...(lent.below ?? []), lending.layer] };
      if (lending.kind === "lent" && entry.under === "home") lent = { ...lent, belowHome: [...(lent.belowHome ?? []), lending.layer] };
    }
    return lent;
  };
  const { workshop } = world;
  const lending: Workshop = {
    ...workshop,
    checkOut: async (repo, round, commit, verifier) => lend(await workshop.checkOut(repo, round, commit, verifier), round, { commit }),
    openRoom: async (round, plan) => lend(await workshop.openRoom(round, plan), round, plan),
  };
  return { ...run, world: { ...world, workshop: lending } };
}

const MOST_ENTRIES = 12;

async function wantedOf(run: Run<KindName>, { olderByMs = 0 }: Pick<RoomPlan, "olderByMs">): Promise<readonly CacheEntry[]> {
  const { baseline } = run.journal.state;
  const wanted: CacheEntry[] = [];
  for (const { matter, isHidden, caches = [] } of baseline?.checks ?? []) {
    if (isHidden || caches.length === 0) continue;
    const key = await keyOf(run, { tree: baseline?.tree ?? "", matter });
    for (const entry of caches) {
      // Another tool chain, or other packages: what it left is not theirs.
      if (entry.id !== sha256(`${key} ${entry.tool}`).slice(0, 40)) continue;
      if (entry.byTime && olderByMs > 0) continue;
      if (entry.alone && wanted.some(({ tool }) => tool === entry.tool)) continue;
      if (!wanted.some(({ id }) => id === entry.id)) wanted.push(entry);
    }
  }
  return wanted.slice(0, MOST_ENTRIES);
}

interface Changes {
  readonly touched: readonly string[];
  readonly isAnyGone: boolean;
}

/** Looked up only where an entry asks. */
async function changesIn(
  workshop: Pick<Workshop, "listChanged">,
  round: Round,
  { commit, over }: Pick<RoomPlan, "commit" | "over">,
  entries: readonly CacheEntry[],
): Promise<Changes> {
  const isAsked = entries.some(({ under, unless, unlessIn, unlessGone }) => under === "work" || unless || unlessIn || unlessGone);
  const changed = !isAsked || commit === round.base ? [] : await workshop.listChanged(round, commit);
  return {
    touched: [...changed.map(({ path }) => path), ...(over?.paths ?? [])],
    isAnyGone: changed.some(({ after }) => after === undefined),
  };
}

/** Whether nothing of a change lies where the cache does, or is what the cache cannot tell. */
export function fits(
  { under, paths, unless = [], unlessIn = [], unlessGone }: Pick<CacheEntry, "under" | "paths" | "unless" | "unlessIn" | "unlessGone">,
  { touched, isAnyGone }: Changes,
): boolean {
  if (unlessGone && isAnyGone) return false;
  const isBarred = compileGlobs(unless);
  const isInWay = (path: string): boolean =>
    under === "work" && paths.some((each) => `${each}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${each}/`));
  const isIn = (path: string): boolean => unlessIn.some((folder) => path === folder || path.startsWith(`${folder}/`));
  return !touched.some((path) => isInWay(path) || isIn(path) || isBarred(path));
}
