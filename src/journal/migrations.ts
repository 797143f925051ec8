// The tables of the store, as the steps by which they came to be; steps are added, and none is ever changed.
import { LoopError } from "../contract/errors.ts";
import { MEASURES } from "../contract/ledger.ts";
import type { Database } from "../contract/store.ts";

/** Each migration brings the store from its index to the next version. They are added to, never changed. */
export const MIGRATIONS: readonly string[] = [
  // The large column is last: the hash before it can be read without reading the record.
  `create table records (
     seq  integer primary key,
     at   text not null,
     loop text not null,
     run  text not null,
     kind text not null,
     prev text not null,
     hash text not null,
     body text not null
   ) strict;
   create index records_by_run on records (run, seq);
   create index records_by_kind on records (loop, kind, seq);`,
  // The ledger: sums of what the records say, kept in the same transactions, and made again from them where they are missing.
  // One table for all of it, so that a commit touches few pages: sums that are `taken` and `spent`, `open` reservations, and its `state`.
  `create table ledger (
     sums      text not null,
     key       text not null,
     ${MEASURES.map((measure) => `${measure} integer not null default 0`).join(",\n     ")},
     body      text not null default '',
     primary key (sums, key)
   ) strict, without rowid;`,
];

/** Brings the store to the newest version; safe when several processes do it at once. Must run inside a transaction. */
export function migrate(db: Database, migrations: readonly string[] = MIGRATIONS): void {
  const version = storeVersion(db);
  if (version > migrations.length) {
    throw new LoopError(
      "store-unusable",
      `this journal has version ${version}, and this loopwright knows versions up to ${migrations.length}`,
      {
        retry: "never",
        hint: "Use the newer loopwright that wrote it, or choose another home with --home or LOOPWRIGHT_HOME.",
      },
    );
  }
  for (const step of migrations.slice(Math.max(0, version))) db.exec(step);
  if (version < migrations.length) db.exec(`pragma user_version=${migrations.length}`);
}

export const storeVersion = (db: Database): number => Number(db.all("pragma user_version")[0]?.user_version ?? 0);
