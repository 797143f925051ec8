// The journal's files: the database, the marks beside it, and where damaged ones are put.
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { underLock } from "../../contract/locks.ts";
import type { DamagedFile, Database, Store, StoreFailure } from "../../contract/store.ts";
import { makeFolder, makePrivateFolder } from "../files/make-folder.ts";
import { readRegularNow } from "../files/read-regular.ts";
import { createLocks } from "./locks.ts";
import { type DriverName, driverName, obstacleOf, openDatabase, failureOf as sqliteFailureOf } from "./sqlite.ts";

const SIDE_FILES = ["-wal", "-shm", "-journal"];
const MARKS = 32;
const MARK_LENGTH = 128;
/** Who waits says so at least this often. */
const AWAITED_MS = 250;
/** How long somebody else may take to mend it. */
const MENDING_MS = 20_000;

/** What this file finds out by itself, in the kinds that SQLite's own failures have. */
class StoreFailed extends Error {
  override readonly name = "StoreFailed";
  readonly kind: StoreFailure;

  constructor(kind: StoreFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export function createStore(folder: string, driver: DriverName = driverName()): Store {
  const path = join(folder, "journal.db");
  const markPath = join(folder, "journal.head");
  const waitPath = join(folder, "journal.waiting");
  const planPath = join(folder, "journal.mending");
  const locks = createLocks(folder, driver);
  /** The folder that the journal was first opened in. */
  let ours: string | undefined;
  const failureOf = (error: unknown): StoreFailure => (error instanceof StoreFailed ? error.kind : sqliteFailureOf(error));

  return {
    open: () => reachable(folder, () => openInPlace()),
    failureOf,
    replace: (rebuild) => reachable(folder, () => replaceDamaged(rebuild)),
    readMarks: () =>
      reachable(folder, () =>
        existsSync(markPath)
          ? linesOf(readRegularNow(markPath).toString("latin1"))
              // Places that were never written are NUL characters, and stand before the first mark.
              .map((line) => line.replaceAll("\0", "").trim())
          : [],
      ),
    writeMark(number, text) {
      // Not synced: a mark that is lost only sees less. Not written: the same, and the record it is for is safe already.
      try {
        const file = openSync(markPath, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o600);
        writeSync(file, `${text.padEnd(MARK_LENGTH - 1)}\n`, (number % MARKS) * MARK_LENGTH, "latin1");
        closeSync(file);
      } catch (error) {
        if (!isSystemError(error)) throw error;
      }
    },
    clearMarks: () => reachable(folder, () => truncateSync(markPath, 0)),
    exclusively: (work) => underLock({ locks, name: "mend", ms: MENDING_MS, busy: mendedForTooLong }, work),
    sayWaiting() {
      // Only good manners: where it cannot be written, everybody takes their chances.
      try {
        closeSync(openSync(waitPath, "a", 0o600));
        const now = new Date();
        utimesSync(waitPath, now, now);
      } catch (error) {
        if (!isSystemError(error)) throw error;
      }
    },
    isAwaited() {
      const said = statSync(waitPath, { throwIfNoEntry: false })?.mtimeMs;
      return said !== undefined && Math.abs(Date.now() - said) < AWAITED_MS;
    },
    pause,
  };

  function openInPlace(): Database {
    refuseElsewhere();
    refuseWhatIsNoFile();
    // Only who opens it for the first time may begin a home.
    if (ours === undefined) makePrivateFolder(folder);
    closeSync(openSync(markPath, "a", 0o600));
    const before = fileAt(path);
    refuseWhileReplaced();
    const db = openDatabase(path, "read-write", driver);
    try {
      told(() => configure(db, driver));
      const opened = fileAt(path);
      // It may have been replaced while it was opened.
      if (before !== undefined && before !== opened) throw new StoreFailed("busy", "the journal's file was replaced while it was opened");
      refuseWhileReplaced();
      ours ??= fileAt(folder);
      return watched(db, opened);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Whoever served a home that was moved away would else begin another where it was, and what is written there nobody would look for. */
  function refuseElsewhere(): void {
    if (ours !== undefined && fileAt(folder) !== ours && !existsSync(path)) throw movedAway(folder);
  }

  /** SQLite would wait for ever for somebody to write into a pipe. */
  function refuseWhatIsNoFile(): void {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFIFO() || found?.isCharacterDevice()) throw noFile(path);
  }

  function refuseWhileReplaced(): void {
    if (existsSync(planPath)) throw new StoreFailed("damaged", "the journal's file is being replaced");
  }

  /** SQLite goes on with a file that was moved or deleted as if nothing had happened; what is written there is lost. */
  function watched(db: Database, opened: string | undefined): Database {
    const checkPlace = (): void => {
      if (fileAt(path) !== opened) throw new StoreFailed("moved", "the journal's file was replaced or deleted");
    };
    return {
      // Looked at after a commit: only then is it sure that it went into the right file. What only begins has done nothing yet.
      exec: (sql) => {
        try {
          told(() => db.exec(sql));
        } finally {
          if (!sql.startsWith("begin")) checkPlace();
        }
      },
      run: (sql, ...values) => told(() => db.run(sql, ...values)),
      all: (sql, ...values) => told(() => db.all(sql, ...values)),
      close: () => db.close(),
    };
  }

  /** A file SQLite finds read-only although it may be written to has a damaged header. */
  function told<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const obstacle = obstacleOf(error);
      if (obstacle === "read-only" && isWritable(path) && isWritable(folder))
        throw new StoreFailed("damaged", "the journal's file says that it is read-only", error);
      throw obstacle ? unusable(folder, obstacle, error) : error;
    }
  }

  /** Modes: `moving` the damaged files away, `building` the new one, `placing` it. Each can be done again after a crash. */
  function replaceDamaged(rebuild: (damaged: DamagedFile, fresh: Database) => void): void {
    const plan = readPlan() ?? {
      mode: "moving",
      aside: unusedName(join(folder, `damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`)),
    };
    const fresh = join(plan.aside, "mended.db");
    if (plan.mode === "moving") {
      makeFolder(plan.aside);
      writePlan({ ...plan, mode: "moving" });
      withoutWriters(() => {
        for (const suffix of ["", ...SIDE_FILES])
          if (existsSync(path + suffix)) renameSync(path + suffix, join(plan.aside, `journal.db${suffix}`));
      });
      writePlan({ ...plan, mode: "building" });
    }
    if (plan.mode !== "placing") {
      for (const suffix of ["", ...SIDE_FILES]) rmSync(fresh + suffix, { force: true });
      const db = openDatabase(fresh, "read-write", driver);
      try {
        db.exec("pragma synchronous=full");
        told(() => rebuild({ keptAs: plan.aside, bytes: readAside(plan.aside) }, db));
      } finally {
        db.close();
      }
      writePlan({ ...plan, mode: "placing" });
    }
    if (existsSync(fresh)) {
      // What lies beside the new file would be taken for its own.
      for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
      renameSync(fresh, path);
      syncFolder(folder);
    }
    rmSync(planPath, { force: true });
  }

  /** Waits until nobody writes to the damaged file, where it is still good enough for that. */
  function withoutWriters(work: () => void): void {
    // To open a file that is not there would make it.
    const db = existsSync(path) ? openDatabase(path, "read-write", driver) : undefined;
    try {
      lockIfPossible(db);
      work();
    } finally {
      db?.close();
    }
  }

  function lockIfPossible(db: Database | undefined): void {
    try {
      db?.exec("begin immediate");
    } catch (error) {
      if (failureOf(error) === "busy") throw error;
    }
  }

  /** The damaged file's bytes, after SQLite has done what it can. That may write, so it is done on a copy: what was damaged is kept as it was. */
  function readAside(aside: string): Uint8Array {
    const kept = join(aside, "journal.db");
    const copy = join(aside, "reading.db");
    if (!existsSync(kept)) return new Uint8Array();
    for (const suffix of ["", ...SIDE_FILES]) {
      rmSync(copy + suffix, { force: true });
      if (existsSync(kept + suffix) && suffix !== "-shm") copyFileSync(kept + suffix, copy + suffix);
    }
    settle(copy);
    const bytes = readRegularNow(copy);
    for (const suffix of ["", ...SIDE_FILES]) rmSync(copy + suffix, { force: true });
    return bytes;
  }

  function settle(copy: string): void {
    const db = openDatabase(copy, "read-write", driver);
    try {
      db.exec("pragma wal_checkpoint(truncate)");
      db.all("select count(*) from sqlite_master");
    } catch {
      // It is damaged: its bytes are read as they are.
    }
    db.close();
  }

  function readPlan(): Plan | undefined {
    if (!existsSync(planPath)) return undefined;
    const [, mode, aside] = /^(moving|building|placing) (.+)$/s.exec(readRegularNow(planPath).toString("utf8")) ?? [];
    return mode && aside ? { mode: mode as Plan["mode"], aside } : undefined; // the pattern has only these
  }

  function writePlan({ mode, aside }: Plan): void {
    const file = openSync(`${planPath}.new`, "w", 0o600);
    writeSync(file, `${mode} ${aside}`);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${planPath}.new`, planPath);
    syncFolder(folder);
  }
}

interface Plan {
  readonly mode: "moving" | "building" | "placing";
  readonly aside: string;
}

/** WAL is left to SQLite versions in which its reset bug is fixed; libsql's is older, so it keeps a rollback journal. */
function configure(db: Database, driver: DriverName): void {
  const mode = driver === "node:sqlite" ? "wal" : "truncate";
  const [row] = db.all("pragma journal_mode");
  if (row?.journal_mode !== mode) db.exec(`pragma journal_mode=${mode}`);
  db.exec("pragma synchronous=full");
}

/** A line without its end was cut, and is not what was written, whatever is left of it. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  return rest === "" ? lines : [...lines, `${rest} (cut)`];
}

/** Which file is there now; a file of the same name is another one. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

function unusedName(wanted: string, tried = 1): string {
  const name = tried === 1 ? wanted : `${wanted}-${tried}`;
  return existsSync(name) ? unusedName(wanted, tried + 1) : name;
}

/** What keeps us from the folder is told as that. */
function reachable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const obstacle = obstacleOf(error) ?? (isSystemError(error) ? (OBSTACLES[error.code] ?? "out of reach") : undefined);
    throw obstacle ? unusable(folder, obstacle, error) : error;
  }
}

const noFile = (path: string): LoopError =>
  new LoopError("store-unusable", `${path} is not a file`, { retry: "never", hint: "Move it away, and look who put it there." });

const movedAway = (folder: string): LoopError =>
  new LoopError("store-unusable", `the journal in ${folder} is not there any more: its folder was moved or deleted while it was in use`, {
    retry: "later",
    hint: "Put the folder back where it was, or stop this program and start it where the folder is now.",
  });

const OBSTACLES: { readonly [code: string]: "read-only" | "full" } = { EROFS: "read-only", ENOSPC: "full", EDQUOT: "full" };

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";

function unusable(folder: string, obstacle: "read-only" | "full" | "out of reach", cause: unknown): LoopError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  if (obstacle === "full") {
    return new LoopError("store-unusable", `the journal in ${folder} cannot be written: the disk is full (${detail})`, {
      retry: "later",
      hint: "Make room on that disk and try again, or choose another home with --home or LOOPWRIGHT_HOME.",
      cause,
    });
  }
  return new LoopError("store-unusable", `the journal in ${folder} cannot be used: it is ${obstacle} (${detail})`, {
    retry: "never",
    hint: "Make that folder and the files in it readable and writable, or choose another home with --home or LOOPWRIGHT_HOME.",
    cause,
  });
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const mendedForTooLong = (): LoopError =>
  new LoopError("journal-busy", "another process has been mending the journal for too long", {
    retry: "later",
    hint: "Wait a moment and try again; `lw doctor` shows the journal's state.",
  });

/** Grows from a few milliseconds to a tenth of a second, with half of it left to chance. */
const pause = (attempt: number): Promise<void> => {
  const most = Math.min(100, 4 * 2 ** Math.min(attempt, 5));
  return new Promise((resolve) => setTimeout(resolve, most / 2 + (Math.random() * most) / 2));
};

/** Makes a rename durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
