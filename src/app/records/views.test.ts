import { afterEach, expect, it } from "vitest";
import { createFolders, withJournal } from "../../../test/support/journals.ts";
import type { RunOpened } from "../../contract/record.ts";
import { LoopSpec } from "../../contract/spec.ts";
import { createLocks } from "../../world/store/locks.ts";
import { driverName } from "../../world/store/sqlite.ts";
import { findHome } from "../home.ts";
import { openRecords, type Records } from "../open-records.ts";
import { viewLoops } from "./views.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const NOON = "2026-11-01T12:00:00.000Z";

const opened = (about: Partial<RunOpened>): RunOpened => ({
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "fix",
    intent: "Fix.",
    level: "L2",
    trigger: { use: "every", with: { interval: "1h" } },
    maker: { use: "shell", with: { run: "true" } },
    verifiers: [{ use: "command", with: { run: "true" } }],
  }),
  specHash: "",
  specPath: "/s.yaml",
  folder: "/",
  repo: "/r",
  base: { ref: "main", commit: "b" },
  cursors: {},
  version: "1",
  ...about,
});

/** What is seen of a home in which one run was opened. */
async function seen<T>(record: RunOpened, look: (records: Records) => Promise<T>): Promise<T> {
  const home = findHome(folders.make(), { get: () => undefined }, "linux", "/");
  await withJournal(home.folder, driverName(), (journal) => journal.append([{ loop: "fix", run: "fix-1", record }]));
  const records = await openRecords(home);
  try {
    return await look(records);
  } finally {
    await records.close();
  }
}

it.each([
  ["as it was written down when the run opened", { nextDue: NOON }, () => NOON],
  ["as never, where that was written down", { nextDue: null }, () => null],
  [
    "worked out of the spec, in records from before it was written down",
    {},
    (at: string) => new Date((Math.floor(Date.parse(at) / 3_600_000) + 1) * 3_600_000).toISOString(),
  ],
])("tells when a loop is due next, %s", async (_, about, due) => {
  const [view] = await seen(opened(about), viewLoops);

  expect(view?.nextDue).toBe(due(view?.last?.openedAt ?? ""));
});

it("tells a loop that somebody runs from one that was interrupted, without taking its lock", async () => {
  const states = await seen(opened({ nextDue: null }), async (records) => {
    const look = async () => (await viewLoops(records)).map(({ state }) => state);
    const before = await look();
    const lock = await createLocks(records.home.folder).hold("loop fix", { ms: 0 });
    const during = await look();
    await lock?.release();
    return [before, during];
  });

  expect(states).toEqual([["interrupted"], ["running"]]);
});
