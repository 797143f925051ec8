// What a command may take of the machine before it is ended: disk, processes and output. Looked at now and then, so that it costs nothing.
import { readFileSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { type CommandGroup, type Most, openGroup } from "./command-groups.ts";

const GIB = 1024 * 1024 * 1024;
const LEAST_FREE_BYTES = GIB;
export const MOST_NEW_TASKS = 10_000;
export const MOST_PRINTED_BYTES = GIB / 4;
/** Of a command with all its processes: less than the machine has, so that it never goes down with one. */
const MEMORY_SHARE = 0.75;
/** What a process reserves is more than what it uses: runtimes would not start with less. */
const LEAST_RESERVED_BYTES = 4 * GIB;

/** What the machine has; undefined where it does not tell. */
export interface Machine {
  freeBytes(path: string): number | undefined;
  /** Processes and threads, of everybody. */
  tasks(): number | undefined;
  /** Memory, of the machine or of what we ourselves are kept to. */
  memoryBytes(): number;
  /** A group that a command is to be in, whose processes the kernel bounds as far as it does that for us. */
  openGroup(most: Most): CommandGroup;
}

export interface Use {
  printed(bytes: number): void;
  /** Why the command may not go on; undefined while it may. */
  broken(): string | undefined;
}

export const mostMemory = ({ memoryBytes }: Pick<Machine, "memoryBytes">): number => Math.floor(memoryBytes() * MEMORY_SHARE);

/** What one process may reserve, where only that can be bounded. */
export const mostReserved = (memoryBytes: number): number => Math.max(memoryBytes, LEAST_RESERVED_BYTES);

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
  openGroup,
  memoryBytes: () => Math.min(totalmem(), process.constrainedMemory() || Number.MAX_SAFE_INTEGER),
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
