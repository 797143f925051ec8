// What a journal does after somebody or something has been at its files.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appendOne,
  createFolders,
  DRIVERS,
  keptAside,
  note,
  openJournal,
  result,
  runOpened,
  storiesOf,
  withDatabase,
  withJournal,
} from "../../test/support/journals.ts";
import type { Entry } from "../contract/record.ts";
import { entryHash, GENESIS } from "../std/chain.ts";
import type { DriverName } from "../world/store/sqlite.ts";
import type { Inspection } from "./journal.ts";
import { writeMark } from "./marks.ts";

const RUNS = ["a-1", "a-2", "b-1"];
const LENGTH = 45;
const folders = createFolders();
afterAll(() => folders.removeAll());

interface Aftermath {
  readonly inspection: Inspection;
  readonly left: readonly Entry[];
  readonly notes: number;
  readonly aside: number;
}

describe.each(DRIVERS)("a journal on %s that was damaged", (driver) => {
  let sound: string;
  let written: readonly Entry[];
  beforeAll(async () => {
    sound = folders.make();
    written = await fill(sound, driver, LENGTH);
  });

  /** A journal of 45 records, three runs, some of them over several pages; then the damage; then everything that must hold after any damage. */
  async function afterDamage(damage: (folder: string, path: string) => void): Promise<Aftermath> {
    const folder = folders.copyOf(sound);
    try {
      damage(folder, join(folder, "journal.db"));
      return await lookAfter(folder, driver, written);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const bySql = (sql: string) => (folder: string) => withDatabase(folder, driver, (db) => db.exec(sql));
  const all = (numbers: number) => written.slice(0, numbers);
  const without = (...seqs: readonly number[]) => written.filter(({ seq }) => !seqs.includes(seq));

  it("loses nothing, or says what, whatever byte was flipped", async () => {
    const size = readFileSync(join(sound, "journal.db")).length;

    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), async (place, bits) => {
        // The four bytes of the version cannot be told from the work of a newer loopwright: those have a test of their own.
        fc.pre(place < 60 || place > 63);
        await afterDamage((_, path) => flip(path, place, bits));
      }),
      { numRuns: 30 },
    );
  });

  it("loses nothing, or says what, whatever byte of the first page's head was flipped", async () => {
    const places = [16, 18, 19, 20, 28, 31, 36, 40, 47, 59, 100, 103, 107];
    for (const place of places) await afterDamage((_, path) => flip(path, place, 0xff));
  });

  it("refuses to go on, and changes nothing, when the version was damaged: it looks like a newer loopwright's", async () => {
    const folder = folders.copyOf(sound);
    flip(join(folder, "journal.db"), 62, 1);
    const before = readFileSync(join(folder, "journal.db"));

    await expect(openJournal(folder, driver)).rejects.toMatchObject({ code: "store-unusable", retry: "never" });

    expect(readFileSync(join(folder, "journal.db")).equals(before)).toBe(true);
  });

  it("keeps what is good when the version was set to that of an empty store", async () => {
    const { left, notes, aside, inspection } = await afterDamage(bySql("pragma user_version=0"));

    expect({ left, notes, aside, whole: inspection.whole }).toEqual({ left: written, notes: 1, aside: 1, whole: true });
  });

  it("loses only what was on a page, whatever page was overwritten", async () => {
    const bytes = readFileSync(join(sound, "journal.db"));
    const pages = bytes.length / 4096;
    for (let page = 0; page < pages; page++) {
      const fillings = [
        Buffer.alloc(4096),
        Buffer.alloc(4096, 0xff),
        bytes.subarray(((page + 1) % pages) * 4096, ((page + 1) % pages) * 4096 + 4096),
      ];
      const { left } = await afterDamage((_, path) => overwrite(path, page * 4096, fillings[page % 3]!));
      expect(left.length).toBeGreaterThan(LENGTH / 2);
    }
  });

  it("loses nothing that is still there, wherever the file was cut off", async () => {
    const size = readFileSync(join(sound, "journal.db")).length;

    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), async (length) => {
        const { inspection } = await afterDamage((_, path) => truncateSync(path, length));
        expect(inspection.whole).toBe(false);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    ["the file is deleted", (_: string, path: string) => rmSync(path)],
    ["the file is empty", (_: string, path: string) => truncateSync(path, 0)],
    ["the file is garbage", (_: string, path: string) => writeFileSync(path, "garbage ".repeat(3000))],
    ["the file is one byte", (_: string, path: string) => writeFileSync(path, "x")],
    ["every record is deleted", bySql("delete from records")],
  ])("says that everything is lost, and goes on, when %s", async (_, damage) => {
    const { left, inspection, notes } = await afterDamage(damage);

    expect({ left, notes, lost: inspection.damage.map(({ from, to }) => ({ from, to })) }).toEqual({
      left: [],
      notes: 1,
      lost: [{ from: 1, to: LENGTH }],
    });
  });

  it("starts anew when the table was dropped, and keeps the file aside", async () => {
    const { notes, aside } = await afterDamage(bySql("drop table records"));

    expect({ notes, aside }).toEqual({ notes: 1, aside: 1 });
  });

  it("puts back an index that hides records", async () => {
    // The row is taken out of the index alone, as a damaged page would do it. libsql lets a schema be changed behind SQLite's back.
    const tamper = (folder: string, sql: string) => withDatabase(folder, "libsql", (db) => db.exec(sql));
    const redefine = (index: string) =>
      `pragma writable_schema=on; update sqlite_master set sql = 'create index records_by_run on records (run, seq)${index}' where name = 'records_by_run'`;

    const { left, aside, notes, inspection } = await afterDamage((folder) => {
      tamper(folder, redefine(" where seq <> 7"));
      tamper(folder, "reindex records_by_run");
      tamper(folder, redefine(""));
    });

    expect({ left, aside, notes, whole: inspection.whole }).toEqual({ left: written, aside: 1, notes: 1, whole: true });
  });

  it.each([
    ["body", "update records set body = replace(body, 'step', 'stop') where seq = 20"],
    ["body, with a space more", "update records set body = body || ' ' where seq = 20"],
    ["hash", "update records set hash = (select hash from records where seq = 5) where seq = 20"],
    ["prev", `update records set prev = '${GENESIS}' where seq = 20`],
    ["kind", "update records set kind = 'run-rested' where seq = 20"],
    ["kind, to one that its body speaks of", "update records set kind = 'inner' where seq = 20"],
    ["run", "update records set run = 'b-1' where seq = 20"],
    ["loop", "update records set loop = 'b' where seq = 20"],
    ["time", "update records set at = '2024-01-01T00:00:00.000Z' where seq = 20"],
  ])("names the one record whose %s was edited", async (_, sql) => {
    const { inspection, left } = await afterDamage(bySql(sql));

    expect(inspection.damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 20, to: 20 }]);
    expect(left).toEqual(without(20));
  });

  it.each([
    ["body", "update records set body = '{}' where seq = 45"],
    ["hash", `update records set hash = '${GENESIS}' where seq = 45`],
    ["kind", "update records set kind = 'spent' where seq = 45"],
    [
      "whole row, by an older one,",
      "update records set (at, loop, run, kind, prev, hash, body) = (select at, loop, run, kind, prev, hash, body from records where seq = 9) where seq = 45",
    ],
  ])("notes that the last record's %s was replaced, and goes on after it", async (_, sql) => {
    const { inspection, left, notes } = await afterDamage(bySql(sql));

    expect({ left, notes, damage: inspection.damage }).toEqual({
      left: all(44),
      notes: 1,
      damage: [{ from: 45, to: 45, problem: "the journal's end was damaged: records 45 not what was written" }],
    });
  });

  it.each([
    ["in the middle, lately", "seq between 30 and 32", [{ from: 30, to: 32 }], 1],
    ["in the middle, long ago", "seq between 5 and 6", [{ from: 5, to: 6 }], 0],
    ["at the start", "seq = 1", [{ from: 1, to: 1 }], 0],
    ["at the end", "seq > 40", [{ from: 41, to: 45 }], 1],
    ["at the end, just one", "seq = 45", [{ from: 45, to: 45 }], 1],
    [
      "at the end and in the middle",
      "seq > 43 or seq = 40",
      [
        { from: 40, to: 40 },
        { from: 44, to: 45 },
      ],
      1,
    ],
  ])("misses records that were deleted %s", async (_, which, lost, notes) => {
    const aftermath = await afterDamage(bySql(`delete from records where ${which}`));

    expect(aftermath.inspection.damage.map(({ from, to }) => ({ from, to }))).toEqual(lost);
    expect(aftermath.notes).toBe(notes);
  });

  it("goes on after a forged row that does not say what its hash says, and names it", async () => {
    const { inspection, left, notes } = await afterDamage(
      bySql(
        `insert into records values (46, '', 'a', 'a-1', 'spent', (select hash from records where seq = 45), '${GENESIS}', '{"kind":"spent"}')`,
      ),
    );

    expect({ left, notes, lost: inspection.damage.map(({ from, to }) => ({ from, to })) }).toEqual({
      left: written,
      notes: 1,
      lost: [{ from: 46, to: 46 }],
    });
  });

  it("names a forged row that is sealed but does not follow the one before it", async () => {
    const { inspection } = await afterDamage((folder) => forge(folder, driver, { seq: 46, prev: GENESIS }));

    expect(inspection.damage).toEqual([{ from: 46, to: 46, problem: "this record does not follow the one before it" }]);
  });

  it("notices that a record was rewritten and everything after it sealed anew", async () => {
    const { inspection, notes } = await afterDamage((folder) => rewriteFrom(folder, driver, 30));

    expect(inspection.damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 30, to: 45 }]);
    expect(notes).toBe(1);
  });

  it("cannot tell a forged row that is sealed, follows the last and came after it: the chain has no secret", async () => {
    const { inspection } = await afterDamage((folder) => forge(folder, driver, { seq: 46, prev: written.at(-1)!.hash }));

    expect(inspection.whole).toBe(true);
  });

  it.each([-5, 0, 10 ** 15, "9007199254740993", "9223372036854775807"])(
    "tells of a row with the number %s, and does not stumble over it",
    async (seq) => {
      const { inspection, left } = await afterDamage(bySql(`insert into records values (${seq}, '', 'a', 'a-1', 'spent', '', '', '{}')`));

      expect(inspection.damage).toEqual([{ from: 0, to: 0, problem: "1 row(s) have numbers that no record of ours can have" }]);
      expect(left).toEqual(written);
    },
  );

  it("misses what came after an older copy that was put back", async () => {
    const older = folders.make();
    await fill(older, driver, 12);

    const { inspection, left, notes } = await afterDamage((folder) => copyFileSync(join(older, "journal.db"), join(folder, "journal.db")));

    expect({ left, notes, damage: inspection.damage }).toEqual({
      left: all(12),
      notes: 1,
      damage: [{ from: 13, to: LENGTH, problem: "the journal's end was damaged: records 13 to 45 were once written and are gone" }],
    });
  });

  it("cannot miss what came after an older copy when the marks were put back with it: nothing else remembers", async () => {
    const older = folders.make();
    await fill(older, driver, 12);

    const folder = folders.copyOf(older);

    await withJournal(folder, driver, async (journal) => {
      expect(await journal.inspect()).toEqual({ entries: 12, whole: true, damage: [] });
      expect(await storiesOf(journal, RUNS)).toEqual(all(12));
    });
  });

  describe("in the middle of a commit", () => {
    /** A copy of the files as a killed process leaves them: half of a large transaction is in the file, and not committed. */
    function killedInside(): string {
      const folder = folders.copyOf(sound);
      return withDatabase(folder, driver, (db) => {
        db.exec("pragma cache_size=2; begin immediate");
        for (let seq = LENGTH + 1; seq < LENGTH + 60; seq++) {
          db.run("insert into records values (?, '', 'a', 'a-1', 'spent', '', '', ?)", seq, "x".repeat(5000));
        }
        const copy = folders.copyOf(folder);
        db.exec("rollback");
        return copy;
      });
    }
    const sideFile = driver === "libsql" ? "journal.db-journal" : "journal.db-wal";

    it("is as it was before it", async () => {
      const folder = killedInside();
      expect(statSync(join(folder, sideFile)).size).toBeGreaterThan(0);

      const { left, notes, inspection } = await lookAfter(folder, driver, written);

      expect({ left, notes, whole: inspection.whole }).toEqual({ left: written, notes: 0, whole: true });
    });

    it("keeps every record that was committed although the file beside it is gone", async () => {
      const folder = killedInside();
      rmSync(join(folder, sideFile));

      const { left } = await lookAfter(folder, driver, written);

      expect(left).toEqual(written);
    });
  });

  it.runIf(driver === "node:sqlite")("misses what was only in the write-ahead log when that is deleted or damaged", async () => {
    const folder = folders.copyOf(sound);
    const journal = await openJournal(folder, driver);
    const more = [
      ...written,
      await appendOne(journal, { loop: "a", run: "a-1" }, note("46")),
      await appendOne(journal, { loop: "a", run: "a-1" }, note("47")),
    ];
    const [gone, torn] = [folders.copyOf(folder), folders.copyOf(folder)];
    journal.close();
    rmSync(join(gone, "journal.db-wal"));
    truncateSync(join(torn, "journal.db-wal"), statSync(join(torn, "journal.db-wal")).size - 10);

    const [afterGone, afterTorn] = [await lookAfter(gone, driver, more), await lookAfter(torn, driver, more)];

    expect(
      [afterGone, afterTorn].map(({ notes, inspection }) => ({ notes, lost: inspection.damage.map(({ from, to }) => ({ from, to })) })),
    ).toEqual([
      { notes: 1, lost: [{ from: 46, to: 47 }] },
      { notes: 1, lost: [{ from: 47, to: 47 }] },
    ]);
  });

  it("misses records that are taken away while it is open, at the next append", async () => {
    const folder = folders.copyOf(sound);
    const journal = await openJournal(folder, driver);
    withDatabase(folder, driver, (db) => db.exec("delete from records where seq > 42"));

    const next = await appendOne(journal, { loop: "a", run: "a-1" }, note("next"));

    expect(next.seq).toBe(47);
    expect((await journal.inspect()).damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 43, to: 45 }]);
    expect(journal.mended).toBe("the journal's end was damaged: records 43 to 45 were once written and are gone");
    journal.close();
  });

  it("finds its way when the file is deleted, or another put in its place, while it is open", async () => {
    const folder = folders.copyOf(sound);
    const path = join(folder, "journal.db");
    const [reader, writer] = [await openJournal(folder, driver), await openJournal(folder, driver)];
    copyFileSync(path, `${path}.copy`);
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
    renameSync(`${path}.copy`, path);

    const next = await appendOne(writer, { loop: "a", run: "a-1" }, note("next"));
    const seen = await storiesOf(reader, RUNS);

    expect(seen).toEqual([...written, next]);
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
    const [last, alsoLast] = await Promise.all([
      appendOne(writer, { loop: "a", run: "a-1" }, note("x")),
      appendOne(reader, { loop: "a", run: "a-1" }, note("y")),
    ]);
    expect([last.seq, alsoLast.seq].sort()).toEqual([48, 49]);
    expect((await reader.inspect()).damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 1, to: 46 }]);
    reader.close();
    writer.close();
  });

  describe("in its marks", () => {
    const marks = (folder: string) => join(folder, "journal.head");
    const IN_DOUBT = {
      from: 46,
      to: 46,
      problem:
        "the journal's end was damaged: records 46 and later ones may have been there: the marks beside the journal, which would tell, are gone or damaged",
    };

    it.each([
      ["absent", (path: string) => rmSync(path)],
      ["empty", (path: string) => truncateSync(path, 0)],
      ["garbage", (path: string) => writeFileSync(path, Buffer.alloc(9000, 0xe9))],
      ["cut in the middle of one", (path: string) => truncateSync(path, 1000)],
      [
        "torn: the number of one, the hash of another",
        (path: string) => writeFileSync(path, readFileSync(path, "latin1").replaceAll(/^45 /gm, "99 ")),
      ],
    ])("keeps every record, and says once and for good that later ones may be gone, when they are %s", async (_, damage) => {
      const { inspection, left, notes } = await afterDamage((folder) => damage(marks(folder)));

      expect({ left, notes, damage: inspection.damage }).toEqual({ left: written, notes: 1, damage: [IN_DOUBT] });
    });

    it("says nothing where the first append ended before its mark was written", async () => {
      const folder = folders.make();
      await fill(folder, driver, 3);
      rmSync(marks(folder));

      await withJournal(folder, driver, async (journal) => {
        expect(await journal.inspect()).toEqual({ entries: 3, whole: true, damage: [] });
      });
    });

    it("misses what they remember when they are ahead", async () => {
      const { inspection, notes } = await afterDamage((folder) =>
        writeFileSync(marks(folder), `${writeMark({ seq: 50, hash: GENESIS })}\n`),
      );

      expect(inspection.damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 46, to: 50 }]);
      expect(notes).toBe(1);
    });

    it("still misses the last record when another process was slow to leave its older mark", async () => {
      const { inspection } = await afterDamage((folder) => {
        const older = readFileSync(marks(folder), "latin1")
          .split("\n")
          .find((line) => line.startsWith("44 "))!;
        overwrite(marks(folder), (44 % 32) * 128, Buffer.from(`${older}\n`, "latin1"));
        withDatabase(folder, driver, (db) => db.exec("delete from records where seq = 45"));
      });

      expect(inspection.damage.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 45, to: 45 }]);
    });

    it("says that a last record may be gone whose mark is gone as well", async () => {
      const folder = folders.copyOf(sound);
      rmSync(marks(folder));
      withDatabase(folder, driver, (db) => db.exec("delete from records where seq = 45"));

      await withJournal(folder, driver, async (journal) => {
        expect(await journal.inspect()).toEqual({
          entries: 45,
          whole: false,
          damage: [{ from: 45, to: 45, problem: IN_DOUBT.problem.replace("46", "45") }],
        });
      });
    });
  });

  describe("and is killed while it is mended", () => {
    const aside = (folder: string) => join(folder, "damaged-then");
    const plan = (folder: string, mode: string) => writeFileSync(join(folder, "journal.mending"), `${mode} ${aside(folder)}`);
    const spoil = (path: string) => overwrite(path, 0, Buffer.alloc(4096, 0xff));

    it.each([
      [
        "before anything was moved",
        (folder: string, path: string) => {
          spoil(path);
          mkdirSync(aside(folder));
          plan(folder, "moving");
        },
      ],
      [
        "after everything was moved",
        (folder: string, path: string) => {
          spoil(path);
          mkdirSync(aside(folder));
          renameSync(path, join(aside(folder), "journal.db"));
          plan(folder, "moving");
        },
      ],
      [
        "with the new file half built",
        (folder: string, path: string) => {
          spoil(path);
          mkdirSync(aside(folder));
          renameSync(path, join(aside(folder), "journal.db"));
          writeFileSync(join(aside(folder), "mended.db"), "half a fil");
          plan(folder, "building");
        },
      ],
      [
        "with the new file half built, and an empty one made by somebody who came in between",
        (folder: string, path: string) => {
          spoil(path);
          mkdirSync(aside(folder));
          renameSync(path, join(aside(folder), "journal.db"));
          writeFileSync(path, "");
          plan(folder, "building");
        },
      ],
    ])("saves what is good all the same, %s", async (_, damage) => {
      const { left, notes, aside } = await afterDamage(damage);

      expect({ left, notes, aside }).toEqual({ left: written, notes: 1, aside: 1 });
    });

    it.each([
      [
        "not put in its place",
        (folder: string, path: string) => {
          mkdirSync(aside(folder));
          renameSync(path, join(aside(folder), "mended.db"));
          plan(folder, "placing");
        },
      ],
      ["put in its place", (folder: string) => plan(folder, "placing")],
    ])("uses the new file that was built and %s", async (_, damage) => {
      const { left, notes } = await afterDamage(damage);

      expect({ left, notes }).toEqual({ left: written, notes: 0 });
    });
  });

  it("replaces a damaged file once, however many handles come upon it at once", async () => {
    const folder = folders.copyOf(sound);
    overwrite(join(folder, "journal.db"), 0, Buffer.alloc(200, 0xff));

    const journals = await Promise.all(Array.from({ length: 4 }, () => openJournal(folder, driver)));
    const appended = await Promise.all(journals.map((journal) => appendOne(journal, { loop: "a", run: "a-1" }, note("next"))));

    expect(keptAside(folder)).toHaveLength(1);
    expect(new Set(appended.map(({ seq }) => seq))).toEqual(new Set([47, 48, 49, 50]));
    expect(await journals[0]!.inspect()).toEqual({ entries: 50, whole: true, damage: [] });
    for (const journal of journals) journal.close();
  });

  it("can be damaged twice, and says both", async () => {
    const folder = folders.copyOf(sound);
    withDatabase(folder, driver, (db) => db.exec("delete from records where seq > 43"));
    await withJournal(folder, driver, (journal) => appendOne(journal, { loop: "a", run: "a-1" }, note("47")));
    withDatabase(folder, driver, (db) => db.exec("delete from records where seq = 47"));

    await withJournal(folder, driver, async (journal) => {
      expect((await journal.inspect()).damage.map(({ from, to }) => ({ from, to }))).toEqual([
        { from: 44, to: 45 },
        { from: 47, to: 47 },
      ]);
    });
  });

  it("keeps the damaged file as it was, to the byte", async () => {
    const folder = folders.copyOf(sound);
    const path = join(folder, "journal.db");
    overwrite(path, 0, Buffer.alloc(4096, 0xff));
    const damaged = readFileSync(path);

    await withJournal(folder, driver, async () => {});

    const [aside] = keptAside(folder);
    expect(readFileSync(join(aside!, "journal.db")).equals(damaged)).toBe(true);
    expect(readdirSync(aside!).filter((name) => !name.startsWith("journal.db"))).toEqual([]);
    expect(existsSync(join(folder, "journal.mending"))).toBe(false);
  });
});

