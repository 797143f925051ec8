// What the box of a maker or a verifier should be, as the spec and the round say. Pure.
import type { Bounds, BoxFact, BoxWish, EgressWish } from "../contract/commands.ts";
import type { RunOpened } from "../contract/record.ts";
import { Box } from "../contract/spec.ts";
import type { Taint } from "../contract/text.ts";
import type { Verify } from "../contract/verifier.ts";
import type { Checkout, Workspace } from "../contract/workshop.ts";

interface Matter {
  readonly opened: Pick<RunOpened, "spec" | "repo" | "folder">;
  readonly crew: {
    readonly verifiers: readonly Pick<Verify, "brings">[];
    readonly make?: { readonly keeps?: readonly string[]; readonly hosts?: readonly string[] };
  };
}

/** Runs from before there was a box have none in their spec: then the defaults count. */
const boxOf = ({ opened: { spec } }: Pick<Matter, "opened">): Box => Box.parse(spec.box ?? {});

/** Undefined when the spec wants none. A run that read outsiders' text may have a closed network, whatever the box says. */
export function makerWish(workspace: Workspace, taint: Taint, matter: Matter): BoxWish | undefined {
  const { when, network, reads, writes } = boxOf(matter).maker;
  const { repo, folder } = matter.opened;
  if (when === "off") return undefined;
  // A copy that borrows nothing was made so that files of the repository stay hidden: then the repository is hidden as well.
  const isApart = workspace.borrows?.length === 0;
  const isClosed = network === "closed" || (taint.kind === "tainted" && matter.opened.spec.outsiders.network === "closed");
  return {
    when,
    network: isClosed ? "closed" : network === "open" ? network : withModel(network, matter),
    rooms: [workspace.work, workspace.home, folderOf(workspace.usage)],
    ...layeredAs(workspace),
    needs: [workspace.brief, ...(workspace.borrows ?? []), ...(isApart && isIn(folder, repo) ? [] : ofFolder(folder, repo))],
    reads,
    writes: [...writes, ...keptBy(matter)],
    makes: keptBy(matter).filter(isFolderName),
    covers: [repo],
    hidden: [...holdOuts(matter), ...(isApart ? [repo] : [])],
    folder,
    part: "maker",
  };
}

/** An agent without its model would be of no use either. */
const withModel = (network: Exclude<Box["maker"]["network"], string>, { crew: { make } }: Matter): EgressWish => ({
  ...network,
  allow: [...new Set([...network.allow, ...(make?.hosts ?? [])])],
});

/** A verifier runs what the maker wrote: it sees the one room that it works in, and no hold-out but the one that was brought there. */
export function verifierWish(rooms: readonly Checkout[], cwd: string, matter: Matter): BoxWish | undefined {
  const { when, network, reads } = boxOf(matter).verifiers;
  if (when === "off") return undefined;
  const room = rooms.find(({ work }) => cwd === work || cwd.startsWith(`${work}/`));
  return {
    when,
    network,
    rooms: room ? [room.work, room.home] : [],
    ...(room ? layeredAs(room) : {}),
    needs: [...(room?.borrows ?? []), ...ofFolder(matter.opened.folder, matter.opened.repo)],
    reads,
    writes: [],
    covers: [matter.opened.repo],
    hidden: holdOuts(matter),
    folder: matter.opened.folder,
    part: "verifiers",
  };
}

/** Whether all that a maker, or a verifier, runs is put in a box wherever there is one. */
export const isBoxed = (part: "maker" | "verifiers", matter: Pick<Matter, "opened">): boolean => boxOf(matter)[part].when !== "off";

function layeredAs({
  work,
  home,
  below = [],
  belowHome = [],
}: Pick<Checkout, "work" | "home" | "below" | "belowHome">): Pick<BoxWish, "layered"> {
  const layered = [
    { room: work, below },
    { room: home, below: belowHome },
  ].filter((each) => each.below.length > 0);
  return layered.length === 0 ? {} : { layered };
}

/** What every check is shown besides its room. */
export const shownBeside = ({ folder, repo }: Pick<RunOpened, "folder" | "repo">): readonly string[] => ofFolder(folder, repo);

/** What lies beside the spec. A room has the repository's objects and its own files: of the repository itself, where that is the spec's folder, only the policy is shown. */
const ofFolder = (folder: string, repo: string): readonly string[] => (folder === repo ? [`${folder}/.loopwright`] : [folder]);

const holdOuts = ({ crew }: Matter): readonly string[] => crew.verifiers.flatMap(({ brings = [] }) => brings);

/** An agent without its login and its state would be of no use; what else the user keeps there stays hidden. */
const keptBy = ({ crew: { make } }: Matter): readonly string[] => make?.keeps ?? [];

/** Files have an ending: `.claude.json` beside `.claude`. An agent that never ran here makes its folders first of all. */
const isFolderName = (path: string): boolean => !/[^/.]\.\w+$/.test(path);

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** What holds for all of the commands of a part: the least that was enforced for any of them. */
export function leastOf(facts: readonly BoxFact[]): BoxFact {
  const [first, ...others] = facts.filter(({ kind }) => kind !== "unused");
  return others.reduce(lesserOf, first ?? { kind: "unused" });
}

function lesserOf(one: BoxFact, other: BoxFact): BoxFact {
  if (one.kind === "unused" || other.kind === "unused") return one.kind === "unused" ? one : other;
  const bounds = looserOf(one.bounds, other.bounds);
  if (one.kind === "none") return { kind: "none", why: one.why, ...bounds };
  if (other.kind === "none") return { kind: "none", why: other.why, ...bounds };
  const [network, reaches] = widerOf(one, other);
  const user = one.user === "shown" ? one.user : (other.user ?? one.user);
  const rooms = one.rooms ?? other.rooms;
  return {
    kind: one.kind,
    network,
    ...(reaches.length > 0 ? { reaches } : {}),
    writes: [...new Set([...one.writes, ...other.writes])],
    hides: one.hides.filter((place) => other.hides.includes(place)),
    ...(one.calls && other.calls ? { calls: one.calls } : {}),
    ...(user === undefined ? {} : { user }),
    ...(rooms === undefined ? {} : { rooms }),
    ...bounds,
  };
}

/** The more that one of them let a command have, and the weaker of who kept it to that. */
function looserOf(one: Bounds | undefined, other: Bounds | undefined): { readonly bounds?: Bounds } {
  if (!one || !other) return {};
  const pick = <Bound extends { readonly by: string }>(a: Bound | undefined, b: Bound | undefined): Bound | undefined =>
    a && b ? (BY_STRENGTH.indexOf(a.by) >= BY_STRENGTH.indexOf(b.by) ? a : b) : undefined;
  const [memory, processes] = [pick(one.memory, other.memory), pick(one.processes, other.processes)];
  return { bounds: { ...(memory ? { memory } : {}), ...(processes ? { processes } : {}) } };
}

const BY_STRENGTH: readonly string[] = ["group", "user", "process", "look"];

type Boxed = Extract<BoxFact, { readonly writes: unknown }>;

/** An open network reaches everybody, so that a list beside it says nothing. */
function widerOf(one: Boxed, other: Boxed): readonly [Boxed["network"], readonly string[]] {
  const networks = [one.network, other.network];
  if (networks.includes("open")) return ["open", []];
  return networks.includes("listed") ? ["listed", [...new Set([...(one.reaches ?? []), ...(other.reaches ?? [])])]] : ["closed", []];
}
