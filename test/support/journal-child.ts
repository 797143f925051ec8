// A process of its own that uses a journal or a lock as it is told, and says on stdout what was acknowledged.
// node journal-child.mjs <what> <driver> <path> <count>
import { writeSync } from "node:fs";
import { MIGRATIONS } from "../../src/journal/migrations.ts";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { createFileLocks } from "../../src/world/store/locks.ts";
import type { DriverName } from "../../src/world/store/sqlite.ts";
import { createStore } from "../../src/world/store/store.ts";
import { appendOne, note } from "./journals.ts";

const [what, driver, path, count] = process.argv.slice(2) as [string, DriverName, string, string | undefined];
const clock = { now: () => new Date() };
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

if (what === "hold") {
  say((await createFileLocks(() => path, driver).hold("it", { ms: Number(count ?? 0) })) ? "held" : "refused");
  setInterval(() => {}, 1000);
}
if (what === "migrate") {
  const journal = await openSqliteJournal(createStore(path, driver), clock, [...MIGRATIONS, "create table inbox (id integer primary key)"]);
  say(await journal.inspect());
  journal.close();
}
if (what === "append") {
  const journal = await openSqliteJournal(createStore(path, driver), clock);
  for (let number = 0; number < Number(count); number++) {
    const started = performance.now();
    const by = `${process.pid}/${number} ${"x".repeat((number * 997) % 6000)}`;
    const { seq, hash, run } = await appendOne(journal, { loop: "a", run: `p${process.pid}` }, note(by));
    say({ seq, hash, run, tookMs: performance.now() - started });
  }
  journal.close();
}