/** What must hold after any damage at all. */
async function lookAfter(folder: string, driver: DriverName, written: readonly Entry[]): Promise<Aftermath> {
  const place = { loop: "a", run: "later" };
  const first = await withJournal(folder, driver, async (journal) => ({
    inspection: await journal.inspect(),
    left: (await storiesOf(journal, RUNS)).filter(({ seq }) => seq <= written.length),
    later: await appendOne(journal, place, note("later")),
  }));
  const { inspection, left, later } = first;

  // What can be read is what was written; what cannot be read is told.
  const isTold = ({ seq }: Entry) => inspection.damage.some(({ from, to }) => from <= seq && seq <= to);
  expect(left).toEqual(written.filter(({ seq }) => left.some((entry) => entry.seq === seq)));
  expect(written.filter((entry) => !left.some(({ seq }) => seq === entry.seq) && !isTold(entry))).toEqual([]);
  if (inspection.whole) expect(left).toEqual(written);

  // It is mended once and for all, and later work stands.
  const counts: number[] = [];
  for (let opening = 0; opening < 2; opening++) {
    await withJournal(folder, driver, async (journal) => {
      expect(journal.mended).toBeUndefined();
      expect((await journal.inspect()).damage).toEqual(inspection.damage);
      expect((await journal.story("later")).entries).toEqual([later]);
      expect((await storiesOf(journal, RUNS)).filter(({ seq }) => seq <= written.length)).toEqual(left);
      counts.push((await journal.story("-")).entries.length);
    });
  }
  expect(counts[0]).toBeLessThanOrEqual(1);
  expect(counts[1]).toBe(counts[0]);
  return { inspection, left, notes: counts[0]!, aside: keptAside(folder).length };
}

