import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { appendOne, createFolders, DRIVERS, note, openJournal, withDatabase, withJournal } from "../../test/support/journals.ts";
import { askFor, capOf, goneWhen } from "../../test/support/ledgers.ts";
import { tries } from "../../test/support/tries.ts";
import type { Amounts } from "../contract/ledger.ts";
import type { Entry } from "../contract/record.ts";
import type { Journal } from "./journal.ts";
import { effectOf, grant, laterDay, type Replayed, replay } from "./ledger.ts";
import { readChain, readEntry } from "./rows.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const AT = { loop: "a", run: "a-1" };
/** What the run above calls for its worker x. */
const CALLED = { loop: "a.x", run: "a-1.1.x" };
const DAY = "machine 2026-03-28";

describe("whether one more thing fits", () => {
  const cap = capOf("run", 100);
  const taken = (microUsd: number) => () => ({ microUsd });

  it.each<readonly [string, Amounts, Amounts | undefined, number, unknown]>([
    ["all of it where there is room", { microUsd: 40 }, undefined, 60, { kind: "granted", amounts: { microUsd: 40 } }],
    ["not where there is not", { microUsd: 41 }, undefined, 60, { kind: "refused", refusal: { cap, taken: 60, asked: 41 } }],
    ["as much as is left, for those who take less", { microUsd: 41 }, {}, 60, { kind: "granted", amounts: { microUsd: 40 } }],
    [
      "nothing at all once it is used up, not even nothing",
      {},
      undefined,
      100,
      { kind: "refused", refusal: { cap, taken: 100, asked: 0 } },
    ],
  ])("%s", (_, wanted, least, used, answer) => {
    expect(grant({ wanted, ...(least ? { least } : {}) }, [cap], taken(used))).toEqual(answer);
  });

  it("in one call, whatever else was spent", () => {
    const call = capOf("call", 100);

    expect(grant({ wanted: { microUsd: 100 } }, [call], taken(1000)).kind).toBe("granted");
    expect(grant({ wanted: { microUsd: 101 } }, [call], taken(0)).kind).toBe("refused");
  });
});

it("takes no day for a new one because the clock was set back", () => {
  expect([laterDay(undefined, "2026-01-01"), laterDay("2026-01-02", "2026-01-01"), laterDay("2026-01-02", "2026-01-03")]).toEqual([
    "2026-01-01",
    "2026-01-02",
    "2026-01-03",
  ]);
});

it("does not stay on a day of another year, to which the clock had jumped, nor falls over one before 1970", () => {
  expect([laterDay("2037-06-01", "2026-01-01"), laterDay("2026-02-01", "2026-01-01"), laterDay("2026-01-01", "1969-12-31")]).toEqual([
    "2026-01-01",
    "2026-02-01",
    "1969-12-31",
  ]);
});

it("counts what records from before the ledger say, on the day they were written", () => {
  const entry: Entry = {
    ...AT,
    seq: 1,
    at: "2025-12-31T23:59:59.000Z",
    prev: "",
    hash: "",
    record: { kind: "spent", roundId: "r", spend: { usd: 0.5, tokens: 7 } },
  };

  const { moves, day } = effectOf(entry, { openOf: () => undefined, day: undefined });

  expect(day).toBe("2025-12-31");
  expect(moves.find(({ key }) => key === "machine 2025-12")?.amounts).toEqual({ microUsd: 500_000, tokens: 7 });
});

