import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  appendOne,
  createFolders,
  DRIVERS,
  note,
  openJournal,
  tickingClock,
  withDatabase,
  withJournal,
} from "../../test/support/journals.ts";
import { LoopError } from "../contract/errors.ts";
import { createStore } from "../world/store/store.ts";
import { MIGRATIONS, migrate, storeVersion } from "./migrations.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const NEXT = [...MIGRATIONS, "alter table records add column colour text; create table inbox (id integer primary key) strict;"];
const AT = { loop: "a", run: "a-1" };

describe.each(DRIVERS)("a store's version on %s", (driver) => {
  const openNext = (folder: string) => openSqliteJournal(createStore(folder, driver), tickingClock(), NEXT);
  const versionIn = (folder: string) => withDatabase(folder, driver, storeVersion);

  it("is the newest in a new store", async () => {
    const folder = folders.make();

    await withJournal(folder, driver, async () => {});

    expect(versionIn(folder)).toBe(MIGRATIONS.length);
  });

  it("is brought up to date from a file that has no tables", async () => {
    const folder = folders.make();
    withDatabase(folder, driver, (db) => db.exec("create table t (a); drop table t"));

    const entry = await withJournal(folder, driver, (journal) => appendOne(journal, AT, note("ada")));

    expect({ version: versionIn(folder), seq: entry.seq }).toEqual({ version: MIGRATIONS.length, seq: 1 });
  });

  it("is brought from one version to the next, with all that was written", async () => {
    const folder = folders.make();
    const written = await withJournal(folder, driver, (journal) => appendOne(journal, AT, note("ada")));

    const journal = await openNext(folder);
    const added = await appendOne(journal, AT, note("bob"));

    expect(await journal.story("a-1")).toEqual({ entries: [written, added], damaged: [] });
    expect(await journal.inspect()).toEqual({ entries: 2, whole: true, damage: [] });
    expect(versionIn(folder)).toBe(NEXT.length);
    journal.close();
  });

  it("is brought up to date once, however many do it at once", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, (journal) => appendOne(journal, AT, note("ada")));

    const journals = await Promise.all(Array.from({ length: 5 }, () => openNext(folder)));

    expect(versionIn(folder)).toBe(NEXT.length);
    expect(await journals[4]!.inspect()).toEqual({ entries: 1, whole: true, damage: [] });
    for (const journal of journals) journal.close();
  });

  it("leaves everything as it was when a migration fails", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, (journal) => appendOne(journal, AT, note("ada")));

    const db = createStore(folder, driver).open();
    db.exec("begin immediate");
    expect(() => migrate(db, [...NEXT, "create table inbox (id)"])).toThrow("inbox");
    db.exec("rollback");

    expect({ version: storeVersion(db), tables: db.all("select name from sqlite_master where name = 'inbox'") }).toEqual({
      version: MIGRATIONS.length,
      tables: [],
    });
    db.close();
  });

  it("is refused when it is newer, and nothing is changed", async () => {
    const folder = folders.make();
    const newer = await openNext(folder);
    await appendOne(newer, AT, note("ada"));
    newer.close();
    const before = readFileSync(join(folder, "journal.db"));

    const error = await openJournal(folder, driver).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(LoopError);
    expect(error).toMatchObject({
      code: "store-unusable",
      retry: "never",
      message: `this journal has version ${NEXT.length}, and this loopwright knows versions up to ${MIGRATIONS.length}`,
      hint: "Use the newer loopwright that wrote it, or choose another home with --home or LOOPWRIGHT_HOME.",
    });
    expect(readFileSync(join(folder, "journal.db")).equals(before)).toBe(true);
  });

  it("keeps what a damaged file of a newer version holds for the newer loopwright, which can still read it", async () => {
    const folder = folders.make();
    const newer = await openNext(folder);
    const written = await appendOne(newer, AT, note("ada"));
    newer.close();
    withDatabase(folder, driver, (db) =>
      db.exec("drop index records_by_run; drop index records_by_kind; drop table inbox; pragma user_version=1"),
    );

    const journal = await openNext(folder);

    expect((await journal.story("a-1")).entries).toEqual([written]);
    journal.close();
  });
});
