// A command in bubblewrap: namespaces of its own, a read-only root, and what it may not see covered.
import type { BoxWish } from "../../contract/commands.ts";
import type { Place } from "./box-plan.ts";

/** The files of a folder that covers another need no room; temporary files do, and they are held in memory. */
const COVER_BYTES = 64 * 1024;
const MOST_TEMPORARY_BYTES = 1024 * 1024 * 1024;
const MOST_PROCESSES = 8192;

/** Where bwrap says how the command ended; and where the shell inside tells what ended the command. */
export const STATUS_FD = 4;
export const WORDS_FD = 5;

/** What it says where the way to the proxy could not be made. */
const NO_WAY = "no way to the proxy";

/**
 * Inside, a shell waits for the command, because bwrap cannot tell an exit code of 137 from a death by SIGKILL, and a shell can: what
 * it prints itself when a signal ended its child goes to its own stream. Where there is a proxy to be reached, the way to it is open
 * before the command begins. A session of its own, without a terminal, keeps inside what
 * the command does to its process group. The limit on processes binds who is not root. Nobody waits for a box, so that the shell inside
 * says also what CPU time was used there.
 */
const INSIDE = `exec 6>&2 2>&${WORDS_FD} ${WORDS_FD}>&-
run=$1; shift
if [ $# -gt 0 ]; then
  node=$1; shift
  [ "$(env -i "$node" -e "$@" 7>&1 >/dev/null 2>&1 </dev/null 6>&- &)" = ready ] || { echo "${NO_WAY}" >&2; exit 126; }
fi
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
( exec 2>&6 6>&-; { ulimit -u ${MOST_PROCESSES} || ulimit -p ${MOST_PROCESSES}; } 2>/dev/null; command -v setsid >/dev/null && exec setsid /bin/sh -c -- "$run"; exec /bin/sh -c -- "$run" )
code=$?
times >&2
echo over >&2
exit $code`;

export interface Bubblewrap {
  readonly path: string;
  /** Whether it can bound the size of a temporary file system, as those from 0.7 on can. */
  readonly sizes: boolean;
}

/** All that stands before the command; with its streams to be told on. */
export const bubblewrapped = (
  bwrap: Bubblewrap,
  places: readonly Place[],
  wish: BoxWish,
  cwd: string,
  command: readonly [run: string, ...forwarder: readonly string[]],
): readonly string[] => [
  ...profile(bwrap, places, wish, cwd),
  "--json-status-fd",
  `${STATUS_FD}`,
  "--",
  "/bin/sh",
  "-c",
  INSIDE,
  "sh",
  ...command,
];

/**
 * With the pid namespace nothing outlives its first process. That one stays in the process group that our watcher ends, which
 * `--new-session` would take it out of: killed between that and `--die-with-parent`, we would leave it behind.
 */
export function profile({ path, sizes }: Bubblewrap, places: readonly Place[], { network }: Pick<BoxWish, "network">, cwd: string) {
  const memory = (bytes: number, at: string): readonly string[] => [...(sizes ? ["--size", `${bytes}`] : []), "--tmpfs", at];
  const placed = ({ path: at, access, isFolder }: Place): readonly string[] => {
    switch (access) {
      case "read":
        return ["--ro-bind", at, at];
      case "write":
        return ["--bind", at, at];
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
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network === "open" ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    ...places.flatMap(placed),
    // Only now: what shows through a cover had to be put there first.
    ...covers.flatMap(({ path: at }) => ["--remount-ro", at]),
    "--chdir",
    cwd,
  ];
}

/** What bwrap and the shell inside told. */
export interface Told {
  readonly status: string;
  readonly words: string;
}

const TIMES = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;

const linesOf = ({ words }: Told): readonly string[] => words.split("\n").filter((line) => line !== "" && !TIMES.test(line));

/** The CPU time of all that was waited for inside, and of the shell that waited; undefined when it could not say so any more. */
export function cpuMsIn({ words }: Told): number | undefined {
  const times = words.split("\n").flatMap((line) => {
    const [, ...told] = TIMES.exec(line) ?? [];
    const [userMin = 0, user = 0, systemMin = 0, system = 0] = told.map(Number);
    return told.length === 0 ? [] : [(userMin + systemMin) * 60_000 + (user + system) * 1000];
  });
  return times.length === 0 ? undefined : Math.round(times.reduce((sum, ms) => sum + ms, 0));
}

/** Bwrap tells an exit code only if something was started at all; on a busy machine it may end before it told. The shell inside is as good. */
export const wasStarted = (told: Told): boolean => {
  const lines = linesOf(told);
  return !lines.includes(NO_WAY) && (/"exit-code": \d+/.test(told.status) || lines.at(-1) === "over");
};

/** Signals of which a shell says nothing: where the code fits, they are taken for what happened. */
const UNSPOKEN = new Set([2, 13, 15]);

/** The number of the signal that ended the command; undefined when it exited by itself. */
export function signalIn(code: number, told: Told): number | undefined {
  const number = code - 128;
  if (number < 1 || number > 64) return undefined;
  const lines = linesOf(told);
  const wasTold = lines.at(-1) === "over";
  return !wasTold || lines.length > 1 || UNSPOKEN.has(number) ? number : undefined;
}
