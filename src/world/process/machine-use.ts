// What a command may take of the machine before it is ended: disk, processes and output. Looked at now and then, so that it costs nothing.
import { readFileSync, statfsSync } from "node:fs";

const GIB = 1024 * 1024 * 1024;
const LEAST_FREE_BYTES = GIB;
const MOST_NEW_TASKS = 10_000;
export const MOST_PRINTED_BYTES = GIB / 4;

/** What the machine has; undefined where it does not tell. */
export interface Machine {
  freeBytes(path: string): number | undefined;
  /** Processes and threads, of everybody. */
  tasks(): number | undefined;
}

export interface Use {
  printed(bytes: number): void;
  /** Why the command may not go on; undefined while it may. */
  broken(): string | undefined;
}

/** The disk may be nearly full already, and others start processes too: what counts is what changed since the command began. */
export function watchUse(cwd: string, machine: Machine): Use {
  const leastFree = Math.min(LEAST_FREE_BYTES, (machine.freeBytes(cwd) ?? 0) / 2);
  const mostTasks = (machine.tasks() ?? 0) + MOST_NEW_TASKS;
  let printed = 0;
  return {
    printed(bytes) {
      printed += bytes;
    },
    broken() {
      if (printed > MOST_PRINTED_BYTES) return `it printed more than ${MOST_PRINTED_BYTES / (1024 * 1024)} MiB`;
      const free = machine.freeBytes(cwd);
      if (free !== undefined && free < leastFree) return `it left only ${Math.round(free / (1024 * 1024))} MiB free on the disk`;
      const tasks = machine.tasks();
      if (tasks !== undefined && tasks > mostTasks) return `more than ${MOST_NEW_TASKS} processes were started meanwhile`;
      return undefined;
    },
  };
}

export const thisMachine: Machine = {
  freeBytes: (path) =>
    told(
      () => statfsSync(path),
      ({ bavail, bsize }) => bavail * bsize,
    ),
  // The fourth word of it is running/all.
  tasks: () =>
    told(
      () => /\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1],
      (all) => (all === undefined ? undefined : Number(all)),
    ),
};

function told<Asked, Answer>(ask: () => Asked, answer: (asked: Asked) => Answer): Answer | undefined {
  try {
    return answer(ask());
  } catch {
    // The folder is gone, or this system has no such place.
    return undefined;
  }
}
