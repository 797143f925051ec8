// What runs in a box around the command, whichever means made it, and what it tells of how the command ended.

/** Of all boxes of a user together, or of one command where the kernel counts that. */
export const MOST_PROCESSES = 8192;

/** Where the means says how the command ended; and where the shell inside tells what ended the command. */
export const STATUS_FD = 4;
export const WORDS_FD = 5;
/** Where a means reads which calls are refused. */
export const FILTER_FD = 8;

/** What it says where the way to the proxy could not be made. */
const NO_WAY = "no way to the proxy";
/** Before that: it could not go where the command is to be. */
const NO_FOLDER = "no way into the folder";
/** What the shell inside says first, where the means cannot tell whether it came that far. */
const BEGUN = "begun";

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

/** Goes where the command is to be, as who it is by then. */
export const entering = (cwd: string): readonly string[] => [
  "/bin/sh",
  "-c",
  `cd -- "$0" || { echo "${NO_FOLDER}" >&${WORDS_FD}; exit 126; }; unset OLDPWD; exec "$@"`,
  cwd,
];

/** The command, and the program that makes its way out where there is one. */
export type Inmate = readonly [run: string, ...forwarder: readonly string[]];

export const inside = (inmate: Inmate): readonly string[] => ["/bin/sh", "-c", INSIDE, "sh", ...inmate];

/** The same, which says that it began. */
export const insideThatTells = (inmate: Inmate): readonly string[] => [
  "/bin/sh",
  "-c",
  `echo ${BEGUN} >&${STATUS_FD}; exec ${STATUS_FD}>&- ${FILTER_FD}>&-\n${INSIDE}`,
  "sh",
  ...inmate,
];

/** What the means and the shell inside told. */
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
  return (
    !lines.includes(NO_WAY) &&
    !lines.includes(NO_FOLDER) &&
    (/"exit-code": \d+/.test(told.status) || told.status.trim() === BEGUN || lines.at(-1) === "over")
  );
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
