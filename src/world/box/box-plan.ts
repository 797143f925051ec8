// Which place a boxed command may see and write: a box starts empty, and of all words about a place the deepest counts. Pure, apart
// from looking up what is there.
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { BoxWish } from "../../contract/commands.ts";
import type { Tools } from "./find-tools.ts";
import { isOurHome, treesOf } from "./other-folders.ts";
import { NEEDED_IN_SYSTEM, SECRET_IN_FOLDER, SECRET_IN_HOME, SECRET_IN_SYSTEM, SYSTEM, TEMPORARY } from "./secret-places.ts";

/** `scratch` is empty, writable, and gone with the command. What nobody spoke of is `hidden`. */
export type Access = "read" | "write" | "hidden" | "scratch";

export interface Place {
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
  /** Where another file stands in its place. */
  readonly from?: string;
}

/** A name that leads elsewhere, where the box would not have it by itself. */
export interface Link {
  readonly path: string;
  readonly to: string;
}

/** All that a box is made of. */
export interface Plan {
  readonly places: readonly Place[];
  readonly links: readonly Link[];
  /** What is worth telling of all that it does not show. */
  readonly hides: readonly string[];
}

/** What holds for every command: our own home folders, and where the user's secrets and tools lie. */
export interface Standing {
  readonly ourHome: string;
  /** Homes of ours that are not in use now. */
  readonly otherHomes?: readonly string[];
  /** Where this program lies, and by which name it was started: hooks that agents run in the box start it again. */
  readonly ourProgram?: readonly string[];
  readonly userHomes: readonly string[];
  /** Toolchains, to read, and what stays hidden within them. */
  readonly tools?: Tools;
  /** Files of the system that nobody but root may read: for who is root, whatever it is called inside. */
  readonly onlyRoots?: readonly string[];
  /** Files that stand for others, such as the one that names the user. */
  readonly instead?: readonly { readonly path: string; readonly from: string }[];
}

const NO_TOOLS: Tools = { shows: [], hides: [] };

export function planBox(
  wish: BoxWish,
  { ourHome, otherHomes = [], ourProgram = [], userHomes, tools = NO_TOOLS, onlyRoots = [], instead = [] }: Standing,
  /** Sockets that it must reach, besides those that the spec names. */
  sockets: readonly string[] = [],
): Plan {
  const placeOf = (path: string): string => placeNamed(path, wish.folder, userHomes[0]);
  const [reads, writes] = [wish.reads.map(placeOf), wish.writes.map(placeOf)];
  // Whoever keeps the spec at home, or where all homes are, has not opened that with it.
  const isTooWide = (path: string): boolean =>
    path === sep || [ourHome, ...userHomes].some((home) => path === home || (isIn(home, path) && dirname(path) === sep));
  const needs = wish.needs.filter((path) => !isTooWide(path));
  const wide = [...needs, ...tools.shows, ...reads, ...writes];
  const homeSecrets = userHomes.flatMap((home) => SECRET_IN_HOME.map((path) => join(home, path)));
  // Only what lies in something that is let in needs a word.
  const secrets = homeSecrets.filter((path) => wide.some((place) => isIn(path, place)));
  const covered = (wish.covers ?? []).flatMap((path) => [path, ...treesOf(path)]);
  // In the order of their weight: what comes later wins, where two speak of the same place.
  const said = [
    ...[...TEMPORARY, ...userHomes].map((path) => find(path, "scratch")),
    ...[...SYSTEM, ...NEEDED_IN_SYSTEM, ...tools.shows, ...needs, ...ourProgram].map((path) => find(path, "read")),
    ...[...SECRET_IN_SYSTEM, ...onlyRoots, ...secrets, ...tools.hides].map((path) => find(path, "hidden")),
    ...[...needs, ...tools.shows].flatMap((path) => SECRET_IN_FOLDER.map((name) => find(join(path, name), "hidden"))),
    ...[ourHome, ...otherHomes].map((path) => find(path, "hidden")),
    ...needs.map((path) => homesIn(path)),
    ...covered.map((path) => find(path, "hidden")),
    // Of the target itself only the policy is shown.
    ...covered.filter((path) => needs.includes(path)).map((path) => find(join(path, ".loopwright"), "read")),
    ...instead.map(({ path, from }) => find(path, "read", from)),
    ...reads.map((path) => find(path, "read")),
    ...writes.map((path) => find(path, "write")),
    ...wish.hidden.map((path) => find(placeOf(path), "hidden")),
    ...wish.rooms.map((path) => find(path, "write")),
  ];
  const words = said.flatMap(({ places }) => places);
  const named = settle(words);
  const answering = socketsIn(named, { rooms: wish.rooms, open: [...sockets, ...reads, ...writes] });
  const places = settle([...named, ...answering]);
  const links = uniqueLinks(
    said.flatMap((each) => each.links),
    places,
  );
  const hides = words.filter((place) => place.access === "hidden" || userHomes.includes(place.path)).map(({ path }) => path);
  return {
    places,
    links,
    hides: [...new Set([...hides, ...answering.map(({ path }) => path)])].filter(
      (path) => !["read", "write"].includes(accessAt(places, path)),
    ),
  };
}

