import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendOne, createFolders, DRIVERS, result, withDatabase, withJournal } from "../../test/support/journals.ts";
import { carveRows } from "./carve.ts";
import { MIGRATIONS } from "./migrations.ts";
import { readChain, type StoredRow } from "./rows.ts";

const folders = createFolders();
afterAll(() => folders.removeAll());

describe.each(DRIVERS)("what can be found in the bytes of a database of %s", (driver) => {
  let bytes: Buffer;
  let rows: readonly StoredRow[];
  beforeAll(async () => {
    const folder = folders.make();
    await withJournal(folder, driver, async (journal) => {
      for (const length of [0, 1, 50, 3000, 3700, 3800, 3900, 4061, 4100, 8000, 8200, 30_000, 200_000, 3, 4]) {
        await appendOne(journal, { loop: "ü", run: "" }, result("ä\ufeff\u0000".repeat(length / 5) + "x".repeat(length % 5)));
      }
    });
    bytes = readFileSync(join(folder, "journal.db"));
    rows = withDatabase(folder, driver, (db) => [...readChain(db)]);
  });

  it("is every row of a sound one, whatever its length", () => {
    expect(carveRows(bytes)).toEqual(rows);
  });

  it("is every row, without the first page and all it says", () => {
    expect(carveRows(Buffer.concat([Buffer.alloc(4096, 0xff), bytes.subarray(4096)]))).toEqual(rows);
  });

  it("is nothing but rows that were written, whatever was done to the bytes", () => {
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(bytes.length),
        (place, piece, length) => {
          const damaged = Buffer.from(bytes);
          damaged.set(piece.subarray(0, damaged.length - place), place);
          for (const row of carveRows(damaged.subarray(0, length))) expect(row).toEqual(rows[row.seq - 1]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("is nothing in what is no database", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000, size: "max" }), (garbage) => {
        expect(carveRows(garbage)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

it("knows the columns in the order in which they are made", () => {
  const columns = [...MIGRATIONS[0]!.matchAll(/^ {5}(\w+) +(?:integer|text)/gm)].map(([, name]) => name);

  expect(columns).toEqual(["seq", "at", "loop", "run", "kind", "prev", "hash", "body"]);
});
