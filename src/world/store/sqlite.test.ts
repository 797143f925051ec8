import { readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFolders, DRIVERS } from "../../../test/support/journals.ts";
import { failureOf, obstacleOf, openDatabase } from "./sqlite.ts";

const folders = createFolders();

/** Undefined where it was closed meanwhile. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
afterEach(() => folders.removeAll());

describe.each(DRIVERS)("SQLite through %s", (driver) => {
  const errorOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    throw new Error("it did not fail");
  };

  it("gives back numbers, texts and nulls as they were put in", () => {
    const db = openDatabase(":memory:", "read-write", driver);
    db.exec("create table a (n integer, t text, e text)");
    db.run("insert into a values (?, ?, ?)", 10 ** 15, "ü😀'\"", null);

    const rows = db.all("select n, t, e from a where t = ?", "ü😀'\"");

    expect(rows.map((row) => ({ ...row }))).toEqual([{ n: 10 ** 15, t: "ü😀'\"", e: null }]);
    db.close();
  });

  it.skipIf(process.platform !== "linux")("has hardly any file open that was closed, however many were", async () => {
    const path = join(realpathSync(folders.make()), "many.db");
    for (let n = 0; n < 40; n++) {
      const db = openDatabase(path, "read-write", driver);
      db.all("select count(*) from sqlite_master");
      db.close();
    }
    // What the collector found is closed in the next turn.
    await new Promise((resolve) => setImmediate(resolve));

    expect(readdirSync("/proc/self/fd").filter((descriptor) => targetOf(descriptor) === path).length).toBeLessThan(9);
  });

  it("tells a file in use by its kind", () => {
    const path = join(folders.make(), "a.db");
    const [one, two] = [openDatabase(path, "read-write", driver), openDatabase(path, "read-write", driver)];
    one.exec("begin immediate");

    const error = errorOf(() => two.exec("begin immediate"));

    expect([failureOf(error), obstacleOf(error)]).toEqual(["busy", undefined]);
    one.close();
    two.close();
  });

  it("tells a file that is no database by its kind", () => {
    const path = join(folders.make(), "a.db");
    writeFileSync(path, "no database ".repeat(100));
    const db = openDatabase(path, "read-write", driver);

    const error = errorOf(() => db.all("pragma user_version"));

    expect([failureOf(error), obstacleOf(error)]).toEqual(["damaged", undefined]);
    db.close();
  });

  it("tells a schema that is not ours by its kind", () => {
    const db = openDatabase(":memory:", "read-write", driver);

    const error = errorOf(() => db.all("select * from records"));

    expect([failureOf(error), obstacleOf(error)]).toEqual(["damaged", undefined]);
    db.close();
  });

  it("tells a file that cannot be opened by its kind", () => {
    const error = errorOf(() => openDatabase(folders.make(), "read-write", driver).exec("begin immediate"));

    expect([failureOf(error), obstacleOf(error)]).toEqual(["other", "out of reach"]);
  });

  it("tells a full database by its kind", () => {
    const db = openDatabase(":memory:", "read-write", driver);
    db.exec("create table a (b text)");
    db.all("pragma max_page_count=2");

    const error = errorOf(() => db.run("insert into a values (?)", "x".repeat(50_000)));

    expect([failureOf(error), obstacleOf(error)]).toEqual(["other", "full"]);
    db.close();
  });
});

it.each([
  [{ errcode: 5 }, "busy", undefined],
  [{ errcode: 261 }, "busy", undefined],
  [{ rawCode: 6 }, "busy", undefined],
  [{ errcode: 15 }, "busy", undefined],
  [{ rawCode: 11 }, "damaged", undefined],
  [{ errcode: 267 }, "damaged", undefined],
  [{ errcode: 26 }, "damaged", undefined],
  [{ errcode: 522 }, "damaged", undefined],
  [{ errcode: 1032 }, "moved", undefined],
  [{ errcode: 8 }, "other", "read-only"],
  [{ rawCode: 1544 }, "other", "read-only"],
  [{ errcode: 13 }, "other", "full"],
  [{ errcode: 14 }, "other", "out of reach"],
  [{ errcode: 778 }, "other", "out of reach"],
  [{ rawCode: 19 }, "other", undefined],
  [{}, "other", undefined],
])("reads %j as %s, obstacle %s", (code, failure, obstacle) => {
  const error = Object.assign(new Error("from a driver"), code);

  expect([failureOf(error), obstacleOf(error)]).toEqual([failure, obstacle]);
});

it("knows nothing of what is no error", () => {
  expect([failureOf("5"), failureOf(undefined), obstacleOf({ errcode: 13 })]).toEqual(["other", "other", undefined]);
});
