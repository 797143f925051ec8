// The journal in an array, its ledger worked out from the records each time: the slow and obvious one, which the stores are held to.
import type { Clock } from "../contract/clock.ts";
import type { Entry, Reserved } from "../contract/record.ts";
import { entryHash, entryLine, GENESIS } from "../std/chain.ts";
import { canonicalJson } from "../std/hash.ts";
import {
  type Answer,
  type Ask,
  asked,
  type EntryOf,
  type Journal,
  type Kind,
  type Line,
  type Of,
  type Only,
  type Overtaken,
  type Place,
  pageOf,
  windowOf,
} from "./journal.ts";
import {
  grantAll,
  heldIn,
  laterDay,
  leftOver,
  minus,
  type OpenReservation,
  type Replayed,
  replay,
  reservedBy,
  talliesAt,
  tallyKeys,
} from "./ledger.ts";
import { MEND_PLACE } from "./mend.ts";
import { readBack, type Written, writeOut } from "./write-out.ts";

const LINES_A_PAGE = 64;

/** Journals with the same entries are handles of the same journal. Nothing here waits, so that whatever it does is done at once. */
export function createMemoryJournal(clock: Pick<Clock, "now">, entries: Entry[] = []): Journal {
  let closed = false;

  /** What this handle may still be asked. */
  function open(): readonly Entry[] {
    if (closed) throw new Error("the journal was closed, and is used");
    return entries;
  }

  const newestFirst = (): readonly Entry[] => open().toReversed();
  const ledger = (): Replayed => replay(open());

  function seal(written: Written): Entry {
    const { place, at = clock.now().toISOString(), body } = written;
    const last = open().at(-1);
    const unsealed = { ...place, seq: (last?.seq ?? 0) + 1, prev: last?.hash ?? GENESIS, at };
    const entry = { ...unsealed, hash: entryHash(unsealed, body), record: readBack(written) };
    entries.push(entry);
    return entry;
  }

  function append(lines: readonly Line[]): Promise<readonly Entry[]>;
  function append(lines: readonly Line[], only: Only | readonly Only[] | undefined): Promise<readonly Entry[] | Overtaken>;
  async function append(lines: readonly Line[], only?: Only | readonly Only[]): Promise<readonly Entry[] | Overtaken> {
    // All are written out before anything else: one that cannot be written leaves none behind.
    const all = lines.map(writeOut);
    for (const one of asked(only)) {
      const newest = newestFirst().find((entry) => isOf(entry, { ...one.in, kinds: one.kinds }))?.seq ?? 0;
      if (newest !== one.newest) return { kind: "overtaken", newest };
    }
    return all.map(seal);
  }

  function reserveNow(place: Place, ask: Ask): Answer {
    const settled = settle(({ owner }) => ask.isGone(owner));
    const { taken, open: reserved, day: known } = ledger();
    const day = laterDay(known, ask.today);
    const parent = ask.within === undefined ? undefined : reserved.get(ask.within);
    const left = parent?.left ?? {};
    const granted = grantAll(
      ask,
      { ...place, round: ask.roundId, day },
      {
        takenAt: (key) => minus(taken.get(key) ?? {}, left),
        heldAt: (key) => minus(heldIn(reserved.values(), key), left),
      },
    );
    if (granted.kind === "refused") return granted;
    const record = reservedBy(ask, granted.amounts, { day, within: parent?.seq });
    return { kind: "reserved", entry: seal(writeOut({ ...place, record })) as Entry<Reserved>, settled }; // the record that was just made
  }

  /** A process that is gone cannot say what it spent: it may have been all of it. */
  function settle(isMeant: (reservation: OpenReservation) => boolean): readonly Entry[] {
    const note = "nobody said what it came to: the process that reserved it was gone";
    // To settle one in full moves no other, so that what is left of each can be read before.
    const gone = [...ledger().open.values()].filter(isMeant).toSorted((a, b) => a.seq - b.seq);
    return gone.map((open) => {
      const { seq, loop, run, roundId, who } = open;
      const amounts = leftOver(open, entries.find((entry) => entry.seq === seq)?.at, clock.now());
      return seal(writeOut({ loop, run, record: { kind: "settled", roundId, reservation: seq, amounts, basis: "unknown", who, note } }));
    });
  }

  return {
    mended: undefined,
    append,
    draft: (line) => {
      const { place, at = clock.now().toISOString(), body } = writeOut(line);
      return { ...place, at, record: readBack({ body }) };
    },
    async reserve(place, ask, lines = []) {
      const before = lines.map(writeOut).map(seal);
      const answer = reserveNow(place, ask);
      return lines.length === 0 ? answer : { ...answer, before };
    },
    settleLeftovers: async (run) => settle((reservation) => reservation.run === run),
    ledger: async () => ledger(),
    held: async (place) => talliesAt(tallyKeys(place), (key) => heldIn(ledger().open.values(), key)),
    taken: async (place) => talliesAt(tallyKeys(place), (key) => ledger().taken.get(key) ?? {}),
    story: async (run) => ({ entries: open().filter((entry) => entry.run === run), damaged: [] }),
    newestOf: async (loop, kind, { after = 0, before = Number.POSITIVE_INFINITY, most }) =>
      newestFirst()
        .filter(isKind(kind))
        .filter((entry) => entry.loop === loop && after < entry.seq && entry.seq < before)
        .slice(0, Math.max(0, most)),
    newestIn: async (loops, kinds) =>
      loops.flatMap((loop) =>
        kinds.flatMap((kind) => {
          const all = open().filter((entry) => isOf(entry, { loop, kinds: [kind] }));
          const [first, entry] = [all[0], all.at(-1)];
          return first && entry ? [{ entry, first: first.seq }] : [];
        }),
      ),
    entriesAfter: async (sequence, most, of = {}) =>
      open()
        .filter((entry) => entry.seq > sequence && isOf(entry, of))
        .slice(0, Math.max(0, most)),
    entriesBefore: async (sequence, looking, of = {}) => {
      const { from, to } = windowOf(open().at(-1)?.seq ?? 0, sequence, looking);
      const meant = newestFirst().filter((entry) => from <= entry.seq && entry.seq < to && isOf(entry, of));
      return pageOf(meant.slice(0, Math.max(0, looking.most)), from, looking);
    },
    runsLike: async (prefix, most) =>
      open()
        .filter(isKind("run-opened"))
        .filter(({ run }) => run.startsWith(prefix))
        .toSorted((a, b) => byCodePoints(a.run, b.run) || a.seq - b.seq)
        .slice(0, Math.max(0, most)),
    loops: async () => [...new Set(open().map(({ loop }) => loop))].filter((loop) => loop !== MEND_PLACE.loop).toSorted(byCodePoints),
    head: async () => {
      const [first, last] = [open()[0], open().at(-1)];
      return first && last && { chain: first.hash, seq: last.seq, hash: last.hash };
    },
    hashesAt: async (seqs) => new Map(open().flatMap(({ seq, hash }) => (seqs.includes(seq) ? [[seq, hash] as const] : []))),
    lines: async (after, upTo) => {
      const page = open()
        .filter(({ seq }) => after < seq && seq <= upTo)
        .slice(0, LINES_A_PAGE);
      const last = page.at(-1);
      return last && { text: page.map((entry) => entryLine(entry, canonicalJson(entry.record))).join(""), last: last.seq };
    },
    inspect: async () => ({ entries: open().length, whole: true, damage: [] }),
    close() {
      closed = true;
    },
  };
}

const isOf = ({ loop, run, record }: Entry, of: Of): boolean =>
  (of.loop === undefined || of.loop === loop) &&
  (of.run === undefined || of.run === run) &&
  (of.kinds === undefined || of.kinds.includes(record.kind));

const isKind =
  <K extends Kind>(kind: K) =>
  (entry: Entry): entry is EntryOf<K> =>
    entry.record.kind === kind;

/** As the bytes of UTF-8 sort. */
function byCodePoints(a: string, b: string): number {
  const [ours, theirs] = [[...a], [...b]];
  const index = ours.findIndex((char, at) => char !== theirs[at]);
  if (index === -1) return ours.length - theirs.length;
  return (ours[index]?.codePointAt(0) ?? 0) - (theirs[index]?.codePointAt(0) ?? -1);
}
