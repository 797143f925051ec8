// Ports in a row that no other run has. They are held by locks that the system gives back when we die, and only then looked at:
// a port that merely was free a moment ago is anybody's.
import { lstatSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { HeldLock, Locks } from "../../contract/locks.ts";
import type { PortBlock } from "../../contract/prepared.ts";
import { makeFolder } from "../files/make-folder.ts";
import { temporaryFolder } from "../files/temporary.ts";
import { createFileLocks } from "../store/locks.ts";

/** Below the ports that systems give out by themselves, above those of most servers. */
const FIRST = 20_000;
const UNITS = 1_000;
/** One lock for so many ports. */
const UNIT = 10;

/** For all homes of one user: the folder of locks must not depend on them. */
export const portFolder = (env: Environment): string => join(temporaryFolder(env), `loopwright-ports-${userId()}`);

const userId = (): number | string => process.getuid?.() ?? userInfo().username;

/** Tries block after block from somewhere, so that runs which begin at the same time do not all ask for the same. */
export async function takePorts(folder: string, count: number, chance: () => number = Math.random): Promise<PortBlock> {
  mustBeOurs(folder);
  const locks = createFileLocks<PortLock>((name) => join(folder, `${name.slice("ports ".length)}.lock`));
  const size = Math.ceil(count / UNIT);
  const start = Math.floor(chance() * UNITS);
  for (let tried = 0; tried < UNITS; tried++) {
    const unit = (start + tried) % UNITS;
    if (unit + size > UNITS) continue;
    const held = await holdAll(locks, unit, size);
    if (!held) continue;
    const first = FIRST + unit * UNIT;
    const last = first + count - 1;
    const release = (): Promise<void> => releaseAll(held);
    if (await areFree(first, last)) return { first, last, release };
    await release();
  }
  throw new LoopError("store-unusable", `no ${count} free ports in a row are left between ${FIRST} and ${FIRST + UNITS * UNIT - 1}`, {
    retry: "later",
    hint: "Wait until other runs are over, or ask for fewer with `workspace.ports`.",
  });
}

/** It lies where everybody may write, so that somebody else could have put it there. */
function mustBeOurs(folder: string): void {
  makeFolder(folder);
  const found = lstatSync(folder);
  if (found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())) return;
  throw new LoopError("store-unusable", `${folder} is not a folder of ours, so no ports can be kept there`, {
    retry: "never",
    hint: "Remove it, or set TMPDIR to a folder of your own.",
  });
}

/** The first port of a unit. */
type PortLock = `ports ${number}`;

/** All of them, or none. */
async function holdAll(locks: Locks<PortLock>, unit: number, size: number): Promise<readonly HeldLock[] | undefined> {
  const held: HeldLock[] = [];
  for (let each = unit; each < unit + size; each++) {
    const lock = await locks.hold(`ports ${FIRST + each * UNIT}`, { ms: 0 });
    if (!lock) {
      await releaseAll(held);
      return undefined;
    }
    held.push(lock);
  }
  return held;
}

async function releaseAll(held: readonly HeldLock[]): Promise<void> {
  for (const lock of held) await lock.release();
}

async function areFree(first: number, last: number): Promise<boolean> {
  for (let port = first; port <= last; port++) {
    for (const host of ["127.0.0.1", "::1"]) if (!(await isFree(port, host))) return false;
  }
  return true;
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    // A machine without that address has nobody listening on it.
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE" && error.code !== "EACCES"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
