// The ledger with real processes: many at one cap, and killed in the middle of a call.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../src/journal/ledger.ts";
import { readChain, readEntry } from "../../src/journal/rows.ts";
import { createCensus } from "../../src/world/census.ts";
import { createFolders, DRIVERS, withDatabase, withJournal } from "../support/journals.ts";
import { askFor } from "../support/ledgers.ts";

const cache = resolve("node_modules/.cache/loopwright-ledger-child");
const program = join(cache, `child-${process.pid}.mjs`);
const folders = createFolders(tmpdir());
const DAY = "machine 2026-03-28";

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  buildSync({
    entryPoints: ["test/support/ledger-child.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["libsql"],
    logLevel: "error",
  });
});
afterAll(() => rmSync(program, { force: true }));
afterEach(() => folders.removeAll());

describe.each(DRIVERS)("several processes at one cap on %s", (driver) => {
  const start = (folder: string, cap: number, times: number): ChildProcess =>
    spawn(process.execPath, [program, driver, folder, String(cap), "10", String(times)], { stdio: ["ignore", "pipe", "inherit"] });
  const endOf = (child: ChildProcess): Promise<string> =>
    new Promise((done) => {
      let said = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      child.on("close", () => done(said));
    });
  const nthWord = (child: ChildProcess, n: number): Promise<void> =>
    new Promise((done) => {
      let lines = 0;
      child.stdout?.on("data", (chunk: Buffer) => {
        lines += chunk.toString().split("\n").length - 1;
        if (lines >= n) done();
      });
      child.on("close", () => done());
    });
  const replayed = (folder: string) => withDatabase(folder, driver, (db) => replay([...readChain(db)].map((row) => readEntry(row)!)));

  it("eight of them together never pass it, and use it up", async () => {
    const folder = folders.make();

    const said = await Promise.all(Array.from({ length: 8 }, () => endOf(start(folder, 400, 1000))));

    const ledger = await withJournal(folder, driver, (journal) => journal.ledger());
    const taken = ledger.taken.get(DAY)?.microUsd ?? 0;
    expect(taken).toBeLessThanOrEqual(400);
    expect(taken).toBeGreaterThan(400 - 10 * 8);
    expect(ledger.taken.get(DAY)?.calls).toBe(said.reduce((sum, text) => sum + Number(text.trim().split("\n").at(-1)), 0));
    expect([...ledger.taken]).toEqual(expect.arrayContaining([...replayed(folder).taken]));
  });

  it("never pass it when some are killed at any moment; what those held is spent in full", async () => {
    const folder = folders.make();
    for (let turn = 0; turn < 3; turn++) {
      const children = Array.from({ length: 4 }, () => start(folder, 600, 12));
      const ends = children.map(endOf);
      await Promise.all(children.slice(0, 3).map((child, index) => nthWord(child, 1 + index + turn)));
      for (const child of children.slice(0, 3)) child.kill("SIGKILL");
      await Promise.all(ends);
      const taken = await withJournal(folder, driver, async (journal) => (await journal.ledger()).taken.get(DAY)?.microUsd ?? 0);
      expect(taken).toBeLessThanOrEqual(600);
    }
    const { self, isGone } = createCensus();
    const held = [...replayed(folder).open.values()].reduce((sum, { left }) => sum + (left.microUsd ?? 0), 0);

    await withJournal(folder, driver, async (journal) => {
      const before = (await journal.ledger()).taken.get(DAY)?.microUsd ?? 0;
      await journal.reserve({ loop: "b", run: "b-1" }, askFor(1, { owner: self(), isGone }));
      const after = await journal.ledger();

      expect([after.open.size, after.taken.get(DAY)?.microUsd]).toEqual([1, before + 1]);
      const unknown = [...after.spent].filter(([key]) => key.includes("unknown")).reduce((sum, [, { microUsd = 0 }]) => sum + microUsd, 0);
      expect(unknown).toBeGreaterThanOrEqual(held);
      expect(await journal.inspect()).toMatchObject({ whole: true });
    });
  });
});
