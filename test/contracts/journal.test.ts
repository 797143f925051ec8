// What every journal holds, wherever it is kept.
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { Database } from "../../src/contract/store.ts";
import { isOvertaken, type Journal, type Looking, lastOf, type Of, runsSince } from "../../src/journal/journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { GENESIS } from "../../src/std/chain.ts";
import { canonicalJson, sha256 } from "../../src/std/hash.ts";
import { createStore } from "../../src/world/store/store.ts";
import {
  appendOne,
  createFolders,
  DRIVERS,
  note,
  result,
  runOpened,
  SHELVES,
  storiesOf,
  tickingClock,
  withDatabase,
  withJournal,
} from "../support/journals.ts";
import { askFor, capOf } from "../support/ledgers.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const A1 = { loop: "a", run: "a-1" };
const A2 = { loop: "a", run: "a-2" };
const B1 = { loop: "b", run: "b-1" };

/** As a running process listens for it. */
const stopAsked = async (journal: Journal, run: string, since: number): Promise<boolean> =>
  (await journal.entriesAfter(since, 1, { run, kinds: ["stop-requested"] })).length > 0;

describe.each(SHELVES)("a journal on $place", ({ shelve }) => {
  const open = () => shelve(folders.make()).open();

  it("chains what is appended from the genesis on, and gives it back as it was", async () => {
    const journal = await open();

    const first = await appendOne(journal, A1, note("ada"));
    const second = await appendOne(journal, B1, note("bob"));
    const third = await appendOne(journal, A1, note("cyd"));

    expect([first, second, third].map(({ seq, prev }) => ({ seq, prev }))).toEqual([
      { seq: 1, prev: GENESIS },
      { seq: 2, prev: first.hash },
      { seq: 3, prev: second.hash },
    ]);
    expect(await journal.story("a-1")).toEqual({ entries: [first, third], damaged: [] });
    expect(await journal.inspect()).toEqual({ entries: 3, whole: true, damage: [] });
    journal.close();
  });

  it("goes by the hash of its first record, and knows its newest", async () => {
    const journal = await open();
    expect(await journal.head()).toBeUndefined();

    const first = await appendOne(journal, A1, note("ada"));
    const second = await appendOne(journal, B1, note("bob"));

    expect(await journal.head()).toEqual({ chain: first.hash, seq: 2, hash: second.hash });
    expect(await journal.hashesAt([2, 7, 1])).toEqual(new Map([first, second].map(({ seq, hash }) => [seq, hash])));
    journal.close();
  });

  it("gives its records as lines that chain, page by page, up to where it is asked", async () => {
    const journal = await open();
    const entries = [];
    for (let number = 0; number < 150; number++) entries.push(await appendOne(journal, A1, note(`"ada" ${number} é`)));

    let text = "";
    for (let page = await journal.lines(0, 140); page; page = await journal.lines(page.last, 140)) text += page.text;

    const lines = text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(lines).toEqual(entries.slice(0, 140).map((entry) => ({ ...entry, v: 1 })));
    journal.close();
  });

  it("tells which runs of a loop something was recorded about since a record", async () => {
    const journal = await open();
    await appendOne(journal, A1, note("ada"));
    const since = await appendOne(journal, { loop: "a", run: "a-2" }, note("ada"));
    await appendOne(journal, B1, note("bob"));
    await appendOne(journal, { loop: "a", run: "a-3" }, note("ada"));
    await appendOne(journal, A1, note("ada"));

    expect(await runsSince(journal, "a", since.seq)).toEqual(["a-3", "a-1"]);
    expect(await runsSince(journal, "a", 0)).toEqual(["a-1", "a-2", "a-3"]);
    expect(await runsSince(journal, "c", 0)).toEqual([]);
    journal.close();
  });

  it("gives the same after it was closed and opened again", async () => {
    const shelf = shelve(folders.make());
    const before = await shelf.use(async (journal) => {
      await appendOne(journal, A1, runOpened(1));
      await appendOne(journal, A1, note("ada"));
      return { story: await journal.story("a-1"), loops: await journal.loops() };
    });

    const after = await shelf.use(async (journal) => ({
      story: await journal.story("a-1"),
      loops: await journal.loops(),
      next: (await appendOne(journal, A1, note("bob"))).prev,
      mended: journal.mended,
    }));

    expect(after).toEqual({ ...before, next: before.story.entries[1]?.hash, mended: undefined });
  });

  it("knows nothing when it is new", async () => {
    const journal = await open();

    const answers = [
      await journal.story("a-1"),
      await lastOf(journal, "a", "spent"),
      await journal.newestOf("a", "run-opened", { most: 9 }),
      await journal.runsLike("", 9),
      await journal.loops(),
      await stopAsked(journal, "a-1", 0),
      await journal.inspect(),
      journal.mended,
    ];

    expect(answers).toEqual([
      { entries: [], damaged: [] },
      undefined,
      [],
      [],
      [],
      false,
      { entries: 0, whole: true, damage: [] },
      undefined,
    ]);
    journal.close();
  });

  it("finds the newest records of a kind in a loop since another, newest first, and no more than asked for", async () => {
    const journal = await open();
    const first = await appendOne(journal, A1, note("ada"));
    const second = await appendOne(journal, A2, note("bob"));
    await appendOne(journal, B1, note("cyd"));
    await appendOne(journal, A1, runOpened(1));
    const third = await appendOne(journal, A1, note("dan"));

    expect(await journal.newestOf("a", "stop-requested", { most: 9 })).toEqual([third, second, first]);
    expect(await journal.newestOf("a", "stop-requested", { after: first.seq, most: 9 })).toEqual([third, second]);
    expect(await journal.newestOf("a", "stop-requested", { most: 1 })).toEqual([third]);
    expect(await journal.newestOf("a", "run-rested", { most: 9 })).toEqual([]);
    journal.close();
  });

  it("finds the newest record of a kind in a loop", async () => {
    const journal = await open();
    await appendOne(journal, A1, runOpened(1));
    const newest = await appendOne(journal, A2, runOpened(2));
    await appendOne(journal, A2, note("ada"));
    await appendOne(journal, B1, runOpened(1));

    expect(await lastOf(journal, "a", "run-opened")).toEqual(newest);
    expect(await lastOf(journal, "a", "run-rested")).toBeUndefined();
    journal.close();
  });

  it("lists the runs of a loop newest first, as many as asked for", async () => {
    const journal = await open();
    const first = await appendOne(journal, A1, runOpened(1));
    const second = await appendOne(journal, A2, runOpened(2));
    await appendOne(journal, B1, runOpened(1));

    expect(await journal.newestOf("a", "run-opened", { most: 9 })).toEqual([second, first]);
    expect(await journal.newestOf("a", "run-opened", { most: 1 })).toEqual([second]);
    expect(await journal.newestOf("a", "run-opened", { most: 0 })).toEqual([]);
    journal.close();
  });

  it.each([
    ["a%", ["a%b"]],
    ["a_", ["a_b"]],
    ["a", ["a%b", "a_b", "axb"]],
    ["ü", ["ü-1", "üx"]],
    ["😀", ["😀-1"]],
    ["'", ["'; drop table records; --"]],
    ["", ["'; drop table records; --", "a%b", "a_b", "axb", "ü-1", "üx", "😀-1"]],
    ["zzz", []],
  ])("takes the prefix %j by its letters", async (prefix, found) => {
    const journal = await open();
    for (const run of ["a%b", "a_b", "axb", "ü-1", "üx", "😀-1", "'; drop table records; --"])
      await appendOne(journal, { loop: "a", run }, runOpened(1));

    const runs = await journal.runsLike(prefix, 99);

    expect(runs.map(({ run }) => run)).toEqual(found);
    journal.close();
  });

  it("names every loop once, in order, and not the place of its own notes", async () => {
    const journal = await open();
    for (const loop of ["b", "a", "-", "b", "ü", "a"]) await appendOne(journal, { loop, run: "r" }, note("ada"));

    expect(await journal.loops()).toEqual(["a", "b", "ü"]);
    journal.close();
  });

  it("hears a request to stop only in its own run and only after the record named", async () => {
    const journal = await open();
    const { seq } = await appendOne(journal, A1, runOpened(1));
    await appendOne(journal, A1, note("ada"));

    const heard = [await stopAsked(journal, "a-1", seq), await stopAsked(journal, "a-1", seq + 1), await stopAsked(journal, "a-2", 0)];

    expect(heard).toEqual([true, false, false]);
    journal.close();
  });

  it("lets two handles in one process see and follow each other's records", async () => {
    const shelf = shelve(folders.make());
    const [one, two] = [await shelf.open(), await shelf.open()];

    const entries = [
      await appendOne(one, A1, note("1")),
      await appendOne(two, A1, note("2")),
      ...(await Promise.all([appendOne(one, A1, note("3")), appendOne(two, A1, note("4")), appendOne(one, A1, note("5"))])),
    ].sort((a, b) => a.seq - b.seq);

    expect((await one.story("a-1")).entries).toEqual(entries);
    expect((await two.story("a-1")).entries).toEqual(entries);
    expect(await one.inspect()).toEqual({ entries: 5, whole: true, damage: [] });
    one.close();
    two.close();
  });

  it("keeps nobody from writing after it was asked something that it could answer early", async () => {
    const shelf = shelve(folders.make());
    const [reader, writer] = [await shelf.open(), await shelf.open()];
    for (let number = 1; number <= 130; number++) await appendOne(writer, { loop: "a", run: `a-${number}` }, runOpened(number));

    expect((await lastOf(reader, "a", "run-opened"))?.run).toBe("a-130");
    expect((await reader.newestOf("a", "run-opened", { most: 2 })).map(({ run }) => run)).toEqual(["a-130", "a-129"]);
    expect((await reader.runsLike("a-", 1)).map(({ run }) => run)).toEqual(["a-1"]);

    // Who is kept from writing tries for long, and is refused in the end.
    expect((await appendOne(writer, A1, note("ada"))).seq).toBe(131);
    reader.close();
    writer.close();
  });

  it.each([
    ["U+2028 and U+2029", "a\u2028b\u2029c"],
    ["NUL and other control characters", "a\0b\u0001\u007f\r\n\t"],
    ["quotes and backslashes", "\\\"'`\\u0000"],
    ["every plane of Unicode", "ü漢😀\u{10ffff}\ufeff\ufffe"],
    ["a megabyte of text", "ü".repeat(500_000)],
    ["__proto__ keys", JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}')],
    ["keys that sort by UTF-16", { "\u{1f600}": 1, "\ufb33": 2, "": 3, a: 4, "1": 5 }],
    ["numbers at their ends", [0, -1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 0.1 + 0.2]],
    ["nesting 500 deep", Array.from({ length: 500 }).reduce((inner: unknown) => ({ a: [inner] }), null)],
    ["empty things", [{}, [], "", null, false, 0]],
  ])("keeps %s", async (_, value) => {
    const shelf = shelve(folders.make());
    const given = result(value);

    const entry = await shelf.use((journal) => appendOne(journal, A1, given));

    expect(entry.record).toEqual(given);
    await shelf.use(async (journal) => {
      expect(await journal.story("a-1")).toEqual({ entries: [entry], damaged: [] });
      expect(await journal.inspect()).toEqual({ entries: 1, whole: true, damage: [] });
    });
  });

  it("puts the replacement character for half a surrogate pair, and gives back what it wrote", async () => {
    const journal = await open();

    const entry = await appendOne(journal, { loop: "a\ud800", run: "a-1" }, result({ "k\udc00": ["x\ud800y", "\udc00\ud800"] }));

    expect(entry).toMatchObject({ loop: "a\ufffd", record: result({ "k\ufffd": ["x\ufffdy", "\ufffd\ufffd"] }) });
    expect(await journal.story("a-1")).toEqual({ entries: [entry], damaged: [] });
    journal.close();
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["minus Infinity", Number.NEGATIVE_INFINITY],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["something that holds itself", holdsItself()],
    ["nesting a million deep", Array.from({ length: 1_000_000 }).reduce((inner: unknown) => [inner], null)],
  ])("refuses %s and writes nothing", async (_, value) => {
    const journal = await open();
    await appendOne(journal, A1, note("before"));

    await expect(appendOne(journal, A1, result([value]))).rejects.toThrow();

    const after = await appendOne(journal, A1, note("after"));
    expect(after.seq).toBe(2);
    expect(await journal.inspect()).toEqual({ entries: 2, whole: true, damage: [] });
    journal.close();
  });

  it("refuses a name that the store would cut off", async () => {
    const journal = await open();

    await expect(appendOne(journal, { loop: "a", run: "a\0b" }, note("ada"))).rejects.toThrow("NUL");

    expect(await journal.inspect()).toEqual({ entries: 0, whole: true, damage: [] });
    journal.close();
  });

  it("seals any record with the hash of the canonical JSON of its whole entry", async () => {
    const journal = await open();

    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: "binary" }), async (value, step) => {
        const given = { kind: "step-done", roundId: "a", step: step.toWellFormed(), result: value, tookMs: 1 } as LoopRecord;
        const { hash, ...entry } = await appendOne(journal, A1, given);
        expect(hash).toBe(sha256(canonicalJson({ ...entry, v: 1 })));
        expect(entry.record).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 100 },
    );

    expect(await journal.inspect()).toMatchObject({ entries: 100, whole: true });
    journal.close();
  });

  it("says so when it is used after it was closed", async () => {
    const journal = await open();
    journal.close();

    await expect(appendOne(journal, A1, note("ada"))).rejects.toThrow("closed");
  });

  it("writes several records as one, each chained to the one before", async () => {
    const journal = await open();
    const before = await appendOne(journal, B1, note("bob"));

    const entries = await journal.append([
      { ...A1, record: runOpened(1) },
      { ...A1, record: note("ada") },
      { ...B1, record: note("cyd"), at: "2024-12-31T23:59:59.000Z" },
    ]);

    expect(entries.map(({ hash: _, ...entry }) => entry)).toEqual([
      { ...A1, seq: 2, prev: before.hash, at: "2025-01-01T00:00:01.000Z", record: runOpened(1) },
      { ...A1, seq: 3, prev: entries[0]?.hash, at: "2025-01-01T00:00:02.000Z", record: note("ada") },
      { ...B1, seq: 4, prev: entries[1]?.hash, at: "2024-12-31T23:59:59.000Z", record: note("cyd") },
    ]);
    expect(await storiesOf(journal, ["a-1", "b-1"])).toEqual([before, ...entries]);
    expect(await journal.inspect()).toEqual({ entries: 4, whole: true, damage: [] });
    expect(await journal.append([])).toEqual([]);
    journal.close();
  });

  it("writes none of several records where one of them cannot be written", async () => {
    const journal = await open();
    const lines = [note("ada"), result(Number.NaN), note("bob")].map((record) => ({ ...A1, record }));

    await expect(journal.append(lines)).rejects.toThrow("JSON");
    await expect(journal.reserve(A1, askFor(1), lines)).rejects.toThrow("JSON");

    expect(await journal.inspect()).toEqual({ entries: 0, whole: true, damage: [] });
    expect((await journal.ledger()).open.size).toBe(0);
    journal.close();
  });

  it("counts all of what several records spent, and takes what is reserved after them into account", async () => {
    const journal = await open();
    const first = await journal.reserve(A1, askFor(100));
    const reservation = first.kind === "reserved" ? first.entry.seq : 0;

    await journal.append([
      { ...A1, record: { kind: "spent", roundId: "r.1", spend: { usd: 0, tokens: 0 }, amounts: { microUsd: 30 }, reservation } },
      { ...A1, record: { kind: "settled", roundId: "r.1", reservation, amounts: { microUsd: 5 }, basis: "reported" } },
    ]);

    const { taken, open: reserved } = await journal.ledger();
    expect([taken.get("run a-1"), reserved.size]).toEqual([{ microUsd: 35 }, 0]);
    journal.close();
  });

  it("writes what comes before a reservation together with it, and counts it first, whatever the answer", async () => {
    const journal = await open();
    const spent = (microUsd: number): LoopRecord => ({
      kind: "spent",
      roundId: "r.1",
      spend: { usd: 0, tokens: 0 },
      amounts: { microUsd },
    });
    const caps = [capOf("run", 100)];

    const granted = await journal.reserve(A1, askFor(60, { caps }), [
      { ...A1, record: runOpened(1) },
      { ...A1, record: spent(40) },
    ]);
    const refused = await journal.reserve(A1, askFor(1, { caps }), [{ ...A1, record: spent(7) }]);

    const { entries } = await journal.story("a-1");
    expect(entries.map(({ record }) => record.kind)).toEqual(["run-opened", "spent", "reserved", "spent"]);
    expect(granted).toEqual({ kind: "reserved", before: entries.slice(0, 2), entry: entries[2], settled: [] });
    expect(refused).toEqual({ kind: "refused", before: entries.slice(3), refusal: { cap: caps[0], taken: 107, held: 60, asked: 1 } });
    journal.close();
  });

  it("shows a record as it will be read, and writes nothing", async () => {
    const journal = await open();

    const draft = journal.draft({ ...A1, record: result({ "k\udc00": undefined, a: ["x\ud800y"] }) });

    expect(draft).toEqual({ ...A1, at: "2025-01-01T00:00:00.000Z", record: result({ a: ["x\ufffdy"] }) });
    expect(() => journal.draft({ ...A1, record: result(1n) })).toThrow("JSON");
    expect(await journal.head()).toBeUndefined();
    const [entry] = await journal.append([draft]);
    expect(entry).toMatchObject(draft);
    journal.close();
  });

  it("writes only if the newest record of those kinds in a loop is still the one that was read", async () => {
    const journal = await open();
    const only = (newest: number) => ({ in: { loop: "a" }, kinds: ["run-opened", "run-resumed"] as const, newest });
    const line = { ...A2, record: runOpened(1) };

    const [first] = (await journal.append([line], only(0))) as readonly Entry[];
    await appendOne(journal, A1, note("of another kind"));
    await appendOne(journal, B1, runOpened(1));
    const again = await journal.append([line, line], only(0));
    const resumed = await appendOne(journal, A1, { kind: "run-resumed" });
    const late = await journal.append([line], only(first!.seq));
    const last = await journal.append([line, line], only(resumed.seq));

    expect([again, late]).toEqual([
      { kind: "overtaken", newest: first!.seq },
      { kind: "overtaken", newest: resumed.seq },
    ]);
    expect(isOvertaken(again) && !isOvertaken(last)).toBe(true);
    expect((await journal.story("a-2")).entries).toEqual([first, ...(isOvertaken(last) ? [] : last)]);
    journal.close();
  });

  it("writes only if all that is asked is still so, and nothing otherwise", async () => {
    const journal = await open();
    const line = { loop: "a", run: "a-1", record: runOpened(1) };
    const in_ = (loop: string, newest: number) => ({ in: { loop }, kinds: ["run-opened"] as const, newest });
    const [first] = (await journal.append([line], [in_("a", 0), in_("b", 0)])) as readonly Entry[];

    const answers = [
      await journal.append([line], [in_("a", first!.seq), in_("b", 7)]),
      await journal.append([line], [in_("b", 0), in_("a", 0)]),
      await journal.append([{ ...line, loop: "b" }], [in_("a", first!.seq), in_("b", 0)]),
    ];

    expect(answers.slice(0, 2)).toEqual([
      { kind: "overtaken", newest: 0 },
      { kind: "overtaken", newest: first!.seq },
    ]);
    expect((await journal.entriesAfter(0, 9)).map(({ loop }) => loop)).toEqual(["a", "b"]);
    journal.close();
  });

  it("writes only if the newest record of those kinds in a run is still the one that was read", async () => {
    const journal = await open();
    const decided = await appendOne(journal, A1, note("ada"));
    await appendOne(journal, A2, note("bob"));
    const only = { in: A1, kinds: ["stop-requested"] as const, newest: decided.seq };

    const [written] = (await journal.append([{ ...A1, record: note("cyd") }], only)) as readonly Entry[];
    const refused = await journal.append([{ ...A1, record: note("dan") }], only);

    expect((await journal.story("a-1")).entries).toEqual([decided, written]);
    expect(refused).toEqual({ kind: "overtaken", newest: written?.seq });
    journal.close();
  });

  it("lets exactly one of many handles be the first, again and again", async () => {
    const shelf = shelve(folders.make());
    const handles = await Promise.all(Array.from({ length: 4 }, () => shelf.open()));
    const only = (newest: number) => ({ in: { loop: "a" }, kinds: ["stop-requested"] as const, newest });

    let newest = 0;
    for (let turn = 1; turn <= 5; turn++) {
      const answers = await Promise.all(
        handles.map((journal, who) =>
          journal.append(
            [result(who), note(`${who}`)].map((record) => ({ ...A1, record })),
            only(newest),
          ),
        ),
      );
      const winners = answers.flatMap((answer) => (isOvertaken(answer) ? [] : [answer]));
      newest = turn * 2;
      expect(winners.map((entries) => entries.map(({ seq }) => seq))).toEqual([[newest - 1, newest]]);
      expect(answers.filter(isOvertaken)).toEqual([1, 2, 3].map(() => ({ kind: "overtaken", newest })));
    }
    for (const journal of handles) journal.close();
  });

  it("gives the records after one, oldest first, in pages, of a loop, of a run, of some kinds or all", async () => {
    const journal = await open();
    const all: Entry[] = [];
    for (let number = 1; number <= 40; number++) {
      const place = [A1, A2, B1][number % 3]!;
      const record = [note("ada"), runOpened(number), result(number), note("bob")][number % 4]!;
      all.push(await appendOne(journal, place, record));
    }
    const paged = async (most: number, of?: Of): Promise<readonly Entry[]> => {
      const found: Entry[] = [];
      for (let page = await journal.entriesAfter(3, most, of); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(most);
        found.push(...page);
        page = await journal.entriesAfter(page.at(-1)!.seq, most, of);
      }
      return found;
    };

    const asked: readonly Of[] = [
      {},
      { loop: "a" },
      { loop: "a", kinds: ["run-opened"] },
      { loop: "a", kinds: ["stop-requested", "step-done"] },
      { run: "a-1" },
      { run: "a-1", kinds: ["stop-requested", "run-opened"] },
      { run: "a-1", loop: "a" },
      { run: "a-1", loop: "b" },
      { kinds: ["step-done", "stop-requested"] },
      { kinds: [] },
      { loop: "c" },
    ];
    for (const of of asked) {
      const isMeant = ({ seq, loop, run, record }: Entry) =>
        seq > 3 && (of.loop ?? loop) === loop && (of.run ?? run) === run && (of.kinds ?? [record.kind]).includes(record.kind);
      for (const most of [1, 5, 100]) expect(await paged(most, of)).toEqual(all.filter(isMeant));
    }
    expect(await journal.entriesAfter(-1, 2)).toEqual(all.slice(0, 2));
    expect(await journal.entriesAfter(0, 0)).toEqual([]);
    expect(await journal.entriesAfter(40, 9)).toEqual([]);
    journal.close();
  });

  it("gives the records before one, newest first, and looks at no more of them than it was told", async () => {
    const journal = await open();
    const all: Entry[] = [];
    for (let number = 1; number <= 40; number++) {
      const place = [A1, A2, B1][number % 3]!;
      all.push(await appendOne(journal, place, [note("ada"), runOpened(number), result(number)][number % 4] ?? note("bob")));
    }
    const paged = async (looking: Looking, of?: Of): Promise<readonly Entry[]> => {
      const found: Entry[] = [];
      for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
        const { entries, next } = await journal.entriesBefore(before, looking, of);
        expect(next).toBeLessThan(Math.min(before, 41));
        found.push(...entries);
        before = next;
      }
      return found;
    };

    const asked: readonly Of[] = [
      {},
      { loop: "a" },
      { run: "a-1" },
      { kinds: ["run-opened"] },
      { loop: "b", kinds: ["step-done"] },
      { loop: "c" },
    ];
    for (const of of asked) {
      const isMeant = ({ loop, run, record }: Entry) =>
        (of.loop ?? loop) === loop && (of.run ?? run) === run && (of.kinds ?? [record.kind]).includes(record.kind);
      for (const most of [1, 5, 100])
        for (const look of [1, 7, 1000]) expect(await paged({ most, look }, of)).toEqual(all.filter(isMeant).toReversed());
    }
    expect(await journal.entriesBefore(41, { most: 2, look: 9 })).toEqual({ entries: [all[39], all[38]], next: 39 });
    expect(await journal.entriesBefore(1, { most: 2, look: 9 })).toEqual({ entries: [], next: 0 });
    expect(await journal.entriesBefore(40, { most: 9, look: 9 }, { loop: "c" })).toEqual({ entries: [], next: 31 });
    journal.close();
  });

  it("goes back through the newest records of a kind page by page", async () => {
    const journal = await open();
    const all: Entry[] = [];
    for (let number = 1; number <= 7; number++) {
      all.push(await appendOne(journal, A1, runOpened(number)));
      await appendOne(journal, B1, runOpened(number));
    }

    const pages: (readonly Entry[])[] = [];
    for (let page = await journal.newestOf("a", "run-opened", { most: 3 }); page.length > 0; ) {
      pages.push(page);
      page = await journal.newestOf("a", "run-opened", { before: page.at(-1)!.seq, most: 3 });
    }

    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(all.toReversed());
    expect(await journal.newestOf("a", "run-opened", { after: all[1]!.seq, before: all[4]!.seq, most: 9 })).toEqual([all[3], all[2]]);
    journal.close();
  });
});

