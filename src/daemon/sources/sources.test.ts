import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilesSeen } from "../../contract/lookout.ts";
import type { Entry, LoopRecord } from "../../contract/record.ts";
import type { Rest } from "../../contract/verdict.ts";
import { filesKey, gitKey } from "../../contract/waking.ts";
import { createMemoryJournal } from "../../journal/memory-journal.ts";
import { createHeardBook } from "../heard.ts";
import { lifeOf, readCursor, setCursor } from "./cursor.ts";
import { createFilesSource } from "./files.ts";
import { createGitSource } from "./git.ts";
import { catchUpOn, newsFrom, type RecordListener } from "./records.ts";
import type { Origin } from "./source.ts";

function open(shelf: Entry[] = []) {
  const time = { ms: Date.parse("2026-03-01T12:00:00Z") };
  const clock = { now: () => new Date(time.ms), monotonicMs: () => time.ms };
  const journal = createMemoryJournal(clock, shelf);
  return { time, clock, journal, shelf, book: createHeardBook(journal, () => {}) };
}

const heardIn = (shelf: readonly Entry[]) =>
  shelf.flatMap(({ run, record }) => (record.kind === "heard" ? [{ key: run, cause: record.cause, barred: record.barred }] : []));

describe("a cursor", () => {
  it("is the newest movement, however many there were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 70 }), async (count) => {
        const { journal } = open();
        const keyAt = (number: number): string => gitKey("fix", "main", number);
        for (let number = 0; number < count; number++)
          await setCursor(journal, { loop: "fix", key: keyAt(number), number, what: "main", state: `s${number}` });

        const cursor = await readCursor(journal, keyAt);

        expect(cursor).toEqual(count === 0 ? undefined : { number: count - 1, state: `s${count - 1}`, seq: count });
      }),
      { numRuns: 30 },
    );
  });

  it("begins anew with the trigger and the life of a loop, and with no other edit", async () => {
    const { journal } = open();
    const known = (triggerHash: string, specHash: string): LoopRecord => ({
      kind: "loop-known",
      path: "/a",
      specHash,
      triggerHash,
      by: "ada",
    });
    const lives: number[] = [];
    for (const record of [
      known("t1", "1"),
      known("t1", "2"),
      known("t2", "3"),
      { kind: "loop-removed", path: "/a", by: "ada" } as const,
      known("t2", "3"),
      known("t2", "4"),
    ]) {
      await journal.append([{ loop: "fix", run: "fix-standing", record }]);
      lives.push(await lifeOf(journal, "fix"));
    }

    expect(lives).toEqual([1, 1, 3, 0, 5, 5]);
  });
});

