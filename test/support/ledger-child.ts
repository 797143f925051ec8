// A process of its own that reserves and settles at one cap until it is told to stop, or killed.
// node ledger-child.mjs <driver> <folder> <cap> <size> <times>
import { writeSync } from "node:fs";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { createCensus } from "../../src/world/process/census.ts";
import type { DriverName } from "../../src/world/store/sqlite.ts";
import { createStore } from "../../src/world/store/store.ts";
import { askFor, capOf } from "./ledgers.ts";

const [driver, folder, cap, size, times] = process.argv.slice(2) as [DriverName, string, string, string, string];
const { self, isGone } = createCensus();
const place = { loop: "a", run: `p${process.pid}` };
const journal = await openSqliteJournal(createStore(folder, driver), { now: () => new Date() });
let granted = 0;
for (let number = 0; number < Number(times); number++) {
  const caps = [capOf("machine-day", Number(cap))];
  const answer = await journal.reserve(place, askFor(Number(size), { caps, owner: self(), isGone }));
  if (answer.kind === "refused") break;
  granted++;
  writeSync(1, "reserved\n");
  // Every third call comes to less than was reserved.
  const microUsd = number % 3 === 0 ? Math.floor(Number(size) / 2) : Number(size);
  const reservation = answer.entry.seq;
  await journal.append([
    { ...place, record: { kind: "settled", roundId: "r.1", reservation, amounts: { microUsd, calls: 1 }, basis: "reported" } },
  ]);
}
writeSync(1, `${granted}\n`);
journal.close();