/** Three runs that take turns; every ninth record is longer than a page. */
async function fill(folder: string, driver: DriverName, length: number): Promise<readonly Entry[]> {
  return withJournal(folder, driver, async (journal) => {
    const entries: Entry[] = [];
    for (let number = 0; number < length; number++) {
      const run = RUNS[number % 3]!;
      const record = number < 3 ? runOpened(1) : result({ kind: "inner", text: "ü".repeat(number % 9 === 0 ? 3000 : 40) + number });
      entries.push(await appendOne(journal, { loop: run.slice(0, 1), run }, record));
    }
    return entries;
  });
}

function forge(folder: string, driver: DriverName, { seq, prev }: { readonly seq: number; readonly prev: string }): void {
  const unsealed = { seq, prev, at: "2025-02-01T00:00:00.000Z", loop: "a", run: "a-1" };
  const body = JSON.stringify({ by: "mallory", kind: "stop-requested" });
  withDatabase(folder, driver, (db) =>
    db.run(
      "insert into records values (?, ?, ?, ?, ?, ?, ?, ?)",
      seq,
      unsealed.at,
      "a",
      "a-1",
      "stop-requested",
      prev,
      entryHash(unsealed, body),
      body,
    ),
  );
}

/** Changes one record and seals it and all that follow it again, so that the chain by itself is whole. */
function rewriteFrom(folder: string, driver: DriverName, first: number): void {
  withDatabase(folder, driver, (db) => {
    let prev = String(db.all("select hash from records where seq = ?", first - 1)[0]!.hash);
    for (const row of db.all("select * from records where seq >= ? order by seq", first)) {
      const unsealed = { seq: Number(row.seq), at: "2024-01-01T00:00:00.000Z", loop: String(row.loop), run: String(row.run), prev };
      prev = entryHash(unsealed, String(row.body));
      db.run("update records set at = ?, prev = ?, hash = ? where seq = ?", unsealed.at, unsealed.prev, prev, unsealed.seq);
    }
  });
}

function flip(path: string, place: number, bits: number): void {
  const bytes = readFileSync(path);
  bytes[place] = bytes[place]! ^ bits;
  writeFileSync(path, bytes);
}

function overwrite(path: string, place: number, piece: Uint8Array): void {
  const bytes = readFileSync(path);
  bytes.set(piece, place);
  writeFileSync(path, bytes);
}
