// A process of its own that uses a journal or a lock as it is told, and says on stdout what was acknowledged.
// node journal-child.mjs <what> <driver> <path> <count>
import { writeSync } from "node:fs";
import type { Database } from "../../src/contract/store.ts";
import { isOvertaken } from "../../src/journal/journal.ts";
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
/** Three records at a time; the count says at which record to die, before the others of its three are there. */
if (what === "append-threes") {
  const store = createStore(path, driver);
  let records = 0;
  const dying = (db: Database): Database => ({
    ...db,
    run(sql, ...values) {
      if (sql.startsWith("insert into records") && ++records === Number(count)) process.kill(process.pid, "SIGKILL");
      db.run(sql, ...values);
    },
  });
  const journal = await openSqliteJournal({ ...store, open: () => dying(store.open()) }, clock);
  for (let number = 0; ; number++) {
    const entries = await journal.append(
      [0, 1, 2].map((part) => ({ loop: "a", run: `p${process.pid}`, record: note(`${number}/${part}`) })),
    );
    say({ seq: entries[2]!.seq, hash: entries[2]!.hash, run: entries[2]!.run });
  }
}
/** Writes only where nobody was first, until it was so often enough; says what it wrote after what. */
if (what === "race") {
  const journal = await openSqliteJournal(createStore(path, driver), clock);
  let newest = 0;
  for (let won = 0; won < Number(count); ) {
    const lines = [note("first"), { kind: "run-resumed" } as const].map((record) => ({ loop: "a", run: `p${process.pid}`, record }));
    const answer = await journal.append(lines, { in: { loop: "a" }, kinds: ["run-resumed"], newest });
    if (!isOvertaken(answer)) {
      won++;
      say({ after: newest, seq: answer[1]!.seq });
    }
    newest = isOvertaken(answer) ? answer.newest : answer[1]!.seq;
  }
  journal.close();
}
if (what === "append") {
  const journal = await openSqliteJournal(createStore(path, driver), clock);
  for (let number = 0; number < Number(count); number++) {
    const by = `${process.pid}/${number} ${"x".repeat((number * 997) % 6000)}`;
    const { seq, hash, run } = await appendOne(journal, { loop: "a", run: `p${process.pid}` }, note(by));
    say({ seq, hash, run });
  }
  journal.close();
}
