// Locks that the operating system gives back when their holder dies, however it dies.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Stop } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LockName, Locks } from "../../contract/locks.ts";
import type { Database } from "../../contract/store.ts";
import { makeFolder, makeFolderIn } from "../files/make-folder.ts";
import { sleepUnless } from "../machine/clock.ts";
import { createMemoryLocks } from "./memory-locks.ts";
import { type DriverName, driverName, failureOf, obstacleOf, openDatabase } from "./sqlite.ts";

const FIRST_REST_MS = 5;
const LONGEST_REST_MS = 50;
/** How long a holder-to-be waits for those who are only asking, who need far less. */
const ASKERS_MS = 50;

/** A driver closes a database that nobody holds any more, and with it the lock would be gone. */
const held = new Set<Database>();

/** The locks of a home. Their files are where they always were: processes of other versions keep out of one another's way. */
export const createLocks = (home: string, driver?: DriverName): Locks =>
  createFileLocks(
    (name) => lockFile(home, name),
    driver,
    (folder) => makeFolderIn(home, folder),
  );

/**
 * A lock is SQLite's own on an empty file: Node has no flock, and a file with a process id in it would have to be believed. The file
 * stays; holding it is the lock. Who holds it keeps readers out, so that a read is all it takes to ask.
 * Those of one process wait in line; among processes it is left to chance who comes next, and each rests for another while.
 */
export function createFileLocks<Name extends string>(
  fileOf: (name: Name) => string,
  driver: DriverName = driverName(),
  makeFolderOf: (folder: string) => void = makeFolder,
): Locks<Name> {
  const here = createMemoryLocks<Name>();

  return {
    async hold(name, { ms, stop }) {
      const overMs = performance.now() + ms;
      const turn = await here.hold(name, stop ? { ms, stop } : { ms });
      if (!turn) return undefined;
      try {
        const db = await take(fileOf(name), overMs, stop);
        if (!db) await turn.release();
        return db && { release: async () => void (letGo(db) && (await turn.release())) };
      } catch (error) {
        await turn.release();
        throw error;
      }
    },

    async isHeld(name) {
      const path = fileOf(name);
      if (!existsSync(path)) return false;
      const db = openLockFile(path);
      try {
        return isBusy(db, "select count(*) from sqlite_master", path);
      } finally {
        db.close();
      }
    },
  };

  async function take(path: string, overMs: number, stop: Stop | undefined): Promise<Database | undefined> {
    const db = openLockFile(path);
    try {
      for (let attempt = 0; !isTaken(db, path); attempt++) {
        const leftMs = overMs - performance.now();
        if (leftMs <= 0 || stop?.asked()) {
          db.close();
          return undefined;
        }
        await sleepUnless(Math.min(restMs(attempt), leftMs), stop);
      }
    } catch (error) {
      db.close();
      throw error;
    }
    held.add(db);
    return db;
  }

  function openLockFile(path: string): Database {
    try {
      makeFolderOf(dirname(path));
      return openDatabase(path, "read-write", driver);
    } catch (error) {
      throw error instanceof LoopError ? error : unusable(path, error);
    }
  }
}

/** False when it was done before. */
function letGo(db: Database): boolean {
  if (!held.delete(db)) return false;
  db.exec("rollback");
  db.close();
  return true;
}

/** Whether it is ours now. Somebody who is just asking is no reason to go without: they are waited for, and nobody else gets in. */
function isTaken(db: Database, path: string): boolean {
  if (!isBusy(db, "begin exclusive", path)) return true;
  if (isBusy(db, "begin immediate", path)) return false;
  db.exec("rollback");
  db.exec(`pragma busy_timeout = ${ASKERS_MS}`);
  const isOurs = !isBusy(db, "begin exclusive", path);
  db.exec("pragma busy_timeout = 0");
  return isOurs;
}

function isBusy(db: Database, sql: string, path: string): boolean {
  try {
    db.exec(sql);
    return false;
  } catch (error) {
    if (failureOf(error) === "busy") return true;
    throw unusable(path, error);
  }
}

/** Grows up to its bound, with half of it left to chance, so that those who wait for the same do not wake together. */
function restMs(attempt: number): number {
  const most = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(attempt, 8));
  return most / 2 + (Math.random() * most) / 2;
}

function lockFile(home: string, name: LockName): string {
  if (name === "mend") return join(home, "mend.lock");
  if (name === "keys") return join(home, "keys", "rotate.lock");
  // No loop has a dot in its name.
  if (name === "sign") return join(home, "locks", ".seal.lock");
  if (name === "daemon") return join(home, "locks", ".daemon.lock");
  const [kind, what] = [name.slice(0, name.indexOf(" ")), name.slice(name.indexOf(" ") + 1)];
  if (kind === "prepared") return join(home, "prepared", what, "lock");
  return join(home, "locks", kind === "loop" ? `${what}.lock` : `.${kind}-${what}.lock`);
}

const isFull = (cause: unknown): boolean =>
  obstacleOf(cause) === "full" || (cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT"));

function unusable(path: string, cause: unknown): LoopError {
  const isGarbage = failureOf(cause) === "damaged";
  return new LoopError(
    "store-unusable",
    isGarbage ? `the lock file ${path} holds something that is not ours` : `the lock file ${path} cannot be used`,
    {
      retry: "never",
      hint: isGarbage
        ? "Delete it when no `lw` is running: a lock file holds nothing of value."
        : isFull(cause)
          ? "The disk is full: make room, for example with `lw stop LOOP --abandon`, which removes the copies of a run."
          : "Make its folder writable, or choose another home with --home or LOOPWRIGHT_HOME.",
      cause,
    },
  );
}
