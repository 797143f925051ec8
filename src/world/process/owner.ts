// Whose something is that a process leaves when it dies: told by the process's number and when it began, so that nobody later is taken for it.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** In the environment of what we start and do not wait for in a room. */
export const OWNER_VARIABLE = "LOOPWRIGHT_OWNER";

/** As it stands in names of folders and in environments: which numbering of processes, a number, and when it began; 0 where the system does not tell. */
export const ownName = (): string => `${numbering()}-${process.pid}-${beganAt(process.pid) ?? 0}`;

/** In a container the same number is another process. */
function numbering(): string {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? 0).toString(36);
  } catch {
    return "0";
  }
}

/** Gone for sure; what cannot be told counts as still there. */
export function isOwnerGone(name: string): boolean {
  const [, among, pid, began] = /^([a-z0-9]{1,12})-(\d{1,10})-(\d{1,20})$/.exec(name) ?? [];
  if (pid === undefined || began === undefined || among !== numbering()) return false;
  if (!isThere(Number(pid))) return true;
  const now = beganAt(Number(pid));
  return now !== undefined && began !== "0" && now !== began;
}

/** Ends what somebody of ours started who is gone. Only where /proc tells. */
export function endOrphans(): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const owner = ownerOf(pid);
    if (owner === undefined || pid === process.pid || !isOwnerGone(owner)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

function ownerOf(pid: number): string | undefined {
  try {
    const setting = readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .find((one) => one.startsWith(`${OWNER_VARIABLE}=`));
    return setting?.slice(OWNER_VARIABLE.length + 1);
  } catch {
    // Gone meanwhile, or not ours to see.
    return undefined;
  }
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is there as well.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** In ticks since the system began. The program's name may hold anything, so what is counted begins behind its last bracket. */
export function beganAt(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
