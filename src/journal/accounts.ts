// Which accounts have reached a limit, by the records of the home: pure answers, and what a run reads and writes for them.
import type { HeldLock, Locks } from "../contract/locks.ts";
import type { Entry } from "../contract/record.ts";
import { sha256 } from "../std/hash.ts";
import type { EntryOf, Journal } from "./journal.ts";

/** Where records belong that are no loop's. */
const HOME_PLACE = { loop: "-", run: "-" } as const;

/** A limit that no call has ended yet: in force until then, and from then on one run tries whether it has passed. */
export interface SeenLimit {
  readonly account: string;
  readonly until: string;
  /** The number of the newest record that tells of it, and when it was written. */
  readonly seen: number;
  readonly seenAt: string;
}

/** No limit that can be believed lasts longer. */
const LONGEST_MS = 14 * 86_400_000;
/** Clocks differ: what passed so long ago may be passing now. */
const GRACE_MS = 60_000;

/** What is to be made of the time that a limit is said to pass at. `doubtful` ones are waited for like any other failure. */
export function weighReset(until: string | undefined, now: Date): "in-force" | "passing" | "doubtful" {
  const leftMs = until === undefined ? Number.NaN : Date.parse(until) - now.getTime();
  if (leftMs > 0 && leftMs <= LONGEST_MS) return "in-force";
  return leftMs <= 0 && leftMs >= -GRACE_MS ? "passing" : "doubtful";
}

/** One for each account, however often it was seen: the latest time counts. */
export function openLimits(entries: readonly Entry[]): readonly SeenLimit[] {
  const over = new Map<string, number>();
  for (const { record } of entries)
    if (record.kind === "limit-over") over.set(record.account, Math.max(record.seen, over.get(record.account) ?? 0));
  const open = new Map<string, SeenLimit>();
  for (const { seq, at, record } of entries) {
    if (record.kind !== "limit-seen" || seq <= (over.get(record.account) ?? 0)) continue;
    const { account, until } = record;
    const known = open.get(account) ?? { account, until, seen: seq, seenAt: at };
    const newest = seq >= known.seen ? { seen: seq, seenAt: at } : {};
    open.set(account, { ...known, ...newest, until: Date.parse(until) > Date.parse(known.until) ? until : known.until });
  }
  return [...open.values()];
}

/** Accounts that may not be used now, each with when it may be again. */
export const accountsUsedUp = (entries: readonly Entry[], now: Date): readonly SeenLimit[] =>
  openLimits(entries).filter(({ until }) => Date.parse(until) > now.getTime());

const MOST_JITTER_MS = 5 * 60_000;
/** So that those who wait for a short limit do not wait for long. */
const PART_OF_THE_WAIT = 10;

/** When a loop goes on after a limit: not all at once, and always the same for the same loop and limit. */
export function usableFrom({ until, seenAt }: Pick<SeenLimit, "until" | "seenAt">, loop: string): Date {
  const passesMs = Date.parse(until);
  const mostMs = Math.min(MOST_JITTER_MS, Math.max(0, passesMs - Date.parse(seenAt)) / PART_OF_THE_WAIT);
  const share = Number.parseInt(sha256(`${loop}\0${until}`).slice(0, 8), 16) / 2 ** 32;
  return new Date(passesMs + Math.floor(share * mostMs));
}

/** What a run asks and tells about the accounts that its makers use. */
export interface Accounts {
  /** The limit on an account that no call has ended yet. */
  limitOn(account: string): Promise<SeenLimit | undefined>;
  sawLimit(account: string, until: string, run: string): Promise<void>;
  /** A call came to something after that limit. */
  sawGood(limit: SeenLimit, run: string): Promise<void>;
  /** The right to try an account whose limit has passed; undefined while somebody else tries it. */
  holdToTry(account: string): Promise<HeldLock | undefined>;
}

/** How many records are looked at: more limits than these are not in force at once. */
const MOST_LIMITS = 200;

type Port = Pick<Journal, "newestOf" | "append">;

export function createAccounts(journal: Port, locks: Pick<Locks, "hold">): Accounts {
  return {
    async limitOn(account) {
      return (await readLimits(journal)).find((limit) => limit.account === account);
    },
    async sawLimit(account, until, run) {
      await journal.append([{ ...HOME_PLACE, record: { kind: "limit-seen", account, until, run } }]);
    },
    async sawGood({ account, seen }, run) {
      await journal.append([{ ...HOME_PLACE, record: { kind: "limit-over", account, seen, run } }]);
    },
    holdToTry: (account) => locks.hold(`account ${account}`, { ms: 0 }),
  };
}

/** All that no call has ended yet. */
const readLimits = async (journal: Pick<Journal, "newestOf">): Promise<readonly SeenLimit[]> => openLimits(await limitRecords(journal));

/** The records that say which accounts are used up. */
export async function limitRecords(
  journal: Pick<Journal, "newestOf">,
): Promise<readonly (EntryOf<"limit-seen"> | EntryOf<"limit-over">)[]> {
  const [seen, over] = await Promise.all([
    journal.newestOf(HOME_PLACE.loop, "limit-seen", { most: MOST_LIMITS }),
    journal.newestOf(HOME_PLACE.loop, "limit-over", { most: MOST_LIMITS }),
  ]);
  return [...seen, ...over];
}
