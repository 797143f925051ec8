// How much of this machine is free.
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, freemem, totalmem } from "node:os";

export interface FreeRoom {
  /** Parts of one. */
  readonly cpu: number;
  readonly memory: number;
  readonly memoryBytes: number;
}

export const cores = (): number => availableParallelism();

/** Shorter whiles say little about the CPU. */
const SHORTEST_MS = 1_000;

/** Says how much was free since it was last asked; the first time, since the machine was started. */
export function createFreeRoom(): () => FreeRoom {
  let before = { atMs: performance.now() - SHORTEST_MS, idle: 0, all: 0 };
  let cpu = 1;
  return () => {
    const atMs = performance.now();
    if (atMs - before.atMs >= SHORTEST_MS) {
      const now = { atMs, ...timesOf() };
      if (now.all > before.all) cpu = (now.idle - before.idle) / (now.all - before.all);
      before = now;
    }
    const memoryBytes = availableBytes() ?? freemem();
    return { cpu, memory: memoryBytes / totalmem(), memoryBytes };
  };
}

function timesOf(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const sum = (of: (core: (typeof times)[number]) => number): number => times.reduce((total, core) => total + of(core), 0);
  return { idle: sum(({ idle }) => idle), all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq) };
}

/** What is only kept in case it is read again counts as free; Linux says how much that is. */
function availableBytes(): number | undefined {
  try {
    const [, kilobytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "latin1")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
