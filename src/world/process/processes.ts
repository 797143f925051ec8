// Finding and ending processes that we started, also those that left their group. Linux tells; elsewhere only groups are ended.
import { readdirSync, readFileSync } from "node:fs";

export const MARK_VARIABLE = "LOOPWRIGHT_MARK";

/** Ends a process group; one that is gone already is fine. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Ends every process that carries the mark in its environment, and waits until none is left. Best effort by nature: a process may hide its environment. */
export async function endMarked(mark: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const alive = markedProcesses(mark);
    if (alive.length === 0) return;
    for (const pid of alive) signalOne(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Asks every process that carries the mark to end, but one. */
export function askMarked(mark: string, except: number): void {
  for (const pid of markedProcesses(mark)) if (pid !== except) signalOne(pid, "SIGTERM");
}

export function markedProcesses(mark: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const wanted = `${MARK_VARIABLE}=${mark}`;
  return allProcesses().filter((pid) => pid !== process.pid && environmentOf(pid).includes(wanted) && !isZombie(pid));
}

/** Within this time no number is given to another process, however many begin. */
const LOOK_AGAIN_MS = 500;

/** Those that carry no mark at all, as the last look saw them. A mark comes from whoever one was begun by, so that none of them gets one later. */
let unmarked: { readonly atMs: number; readonly pids: ReadonlySet<number> } = { atMs: 0, pids: new Set() };

/**
 * The same for whoever looks many times a second, beside others who do: of processes that were seen without a mark a moment ago the
 * environment is not read again. Who wants to be sure that nobody is left asks for `markedProcesses`.
 */
export function stillMarked(mark: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const atMs = performance.now();
  const passed = atMs - unmarked.atMs < LOOK_AGAIN_MS ? unmarked.pids : new Set<number>();
  const wanted = `${MARK_VARIABLE}=${mark}`;
  const without = new Set<number>();
  const found: number[] = [];
  for (const pid of allProcesses()) {
    const environment = passed.has(pid) ? [] : environmentOf(pid);
    if (!environment.some((variable) => variable.startsWith(`${MARK_VARIABLE}=`))) without.add(pid);
    else if (pid !== process.pid && environment.includes(wanted) && !isZombie(pid)) found.push(pid);
  }
  unmarked = { atMs, pids: without };
  return found;
}

const allProcesses = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    // Gone in the meantime, or somebody else's: not ours to end.
    return [];
  }
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
