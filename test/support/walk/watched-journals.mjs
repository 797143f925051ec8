// The journals as they are, but that the process ends with its first record, and says which files had functions that ran until then.
import { writeSync } from "node:fs";
import { openRunJournal as openRun } from "../../../src/journal/run-journal.ts";
import { openSqliteJournal as openSqlite } from "../../../src/journal/sqlite-journal.ts";
import { filesThatRan } from "./ran.mjs";

export * from "../../../src/journal/run-journal.ts";
export * from "../../../src/journal/sqlite-journal.ts";

export const openRunJournal = async (...args) => endingAt(await openRun(...args), ["hold", "write", "reserve"]);
export const openSqliteJournal = async (...args) => endingAt(await openSqlite(...args), ["append", "reserve"]);

/** Whoever takes up one of these is about to write. */
const endingAt = (journal, writing) =>
  new Proxy(journal, {
    get: (whole, name) => (writing.includes(name) ? tellAndEnd : Reflect.get(whole, name)),
  });

function tellAndEnd() {
  writeSync(1, `${JSON.stringify(filesThatRan())}\n`);
  process.exit(0);
}
