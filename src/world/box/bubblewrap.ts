// A command in bubblewrap: namespaces of its own, and a root in which only that is which it may see.
import type { BoxWish } from "../../contract/commands.ts";
import type { Place, Plan } from "./box-plan.ts";
import { FILTER_FD, type Inmate, inside, STATUS_FD } from "./inside.ts";

/** The files of a folder that covers another need no room; temporary files do, and they are held in memory. */
const COVER_BYTES = 64 * 1024;
export const MOST_TEMPORARY_BYTES = 1024 * 1024 * 1024;

/** What every box has besides its plan, whichever means makes it. */
export interface Ground {
  /** Whom root is inside; undefined for who is somebody harmless already. */
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
}

/** All that stands before the command; with its streams to be told on. */
export const bubblewrapped = (
  bwrap: Bubblewrap,
  plan: Plan,
  wish: Pick<BoxWish, "network">,
  cwd: string,
  inmate: Inmate,
): readonly string[] => [...profile(bwrap, plan, wish, cwd), "--json-status-fd", `${STATUS_FD}`, "--", ...inside(inmate)];

/**
 * With the pid namespace nothing outlives its first process. That one stays in the process group that our watcher ends, which
 * `--new-session` would take it out of: killed between that and `--die-with-parent`, we would leave it behind.
 */
export function profile(
  { path, sizes, ground }: Bubblewrap,
  { places, links }: Pick<Plan, "places" | "links">,
  { network }: Pick<BoxWish, "network">,
  cwd: string,
): readonly string[] {
  const memory = (bytes: number, at: string): readonly string[] => [...(sizes ? ["--size", `${bytes}`] : []), "--tmpfs", at];
  const placed = ({ path: at, access, isFolder, from = at }: Place): readonly string[] => {
    switch (access) {
      case "read":
        return ["--ro-bind", from, at];
      case "write":
        return ["--bind", from, at];
      case "scratch":
        return memory(MOST_TEMPORARY_BYTES, at);
      case "hidden":
        // An empty file and not a forbidden one: programs that read their settings there go on without.
        return isFolder ? memory(COVER_BYTES, at) : ["--dev-bind", "/dev/null", at];
    }
  };
  const covers = places.filter(({ access, isFolder }) => access === "hidden" && isFolder);
  return [
    path,
    "--die-with-parent",
    "--unshare-user",
    ...(ground.user ? ["--uid", `${ground.user.uid}`, "--gid", `${ground.user.gid}`] : []),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network === "open" ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    ...(ground.filter === undefined ? [] : ["--seccomp", `${FILTER_FD}`]),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    ...ground.settings.flatMap((at) => ["--ro-bind", at, at]),
    ...ground.secrets.flatMap((at) => ["--dev-bind", "/dev/null", at]),
    ...places.flatMap(placed),
    ...links.flatMap(({ path: at, to }) => ["--symlink", to, at]),
    // Only now: what shows through a cover had to be put there first.
    ...covers.flatMap(({ path: at }) => ["--remount-ro", at]),
    "--remount-ro",
    "/",
    "--chdir",
    cwd,
  ];
}