/** As a spec names it: absolute, from the user's home, or from the spec's own folder. */
export const placeNamed = (path: string, folder: string, userHome: string | undefined): string =>
  userHome !== undefined && (path === "~" || path.startsWith("~/")) ? join(userHome, path.slice(1)) : resolve(folder, path);

/** One word for each place, parents first, without those that change nothing. Hidden where nothing is shown anyway is such a word. */
export function settle(said: readonly Place[]): readonly Place[] {
  const last = new Map(said.map((place) => [place.path, place]));
  const settled: Place[] = [];
  for (const place of [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path))) {
    const around = accessAt(settled, place.path);
    const isNothing = place.access === "hidden" && around === "scratch";
    if (place.from !== undefined || (around !== place.access && !isNothing)) settled.push(place);
  }
  return settled;
}

/** What may be done at a path: as the deepest place says that it lies in. */
export function accessAt(places: readonly Place[], path: string): Access {
  let deepest: Place | undefined;
  for (const place of places) {
    if (isIn(path, place.path) && (!deepest || depthOf(place.path) > depthOf(deepest.path))) deepest = place;
  }
  return deepest?.access ?? "hidden";
}

interface Found {
  readonly places: readonly Place[];
  readonly links: readonly Link[];
}

const NOTHING: Found = { places: [], links: [] };

/** By its real path, because that is where a mount goes, with the names that lead there. What is not there needs no word. */
function find(path: string, wanted: Access, from?: string): Found {
  try {
    // At once and not in turns: a hundred of them are a moment, and every command waits for it.
    const real = realpathSync.native(path);
    const isFolder = statSync(real).isDirectory();
    const place = { path: real, access: wanted, isFolder, ...(from === undefined ? {} : { from }) };
    return { places: [place], links: real === path || wanted === "hidden" ? [] : linksTo(path) };
  } catch {
    return NOTHING;
  }
}

const MOST_LINKS = 40;

/** Every link on the way to a place, so that the way is there inside too. */
function linksTo(path: string): readonly Link[] {
  const links: Link[] = [];
  let at: string = sep;
  let left = path.split(sep).filter(Boolean);
  while (left.length > 0 && links.length < MOST_LINKS) {
    const [name = "", ...rest] = left;
    const here = join(at, name);
    const to = targetOf(here);
    if (to === undefined) {
      at = here;
      left = rest;
      continue;
    }
    links.push({ path: here, to });
    left = [...resolve(at, to).split(sep).filter(Boolean), ...rest];
    at = sep;
  }
  return links;
}

/** A link that lies in something shown is there by itself. */
const uniqueLinks = (links: readonly Link[], places: readonly Place[]): readonly Link[] =>
  [...new Map(links.map((link) => [link.path, link])).values()].filter(
    ({ path }) => ["hidden", "scratch"].includes(accessAt(places, path)) && !places.some((place) => isIn(place.path, path)),
  );

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link
  }
}

/** Homes of ours that lie in a folder which is let in: known by what is in them. */
function homesIn(folder: string): Found {
  const folders = foldersIn(folder).map(({ name }) => join(folder, name));
  return { places: folders.filter(isOurHome).flatMap((path) => find(path, "hidden").places), links: [] };
}

function foldersIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return [];
  }
}

const MOST_LISTED = 8 * 1024 * 1024;

/** Sockets answer through a mount that is read-only: each that somebody listens on is covered, where the spec does not name it. */
function socketsIn(
  places: readonly Place[],
  { rooms, open }: { readonly rooms: readonly string[]; readonly open: readonly string[] },
): readonly Place[] {
  const paths = boundIn(listedSockets().slice(0, MOST_LISTED)).filter(
    (path) => !open.includes(path) && !rooms.some((room) => isIn(path, room)),
  );
  return [...new Set(paths.flatMap(realSocket))]
    .filter((path) => !open.includes(path) && ["read", "write"].includes(accessAt(places, path)))
    .map((path) => ({ path, access: "hidden", isFolder: false }));
}

function listedSockets(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    return ""; // no such list on this system
  }
}

/** The last word of a line is the path; it may have blanks in it. Abstract names begin with an @. */
export const boundIn = (listed: string): readonly string[] => [
  ...new Set(
    listed
      .split("\n")
      .slice(1)
      .map((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\S+ (.+)$/.exec(line)?.[1] ?? "")
      .filter(isAbsolute),
  ),
];

function realSocket(path: string): readonly string[] {
  try {
    const real = join(realpathSync.native(dirname(path)), path.slice(path.lastIndexOf(sep) + 1));
    return lstatSync(real).isSocket() ? [real] : [];
  } catch {
    return []; // gone, or of another mount namespace
  }
}

export const depthOf = (path: string): number => path.split(sep).filter(Boolean).length;
export const isIn = (path: string, folder: string): boolean =>
  folder === sep || path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
