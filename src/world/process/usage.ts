// What a command and all its processes have used, where the system tells: Linux does, in /proc. Nothing of anybody else is in it: of its
// first process, which we wait for, the time is read while it is still to be read, and with it that of all who were waited for down there.
import { readFileSync } from "node:fs";
import type { Used } from "../../contract/commands.ts";
import { markedProcesses } from "./processes.ts";

/** Linux counts CPU time in hundredths of a second for all who ask. */
const MS_A_TICK = 10;

export interface UsageWatch {
  /**
   * Reads the time of the first process. Now and then, and above all in the moment when its output ends: then it is gone as far as others
   * see, and we have not heard of its end yet, after which nobody can tell its time from that of all others we waited for.
   */
  sample(): void;
  /** What is known by now. */
  look(): Used;
  /** Whether the last look saw somebody alive besides the first process. */
  sawOthers(): boolean;
}

/** The watcher that stands beside the command is not the command's: it is asked for, because it tells its number only after it began. */
export function watchUsage(mark: string, first: number, watcher: () => number | undefined): UsageWatch {
  let firstTicks = 0;
  let mostTicks = 0;
  let others: readonly number[] = [];
  const written = new Map([[first, 0]]);
  const sample = (): void => {
    firstTicks = Math.max(firstTicks, ticksOf(first) ?? 0);
  };
  return {
    sample,
    sawOthers: () => others.length > 0,
    look() {
      if (ticksOf(process.pid) === undefined) return {};
      const alive = markedProcesses(mark).filter((pid) => pid !== watcher());
      // Only while it carries the mark: its number may be another's by now.
      if (alive.includes(first)) sample();
      for (const pid of alive) written.set(pid, writtenBy(pid) ?? written.get(pid) ?? 0);
      others = alive.filter((pid) => pid !== first);
      // Whoever is gone was waited for, and is in the time of those who waited.
      const ticks = others.reduce((sum, pid) => sum + (ticksOf(pid) ?? 0), firstTicks);
      mostTicks = Math.max(mostTicks, ticks);
      return {
        cpuMs: mostTicks * MS_A_TICK,
        processes: written.size,
        diskBytes: [...written.values()].reduce((sum, bytes) => sum + bytes, 0),
      };
    },
  };
}

/** Its own, and that of its processes which it waited for. */
function ticksOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place] ?? 0), 0);
  } catch {
    return undefined;
  }
}

function writtenBy(pid: number): number | undefined {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1")) ?? [];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  }
}