describe("a ref", () => {
  /** Looks once after each of these states of the ref. */
  async function watch(
    states: readonly (string | undefined)[],
    about: { readonly origins?: Record<string, Origin>; readonly life?: number; readonly shelf?: Entry[] } = {},
  ) {
    const { clock, journal, book, shelf } = open(about.shelf);
    const state = { tip: undefined as string | undefined };
    const source = createGitSource(
      { clock, journal, book, tip: async () => state.tip, originOf: async (commit) => about.origins?.[commit] },
      { loop: "fix", life: about.life ?? 0, repo: "/r", hearing: { kind: "git", ref: "main", remote: undefined, everyMs: 60_000 } },
    );
    for (const tip of states) {
      state.tip = tip;
      await source.look();
    }
    return shelf;
  }

  it("that is seen for the first time wakes nothing", async () => {
    expect((await watch(["a", "a"])).map(({ run, record }) => [run, record])).toEqual([
      ["fix/git/main/0", { kind: "first-seen", what: "main", state: "a" }],
    ]);
  });

  it("that goes back and forth moved each time", async () => {
    const shelf = await watch(["a", "b", "b", "a", "b"]);

    expect(heardIn(shelf)).toEqual([
      { key: "fix/git/main/1", cause: { kind: "git", ref: "main", from: "a", to: "b" }, barred: undefined },
      { key: "fix/git/main/2", cause: { kind: "git", ref: "main", from: "b", to: "a" }, barred: undefined },
      { key: "fix/git/main/3", cause: { kind: "git", ref: "main", from: "a", to: "b" }, barred: undefined },
    ]);
  });

  it("that is not there is said to be missing, for as long as it is", async () => {
    const { clock, journal, book } = open(undefined);
    const state = { tip: undefined as string | undefined };
    const source = createGitSource(
      { clock, journal, book, tip: async () => state.tip, originOf: async () => undefined },
      { loop: "fix", life: 0, repo: "/r", hearing: { kind: "git", ref: "gone", remote: undefined, everyMs: 60_000 } },
    );
    const lacks = { lacks: "there is no ref gone in /r: it is woken once there is one" };

    expect([await source.look(), await source.look()]).toEqual([lacks, lacks]);
    state.tip = "a";
    expect([await source.look(), await source.look()]).toEqual([{}, {}]);
  });

  it("moves too when it comes and goes", async () => {
    const shelf = await watch([undefined, "a", undefined]);

    expect(heardIn(shelf).map(({ cause }) => cause)).toEqual([
      { kind: "git", ref: "main", from: null, to: "a" },
      { kind: "git", ref: "main", from: "a", to: null },
    ]);
  });

  it("that moved while nobody looked is one movement, and in another life none", async () => {
    const shelf = await watch(["a"]);
    await watch(["c"], { shelf });
    const life = shelf.length + 1;
    await watch(["d"], { shelf, life });

    expect(heardIn(shelf).map(({ key }) => key)).toEqual(["fix/git/main/1"]);
    expect(shelf.at(-1)?.record).toEqual({ kind: "first-seen", what: "main", state: "d" });
  });

  it("that the loop itself moved is its own work, and what others did carries who woke whom", async () => {
    const loops = ["1", "2", "3", "4", "5", "6", "7"];
    const origins = {
      own: { loop: "fix", chain: [] },
      other: { loop: "look", chain: ["scan"] },
      far: { loop: "look", chain: [...loops, "8"] },
    };

    const shelf = await watch(["a", "own", "other", "far"], { origins });

    expect(heardIn(shelf).map(({ cause, barred }) => [cause.kind === "git" ? cause.chain : [], barred])).toEqual([
      [["fix"], "own-work"],
      [["scan", "look"], undefined],
      [[...loops, "8", "look"], "chain"],
    ]);
  });

  it("is one movement for two who look at once", async () => {
    const shelf = await watch(["a"]);
    await Promise.all([watch(["b"], { shelf }), watch(["b"], { shelf })]);

    expect(heardIn(shelf)).toHaveLength(1);
  });
});

describe("files", () => {
  function watchFiles(shelf: Entry[] = []) {
    const { time, clock, journal, book } = open(shelf);
    const disk = new Map<string, string>();
    const seen = (): FilesSeen => ({ hashes: new Map([...disk].sort()), stamps: new Map(), folders: ["/f"] });
    const source = createFilesSource(
      { clock, journal, book, files: { look: async () => seen() } },
      { loop: "fix", life: 0, folder: "/f", hearing: { kind: "files", folder: ".", globs: ["**"], restMs: 5_000 } },
    );
    return { time, disk, source, shelf };
  }

  it("wake once they have come to rest, and not while they still change", async () => {
    const { time, disk, source, shelf } = watchFiles();
    await source.look();
    const again: unknown[] = [];
    for (const [path, text] of [
      ["a", "1"],
      ["b", "1"],
      ["b", "2"],
    ] as const) {
      disk.set(path, text);
      time.ms += 3_000;
      again.push(await source.look());
    }
    expect(heardIn(shelf)).toEqual([]);
    time.ms += 5_000;

    await source.look();

    expect(again).toEqual([{ againMs: 5_000 }, { againMs: 5_000 }, { againMs: 5_000 }]);
    expect(
      heardIn(shelf).map(({ key, cause }) => [key, cause.kind === "files" && cause.changed, cause.kind === "files" && cause.count]),
    ).toEqual([[filesKey("fix", 1), ["a", "b"], 2]]);
  });

  it("that changed while nobody looked have rested since, so that one look is enough", async () => {
    const { time, clock, journal, book, shelf } = open([]);
    const look = (text: string, changedAt: number) =>
      createFilesSource(
        {
          clock,
          journal,
          book,
          files: { look: async () => ({ hashes: new Map([["a", text]]), stamps: new Map(), folders: ["/f"], changedAt }) },
        },
        { loop: "fix", life: 0, folder: "/f", hearing: { kind: "files", folder: ".", globs: ["**"], restMs: 5_000 } },
      ).look();
    await look("1", time.ms);
    time.ms += 60_000;

    const young = await look("2", time.ms - 1_000);
    expect([young, heardIn(shelf)]).toEqual([{ againMs: 4_000 }, []]);

    await look("2", time.ms - 6_000);
    expect(heardIn(shelf).map(({ key }) => key)).toEqual([filesKey("fix", 1)]);
  });

  it("that are as they were again wake nothing", async () => {
    const { time, disk, source, shelf } = watchFiles();
    disk.set("a", "1");
    await source.look();
    disk.set("a", "2");
    await source.look();
    disk.set("a", "1");
    time.ms += 60_000;
    await source.look();

    expect(heardIn(shelf)).toEqual([]);
  });
});

