// The journal and its locks with real processes: many at once, and killed at any moment.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sleep } from "../../src/world/machine/clock.ts";
import { createFileLocks } from "../../src/world/store/locks.ts";
import { appendOne, createFolders, DRIVERS, keptAside, note, withJournal } from "../support/journals.ts";

interface Ack {
  readonly seq: number;
  readonly hash: string;
  readonly run: string;
}
interface Ended {
  readonly acks: readonly Ack[];
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
}

// Beside the packages, so that the child finds libsql.
const cache = resolve("node_modules/.cache/loopwright-journal-child");
const program = join(cache, `child-${process.pid}.mjs`);
// On a real disk, where a commit takes its time.
const folders = createFolders(tmpdir());

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  buildSync({
    entryPoints: ["test/support/journal-child.ts"],
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

describe.each(DRIVERS)("several processes with one journal on %s", (driver) => {
  const start = (what: string, path: string, count = 0): ChildProcess =>
    spawn(process.execPath, [program, what, driver, path, String(count)], { stdio: ["ignore", "pipe", "pipe"] });

  it("lose nothing, fork nothing and starve nobody when they append at once", async () => {
    const folder = folders.make();

    const ended = await Promise.all(Array.from({ length: 8 }, () => endOf(start("append", folder, 40))));

    expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(ended.map(() => ({ code: 0, errors: "" })));
    const acks = ended.flatMap(({ acks }) => acks);
    expect(acks.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 320 }, (_, index) => index + 1));
    // Between two of its own, nobody had to let half of all the others' go first.
    const waits = ended.flatMap(({ acks }) => acks.slice(1).map(({ seq }, index) => seq - acks[index]!.seq));
    expect(Math.max(...waits)).toBeLessThan(160);
    await withJournal(folder, driver, async (journal) => {
      expect(await journal.inspect()).toEqual({ entries: 320, whole: true, damage: [] });
      expect(journal.mended).toBeUndefined();
      for (const { acks } of ended) {
        const { entries, damaged } = await journal.story(acks[0]!.run);
        expect({ entries: entries.map(({ seq, hash }) => ({ seq, hash })), damaged }).toEqual({
          entries: acks.map(({ seq, hash }) => ({ seq, hash })),
          damaged: [],
        });
      }
    });
  });

  it("keep every record that was acknowledged when they are killed at any moment", async () => {
    const folder = folders.make();
    const acks: Ack[] = [];

    for (let turn = 0; turn < 8; turn++) {
      const children = [start("append", folder, 10_000), start("append", folder, 10_000)];
      const ends = children.map(endOf);
      for (const child of children) {
        await firstWord(child);
        await sleep(Math.random() * 60);
        child.kill("SIGKILL");
      }
      for (const { acks: some, signal, errors } of await Promise.all(ends)) {
        expect({ signal, errors }).toEqual({ signal: "SIGKILL", errors: "" });
        acks.push(...some);
      }
    }

    await withJournal(folder, driver, async (journal) => {
      const { entries, whole, damage } = await journal.inspect();
      expect({ whole, damage, mended: journal.mended }).toEqual({ whole: true, damage: [], mended: undefined });
      expect(entries).toBeGreaterThanOrEqual(acks.length);
      const hashes = await hashesOf(journal, acks);
      expect(acks.filter(({ seq, hash }) => hashes.get(seq) !== hash)).toEqual([]);
    });
  });

  it("leave all or none of several records behind, wherever in them they are killed", async () => {
    const folder = folders.make();
    const acks: Ack[] = [];

    for (const fatal of [1, 2, 3, 4, 5, 6, 8, 9]) {
      const { acks: some, signal, errors } = await endOf(start("append-threes", folder, fatal));
      expect({ signal, errors, acks: some.length }).toEqual({ signal: "SIGKILL", errors: "", acks: Math.floor((fatal - 1) / 3) });
      acks.push(...some);
    }
    for (let turn = 0; turn < 4; turn++) {
      const children = [start("append-threes", folder), start("append-threes", folder)];
      const ends = children.map(endOf);
      for (const child of children) {
        await firstWord(child);
        await sleep(Math.random() * 60);
        child.kill("SIGKILL");
      }
      for (const { acks: some } of await Promise.all(ends)) acks.push(...some);
    }

    await withJournal(folder, driver, async (journal) => {
      const { entries: count, whole, damage } = await journal.inspect();
      expect({ whole, damage, mended: journal.mended }).toEqual({ whole: true, damage: [], mended: undefined });
      const entries = await journal.entriesAfter(0, count);
      const threes = Array.from({ length: count / 3 }, (_, index) => entries.slice(index * 3, index * 3 + 3));
      const parts = threes.map((three) => three.map(({ run, record }) => `${run} ${record.kind === "stop-requested" ? record.by : ""}`));
      expect(parts.filter(([first = ""]) => !first.endsWith("/0"))).toEqual([]);
      expect(parts).toEqual(parts.map(([first = ""]) => [0, 1, 2].map((part) => first.replace(/.$/, `${part}`))));
      const hashes = await hashesOf(journal, acks);
      expect(acks.filter(({ seq, hash }) => hashes.get(seq) !== hash)).toEqual([]);
    });
  });

  it("are first one at a time where they write only if nobody else did", async () => {
    const folder = folders.make();

    const ended = await Promise.all(Array.from({ length: 5 }, () => endOf(start("race", folder, 12))));

    expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(ended.map(() => ({ code: 0, errors: "" })));
    const won = ended.flatMap(({ acks }) => acks as unknown as readonly { readonly after: number; readonly seq: number }[]); // what a race says
    const inOrder = won.toSorted((a, b) => a.seq - b.seq);
    expect(inOrder).toEqual(Array.from({ length: 60 }, (_, index) => ({ after: index * 2, seq: index * 2 + 2 })));
    await withJournal(folder, driver, async (journal) => {
      expect(await journal.inspect()).toEqual({ entries: 120, whole: true, damage: [] });
    });
  });

  it("mend a damaged file once, whoever of them is killed while doing it", async () => {
    for (let turn = 0; turn < 3; turn++) {
      const folder = folders.make();
      const written = await withJournal(folder, driver, async (journal) => {
        const entries = [];
        for (let number = 0; number < 60; number++)
          entries.push(await appendOne(journal, { loop: "a", run: "a-1" }, note("x".repeat(number * 50))));
        return entries;
      });
      spoil(join(folder, "journal.db"));

      const children = Array.from({ length: 3 }, () => start("append", folder, 3));
      const ends = children.map(endOf);
      await sleep(60 + Math.random() * 120);
      children[0]!.kill("SIGKILL");
      children[1]!.kill("SIGKILL");
      const [, , survivor] = await Promise.all(ends);

      expect({ code: survivor!.code, errors: survivor!.errors, acks: survivor!.acks.length }).toEqual({ code: 0, errors: "", acks: 3 });
      await withJournal(folder, driver, async (journal) => {
        expect((await journal.story("a-1")).entries).toEqual(written);
        expect((await journal.story("-")).entries).toHaveLength(1);
        expect(keptAside(folder)).toHaveLength(1);
        expect((await journal.inspect()).whole).toBe(true);
      });
    }
  });

  it("lose nothing without telling when the file is damaged under their hands, and go on", async () => {
    const folder = folders.make();
    const children = Array.from({ length: 4 }, () => start("append", folder, 40));
    const ends = children.map(endOf);
    await Promise.all(children.map(firstWord));
    await sleep(30);
    spoil(join(folder, "journal.db"));

    const ended = await Promise.all(ends);

    expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(ended.map(() => ({ code: 0, errors: "" })));
    const acks = ended.flatMap(({ acks }) => acks);
    await withJournal(folder, driver, async (journal) => {
      const { damage } = await journal.inspect();
      const hashes = await hashesOf(journal, acks);
      const isTold = (seq: number) => damage.some(({ from, to }) => from <= seq && seq <= to);
      expect(acks.filter(({ seq, hash }) => hashes.get(seq) !== hash && !isTold(seq))).toEqual([]);
    });
  });

  it("bring an old store up to date together", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, (journal) => appendOne(journal, { loop: "a", run: "a-1" }, note("ada")));

    const ended = await Promise.all(Array.from({ length: 5 }, () => endOf(start("migrate", folder))));

    expect(ended).toEqual(ended.map(() => ({ acks: [{ entries: 1, whole: true, damage: [] }], code: 0, signal: null, errors: "" })));
  });

  it("are refused a lock that another one holds, until that one is gone, however it goes", async () => {
    const path = join(folders.make(), "a.lock");
    const ours = () => createFileLocks(() => path, driver).hold("it", { ms: 0 });

    const holder = start("hold", path);
    const held = await firstWord(holder);
    const other = start("hold", path);
    const refused = [await firstWord(other), await ours()];
    holder.kill("SIGKILL");
    await endOf(holder);
    const lock = await ours();
    const third = start("hold", path);
    const refusedByUs = await firstWord(third);
    await lock?.release();
    const fourth = start("hold", path);
    const free = await firstWord(fourth);

    expect([held, refused, lock !== undefined, refusedByUs, free]).toEqual(["held", ["refused", undefined], true, "refused", "held"]);
    for (const child of [other, third, fourth]) child.kill("SIGKILL");
  });
});

async function hashesOf(
  journal: { readonly story: (run: string) => Promise<{ readonly entries: readonly Pick<Ack, "seq" | "hash">[] }> },
  acks: readonly Ack[],
) {
  const runs = [...new Set(acks.map(({ run }) => run))];
  const stories = await Promise.all(runs.map((run) => journal.story(run)));
  return new Map(stories.flatMap(({ entries }) => entries.map(({ seq, hash }) => [seq, hash] as const)));
}

function spoil(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, 0, 200);
  writeFileSync(path, bytes, { flag: "r+" });
}

function firstWord(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => child.stdout?.once("data", (chunk: Buffer) => done(JSON.parse(chunk.toString().split("\n")[0]!))));
}

function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((done) => {
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("close", (code, signal) => {
      // A line that was cut off in the middle acknowledges nothing.
      const lines = Buffer.concat(out).toString().split("\n").slice(0, -1);
      done({ acks: lines.map((line) => JSON.parse(line)), code, signal, errors: Buffer.concat(errors).toString() });
    });
  });
}
