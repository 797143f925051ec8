// The journal itself, page by page, searched at a bounded cost, and whether it is whole.
import type { LedgerPage, VerificationView } from "../../contract/api.ts";
import type { Entry } from "../../contract/record.ts";
import type { Kind, Of } from "../../journal/journal.ts";
import type { House } from "../open-house.ts";
import { verifyWhole, type WholeVerification } from "../records/verify-whole.ts";
import type { PageRecords } from "./page-records.ts";

export interface LedgerAsk {
  readonly before?: number | undefined;
  readonly most: number;
  readonly loop?: string | undefined;
  readonly run?: string | undefined;
  readonly kind?: string | undefined;
  readonly q?: string | undefined;
}

/** At most so many records are looked at for one answer, and fewer where their text must be read. */
const LOOK = 20_000;
const LOOK_INTO = 2_000;

export async function readLedger(
  { journal }: Pick<PageRecords, "journal">,
  { before = Number.MAX_SAFE_INTEGER, most, loop, run, kind, q }: LedgerAsk,
): Promise<LedgerPage> {
  const asOf = (await journal.head())?.seq ?? 0;
  const of: Of = {
    ...(loop === undefined ? {} : { loop }),
    ...(run === undefined ? {} : { run }),
    ...(kind === undefined ? {} : { kinds: [kind as Kind] }), // one that there is not finds nothing
  };
  const top = Math.min(before, asOf + 1);
  const look = q === undefined ? LOOK : LOOK_INTO;
  const found = await journal.entriesBefore(top, { most: q === undefined ? most : look, look }, of);
  const fitting = q === undefined ? found.entries : found.entries.filter(holds(q));
  const items = fitting.slice(0, most);
  const next = items.length < fitting.length ? (items.at(-1)?.seq ?? 0) : found.next;
  return { items, next: next === 0 ? null : next, asOf, looked: top - Math.max(1, next) };
}

const holds = (q: string) => {
  const wanted = q.toLowerCase();
  return (entry: Entry): boolean => JSON.stringify(entry).toLowerCase().includes(wanted);
};

/** Looks through the whole journal, once at a time; who asks meanwhile is told how far the last look came. */
export function createVerification(house: Pick<House, "journal" | "signing" | "artifacts" | "clock">): () => Promise<VerificationView> {
  let last: VerificationView | undefined;
  let looking: Promise<VerificationView> | undefined;

  async function look(upTo: number): Promise<VerificationView> {
    const at = house.clock.now().toISOString();
    last = { state: "done", upTo, at, found: foundOf(await verifyWhole(house)) };
    return last;
  }

  return async () => {
    const upTo = (await house.journal.head())?.seq ?? 0;
    if (last?.upTo === upTo) return last;
    if (!looking)
      looking = look(upTo).finally(() => {
        looking = undefined;
      });
    // What fails while nobody waits for it fails again for whoever asks next, and harms nobody else in this process.
    looking.catch(() => {});
    // The first look is waited for; later ones go on while the last one is shown.
    return last ? { ...last, state: "looking" } : looking;
  };
}

const foundOf = ({ chain, firstBad, problems, ...found }: WholeVerification): VerificationView["found"] => ({
  ...found,
  chain: chain ?? null,
  firstBad: firstBad ?? null,
  problems: problems.slice(0, 200).map(({ what, seq, why }) => ({ what, seq: seq ?? null, why })),
});