describe("a record", () => {
  const REPORT = { sha256: "0".repeat(64), bytes: 0, truncated: false };
  const rested = (rest: Rest): LoopRecord => ({ kind: "run-rested", rest, report: REPORT });
  const PROVEN: Rest = { kind: "accept", action: "propose" };
  const waitsAs = (loop: string, about: Partial<RecordListener> = {}): RecordListener => ({
    loop,
    life: 0,
    hearing: { kind: "loop", loop: "scan", endings: ["proven"] },
    ...about,
  });

  it("of another loop that rested so wakes those who wait for that", async () => {
    const { journal, shelf } = open();
    await journal.append([
      { loop: "scan", run: "scan-1", record: rested({ kind: "nothing-to-do", reason: "x" }) },
      { loop: "scan", run: "scan-2", record: rested(PROVEN) },
      { loop: "else", run: "else-1", record: rested(PROVEN) },
    ]);
    const listeners = [
      waitsAs("fix"),
      waitsAs("late", { life: 2 }),
      waitsAs("any", { hearing: { kind: "loop", loop: "scan", endings: ["proven", "nothing-to-do"] } }),
    ];

    const news = await Promise.all(shelf.map((entry) => newsFrom(journal, entry, listeners)));

    expect(news.map((all) => all.map(({ key }) => key))).toEqual([["any/record/1"], ["fix/record/2", "any/record/2"], []]);
    expect(news[1]?.[0]?.cause).toEqual({ kind: "loop", loop: "scan", run: "scan-2", ending: "proven", chain: ["scan"] });
  });

  it("carries who woke whom, and ends a chain that is too long", async () => {
    const { journal, shelf } = open();
    const chain = ["1", "2", "3", "4", "5", "6", "7", "8"];
    const cause = { kind: "loop", loop: "8", run: "8-1", ending: "proven", chain } as const;
    await journal.append([
      {
        loop: "scan",
        run: "scan/record/1",
        record: { kind: "waking", fate: "ran", cause, dueAt: "", reason: "on-time", says: "", run: "scan-1" },
      },
      { loop: "scan", run: "scan-1", record: rested(PROVEN) },
    ]);

    expect(await newsFrom(journal, shelf[1]!, [waitsAs("fix")])).toEqual([
      {
        loop: "fix",
        key: "fix/record/2",
        barred: "chain",
        cause: { kind: "loop", loop: "scan", run: "scan-1", ending: "proven", chain: [...chain, "scan"] },
      },
    ]);
  });

  it("of a person's answer or decision wakes the loop that it is about", async () => {
    const { journal, shelf } = open();
    const decided = (by: string): LoopRecord => ({ kind: "decided", decision: "approve", tree: "t", by, why: "" });
    await journal.append([
      { loop: "fix", run: "fix-1", record: { kind: "answered", text: "yes", by: "ada" } },
      { loop: "fix", run: "fix-1", record: decided("bob") },
      { loop: "scan", run: "scan-1", record: decided("bob") },
    ]);
    const listener = waitsAs("fix", { hearing: { kind: "inbox", of: ["decided"] } });

    const news = await Promise.all(shelf.map((entry) => newsFrom(journal, entry, [listener])));

    expect(news.flat()).toEqual([{ loop: "fix", key: "fix/record/2", cause: { kind: "inbox", run: "fix-1", what: "decided", by: "bob" } }]);
  });

  it("that came while nobody listened is caught up on, once", async () => {
    const { journal, book, shelf } = open();
    await journal.append([1, 2, 3].map((number) => ({ loop: "scan", run: `scan-${number}`, record: rested(PROVEN) })));
    await catchUpOn({ journal, book }, waitsAs("fix", { life: 1 }), 3);
    await journal.append([{ loop: "scan", run: "scan-4", record: rested(PROVEN) }]);

    await catchUpOn({ journal, book }, waitsAs("fix", { life: 1 }), 99);
    await catchUpOn({ journal, book }, waitsAs("fix", { life: 1 }), 99);

    expect(heardIn(shelf).map(({ key }) => key)).toEqual(["fix/record/2", "fix/record/3", "fix/record/6"]);
  });
});
