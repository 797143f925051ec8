// Where tests put their files: a disk in memory where there is a good one, because they sync many thousand times.
import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

export const quickPlace = (): string => (process.env.TMPDIR === undefined && isGood(MEMORY) ? MEMORY : tmpdir());

/** Whether it has room, and programs can be run from there. */
function isGood(folder: string): boolean {
  const trial = join(folder, `lw-trial-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(trial, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(trial);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  } finally {
    rmSync(trial, { force: true });
  }
}
