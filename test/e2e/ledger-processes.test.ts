// The ledger with real processes: many at one cap, and killed in the middle of a call.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../src/journal/ledger.ts";
import { readChain, readEntry } from "../../src/journal/rows.ts";
import { createCensus } from "../../src/world/process/census.ts";
import { createFolders, DRIVERS, withDatabase, withJournal } from "../support/journals.ts";
import type { Told } from "../support/ledger-worker.ts";
import { askFor } from "../support/ledgers.ts";

const cache = resolve("node_modules/.cache/loopwright-ledger-child");
const program = join(cache, `child-${process.pid}.mjs`);
const worker = join(cache, `worker-${process.pid}.mjs`);
const folders = createFolders(tmpdir());
const DAY = "machine 2026-03-28";
const WORKERS = 3;
const CAP = 200;

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  for (const [source, outfile] of [
    ["ledger-child", program],
    ["ledger-worker", worker],
  ] as const)
    buildSync({
      entryPoints: [`test/support/${source}.ts`],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      external: ["libsql"],
      logLevel: "error",
    });
});
afterAll(() => {
  rmSync(program, { force: true });
  rmSync(worker, { force: true });
});
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

  /** A process that is told what to do; it is told more before it has done the last. */
  function startWorker(folder: string) {
    const child = spawn(process.execPath, [worker, driver, folder, String(CAP)], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = endOf(child);
    let [told, done] = [0, 0];
    let heard = () => {};
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => {
      done += chunk.toString().split("\n").length - 1;
      heard();
    });
    child.on("close", () => heard());
    return {
      tell(what: Told): void {
        told++;
        child.stdin.write(`${JSON.stringify(what)}\n`);
      },
      /** Until it has done all it was told, or is dead. */
      async idle(): Promise<void> {
        while (done < told && child.exitCode === null && child.signalCode === null) {
          await new Promise<void>((next) => {
            heard = next;
          });
        }
      },
      async kill(): Promise<void> {
        child.kill("SIGKILL");
        await ended;
      },
      async end(): Promise<void> {
        child.stdin.end();
        await ended;
      },
    };
  }

  it("whatever each of them does and whenever it dies and comes back, the cap holds, and the ledger is what the journal says", async () => {
    const amount = fc.integer({ min: 1, max: 60 });
    const who = fc.nat(WORKERS - 1);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant("reserve" as const), who, amount }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("settle" as const, "spend" as const), who, amount }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("crash" as const), who }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const folder = folders.make();
        await withJournal(folder, driver, async () => {});
        const workers = Array.from({ length: WORKERS }, () => startWorker(folder));
        for (const one of steps) {
          if (one.do === "wait") await Promise.all(workers.map((each) => each.idle()));
          else if (one.do === "crash") {
            await workers[one.who]!.kill();
            workers[one.who] = startWorker(folder);
          } else workers[one.who]!.tell({ do: one.do, amount: one.amount });
        }
        await Promise.all(workers.map((each) => each.end()));

        const ledger = await withJournal(folder, driver, (journal) => journal.ledger());
        const fromRecords = replayed(folder);
        const reserved = withDatabase(folder, driver, (db) =>
          [...readChain(db)].map((row) => readEntry(row)!.record).filter(({ kind }) => kind === "reserved"),
        );
        expect(ledger.taken.get(DAY)?.microUsd ?? 0).toBeLessThanOrEqual(CAP);
        expect([...ledger.taken].sort()).toEqual([...fromRecords.taken].sort());
        expect([...ledger.open.keys()].sort()).toEqual([...fromRecords.open.keys()].sort());
        expect(reserved.length).toBeLessThanOrEqual(steps.filter((one) => one.do === "reserve").length);
      }),
      { numRuns: 8 },
    );
  });
});
