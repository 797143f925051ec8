// What a command and all its processes have used, where the system tells: Linux does, in /proc. Nothing of anybody else is in it: of its
// first process, which we wait for, the time is read while it is still to be read, and with it that of all who were waited for down there.
import { readdirSync, readFileSync } from "node:fs";
import type { Used } from "../../contract/commands.ts";
import { stillMarked } from "./processes.ts";

/** Linux counts CPU time in hundredths of a second for all who ask. */
const MS_A_TICK = 10;
/** How fast it goes is told by no shorter while than this. */
const PACE_MS = 100;
/** The bit that the kernel sets when a process begins to end. */
const IS_ENDING = 0x4;

export interface UsageWatch {
  /**
   * Reads the time of the first process. Now and then, and above all in the moment when its output ends: then it is gone as far as others
   * see, and mostly we have not heard of its end yet, after which nobody can tell its time from that of all others we waited for.
   */
  sample(): void;
  /** Its end was heard of: what it used since the last sample is worked out. */
  ended(): void;
  /** What is known by now. */
  look(): Used;
  /** The memory that it holds now, with all below it and those who were last seen to be its. */
  memoryBytes(): number;
  /** Whether somebody may be alive besides the first process, as far as the last look told. */
  sawOthers(): boolean;
}

/** Where the first process was, at a sample. */
interface Sample {
  readonly atMs: number;
  /** Its own, with those of all below it, whether it has waited for them yet or not. */
  readonly ticks: number;
  /** Of all our processes that ended and were waited for. */
  readonly waited: number;
  readonly isLast: boolean;
}

/** A command that goes on, or has ended and is not reckoned yet. */
interface Account {
  readonly first: number;
  newest(): Sample;
}

/** Those of this process, all together: what was waited for is one sum for them, and of what one used nothing is left for another. */
const open = new Set<Account>();
const reckoned: { readonly atMs: number; readonly ticks: number }[] = [];
/** Nobody is reckoned by a sample that is older. */
const REMEMBERED_MS = 60_000;

/** Who stands watch beside the command is not the command's; the number is told when the command begins, and until then only we are there. */
export function watchUsage(mark: string, first: number, watcher: () => number | undefined): UsageWatch {
  let before: Sample = { atMs: performance.now(), ticks: 0, waited: timesOf(process.pid)?.waited ?? 0, isLast: false };
  let newest = before;
  let firstTicks = 0;
  let mostTicks = 0;
  let others: readonly number[] = [];
  const written = new Map([[first, 0]]);
  const account: Account = { first, newest: () => newest };
  open.add(account);

  const sample = (): void => {
    const [times, our] = [timesOf(first), timesOf(process.pid)];
    if (!times || !our || newest.isLast) return;
    const own = times.own + times.waited;
    const ticks = Math.max(newest.ticks, own + ticksBelow(first));
    if (newest.atMs - before.atMs >= PACE_MS) before = newest;
    newest = { atMs: performance.now(), ticks, waited: our.waited, isLast: times.isEnding };
    firstTicks = Math.max(firstTicks, own);
  };

  const living = (): readonly number[] => {
    const beside = watcher();
    return beside === undefined ? [] : stillMarked(mark).filter((pid) => pid !== beside);
  };
  const livingBeside = (): readonly number[] => living().filter((pid) => pid !== first);

  return {
    sample,
    ended() {
      open.delete(account);
      const waited = timesOf(process.pid)?.waited;
      if (waited !== undefined && !newest.isLast) {
        // Whoever it left behind was never waited for, and is counted for as long as it lives.
        const left = livingBeside().reduce((sum, pid) => sum + ticksOf(pid), 0);
        const end = { atMs: performance.now(), waited: waited - ofOthersSince(newest.atMs) };
        firstTicks = Math.max(firstTicks, lastTicks(before, newest, end, left));
      }
      reckon(firstTicks);
    },
    memoryBytes: () => [...new Set([...treeBelow(first), ...others])].reduce((sum, pid) => sum + memoryOf(pid), 0),
    sawOthers: () => others.length > 0 || watcher() === undefined,
    look() {
      if (timesOf(process.pid) === undefined) return {};
      const alive = living();
      // Only while it carries the mark: its number may be another's by now.
      if (alive.includes(first)) sample();
      for (const pid of alive) written.set(pid, writtenBy(pid) ?? written.get(pid) ?? 0);
      others = alive.filter((pid) => pid !== first);
      // Whoever is gone was waited for, and is in the time of those who waited.
      const ticks = others.reduce((sum, pid) => sum + ticksOf(pid), firstTicks);
      mostTicks = Math.max(mostTicks, ticks);
      return {
        cpuMs: mostTicks * MS_A_TICK,
        processes: written.size,
        diskBytes: [...written.values()].reduce((sum, bytes) => sum + bytes, 0),
      };
    },
  };
}

function reckon(ticks: number): void {
  const atMs = performance.now();
  while ((reckoned[0]?.atMs ?? atMs) < atMs - REMEMBERED_MS) reckoned.shift();
  reckoned.push({ atMs, ticks });
}

/** What others used whose end was taken note of since then: those who are reckoned, and those who ended in the same moment as we did. */
function ofOthersSince(atMs: number): number {
  const done = reckoned.reduce((sum, other) => (other.atMs > atMs ? sum + other.ticks : sum), 0);
  return [...open].reduce((sum, { first, newest }) => (timesOf(first) ? sum : sum + newest().ticks), done);
}

/**
 * Where we were too busy to look before its end was taken note of: it and all below it went on as fast as before, or as fast as one can
 * where that is not known, and used no more than all together that were waited for since. Pure.
 */
function lastTicks(before: Sample, newest: Sample, end: Pick<Sample, "atMs" | "waited">, left: number): number {
  const pacedMs = newest.atMs - before.atMs;
  const pace = pacedMs > 0 ? (newest.ticks - before.ticks) / pacedMs : 1 / MS_A_TICK;
  const most = end.waited - newest.waited;
  return Math.min(most, Math.round(newest.ticks - left + pace * (end.atMs - newest.atMs)));
}

/** What all that live below it have used, and nobody has waited for yet. */
const ticksBelow = (pid: number): number => childrenOf(pid).reduce((sum, child) => sum + ticksOf(child) + ticksBelow(child), 0);

function childrenOf(pid: number, task = `${pid}`): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    // Gone meanwhile, or a kernel that does not tell.
    return [];
  }
}

/** More than a command may start. */
const MOST_BELOW = 20_000;

/** A process and all below it, whoever of its threads started them. */
function treeBelow(pid: number): readonly number[] {
  const found = [pid];
  for (let index = 0; index < found.length && found.length < MOST_BELOW; index++) found.push(...startedBy(found[index]!));
  return found;
}

function startedBy(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) => childrenOf(pid, task));
  } catch {
    return [];
  }
}

const HELD = /^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB$/gm;

/** What nobody could take away from it without ending it. */
function memoryOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "latin1");
    return [...text.matchAll(HELD)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
  } catch {
    return 0;
  }
}

const ticksOf = (pid: number): number => {
  const times = timesOf(pid);
  return times ? times.own + times.waited : 0;
};

/** Its own ticks, and those of its processes which it waited for. */
function timesOf(pid: number): { readonly own: number; readonly waited: number; readonly isEnding: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const sum = (...places: readonly number[]): number => places.reduce((all, place) => all + Number(fields[place] ?? 0), 0);
    return { own: sum(11, 12), waited: sum(13, 14), isEnding: (Number(fields[6]) & IS_ENDING) !== 0 };
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
