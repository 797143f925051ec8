// Everything that the page shows of one loop: how it does, how far it may go, what it costs, and its spec as it lies there now.
import { dirname } from "node:path";
import type { LoopDocument, RunPoint, RunRow, SpecDocument, SpecProblemView } from "../../contract/api.ts";
import { isLoopError } from "../../contract/errors.ts";
import type { EntryOf } from "../../journal/journal.ts";
import { recallNotes } from "../../journal/notes.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { viewAutonomy } from "../decisions/autonomy.ts";
import { viewFlakes } from "../records/flakes.ts";
import { viewCost } from "../records/spending.ts";
import { loadLibrary, MOST_SPEC_BYTES } from "../runs/load-library.ts";
import { graphOf } from "./graph.ts";
import { metersOf } from "./meters.ts";
import type { PageRecords } from "./page-records.ts";
import { mustBeLoop, readLoopRow } from "./read-loops.ts";
import { readRow } from "./read-run.ts";

const RECENT = 10;
const CHARTED = 60;
const COUNTED = 100;
const MOST_NOTES = 100;

export async function readLoopDocument(records: PageRecords, loop: string): Promise<LoopDocument> {
  const asOf = await records.memo.catchUp();
  await mustBeLoop(records, loop);
  const { journal } = records;
  const row = await readLoopRow(records, loop);
  const runs = await journal.newestOf(loop, "run-opened", { most: CHARTED });
  const last = runs[0]?.record;
  const rows = (await Promise.all(runs.map((entry) => memoRow(records, entry)))).flatMap((one) => one ?? []);
  const newest = <K extends "round-closed" | "decided" | "action-began" | "action-done" | "action-failed">(kind: K) =>
    journal.newestOf(loop, kind, { most: COUNTED });
  const [notes, flakes, closed, decided, began, done, failed] = await Promise.all([
    recallNotes(journal, loop),
    viewFlakes(records, loop),
    newest("round-closed"),
    newest("decided"),
    newest("action-began"),
    newest("action-done"),
    newest("action-failed"),
  ]);
  return {
    ...row,
    asOf,
    repo: last?.repo ?? null,
    base: last?.base.ref ?? null,
    autonomy: last ? await viewAutonomy(records, loop) : null,
    caps: last ? await metersOf(records, last.spec, { loop }) : [],
    history: rows.toReversed().map(pointOf),
    notes: notes.slice(0, MOST_NOTES).map(({ run, at, isTainted, text }) => ({ run, at, isTainted, text })),
    flakes: flakes.map(({ loop: _, ...flake }) => flake),
    spec: await readSpecDocument(records, await specPathOf(records, loop, last?.specPath), last?.specHash ?? null),
    graph: last ? graphOf(last.spec, { opened: runs, closed, decided, began, done, failed }) : { nodes: [], edges: [], runs: 0 },
    recent: rows.slice(0, RECENT),
    cost: last ? await viewCost(records, last.spec) : NO_COST,
  };
}

const NO_COST: LoopDocument["cost"] = { basis: "spec", because: "it has not run yet", usual: null, most: {} };

const memoRow = (records: PageRecords, entry: EntryOf<"run-opened">): Promise<RunRow | undefined> =>
  records.memo.get(entry.loop, `row ${entry.run}`, async () => {
    const value = await readRow(records, entry);
    // Whether a process works on it is on no record.
    const isOpen = value?.outcome.kind === "running" || value?.outcome.kind === "interrupted";
    return { value, until: isOpen ? 0 : undefined };
  });

const pointOf = ({ run, openedAt, outcome, microUsd, workedMs, rounds }: RunRow): RunPoint => ({
  run,
  at: openedAt,
  kind: outcome.kind,
  microUsd,
  tookMs: workedMs,
  rounds,
});

/** Where the home looks for it, else where its last run found it. */
async function specPathOf({ journal }: PageRecords, loop: string, ran: string | undefined): Promise<string | undefined> {
  const [known] = await journal.newestOf(loop, "loop-known", { most: 1 });
  return known?.record.path ?? ran;
}

async function readSpecDocument(
  { texts, registries }: PageRecords,
  path: string | undefined,
  ranHash: string | null,
): Promise<SpecDocument> {
  const unread = { path: path ?? null, text: null, hash: null, ranHash, problems: [], warnings: [] };
  if (path === undefined) return unread;
  const text = await texts.readOptional(path, MOST_SPEC_BYTES).catch((error: unknown) => {
    if (isLoopError(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { ...unread, problems: [gone(dirname(path))] };
  const reading = readSpec(path, text, registries, undefined, (await loadLibrary(texts, path, text)).library);
  if (reading.kind === "refused") return { ...unread, text, problems: reading.problems.map(problemOf) };
  return { ...unread, text, hash: reading.hash, warnings: reading.warnings.map(problemOf) };
}

const gone = (folder: string): SpecProblemView => ({
  line: 1,
  col: 1,
  path: "",
  problem: "it cannot be read any more",
  instead: `Look into ${folder}.`,
});

const problemOf = ({ line, col, path, problem, instead }: SpecProblem): SpecProblemView => ({ line, col, path, problem, instead });
