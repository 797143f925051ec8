// Which loops the home looks after, and where their specs lie: a fold of what is on record about places and specs.
import { type EntryOf, entryOf, type JournalReader, lastOf, type Newest, newestByLoop } from "./journal.ts";
import { MEND_PLACE } from "./mend.ts";

/** What holds for the home as a whole belongs to no loop. */
export const HOME_PLACE = MEND_PLACE;

/** What says whether and how a loop is known; the newest of them counts. */
export const KNOWING = ["loop-known", "loop-wrong", "loop-removed"] as const;

/** A loop that was once made known, as the newest record about that says. */
export interface KnownLoop {
  readonly loop: string;
  /** `wrong`: its spec cannot be read or obeyed, and it does not wake until that is mended. */
  readonly state: "known" | "wrong" | "removed";
  /** Where its spec lies, or lay. */
  readonly path: string;
  /** The last one that could be read. */
  readonly good: EntryOf<"loop-known">;
  readonly problems: readonly string[];
  /** The number and the time of the newest record about it. */
  readonly seq: number;
  readonly since: string;
}

export async function readKnownLoop(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<KnownLoop | undefined> {
  const [known, wrong, removed] = await Promise.all([
    lastOf(journal, loop, "loop-known"),
    lastOf(journal, loop, "loop-wrong"),
    lastOf(journal, loop, "loop-removed"),
  ]);
  return known && knownAfter({ known, wrong, removed });
}

function knownAfter({
  known,
  wrong,
  removed,
}: {
  readonly known: EntryOf<"loop-known">;
  readonly wrong: EntryOf<"loop-wrong"> | undefined;
  readonly removed: EntryOf<"loop-removed"> | undefined;
}): KnownLoop {
  const newest = [wrong, removed].reduce<EntryOf<"loop-known" | "loop-wrong" | "loop-removed">>(
    (last, entry) => (entry && entry.seq > last.seq ? entry : last),
    known,
  );
  const base = { loop: known.loop, good: known, path: known.record.path, seq: newest.seq, since: newest.at };
  switch (newest.record.kind) {
    case "loop-known":
      return { ...base, state: "known", problems: [] };
    case "loop-wrong":
      return { ...base, state: "wrong", problems: newest.record.problems };
    case "loop-removed":
      return { ...base, state: "removed", problems: [] };
  }
}

/** Since when the loop is known with the trigger that it has, without a break; undefined where it is not known. */
export async function readTriggerKnownSince(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<string | undefined> {
  const known = await readKnownLoop(journal, loop);
  if (!known || known.state === "removed") return undefined;
  const removed = await lastOf(journal, loop, "loop-removed");
  let since = known.good;
  for (let before = known.good.seq; ; ) {
    const page = await journal.newestOf(loop, "loop-known", { after: removed?.seq ?? 0, before, most: PAGE });
    const other = page.findIndex(({ record }) => record.triggerHash !== since.record.triggerHash);
    since = (other === -1 ? page : page.slice(0, other)).at(-1) ?? since;
    const last = page.at(-1);
    if (other !== -1 || !last || page.length < PAGE) return since.at;
    before = last.seq;
  }
}

/** Every loop that was ever made known, removed ones as well, in the order of their names. */
export async function readKnownLoops(journal: Pick<JournalReader, "newestIn" | "loops">): Promise<readonly KnownLoop[]> {
  return [...(await newestByLoop(journal, KNOWING)).values()].flatMap((newest) => knownIn(newest) ?? []);
}

/** By the newest records of a loop; undefined where it was never made known. */
export function knownIn(newest: readonly Newest[]): KnownLoop | undefined {
  const known = entryOf(newest, "loop-known");
  return known && knownAfter({ known, wrong: entryOf(newest, "loop-wrong"), removed: entryOf(newest, "loop-removed") });
}

/** The same by their names, where those up to a record are known already: as much is read as came since. */
export async function readKnownSince(
  journal: Pick<JournalReader, "newestOf" | "newestIn" | "loops" | "entriesAfter">,
  before: { readonly known: ReadonlyMap<string, KnownLoop>; readonly upTo: number } | undefined,
): Promise<ReadonlyMap<string, KnownLoop>> {
  if (!before) return new Map((await readKnownLoops(journal)).map((known) => [known.loop, known]));
  const known = new Map(before.known);
  for (let after = before.upTo; ; ) {
    const page = await journal.entriesAfter(after, PAGE, { kinds: KNOWING });
    for (const loop of new Set(page.map((entry) => entry.loop))) {
      const now = await readKnownLoop(journal, loop);
      if (now) known.set(loop, now);
    }
    const last = page.at(-1);
    if (!last) return known;
    after = last.seq;
  }
}

/** What the home looks after besides loops. */
export interface HomePlaces {
  /** Files and folders, with who added them and the number of that record. */
  readonly places: readonly { readonly path: string; readonly by: string; readonly seq: number; readonly since: string }[];
  /** Files that are left out although they lie in a folder of these. */
  readonly leftOut: ReadonlySet<string>;
  /** What is wrong with files and folders that no known loop comes from. */
  readonly wrong: readonly { readonly path: string; readonly problems: readonly string[]; readonly since: string }[];
  /** The number of the newest of these records; 0 where there is none. */
  readonly newest: number;
}

export const PLACING = ["place-added", "place-removed", "loop-wrong", "loop-removed"] as const;
const PAGE = 1_000;

export async function readHomePlaces(journal: Pick<JournalReader, "entriesAfter">): Promise<HomePlaces> {
  const places = new Map<string, HomePlaces["places"][number]>();
  const wrong = new Map<string, HomePlaces["wrong"][number]>();
  const leftOut = new Set<string>();
  let newest = 0;
  for (;;) {
    const page = await journal.entriesAfter(newest, PAGE, { loop: HOME_PLACE.loop, kinds: PLACING });
    for (const { seq, at, record } of page) {
      newest = seq;
      if (record.kind === "place-added") {
        places.set(record.path, { path: record.path, by: record.by, seq, since: at });
        for (const path of leftOut) if (`${path}/`.startsWith(`${record.path}/`)) leftOut.delete(path);
      }
      if (record.kind === "place-removed") {
        places.delete(record.path);
        leftOut.add(record.path);
      }
      if (record.kind === "loop-wrong") wrong.set(record.path, { path: record.path, problems: record.problems, since: at });
      if (record.kind === "loop-removed") wrong.delete(record.path);
    }
    if (page.length === 0) return { places: [...places.values()], leftOut, wrong: [...wrong.values()], newest };
  }
}