describe.each(DRIVERS)("a journal in a file, through %s", (driver) => {
  it("passes over damaged runs when it lists them, and still gives as many as asked for", async () => {
    const folder = folders.make();
    const first = await withJournal(folder, driver, async (journal) => {
      const first = await appendOne(journal, A1, runOpened(1));
      await appendOne(journal, A2, runOpened(2));
      await appendOne(journal, A2, note("ada"));
      return first;
    });
    withDatabase(folder, driver, (db) => db.run("update records set body = ? where seq = 2", '{"kind":"run-opened","number":7}'));

    await withJournal(folder, driver, async (journal) => {
      expect(await journal.newestOf("a", "run-opened", { most: 1 })).toEqual([first]);
      expect(await lastOf(journal, "a", "run-opened")).toEqual(first);
      expect(await journal.runsLike("a-", 1)).toEqual([first]);
    });
  });

  it("passes over damaged records when it gives those after one, and goes on behind them", async () => {
    const folder = folders.make();
    const entries = await withJournal(folder, driver, (journal) =>
      journal.append(["1", "2", "3", "4", "5"].map((by) => ({ ...A1, record: note(by) }))),
    );
    withDatabase(folder, driver, (db) => db.run("update records set body = ? where seq in (2, 3)", '{"by":"x","kind":"stop-requested"}'));

    await withJournal(folder, driver, async (journal) => {
      for (const of of [{}, { run: "a-1" }, { loop: "a" }] as const) {
        expect(await journal.entriesAfter(1, 1, of)).toEqual([entries[3]]);
        expect(await journal.entriesAfter(0, 9, of)).toEqual([entries[0], entries[3], entries[4]]);
      }
    });
  });

  it("writes none of several records where there is no room for all of them", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, (journal) => appendOne(journal, A1, note("before")));
    const store = createStore(folder, driver);
    const journal = await openSqliteJournal({ ...store, open: () => withFewPages(store.open()) }, tickingClock());

    const lines = ["ada", "x".repeat(1_000_000), "bob"].map((by) => ({ ...A1, record: note(by) }));
    await expect(journal.append(lines)).rejects.toThrow("full");

    const after = await appendOne(journal, A1, note("after"));
    expect(after.seq).toBe(2);
    expect(await journal.inspect()).toEqual({ entries: 2, whole: true, damage: [] });
    journal.close();
  });

  it.each(["kept the first", "kept both", "kept none"])(
    "has every record once where its file was replaced while it committed, and %s",
    async (kept) => {
      const folder = folders.make();
      const store = createStore(folder, driver);
      const moved = new Error("the file was replaced");
      let isReplaced = false;
      // As the mended file would have it that took the place of ours in the middle of a commit.
      const replacing = (db: Database): Database => ({
        ...db,
        exec(sql) {
          db.exec(sql);
          const [row] = sql === "commit" && !isReplaced ? db.all("select count(*) as n from records where seq > 1") : [];
          if (row?.n !== 2) return;
          isReplaced = true;
          if (kept !== "kept both") db.exec(`delete from records where seq > ${kept === "kept none" ? 1 : 2}; delete from ledger`);
          throw moved;
        },
      });
      const failureOf = (error: unknown) => (error === moved ? "moved" : store.failureOf(error));
      const journal = await openSqliteJournal({ ...store, failureOf, open: () => replacing(store.open()) }, tickingClock());
      const first = await appendOne(journal, A1, note("ada"));
      const spent = (microUsd: number): LoopRecord => ({
        kind: "spent",
        roundId: "r.1",
        spend: { usd: 0, tokens: 0 },
        amounts: { microUsd },
      });

      const only = { in: { loop: "a" }, kinds: ["spent", "stop-requested"] as const, newest: first.seq };
      const entries = await journal.append(
        [spent(3), spent(4)].map((record) => ({ ...A1, record })),
        only,
      );

      expect(isReplaced).toBe(true);
      expect((await journal.story("a-1")).entries).toEqual([first, ...(isOvertaken(entries) ? [] : entries)]);
      expect(entries).toMatchObject([
        { seq: 2, record: spent(3) },
        { seq: 3, record: spent(4) },
      ]);
      expect((await journal.ledger()).taken.get("run a-1")).toEqual({ microUsd: 7 });
      expect(await journal.inspect()).toEqual({ entries: 3, whole: true, damage: [] });
      journal.close();
    },
  );

  it("syncs every commit to the disk", async () => {
    const folder = folders.make();
    const db = createStore(folder, driver).open();

    const [row] = db.all("pragma synchronous");
    const [mode] = db.all("pragma journal_mode");

    expect({ ...row, ...mode }).toEqual({ synchronous: 2, journal_mode: driver === "libsql" ? "truncate" : "wal" });
    db.close();
  });
});

describe.runIf(DRIVERS.length > 1)("a journal that changes drivers", () => {
  it("goes on under either one", async () => {
    const folder = folders.make();

    const order = ["node:sqlite", "libsql", "node:sqlite", "libsql"] as const;
    const entries: Entry[] = [];
    for (const driver of order) entries.push(await withJournal(folder, driver, (journal) => appendOne(journal, A1, note(driver))));

    for (const driver of order) {
      await withJournal(folder, driver, async (journal) => {
        expect(await storiesOf(journal, ["a-1"])).toEqual(entries);
        expect(await journal.inspect()).toEqual({ entries: 4, whole: true, damage: [] });
      });
    }
  });
});

/** A database that is full after a few pages more. */
function withFewPages(db: Database): Database {
  db.all("pragma max_page_count=40");
  return db;
}

function holdsItself(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
