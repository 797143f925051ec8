// What every kind of lock promises, on each of them; and, where locks reach beyond a process, with processes that die.
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HeldLock, Locks } from "../../src/contract/locks.ts";
import { createStop } from "../../src/contract/stop.ts";
import { createFileLocks } from "../../src/world/store/locks.ts";
import { createMemoryLocks } from "../../src/world/store/memory-locks.ts";
import { createFolders, DRIVERS } from "../support/journals.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

/** Two who want the same: of one memory, or of one folder. */
type Two = readonly [Locks<string>, Locks<string>];

const inFolder = (folder: string, driver: (typeof DRIVERS)[number]): Locks<string> =>
  createFileLocks((name) => join(folder, `${name}.lock`), driver);

const kinds: readonly (readonly [string, () => Two])[] = [
  [
    "in memory",
    () => {
      const locks = createMemoryLocks<string>();
      return [locks, locks];
    },
  ],
  ...DRIVERS.flatMap((driver) => [
    [
      `in files, on ${driver}, by one`,
      (): Two => {
        const locks = inFolder(folders.make(), driver);
        return [locks, locks];
      },
    ] as const,
    [
      `in files, on ${driver}, by two`,
      (): Two => {
        const folder = folders.make();
        return [inFolder(folder, driver), inFolder(folder, driver)];
      },
    ] as const,
  ]),
];

describe.each(kinds)("locks %s", (_, open) => {
  it("are held by one, refused to the second, and free again after their release", async () => {
    const [locks, others] = open();

    const first = await locks.hold("a", { ms: 0 });
    const second = await others.hold("a", { ms: 0 });
    await first?.release();
    const third = await others.hold("a", { ms: 0 });

    expect([first !== undefined, second, third !== undefined]).toEqual([true, undefined, true]);
    await third?.release();
  });

  it("do not stand in the way of one another", async () => {
    const [locks] = open();

    const both = [await locks.hold("a", { ms: 0 }), await locks.hold("b", { ms: 0 })];

    expect(both.every((lock) => lock !== undefined)).toBe(true);
    await releaseAll(both);
  });

  it("say whether they are held, and take nothing by saying so", async () => {
    const [locks, others] = open();

    const before = await others.isHeld("a");
    const lock = await locks.hold("a", { ms: 0 });
    const meanwhile = [await locks.isHeld("a"), await others.isHeld("a"), await others.isHeld("b")];
    await lock?.release();

    expect([before, meanwhile, await others.isHeld("a")]).toEqual([false, [true, true, false], false]);
  });

  it("are waited for as long as somebody wishes to, and had when they are given back in time", async () => {
    const [locks, others] = open();
    const lock = await locks.hold("a", { ms: 0 });

    const startedMs = performance.now();
    const inVain = await others.hold("a", { ms: 120 });
    const waitedMs = performance.now() - startedMs;
    setTimeout(() => lock?.release(), 50);
    const had = await others.hold("a", { ms: 60_000 });

    expect([inVain, waitedMs > 110, had !== undefined]).toEqual([undefined, true, true]);
    await had?.release();
  });

  it("are not waited for once a stop is asked for", async () => {
    const [locks, others] = open();
    const lock = await locks.hold("a", { ms: 0 });
    const stop = createStop();
    setTimeout(() => stop.ask(), 50);

    const startedMs = performance.now();
    const stopped = await others.hold("a", { ms: 600_000, stop });
    const late = await others.hold("a", { ms: 600_000, stop });
    const waitedMs = performance.now() - startedMs;
    await lock?.release();
    const free = await others.hold("a", { ms: 600_000, stop });

    expect([stopped, late, waitedMs < 10_000, free !== undefined]).toEqual([undefined, undefined, true, true]);
    await free?.release();
  });

  it("are given back once, however often somebody says so", async () => {
    const [locks, others] = open();
    const first = await locks.hold("a", { ms: 0 });

    await first?.release();
    const second = await others.hold("a", { ms: 0 });
    await first?.release();

    expect([await locks.hold("a", { ms: 0 }), await locks.isHeld("a")]).toEqual([undefined, true]);
    await second?.release();
  });

  it("are held by one at a time when many want them, and each gets its turn", async () => {
    const two = open();
    let inside = 0;
    let most = 0;

    const turns = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const lock = await two[index % 2]?.hold("a", { ms: 60_000 });
        most = Math.max(most, ++inside);
        await new Promise((rested) => setTimeout(rested, 2));
        inside--;
        await lock?.release();
        return lock !== undefined;
      }),
    );

    expect([most, turns.filter(Boolean).length]).toEqual([1, 20]);
  });
});

