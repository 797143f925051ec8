// Watches a git that was started: one that does nothing at all for long waits for something that never comes, such as a pipe where a
// repository's configuration should be. One that is merely slow uses its processor or its disk, and is left alone.
import { readFileSync } from "node:fs";

/** How long a git may do nothing at all, and how long it may take where nobody can tell what it does. */
export interface Patience {
  readonly stillMs: number;
  readonly blindMs: number;
}

export const USUAL_PATIENCE: Patience = { stillMs: 60_000, blindMs: 600_000 };

/** Tells once when it has not moved for so long; `end` when it is over. */
export function watchGit(
  pid: number | undefined,
  { stillMs, blindMs }: Patience,
  tell: (why: string) => void,
): { readonly end: () => void } {
  let seen = pid === undefined ? undefined : movesOf(pid);
  let sinceMs = performance.now();
  const timer = setInterval(() => {
    const moves = pid === undefined ? undefined : movesOf(pid);
    if (moves !== seen) {
      seen = moves;
      sinceMs = performance.now();
    }
    const most = moves === undefined ? blindMs : stillMs;
    if (performance.now() - sinceMs < most) return;
    clearInterval(timer);
    tell(`it did nothing for ${Math.round(most / 1000)} s and was ended: perhaps a pipe or a device lies where a file should be`);
  }, stillMs / 6);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

/** What it and all below it have used, as one text that changes while anything is done. Undefined where the system does not tell. */
function movesOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Who waits for a disk moves as fast as the disk does.
    const own = fields[0] === "D" ? `disk ${performance.now()}` : fields.slice(11, 15).join(" ");
    const io = /^rchar: (\d+)\nwchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "latin1"));
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
    return [own, io?.[1], io?.[2], ...below.map(movesOf)].join(" ");
  } catch {
    return undefined;
  }
}
