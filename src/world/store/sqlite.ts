// SQLite behind one small driver: node:sqlite where Node has it, libsql on Node 20.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LoopError } from "../../contract/errors.ts";
import type { Database, Row, SqlValue, StoreFailure } from "../../contract/store.ts";

interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown;
}
/** What both drivers have in common. */
interface Driver {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

export type DriverName = "node:sqlite" | "libsql";

const require = createRequire(import.meta.url);

/** node:sqlite is there without a flag from Node 22.13 on. */
export function driverName(): DriverName {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "libsql";
}

export function openDatabase(path: string, mode: "read-write" | "read-only", driver: DriverName = driverName()): Database {
  const db = openDriver(path, mode, driver);
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return {
    exec: (sql) => void db.exec(sql),
    run: (sql, ...values) => void statement(sql).run(...values),
    all: (sql, ...values) => statement(sql).all(...values) as readonly Row[], // rows as the driver gives them
    close: () => {
      const hasStatements = prepared.size > 0;
      prepared.clear();
      db.close();
      if (driver === "libsql" && hasStatements) letGoOfFiles();
    },
  };
}

/** So many files may be held after they were closed. */
const MOST_HELD = 8;
let closedSince = 0;
let collect: (() => void) | undefined;

/**
 * libsql closes a file only when the last statement on it is collected, and has no other way to end one. What it holds outside of the heap
 * is no reason for the collector to run: a process that opens many journals would run out of descriptors.
 */
function letGoOfFiles(): void {
  closedSince += 1;
  if (closedSince < MOST_HELD) return;
  closedSince = 0;
  if (!collect) {
    require("node:v8").setFlagsFromString("--expose-gc");
    collect = require("node:vm").runInNewContext("gc") as () => void; // what the flag makes known in new contexts
  }
  collect();
}

function openDriver(path: string, mode: "read-write" | "read-only", driver: DriverName): Driver {
  const readOnly = mode === "read-only";
  if (driver === "node:sqlite") {
    const { DatabaseSync } = quietly(() => require("node:sqlite"));
    return new DatabaseSync(path, { readOnly, timeout: 0 });
  }
  const Libsql = loadLibsql();
  return new Libsql(path, { readonly: readOnly, timeout: 0 });
}

/**
 * Its loader asks for a report on the whole process, interfaces and all, to learn which C library is here: a tenth of what a command
 * takes to start. The program that tells a binary's libraries says it too, in its first lines, and where it does not, the report is made.
 */
function withoutReports<T>(load: () => T): T {
  const report = process.report;
  const library = libraryHere();
  if (!report || library === undefined) return load();
  const { getReport } = report;
  report.getReport = () => ({ header: library === "glibc" ? { glibcVersionRuntime: "of this system" } : {} });
  try {
    return load();
  } finally {
    report.getReport = getReport;
  }
}

function libraryHere(): "glibc" | "musl" | undefined {
  try {
    const text = readFileSync("/usr/bin/ldd", "latin1");
    if (text.includes("GNU C Library") || text.includes("GNU libc")) return "glibc";
    return text.includes("musl") ? "musl" : undefined;
  } catch {
    return undefined;
  }
}

function loadLibsql(): new (path: string, options: object) => Driver {
  try {
    return withoutReports(() => require("libsql"));
  } catch (cause) {
    throw new LoopError(
      "store-unusable",
      `this Node (${process.version}) has no SQLite of its own and libsql is not installed for ${process.platform}-${process.arch}`,
      {
        retry: "never",
        hint: "Use Node 22.13 or newer, or install loopwright again without --omit=optional.",
        cause,
      },
    );
  }
}

/** Node warns that node:sqlite is experimental; our users did not choose it, so they are not told. */
function quietly<T>(work: () => T): T {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emit;
  }
}

const READONLY_DBMOVED = 1032;
const IOERR_SHORT_READ = 522;
/** SQLITE_BUSY, LOCKED, PROTOCOL: another process is at it. */
const BUSY = new Set([5, 6, 15]);
/** SQLITE_CORRUPT, FORMAT, NOTADB; and ERROR: our statements are right, so only a schema that is not ours makes SQLite refuse them. */
const DAMAGED = new Set([1, 11, 24, 26]);
const READONLY = 8;
const FULL = 13;
/** SQLITE_PERM, IOERR, CANTOPEN. */
const UNUSABLE = new Set([3, 10, 14]);

/** Reads a driver's error by SQLite's own result code. */
export function failureOf(error: unknown): StoreFailure {
  const code = resultCode(error);
  if (code === undefined) return "other";
  if (code === READONLY_DBMOVED) return "moved";
  if (code === IOERR_SHORT_READ) return "damaged";
  if (BUSY.has(code & 0xff)) return "busy";
  return DAMAGED.has(code & 0xff) ? "damaged" : "other";
}

/** What keeps a file from being used although nothing is wrong with it; undefined when it is something else. */
export function obstacleOf(error: unknown): "read-only" | "full" | "out of reach" | undefined {
  if (failureOf(error) !== "other") return undefined;
  const code = resultCode(error) ?? 0;
  if ((code & 0xff) === READONLY) return "read-only";
  if ((code & 0xff) === FULL) return "full";
  return UNUSABLE.has(code & 0xff) ? "out of reach" : undefined;
}

/** node:sqlite says `errcode`, libsql says `rawCode`, or puts it at the end of its message when it could not open the file. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown };
  if (typeof errcode === "number") return errcode;
  if (typeof rawCode === "number") return rawCode;
  const [, said] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? [];
  return said === undefined ? undefined : Number(said);
}
