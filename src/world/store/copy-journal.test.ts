import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { appendOne, createFolders, DRIVERS, openJournal, withJournal } from "../../../test/support/journals.ts";
import { copyJournal } from "./copy-journal.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const looks = (folder: string) =>
  readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return { name, size, mtimeMs };
  });
const place = { loop: "fix", run: "fix-1" };

it.each(DRIVERS)("reads somebody's journal in a copy, and leaves nothing where it lies (%s)", async (driver) => {
  const home = folders.make();
  const writer = await openJournal(home, driver);
  await appendOne(writer, place, { kind: "stop-requested", by: "ada" });
  const before = looks(home);

  const copy = await copyJournal(home);

  if (copy.kind !== "copied") throw new Error(copy.why);
  await withJournal(copy.folder, driver, async (journal) => {
    expect((await journal.story("fix-1")).entries).toHaveLength(1);
    expect(await journal.inspect()).toMatchObject({ entries: 1, whole: true });
  });
  await copy.remove();
  expect(existsSync(copy.folder)).toBe(false);
  expect(looks(home)).toEqual(before);
  writer.close();
});

it.each(DRIVERS)("mends a damaged journal in the copy alone (%s)", async (driver) => {
  const home = folders.make();
  await withJournal(home, driver, (journal) => appendOne(journal, place, { kind: "stop-requested", by: "ada" }));
  writeFileSync(join(home, "journal.db"), "this is no database any more");
  const before = readFileSync(join(home, "journal.db"));

  const copy = await copyJournal(home);

  if (copy.kind !== "copied") throw new Error(copy.why);
  await withJournal(copy.folder, driver, async (journal) => expect(journal.mended).toMatch(/^the journal's file was damaged/));
  await copy.remove();
  expect(readFileSync(join(home, "journal.db"))).toEqual(before);
  expect(readdirSync(home).filter((name) => name.startsWith("damaged-"))).toEqual([]);
});

it("does not copy what is being mended, nor what is no file", async () => {
  const [mending, strange] = [folders.make(), folders.make()];
  writeFileSync(join(mending, "journal.mending"), "moving /elsewhere");
  mkdirSync(join(strange, "journal.db"));

  expect(await copyJournal(mending)).toEqual({ kind: "unreadable", why: "it is being mended, or was left in the middle of it" });
  expect(await copyJournal(strange)).toEqual({
    kind: "unreadable",
    why: "it could not be copied for reading (journal.db is not a plain file)",
  });
});

it("gives up on one that never stands still, and says so", async () => {
  const home = folders.make();
  const path = join(home, "journal.db");
  writeFileSync(path, Buffer.alloc(64 * 1024 * 1024));
  let isDone = false;
  const writing = (async () => {
    while (!isDone) {
      appendFileSync(path, "x");
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();

  const copy = await copyJournal(home);
  isDone = true;
  await writing;

  expect(copy).toEqual({ kind: "unreadable", why: "it is written to all the time: try again when its loops rest" });
});

it("makes a copy that can be written to, of files that nobody may write to", async () => {
  const home = folders.make();
  await withJournal(home, DRIVERS[0]!, (journal) => appendOne(journal, place, { kind: "stop-requested", by: "ada" }));
  for (const name of readdirSync(home)) chmodSync(join(home, name), 0o444);

  const copy = await copyJournal(home);

  if (copy.kind !== "copied") throw new Error(copy.why);
  expect(readdirSync(copy.folder).map((name) => statSync(join(copy.folder, name)).mode & 0o777)).toEqual(
    readdirSync(copy.folder).map(() => 0o600),
  );
  await copy.remove();
});
