import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createFolders, withJournal } from "../../test/support/journals.ts";
import { driverName } from "../world/store/sqlite.ts";
import { findHome } from "./home.ts";
import { mustBeThere, openRecords } from "./open-records.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const homeAt = (folder: string) => findHome(folder, { get: () => undefined }, "linux", "/");

/** Nothing can be written where a file of ours is a link to nowhere, whoever asks; permissions do not keep root out. */
function makeUnwritable(folder: string): void {
  rmSync(join(folder, "journal.head"), { force: true });
  symlinkSync("/nowhere/at/all", join(folder, "journal.head"));
}

it("reads what is on record of a home that cannot be written to, leaves it alone, and says why", async () => {
  const folder = folders.make();
  await withJournal(folder, driverName(), (journal) =>
    journal.append([{ loop: "fix", run: "fix-1", record: { kind: "loop-paused", by: "ada", why: "" } }]),
  );
  makeUnwritable(folder);
  const before = readdirSync(folder);

  const records = await openRecords(homeAt(folder));
  const entries = await records.journal.entriesAfter(0, 10);
  const { unwritable } = records;
  await records.close();

  expect(entries.map(({ record }) => record.kind)).toEqual(["loop-paused"]);
  expect(unwritable).toContain(`the journal in ${folder} cannot be used`);
  expect(readdirSync(folder)).toEqual(before);
});

it("refuses a home that cannot be written to and has no journal", async () => {
  const folder = folders.make();
  makeUnwritable(folder);

  await expect(openRecords(homeAt(folder))).rejects.toMatchObject({ code: "store-unusable" });

  expect(existsSync(join(folder, "journal.db"))).toBe(false);
});

it("works only in a home that is there, and begins none where it was moved away", async () => {
  const folder = folders.make();
  await withJournal(folder, driverName(), async () => {});
  await mustBeThere(homeAt(folder));

  await expect(mustBeThere(homeAt(`${folder}-gone`))).rejects.toMatchObject({ code: "store-unusable", retry: "later" });

  expect(existsSync(`${folder}-gone`)).toBe(false);
});