describe.each(DRIVERS)("the ledger on %s", (driver) => {
  const spentIn = async (journal: Journal, key = DAY) => (await journal.ledger()).taken.get(key)?.microUsd ?? 0;
  const settle = (journal: Journal, reservation: number, microUsd: number, at: typeof AT = AT) =>
    appendOne(journal, at, { kind: "settled", roundId: "r.1", reservation, amounts: { microUsd, calls: 1 }, basis: "reported" });
  const reserved = async (journal: Journal, ...args: Parameters<typeof askFor>): Promise<number> => {
    const answer = await journal.reserve(AT, askFor(...args));
    if (answer.kind === "refused") throw new Error("refused");
    return answer.entry.seq;
  };

  it("holds what is reserved until it is settled, and then what it came to", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, async (journal) => {
      const call = await reserved(journal, 500);
      const held = await spentIn(journal);
      await settle(journal, call, 120);
      const after = await journal.ledger();

      expect([held, after.taken.get(DAY), after.open.size]).toEqual([500, { microUsd: 120, calls: 1 }, 0]);
      expect([...after.spent]).toEqual([[JSON.stringify(["2026-03-28", "a", "shell", "m", "reported"]), { microUsd: 120, calls: 1 }]]);
    });
  });

  it("refuses at any scope, takes nothing then, and says the numbers", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await settle(journal, await reserved(journal, 90), 90);
      for (const scope of ["round", "run", "loop-day", "loop-month", "machine-day", "machine-month"] as const) {
        const cap = capOf(scope, 100);
        expect(await journal.reserve(AT, askFor(11, { caps: [cap] }))).toEqual({ kind: "refused", refusal: { cap, taken: 90, asked: 11 } });
      }
      expect(await spentIn(journal)).toBe(90);
    });
  });

  it("settles in full what a process left that is gone, and gives nothing back when it speaks up after all", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      const lost = await reserved(journal, 500, { owner: { pid: 7 } });
      await reserved(journal, 1, { owner: { pid: 8 }, isGone: goneWhen(7) });
      await settle(journal, lost, 3);

      expect(await spentIn(journal)).toBe(501);
      expect((await journal.story("a-1")).entries.flatMap(({ record }) => (record.kind === "settled" ? [record.basis] : []))).toEqual([
        "unknown",
        "reported",
      ]);
    });
  });

  it("settles in full what a run left open, for whoever takes it up again", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await reserved(journal, 500);
      const settled = await journal.settleLeftovers("a-1");
      const again = await journal.settleLeftovers("a-1");

      expect([settled.length, again.length, await spentIn(journal)]).toEqual([1, 0, 500]);
    });
  });

  it("counts no more time for what a run left open than has passed since it began", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await journal.reserve(AT, { ...askFor(5), wanted: { microUsd: 5, timeMs: 3_600_000 } });
      const [settled] = await journal.settleLeftovers("a-1");

      const amounts = settled?.record.kind === "settled" ? settled.record.amounts : {};
      expect(amounts.microUsd).toBe(5);
      expect(amounts.timeMs).toBeLessThan(3_600_000);
    });
  });

  it("takes a call out of the launch it belongs to, and charges the day the launch began", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      const launch = await reserved(journal, 500);
      const call = await reserved(journal, 200, { within: launch, caps: [capOf("run", 500)], today: "2026-03-29" });
      const held = await spentIn(journal, "run a-1");
      await settle(journal, call, 50);
      await settle(journal, launch, 0);

      expect([held, await spentIn(journal, "run a-1")]).toEqual([500, 50]);
    });
  });

  it("opens neither an old day nor a new one when the clock is set back", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await settle(journal, await reserved(journal, 90, { today: "2026-03-29" }), 90);
      const answer = await journal.reserve(AT, askFor(20, { today: "2026-03-20", caps: [capOf("machine-day", 100)] }));

      expect(answer).toMatchObject({ kind: "refused", refusal: { taken: 90 } });
    });
  });

  it("goes on with today's budget after the clock had jumped to another year and was put right, and forgets nothing of today", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await settle(journal, await reserved(journal, 60, { today: "2026-03-29" }), 60);
      await settle(journal, await reserved(journal, 90, { today: "2037-01-01" }), 90);
      const over = await journal.reserve(AT, askFor(50, { today: "2026-03-29", caps: [capOf("machine-day", 100)] }));
      const within = await journal.reserve(AT, askFor(40, { today: "2026-03-29", caps: [capOf("machine-day", 100)] }));

      expect([over, within]).toMatchObject([{ kind: "refused", refusal: { taken: 60 } }, { kind: "reserved" }]);
    });
  });

  it("knows what was spent before there was a ledger, and before its tables were lost", async () => {
    const folder = folders.make();
    await withJournal(folder, driver, async (journal) => {
      await appendOne(journal, AT, { kind: "spent", roundId: "r.1", spend: { usd: 1, tokens: 5 } });
      await reserved(journal, 500);
    });
    const before = await withJournal(folder, driver, (journal) => journal.ledger());
    withDatabase(folder, driver, (db) => db.exec("delete from ledger"));

    const after = await withJournal(folder, driver, (journal) => journal.ledger());

    expect(plain(after)).toEqual(plain(before));
  });

  it("always equals a replay of the journal, and never passes a cap by more than calls came to beyond what was reserved", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("reserve" as const), owner: fc.nat(2), size: fc.integer({ min: 1, max: 60 }), isCalled: fc.boolean() }),
      fc.record({ do: fc.constant("settle" as const), which: fc.nat(5), actual: fc.integer({ min: 0, max: 80 }) }),
      fc.record({ do: fc.constant("spend" as const), which: fc.nat(5), amount: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ do: fc.constant("crash" as const), owner: fc.nat(2) }),
      fc.record({ do: fc.constant("restart" as const) }),
      fc.record({ do: fc.constant("tomorrow" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const folder = folders.make();
        let journal = await openJournal(folder, driver);
        const open: { readonly seq: number; readonly owner: number; readonly size: number; readonly at: typeof AT; spent: number }[] = [];
        const gone = new Set<number>();
        let [day, excess] = [28, 0];
        for (const one of steps) {
          if (one.do === "reserve") {
            // A process that died and came back is another one.
            const owner = one.owner + 10 * gone.size;
            const at = one.isCalled ? CALLED : AT;
            const answer = await journal.reserve(
              at,
              askFor(one.size, {
                ...(one.isCalled ? { above: [{ ...AT, roundId: "r.1", worker: "x", caps: [capOf("run", 170)], share: [] }] } : {}),
                owner: { pid: owner },
                isGone: ({ pid }) => gone.has(pid),
                today: `2026-03-${day}`,
                caps: [capOf("run", 170), capOf("loop-month", 200), capOf("machine-day", 150)],
              }),
            );
            if (answer.kind === "reserved") open.push({ seq: answer.entry.seq, owner, size: one.size, at, spent: 0 });
          }
          const held = "which" in one ? open[one.which] : undefined;
          if (one.do === "settle" && held) {
            open.splice(one.which, 1);
            excess += Math.max(0, one.actual - Math.max(0, held.size - held.spent));
            await settle(journal, held.seq, one.actual, held.at);
          }
          if (one.do === "spend" && held) {
            const covered = Math.min(Math.max(0, held.size - held.spent), one.amount);
            excess += one.amount - covered;
            held.spent += one.amount;
            const [usd, tokens, amounts] = [one.amount / 1e6, 0, { microUsd: one.amount }];
            await appendOne(journal, held.at, { kind: "spent", roundId: "r.1", spend: { usd, tokens }, amounts, reservation: held.seq });
          }
          if (one.do === "crash") {
            for (const { owner } of open.filter((mine) => mine.owner % 10 === one.owner)) gone.add(owner);
            for (let at = open.length - 1; at >= 0; at--) if (gone.has(open[at]!.owner)) open.splice(at, 1);
          }
          if (one.do === "restart") {
            journal.close();
            journal = await openJournal(folder, driver);
          }
          if (one.do === "tomorrow" && day < 31) day++;
          expect(await spentIn(journal, "loop a 2026-03")).toBeLessThanOrEqual(200 + excess);
          expect(await spentIn(journal, "run a-1")).toBeLessThanOrEqual(170 + excess);
          for (let at = 28; at <= day; at++) expect(await spentIn(journal, `machine 2026-03-${at}`)).toBeLessThanOrEqual(150 + excess);
        }
        const kept = await journal.ledger();
        journal.close();
        const entries = withDatabase(folder, driver, (db) => [...readChain(db)].map((row) => readEntry(row)!));
        expect(plain(kept)).toEqual(plain(replay(entries)));
      }),
      tries(15),
    );
  });

  it("never lets eight branches pass a cap of the run above them, and gives none of them more than its worker's share", async () => {
    const folder = folders.make();
    const [one, other] = [await openJournal(folder, driver), await openJournal(folder, driver)];
    const above = (worker: string) => [
      { loop: "top", run: "top-1", roundId: "top-1.1", worker: "mid", caps: [capOf("run", 100)], share: [] },
      { ...AT, roundId: "a-1.1", worker, caps: [capOf("run", 300)], share: [capOf("run", 30)] },
    ];
    const branches = Array.from({ length: 8 }, (_, at) => at);
    const answers = await Promise.all(
      branches.flatMap((at) =>
        [one, other].map((journal) =>
          journal.reserve(
            { loop: `a.w${at}`, run: `a-1.1.w${at}` },
            askFor(40, { least: { microUsd: 10 }, caps: [capOf("run", 90)], above: above(`w${at}`) }),
          ),
        ),
      ),
    );
    const taken = (await one.ledger()).taken;
    one.close();
    other.close();

    expect(answers.filter(({ kind }) => kind === "reserved")).toHaveLength(4);
    expect(taken.get("run top-1")?.microUsd).toBe(100);
    expect(taken.get("run a-1")?.microUsd).toBe(100);
    expect(taken.get("loop top 2026-03-28")?.microUsd).toBe(100);
    expect(taken.get(DAY)?.microUsd).toBe(100);
    expect(branches.map((at) => taken.get(`worker a-1 w${at}`)?.microUsd ?? 0).every((amount) => amount <= 30)).toBe(true);
  });

  it("is untouched by records that spend nothing", async () => {
    await withJournal(folders.make(), driver, async (journal) => {
      await appendOne(journal, AT, note("ada"));

      expect(plain(await journal.ledger())).toEqual({ taken: {}, spent: {}, open: {}, day: undefined });
    });
  });
});

/** Sums that came to nothing again may be there or not. */
function plain({ taken, spent, open, day }: Replayed) {
  const sums = (map: ReadonlyMap<string, Amounts>) =>
    Object.fromEntries([...map].filter(([, amounts]) => Object.values(amounts).some((amount) => amount !== 0)).sort());
  return { taken: sums(taken), spent: sums(spent), open: Object.fromEntries(open), day };
}
