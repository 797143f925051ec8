// What a command and all its processes have used, where the system tells: Linux does, in /proc. Looked at now and then, so what
// came and went between two looks is seen only in the CPU time of whoever waited for it. Nobody waits for a box: of what ran in
// one, what was used after the last look is not seen.
import { readFileSync } from "node:fs";
import type { Used } from "../../contract/commands.ts";
import { markedProcesses } from "./processes.ts";

/** Linux counts CPU time in hundredths of a second for all who ask. */
const MS_A_TICK = 10;

export interface UsageWatch {
  /** What is known by now. */
  look(): Used;
}

/** Begins before the command does. */
export function watchUsage(mark: string): UsageWatch {
  const waitedBefore = waitedTicks();
  let mostTicks = 0;
  const seen = new Map<number, { readonly ticks: number; readonly bytes: number }>();
  return {
    look() {
      const waited = waitedTicks();
      if (waitedBefore === undefined || waited === undefined) return {};
      const alive = new Set(markedProcesses(mark));
      for (const pid of alive) seen.set(pid, { ticks: ownTicks(pid) ?? 0, bytes: writtenBy(pid) ?? seen.get(pid)?.bytes ?? 0 });
      // Whoever is gone was waited for, and is in the time of those who waited: ours, or a process that is still there.
      const ticks = [...seen].reduce((sum, [pid, one]) => sum + (alive.has(pid) ? one.ticks : 0), waited - waitedBefore);
      mostTicks = Math.max(mostTicks, ticks);
      return {
        cpuMs: mostTicks * MS_A_TICK,
        processes: seen.size,
        diskBytes: [...seen.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
}

/** CPU time of all our processes that ended and were waited for. */
const waitedTicks = (): number | undefined => sumOf(statOf("self"), [13, 14]);

/** Its own, and that of its processes which it waited for. */
const ownTicks = (pid: number): number | undefined => sumOf(statOf(String(pid)), [11, 12, 13, 14]);

const sumOf = (fields: readonly string[] | undefined, places: readonly number[]): number | undefined =>
  fields && places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0);

/** Behind the name, which may hold anything. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
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
