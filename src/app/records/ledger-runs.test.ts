import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { appendOne, createFolders, DRIVERS, withDatabase, withJournal } from "../../../test/support/journals.ts";
import type { Evidence } from "../../contract/evidence.ts";
import type { Entry, LoopRecord, RunOpened } from "../../contract/record.ts";
import { LoopSpec } from "../../contract/spec.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Rest } from "../../contract/verdict.ts";
import { createRunCounter, journalSource } from "./ledger-runs.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());
const [driver] = DRIVERS;

const opened: RunOpened = {
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({ name: "fix", intent: "Fix it.", level: "L2", maker: { use: "shell" }, verifiers: [{ use: "command" }] }),
  specHash: "",
  specPath: "",
  folder: "/s",
  repo: "/r",
  base: { ref: "main", commit: "b" },
  cursors: {},
  version: "0",
};
const round = { id: "r1", run: "fix-1", loop: "fix", number: 1, base: "b", openedAt: "", lessons: [] };
const evidence: Evidence = {
  proposal: {
    kind: "commit",
    commit: "c0ffee",
    tree: "7ee",
    changes: [],
    diff: { sha256: "d", bytes: 1, truncated: false },
    talk: { ended: "finished", summary: untrustedText("done") },
  },
  findings: [{ rule: "r", severity: "low", where: "w", why: "y" }],
  proofs: [],
};
const accept: Rest = { kind: "accept", action: "propose" };
const rested = (rest: Rest): LoopRecord => ({ kind: "run-rested", rest, report: { sha256: "e", bytes: 1, truncated: false } });
const proven: readonly LoopRecord[] = [
  opened,
  { kind: "round-opened", round },
  { kind: "spent", roundId: "r1", spend: { usd: 0.5, tokens: 10 } },
  { kind: "round-closed", roundId: "r1", evidence, verdict: accept as never },
  rested(accept),
];
const nothing = { log: "", keys: [] };

function count(...records: readonly (readonly [run: string, record: LoopRecord])[]) {
  const counter = createRunCounter();
  records.forEach(([run, record], index) => {
    const entry: Entry = { seq: index + 1, at: `2026-01-01T00:00:0${index}.000Z`, loop: "fix", run, record, prev: "", hash: `h${index}` };
    counter.line(JSON.stringify(entry));
  });
  return counter.end();
}

it("counts a run the same from a journal as from the lines of a chain", async () => {
  const folder = folders.make();
  const source = await withJournal(folder, driver!, async (journal) => {
    for (const record of proven) await appendOne(journal, { loop: "fix", run: "fix-1" }, record);
    return journalSource(journal, "home", nothing);
  });
  const told = {
    system: "loopwright",
    loop: "fix",
    maker: "shell",
    result: "passed",
    commit: "c0ffee",
    tree: "7ee",
    rounds: 1,
    usd: 0.5,
    findings: 1,
  };

  expect(source).toEqual({
    label: "home",
    system: "loopwright",
    runs: [{ ...told, id: expect.stringMatching(/^loopwright:fix-1:[0-9a-f]{64}$/), at: "2025-01-01T00:00:04.000Z" }],
    chain: { kind: "whole", entries: 5, note: "nothing of it is signed yet: an end that was cut off shows only in the marks beside it" },
  });
  expect(count(...proven.map((record) => ["fix-1", record] as const))).toEqual({
    runs: [{ ...told, id: "loopwright:fix-1:h0", at: "2026-01-01T00:00:04.000Z" }],
    problems: [],
  });
});

it("names the record that was changed, and still counts the run", async () => {
  const folder = folders.make();
  await withJournal(folder, driver!, async (journal) => {
    for (const record of proven) await appendOne(journal, { loop: "fix", run: "fix-1" }, record);
  });
  withDatabase(folder, driver!, (db) => db.run("update records set at = '2020-01-01T00:00:00.000Z' where seq = 3"));

  const source = await withJournal(folder, driver!, (journal) => journalSource(journal, "home", nothing));

  expect(source.chain).toMatchObject({ kind: "broken", at: 3, why: "record 3: this record is not what was written" });
  expect(source.runs.map(({ result }) => result)).toEqual(["passed"]);
});

it("does not take what is left of a damaged file for all there was", async () => {
  const folder = folders.make();
  await withJournal(folder, driver!, (journal) => appendOne(journal, { loop: "fix", run: "fix-1" }, opened));
  writeFileSync(join(folder, "journal.db"), "no database any more");
  rmSync(join(folder, "journal.head"));

  const source = await withJournal(folder, driver!, (journal) => journalSource(journal, "home", nothing));

  expect(source).toMatchObject({
    runs: [],
    chain: { kind: "broken", at: 1, why: "its file was found damaged, and nobody knows what is missing" },
  });
});

it("takes an empty journal for no proof of anything (loopgen 22)", async () => {
  const source = await withJournal(folders.make(), driver!, (journal) => journalSource(journal, "home", nothing));

  expect(source.chain).toEqual({ kind: "unreadable", why: "it holds no record, which is also how a deleted journal looks" });
});

it("does not believe signed checkpoints that nobody's key fits", async () => {
  const source = await withJournal(folders.make(), driver!, async (journal) => {
    await appendOne(journal, { loop: "fix", run: "fix-1" }, opened);
    return journalSource(journal, "home", { log: "{}\n", keys: [] });
  });

  expect(source.chain).toMatchObject({
    kind: "broken",
    at: 1,
    why: expect.stringContaining("its signed checkpoints cannot be believed from line 1"),
  });
});

it("goes on with a run whose question was answered, and not with one that is over", () => {
  const question: Rest = { kind: "escalate", because: "question", reason: "which?" };
  const asked: LoopRecord = { kind: "round-closed", roundId: "r1", evidence, verdict: question };

  const { runs } = count(
    ["fix-1", opened],
    ["fix-1", { kind: "round-opened", round }],
    ["fix-1", asked],
    ["fix-1", rested(question)],
    ["fix-1", { kind: "answered", text: "this one", by: "ada" }],
    ["fix-1", rested(accept)],
    ["fix-1", rested({ kind: "halt", because: "bug", reason: "too late" })],
    ["fix-2", opened],
  );

  expect(runs.map(({ id, result }) => [id, result])).toEqual([
    ["loopwright:fix-1:h0", "passed"],
    ["loopwright:fix-2:h7", "unknown"],
  ]);
});

it("names a run with a record of a kind that nobody knows, and counts it as unknown", () => {
  const { runs, problems } = count(["fix-1", opened], ["fix-1", { kind: "from-tomorrow" } as never], ["fix-1", rested(accept)]);

  expect(runs.map(({ result }) => result)).toEqual(["unknown"]);
  expect(problems).toMatchObject([{ at: 2, why: expect.stringMatching(/^the run fix-1 cannot be read: .*does not know/) }]);
});
