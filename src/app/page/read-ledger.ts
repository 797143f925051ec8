// The journal itself, page by page, searched at a bounded cost, and whether it is whole.
import type { LedgerPage, VerificationView } from "../../contract/api.ts";
import type { Entry } from "../../contract/record.ts";
import type { Kind, Of } from "../../journal/journal.ts";
import type { House } from "../open-house.ts";
import type { HomeVerification } from "../records/verify-home.ts";
import { verifyWhole } from "../records/verify-whole.ts";
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

/** Everything that was found about the journal and what its records name. */
export type LookThrough = () => Promise<
  Omit<HomeVerification, "problems"> & {
    readonly problems: readonly { readonly what: string; readonly seq?: number | undefined; readonly why: string }[];
  }
>;

/** Where nobody starts processes. */
export const lookHere =
  (house: Pick<House, "journal" | "signing" | "artifacts">): LookThrough =>
  () =>
    verifyWhole(house);

/** A look is good for as long, whatever is written meanwhile: and for longer where it took long, so that looking never takes all. */
const GOOD_MS = 30_000;
const GOOD_TIMES = 20;

/** Looks through the whole journal, once at a time; who asks meanwhile is told how far the last look came. */
export function createVerification(
  house: Pick<House, "journal" | "clock">,
  lookThrough: LookThrough,
  patience: () => Promise<void>,
): () => Promise<VerificationView> {
  let last: (VerificationView & { readonly goodUntil: number }) | undefined;
  let looking: Promise<VerificationView> | undefined;

  async function look(upTo: number): Promise<VerificationView> {
    const [began, at] = [house.clock.monotonicMs(), house.clock.now().toISOString()];
    const found = foundOf(await lookThrough());
    const ended = house.clock.monotonicMs();
    last = { state: "done", upTo, at, found, goodUntil: ended + Math.max(GOOD_MS, GOOD_TIMES * (ended - began)) };
    return shown(last);
  }

  return async () => {
    const upTo = (await house.journal.head())?.seq ?? 0;
    if (last && house.clock.monotonicMs() < last.goodUntil) return shown(last);
    if (!looking)
      looking = look(upTo).finally(() => {
        looking = undefined;
      });
    // What fails while nobody waits for it fails again for whoever asks next, and harms nobody else in this process.
    looking.catch(() => {});
    // Later ones go on while the last one is shown.
    if (last) return { ...shown(last), state: "looking" };
    // The first one is waited for, but not for ever; it goes on.
    const notYet = patience().then((): VerificationView => ({ state: "looking", upTo, at: house.clock.now().toISOString(), found: null }));
    return Promise.race([looking, notYet]);
  };
}

const shown = ({ state, upTo, at, found }: VerificationView): VerificationView => ({ state, upTo, at, found });

const foundOf = ({
  kind,
  entries,
  chain,
  signedUpTo,
  checkpoints,
  receipts,
  firstBad,
  problems,
  notChecked,
}: Awaited<ReturnType<LookThrough>>): VerificationView["found"] => ({
  kind,
  entries,
  signedUpTo,
  checkpoints,
  receipts,
  notChecked,
  chain: chain ?? null,
  firstBad: firstBad ?? null,
  problems: problems.slice(0, 200).map(({ what, seq, why }) => ({ what, seq: seq ?? null, why })),
});