it("in memory are had in the order in which they were asked for, without those who gave up", async () => {
  const locks = createMemoryLocks<string>();
  const order: string[] = [];
  const first = await locks.hold("a", { ms: 0 });
  const wait = async (who: string, ms: number): Promise<void> => {
    const lock = await locks.hold("a", { ms });
    order.push(lock ? who : `${who} gave up`);
    await lock?.release();
  };

  const all = [wait("one", 60_000), wait("two", 20), wait("three", 60_000)];
  await new Promise((rested) => setTimeout(rested, 60));
  await first?.release();
  await Promise.all(all);

  expect(order).toEqual(["two gave up", "one", "three"]);
});

describe.each(DRIVERS)("between processes, on %s, locks", (driver) => {
  const program = resolve(`node_modules/.cache/loopwright-lock-child-${process.pid}-${driver.replace(":", "-")}.mjs`);
  beforeAll(() => {
    const entry = resolve("test/support/journal-child.ts");
    buildSync({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", packages: "external", outfile: program });
  });
  afterAll(() => rmSync(program, { force: true }));

  const start = (path: string, waitMs: number): ChildProcess =>
    spawn(process.execPath, [program, "hold", driver, path, `${waitMs}`], { stdio: ["ignore", "pipe", "inherit"] });

  it("are free as soon as their holder is killed, for those who ask and those who wait", async () => {
    const folder = folders.make();
    const locks = inFolder(folder, driver);
    const path = join(folder, "a.lock");

    const holder = start(path, 0);
    const held = await firstWord(holder);
    const seen = [await locks.isHeld("a"), await locks.hold("a", { ms: 0 })];
    const waiting = locks.hold("a", { ms: 60_000 });
    holder.kill("SIGKILL");
    const had = await waiting;
    const third = start(path, 0);
    const refused = await firstWord(third);
    await had?.release();

    expect([held, seen, had !== undefined, refused, await locks.isHeld("a")]).toEqual(["held", [true, undefined], true, "refused", false]);
    await gone(third);
  });

  it("go from one to the next while holders die one after the other", async () => {
    const folder = folders.make();
    const path = join(folder, "a.lock");
    const children = Array.from({ length: 4 }, () => start(path, 60_000));
    const turns: ChildProcess[] = [];
    const all = children.map(async (child) => {
      const word = await firstWord(child);
      turns.push(child);
      return word;
    });

    for (let turn = 0; turn < children.length; turn++) {
      while (turns.length === turn) await new Promise((rested) => setTimeout(rested, 5));
      // Whoever has it is the only one.
      expect(turns.length).toBe(turn + 1);
      const holder = turns[turn];
      if (holder) await gone(holder);
    }

    expect(await Promise.all(all)).toEqual(["held", "held", "held", "held"]);
    expect(await inFolder(folder, driver).isHeld("a")).toBe(false);
  });
});

const releaseAll = async (locks: readonly (HeldLock | undefined)[]): Promise<void> => {
  for (const lock of locks) await lock?.release();
};

const firstWord = (child: ChildProcess): Promise<unknown> =>
  new Promise((done) => child.stdout?.once("data", (chunk: Buffer) => done(JSON.parse(chunk.toString().split("\n")[0] ?? ""))));

async function gone(child: ChildProcess): Promise<void> {
  const over = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await over;
}
