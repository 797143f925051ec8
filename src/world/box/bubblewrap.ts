// A command in bubblewrap: namespaces of its own, and a root in which only that is which it may see.

import { dirname } from "node:path";
import type { BoxWish } from "../../contract/commands.ts";
import { accessAt, type Place, type Plan } from "./box-plan.ts";
import { entering, FILTER_FD, type Inmate, inside, STATUS_FD } from "./inside.ts";

/** What becomes of the user inside: who is nobody special stays who it is; root is only called otherwise, or is made somebody else. */
export type Becoming = { readonly kind: "same" } | { readonly kind: "shown" | "changed"; readonly uid: number; readonly gid: number };

/** The files of a folder that covers another need no room; temporary files do, and they are held in memory. */
const COVER_BYTES = 64 * 1024;
export const MOST_TEMPORARY_BYTES = 1024 * 1024 * 1024;

/** What every box has besides its plan, whichever means makes it. */
export interface Ground {
  /** Whom root is inside, to the kernel or by name; undefined for who is somebody harmless already. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** What of `/proc` is shown and not to be written, and what is not shown. */
  readonly settings: readonly string[];
  readonly secrets: readonly string[];
  /** The file that says which calls are refused. */
  readonly filter: string | undefined;
}

export interface Bubblewrap {
  readonly path: string;
  /** Whether it can bound the size of a temporary file system, as those from 0.7 on can. */
  readonly sizes: boolean;
  readonly ground: Ground;
  /** The program that makes root somebody else; undefined where that cannot be. */
  readonly setpriv?: string | undefined;
}

/** Takes the user and every power away, for who is root and has those powers left that it takes. */
export const dropping = (setpriv: string, { uid, gid }: { readonly uid: number; readonly gid: number }): readonly string[] => [
  setpriv,
  `--reuid=${uid}`,
  `--regid=${gid}`,
  "--clear-groups",
  "--no-new-privs",
  "--bounding-set=-all",
  "--inh-caps=-all",
  "--ambient-caps=-all",
];

/** All that stands before the command; with its streams to be told on. */
export const bubblewrapped = (bwrap: Bubblewrap, plan: Plan, wish: Enclosing, cwd: string, inmate: Inmate): readonly string[] => [
  ...(wish.layers?.around ?? []),
  ...profile(bwrap, plan, wish, cwd),
  "--json-status-fd",
  `${STATUS_FD}`,
  "--",
  ...becoming(bwrap, wish.becoming, cwd),
  ...inside(inmate),
];

/** What stands before the command that is run inside: only who it becomes may enter a folder that was given to it. */
export const becoming = ({ setpriv }: Pick<Bubblewrap, "setpriv">, user: Becoming, cwd: string): readonly string[] =>
  user.kind === "changed" && setpriv !== undefined ? [...dropping(setpriv, user), "--", ...entering(cwd)] : [];

/** What a box is made for, besides its places. */
export interface Enclosing extends Pick<BoxWish, "network"> {
  readonly part?: BoxWish["part"] | undefined;
  readonly becoming: Becoming;
  /** What is mounted first, in a mount namespace around the box: as lines of a shell, and as words to stand before a command. */
  readonly layers?: {
    readonly lines: string;
    readonly around: readonly string[];
    /** Who we are, where we are called root in that namespace. */
    readonly user?: { readonly uid: number; readonly gid: number };
  };
}

/**
 * With the pid namespace nothing outlives its first process. That one stays in the process group that our watcher ends, which
 * `--new-session` would take it out of: killed between that and `--die-with-parent`, we would leave it behind.
 */
export function profile(
  { path, sizes, ground }: Bubblewrap,
  { places, links }: Pick<Plan, "places" | "links">,
  { network, becoming: user, part, layers }: Enclosing,
  cwd: string,
): readonly string[] {
  const called = user.kind === "shown" ? user : layers?.user;
  const memory = (bytes: number, at: string): readonly string[] => [...(sizes ? ["--size", `${bytes}`] : []), "--tmpfs", at];
  // Made by root, and for somebody else.
  const forAll = user.kind === "changed" ? ["--perms", "1777"] : [];
  const placed = ({ path: at, access, isFolder, from = at }: Place): readonly string[] => {
    switch (access) {
      case "read":
        return ["--ro-bind", from, at];
      case "write":
        return ["--bind", from, at];
      case "scratch":
        return [...forAll, ...memory(MOST_TEMPORARY_BYTES, at)];
      case "hidden":
        // An empty file and not a forbidden one: programs that read their settings there go on without.
        return isFolder ? memory(COVER_BYTES, at) : ["--dev-bind", "/dev/null", at];
    }
  };
  // What lies on the way to a place would be root's alone, and nobody else could go there.
  const said = new Set(places.map((place) => place.path));
  const ways = (at: string): readonly string[] => {
    const up = dirname(at);
    if (user.kind !== "changed" || up === at || said.has(up) || ["read", "write"].includes(accessAt(places, up))) return [];
    said.add(up);
    return [...ways(up), "--perms", "0755", "--dir", up];
  };
  const covers = places.filter(({ access, isFolder }) => access === "hidden" && isFolder);
  return [
    path,
    "--die-with-parent",
    ...(user.kind === "changed" ? [] : ["--unshare-user"]),
    ...(called ? ["--uid", `${called.uid}`, "--gid", `${called.gid}`] : []),
    "--unshare-pid",
    // The first process inside is then the shell, and its command line does not say who made the box.
    "--as-pid-1",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network === "open" ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    ...(user.kind === "changed" ? ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((power) => ["--cap-add", power]) : []),
    ...(ground.filter === undefined ? [] : ["--seccomp", `${FILTER_FD}`]),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    ...ground.settings.flatMap((at) => ["--ro-bind", at, at]),
    ...ground.secrets.flatMap((at) => ["--dev-bind", "/dev/null", at]),
    // What is judged runs beside the program that judges it, as the same user: it must not write into that one's memory.
    ...(part === "verifiers" ? ["--remount-ro", "/proc"] : []),
    ...places.flatMap((place) => [...ways(place.path), ...placed(place)]),
    ...links.flatMap(({ path: at, to }) => [...ways(at), "--symlink", to, at]),
    // Only now: what shows through a cover had to be put there first.
    ...covers.flatMap(({ path: at }) => ["--remount-ro", at]),
    "--remount-ro",
    "/",
    "--chdir",
    user.kind === "changed" ? "/" : cwd,
  ];
}
