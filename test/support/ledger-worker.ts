// A process of its own that does with the ledger what it is told to, a line at a time.
// node ledger-worker.mjs <driver> <folder> <cap>
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { createCensus } from "../../src/world/process/census.ts";
import type { DriverName } from "../../src/world/store/sqlite.ts";
import { createStore } from "../../src/world/store/store.ts";
import { askFor, capOf } from "./ledgers.ts";

export type Told =
  | { readonly do: "reserve"; readonly amount: number }
  /** Of what is open here, the oldest, and never more than is left of it. */
  | { readonly do: "spend" | "settle"; readonly amount: number };

const [driver, folder, cap] = process.argv.slice(2) as [DriverName, string, string];
const { self, isGone } = createCensus();
const place = { loop: "a", run: `p${process.pid}` };
const journal = await openSqliteJournal(createStore(folder, driver), { now: () => new Date() });
const open: { readonly seq: number; left: number }[] = [];

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line) as Told; // as the test writes it
  await obey(told);
  writeSync(1, "done\n");
}
journal.close();

async function obey({ do: deed, amount }: Told): Promise<void> {
  if (deed === "reserve") {
    const answer = await journal.reserve(place, askFor(amount, { caps: [capOf("machine-day", Number(cap))], owner: self(), isGone }));
    if (answer.kind === "reserved") open.push({ seq: answer.entry.seq, left: amount });
    return;
  }
  const held = deed === "settle" ? open.shift() : open[0];
  if (!held) return;
  const microUsd = Math.min(amount, held.left);
  held.left -= microUsd;
  const [reservation, amounts] = [held.seq, { microUsd }];
  if (deed === "settle")
    await journal.append([{ ...place, record: { kind: "settled", roundId: "r.1", reservation, amounts, basis: "reported" } }]);
  else
    await journal.append([
      { ...place, record: { kind: "spent", roundId: "r.1", spend: { usd: microUsd / 1e6, tokens: 0 }, amounts, reservation } },
    ]);
}
