// The ledger in the store: the same sums as a replay of the journal, kept beside it in the same transactions. Every function
// here must run inside one.
import { type Amounts, MEASURES, type Measure } from "../contract/ledger.ts";
import type { Entry } from "../contract/record.ts";
import type { Database, Row } from "../contract/store.ts";
import { effectOf, type OpenReservation, type Replayed } from "./ledger.ts";
import { readEntry, readRowsAfter, textOf } from "./rows.ts";

const COLUMNS = MEASURES.join(", ");

interface State {
  /** The last record that is in. */
  readonly upto: number;
  readonly day: string | undefined;
}

function stateOf(db: Database): State {
  const [row] = db.all("select cast(body as blob) as body from ledger where sums = 'state' and key = ''");
  const [, upto = "0", day] = /^(\d+) (.*)$/.exec(textOf(row?.body)) ?? [];
  return { upto: Number(upto), day: day || undefined };
}

/** Enters what was written without passing by here: the records of an older store, or of one that was mended. */
export function catchUp(db: Database): { readonly day: string | undefined } {
  const { upto, day: known } = stateOf(db);
  let day = known;
  const [last] = db.all("select max(seq) as top from records where seq > ? and kind in ('reserved', 'spent', 'settled')", upto);
  if (last?.top == null) return { day };
  for (const row of readRowsAfter(db, upto, { where: "kind in ('reserved', 'spent', 'settled')" })) {
    const entry = readEntry(row);
    if (entry) day = enter(db, entry, day);
  }
  return { day };
}

/** Enters one record that was just written; those before it are in. Gives the day it is. */
export function enter(db: Database, entry: Entry, known: string | undefined): string | undefined {
  const effect = effectOf(entry, { openOf: (seq) => findOpen(db, seq), day: known });
  const day = effect.day ?? known;
  if (effect.close !== undefined) db.run("delete from ledger where sums = 'open' and key = ?", openKey(effect.close));
  keep(db, [
    ...effect.moves.map(({ into, key, amounts }) => ({ sums: into, key, amounts, body: "" })),
    ...(effect.open ?? []).map((open) => ({ sums: "open", key: openKey(open.seq), amounts: {}, body: JSON.stringify(open) })),
    { sums: "state", key: "", amounts: {}, body: `${entry.seq} ${day ?? ""}` },
  ]);
  return day;
}

/** So that they sort as their numbers do. */
const openKey = (seq: number): string => String(seq).padStart(16, "0");

/** All in one statement: amounts are added to what is there, and texts take the place of it. Only measures that move are named. */
function keep(
  db: Database,
  lines: readonly { readonly sums: string; readonly key: string; readonly amounts: Amounts; readonly body: string }[],
): void {
  const moved = MEASURES.filter((measure) => lines.some(({ amounts }) => amounts[measure] !== undefined));
  const columns = ["sums", "key", "body", ...moved];
  const holes = lines.map(() => `(${columns.map(() => "?").join(", ")})`).join(", ");
  const values = lines.flatMap(({ sums, key, body, amounts }) => [sums, key, body, ...moved.map((measure) => amounts[measure] ?? 0)]);
  const changes = ["body = excluded.body", ...moved.map((measure) => `${measure} = ${measure} + excluded.${measure}`)].join(", ");
  db.run(`insert into ledger (${columns.join(", ")}) values ${holes} on conflict (sums, key) do update set ${changes}`, ...values);
}

export function findOpen(db: Database, seq: number): OpenReservation | undefined {
  const [row] = db.all("select cast(body as blob) as body from ledger where sums = 'open' and key = ?", openKey(seq));
  return row && openIn(row);
}

export const openReservations = (db: Database): readonly OpenReservation[] =>
  db.all("select cast(body as blob) as body from ledger where sums = 'open' order by key").map(openIn);

/** When it was reserved; undefined where that record cannot be read any more. */
export function reservedAt(db: Database, seq: number): string | undefined {
  const [row] = db.all("select at from records where seq = ?", seq);
  return typeof row?.at === "string" ? row.at : undefined;
}

const openIn = ({ body }: Row): OpenReservation => JSON.parse(textOf(body)) as OpenReservation; // as `enter` writes it

export function takenIn(db: Database, key: string): Amounts {
  const [row] = db.all(`select ${COLUMNS} from ledger where sums = 'taken' and key = ?`, key);
  return row ? amountsIn(row) : {};
}

/** The whole of it, to be shown or compared with a replay. */
export function readLedger(db: Database): Replayed {
  const { day } = catchUp(db);
  const sums = (name: string): ReadonlyMap<string, Amounts> =>
    new Map(
      db
        .all(`select cast(key as blob) as key, ${COLUMNS} from ledger where sums = ?`, name)
        .map((row) => [textOf(row.key), amountsIn(row)]),
    );
  return { taken: sums("taken"), spent: sums("spent"), open: new Map(openReservations(db).map((open) => [open.seq, open])), day };
}

function amountsIn(row: Row): Amounts {
  const amounts: { [M in Measure]?: number } = {};
  for (const measure of MEASURES) if (Number(row[measure]) !== 0) amounts[measure] = Number(row[measure]);
  return amounts;
}
