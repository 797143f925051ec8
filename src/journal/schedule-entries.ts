// The records that a loop's schedule begins anew from: few, whatever its history, and in the order of the journal.
import type { Entry } from "../contract/record.ts";
import type { EntryOf, JournalReader, Kind } from "./journal.ts";
import { HOME_PLACE } from "./known-loops.ts";

type Reader = Pick<JournalReader, "newestOf" | "entriesAfter">;

/** What stands as the newest of it says, and is looked for before the records that follow one another. */
const LASTING = ["loop-known", "loop-wrong", "loop-removed", "loop-paused", "loop-halted", "loop-resumed", "absence-told"] as const;
/** What belongs to a loop's schedule. */
export const SCHEDULING: readonly Kind[] = ["waking", "heard", ...LASTING];
const PAGE = 64;

export async function readScheduleEntries(journal: Reader, loop: string): Promise<readonly Entry[]> {
  const setBacks = await journal.newestOf(HOME_PLACE.loop, "clock-set-back", { most: PAGE });
  const covered = await newestWaking(journal, loop, ({ record }) => record.since !== undefined);
  const from = Math.min(
    covered?.seq ?? 0,
    await firstUnanswered(journal, loop),
    await firstUndone(journal, loop, setBacks, covered?.seq ?? 0),
  );
  const before = (await Promise.all(LASTING.map((kind) => journal.newestOf(loop, kind, { before: Math.max(1, from), most: 1 })))).flat();
  const after = await all(journal, Math.max(0, from - 1), { loop, kinds: SCHEDULING });
  const undone = setBacks.filter(({ seq }) => seq >= from);
  return [...before, ...after, ...undone].toSorted((a, b) => a.seq - b.seq);
}

/** What came since, of the loop and of the home's clock, each after the last that is known of it. */
export async function scheduleEntriesAfter(
  journal: Reader,
  loop: string,
  known: { readonly own: number; readonly home: number },
): Promise<readonly Entry[]> {
  const home = await journal.newestOf(HOME_PLACE.loop, "clock-set-back", { after: known.home, most: PAGE });
  const own = await all(journal, known.own, { loop, kinds: SCHEDULING });
  return home.length === 0 ? own : [...own, ...home].toSorted((a, b) => a.seq - b.seq);
}

/** Something heard may wait for long, while the times around it come and go. */
async function firstUnanswered(journal: Reader, loop: string): Promise<number> {
  const [heard] = await journal.newestOf(loop, "heard", { most: 1 });
  if (!heard) return Number.MAX_SAFE_INTEGER;
  const answered = await newestWaking(journal, loop, ({ record }) => record.answered !== undefined);
  const [first] = await journal.entriesAfter(answered?.record.answered ?? 0, 1, { loop, kinds: ["heard"] });
  return first?.seq ?? Number.MAX_SAFE_INTEGER;
}

/** What was recorded of later times than the clock was set back to is needed again, as far as it was not recorded anew since. */
async function firstUndone(
  journal: Reader,
  loop: string,
  setBacks: readonly EntryOf<"clock-set-back">[],
  covered: number,
): Promise<number> {
  const fresh = setBacks.filter(({ seq }) => seq > covered);
  if (fresh.length === 0) return Number.MAX_SAFE_INTEGER;
  const to = fresh.map(({ record }) => record.to).toSorted()[0] ?? "";
  let first = Number.MAX_SAFE_INTEGER;
  // Nothing is recorded of a time before it came: what was written before then is of no later one.
  await newestWaking(journal, loop, ({ seq, at }) => {
    if (at >= to) first = seq;
    return at < to;
  });
  return first;
}

async function newestWaking(
  journal: Reader,
  loop: string,
  isWanted: (entry: EntryOf<"waking">) => boolean,
): Promise<EntryOf<"waking"> | undefined> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await journal.newestOf(loop, "waking", { before, most: PAGE });
    const found = page.find(isWanted);
    if (found || page.length < PAGE) return found;
    before = page.at(-1)?.seq ?? 0;
  }
}

async function all(
  journal: Reader,
  sequence: number,
  of: { readonly loop: string; readonly kinds: readonly Kind[] },
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let after = sequence; ; after = entries.at(-1)?.seq ?? after) {
    const page = await journal.entriesAfter(after, PAGE, of);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}
