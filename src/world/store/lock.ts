// A lock that the operating system gives back when its holder dies, however it dies.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Database } from "../../contract/store.ts";
import { makeFolder } from "../files/make-folder.ts";
import { type DriverName, driverName, failureOf, openDatabase } from "./sqlite.ts";

export interface Lock {
  release(): void;
}

/** A driver closes a database that nobody holds any more, and with it the lock would be gone. */
const held = new Set<Database>();

/**
 * Takes the lock, or gives undefined when somebody holds it. The lock is SQLite's own exclusive lock on an empty file:
 * Node has no flock, and a file with a process id in it would have to be believed. The file stays; holding it is the lock.
 */
export function holdLock(path: string, driver: DriverName = driverName()): Lock | undefined {
  const db = openLockFile(path, driver);
  try {
    db.exec("begin exclusive");
  } catch (error) {
    db.close();
    if (failureOf(error) === "busy") return undefined;
    throw unusable(path, error);
  }
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.exec("rollback");
      db.close();
    },
  };
}

/** Whether somebody holds the lock. Looking is a read, so that nobody loses it by being looked at; a file that is not there is not made. */
export function isHeld(path: string, driver: DriverName = driverName()): boolean {
  if (!existsSync(path)) return false;
  let db: Database | undefined;
  try {
    db = openDatabase(path, "read-only", driver);
    db.all("select 1 from sqlite_master");
    return false;
  } catch (error) {
    if (failureOf(error) === "busy") return true;
    throw error instanceof LoopError ? error : unusable(path, error);
  } finally {
    db?.close();
  }
}

function openLockFile(path: string, driver: DriverName): Database {
  try {
    makeFolder(dirname(path));
    return openDatabase(path, "read-write", driver);
  } catch (error) {
    throw error instanceof LoopError ? error : unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): LoopError {
  const isGarbage = failureOf(cause) === "damaged";
  return new LoopError(
    "store-unusable",
    isGarbage ? `the lock file ${path} holds something that is not ours` : `the lock file ${path} cannot be used`,
    {
      retry: "never",
      hint: isGarbage
        ? "Delete it when no `lw` is running: a lock file holds nothing of value."
        : "Make its folder writable, or choose another home with --home or LOOPWRIGHT_HOME.",
      cause,
    },
  );
}
