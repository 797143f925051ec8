import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { createFolders, DRIVERS, note, openJournal, result, runOpened, tickingClock } from "../../test/support/journals.ts";
import { askFor, capOf } from "../../test/support/ledgers.ts";
import { tries } from "../../test/support/tries.ts";
import type { Amounts } from "../contract/ledger.ts";
import type { LoopRecord } from "../contract/record.ts";
import { isOvertaken, type Journal, type Kind, type Line, type Of, type Only, type Page } from "./journal.ts";
import type { Replayed } from "./ledger.ts";
import { createMemoryJournal } from "./memory-journal.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

/** One thing that can be asked of a journal; what it answers is compared. */
type Call = (journal: Journal) => Promise<unknown>;

const number = fc.nat(30);
const loop = fc.constantFrom("a", "b", "-", "ü", "\u{1f600}", "\uffee");
const run = fc.constantFrom("a-1", "a-2", "b-1", "\u{1f600}", "\uffee");
const kind = fc.constantFrom<Kind[]>("stop-requested", "run-opened", "step-done", "spent", "settled", "reserved");
const kinds = fc.uniqueArray(kind, { maxLength: 3 });
const amounts = fc.record({ microUsd: fc.nat(60) });
const spend = { usd: 0, tokens: 0 };

const record: fc.Arbitrary<LoopRecord> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3 }).map(note),
  number.map(runOpened),
  fc.jsonValue({ maxDepth: 1 }).map(result),
  fc.record({ amounts, reservation: number }).map((about) => ({ kind: "spent" as const, roundId: "r.1", spend, ...about })),
  amounts.map((some) => ({ kind: "spent" as const, roundId: "r.2", spend, amounts: some })),
  fc
    .record({ amounts, reservation: number })
    .map((about) => ({ kind: "settled" as const, roundId: "r.1", basis: "reported" as const, ...about })),
  // A few that no journal takes.
  { weight: 1, arbitrary: fc.constant(result(Number.NaN)) },
);
const line: fc.Arbitrary<Line> = fc.record(
  { loop, run, record, at: fc.constant("2024-02-29T00:00:00.000Z") },
  { requiredKeys: ["loop", "run", "record"] },
);
const lines = fc.array(line, { maxLength: 4 });
const place = fc.oneof(fc.record({ loop }), fc.record({ loop, run }));
const page: fc.Arbitrary<Page> = fc.record({ after: number, before: number, most: fc.nat(5) }, { requiredKeys: ["most"] });
const of: fc.Arbitrary<Of> = fc.record({ loop, run, kinds }, { requiredKeys: [] });

/** What is newest by its own word, as somebody would say who has just read it, or a while ago. */
async function appendOnly(journal: Journal, some: readonly Line[], only: Omit<Only, "newest">, staleness: number): Promise<unknown> {
  const now = await journal.append([], { ...only, newest: -1 });
  const newest = isOvertaken(now) ? now.newest : 0;
  return [now, await journal.append(some, { ...only, newest: Math.max(0, newest - staleness) })];
}

const call: fc.Arbitrary<Call> = fc.oneof(
  lines.map(
    (some): Call =>
      (journal) =>
        journal.append(some),
  ),
  fc.tuple(lines, place, kinds, fc.constantFrom(0, 0, 1)).map(
    ([some, where, of, staleness]): Call =>
      (journal) =>
        appendOnly(journal, some, { in: where, kinds: of }, staleness),
  ),
  fc.tuple(fc.record({ loop, run }), fc.integer({ min: 1, max: 60 }), fc.nat(3), fc.nat(3), fc.option(number), lines).map(
    ([where, size, owner, gone, within, before]): Call =>
      (journal) =>
        journal.reserve(
          where,
          askFor(size, {
            owner: { pid: owner },
            isGone: ({ pid }) => pid === gone && pid !== owner,
            caps: [capOf("loop-month", 200), capOf("machine-day", 250)],
            today: `2026-03-${28 + owner}`,
            ...(within === null ? {} : { within }),
          }),
          before,
        ),
  ),
  run.map(
    (one): Call =>
      (journal) =>
        journal.settleLeftovers(one),
  ),
  line.map(
    (one): Call =>
      async (journal) =>
        journal.draft(one),
  ),
  fc.tuple(loop, kind, page).map(
    ([one, what, which]): Call =>
      (journal) =>
        journal.newestOf(one, what, which),
  ),
  fc.tuple(fc.uniqueArray(loop), fc.uniqueArray(kind)).map(
    ([loops, kinds]): Call =>
      async (journal) =>
        (await journal.newestIn(loops, kinds)).toSorted((a, b) => a.entry.seq - b.entry.seq),
  ),
  fc.tuple(fc.integer({ min: -1, max: 30 }), fc.nat(6), of).map(
    ([after, most, what]): Call =>
      (journal) =>
        journal.entriesAfter(after, most, what),
  ),
  fc.tuple(fc.constantFrom("", "a", "a-1", "\u{1f600}", "z"), fc.nat(4)).map(
    ([prefix, most]): Call =>
      (journal) =>
        journal.runsLike(prefix, most),
  ),
  fc.tuple(number, number).map(
    ([after, upTo]): Call =>
      (journal) =>
        journal.lines(after, upTo),
  ),
  fc.array(number, { maxLength: 4 }).map(
    (seqs): Call =>
      (journal) =>
        journal.hashesAt(seqs),
  ),
  fc.record({ loop, run, round: fc.constantFrom("r.1", "r.2"), day: fc.constantFrom("2026-03-28", "2024-02-29") }).map(
    (where): Call =>
      (journal) =>
        journal.taken(where),
  ),
);

/** Everything that can be read without a question of one's own. */
const readAll: Call = async (journal) => ({
  head: await journal.head(),
  loops: await journal.loops(),
  entries: await journal.entriesAfter(0, 1000),
  story: await journal.story("a-1"),
  inspection: await journal.inspect(),
  ledger: plain(await journal.ledger()),
});

it.each(DRIVERS)("answers whatever it is asked as the journal on %s does", async (driver) => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
      const [memory, stored] = [createMemoryJournal(tickingClock()), await openJournal(folders.make(), driver)];
      for (const one of [...calls, readAll]) expect(await answerTo(one, memory)).toEqual(await answerTo(one, stored));
      stored.close();
    }),
    tries(20),
  );
});

const answerTo = (one: Call, journal: Journal): Promise<unknown> => one(journal).catch((error: unknown) => `${error}`);

/** Sums that came to nothing again may be there or not. */
function plain({ taken, spent, open, day }: Replayed) {
  const sums = (map: ReadonlyMap<string, Amounts>) =>
    Object.fromEntries([...map].filter(([, some]) => Object.values(some).some((amount) => amount !== 0)).sort());
  return { taken: sums(taken), spent: sums(spent), open: Object.fromEntries(open), day };
}
