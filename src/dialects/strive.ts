// Reads Strive's run log (`*.runlog.jsonl`) and state file. Neither has a chain, ids or hashes: nothing in them can be verified.
import type { LedgerRun, LedgerSource, RunResult } from "../contract/receipt.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";
import { createComplaints, cut, isCount, type LedgerReader, MOST_ENTRIES, readFields, timeOf } from "./ledger-reader.ts";

const NO_CHAIN = "Strive keeps no chain, ids or hashes: whatever was changed, removed or added cannot be seen";

/** One row a run. Lines that are no rows are named, and do not hide the others. */
export function createStriveLogReader(label: string, mostRows = MOST_ENTRIES): LedgerReader {
  const runs: LedgerRun[] = [];
  const wrong = createComplaints();
  let number = 0;
  let isFull = false;

  function take(text: string | undefined): void {
    const row = readRow(text);
    if ("why" in row) wrong.add(number, row.why);
    else runs.push(row.run);
  }

  return {
    line(text) {
      number += 1;
      if (isFull || text?.trim() === "") return;
      isFull = runs.length >= mostRows;
      if (!isFull) take(text);
      else wrong.add(number, `is past the ${mostRows} rows that are read: what comes from here on was not looked at`);
    },
    end: () => ({
      label,
      system: "strive",
      runs,
      chain: { kind: "unchained", why: wrong.first === undefined ? NO_CHAIN : `${NO_CHAIN}; ${wrong.tell()}` },
    }),
  };
}

function readRow(text: string | undefined): { readonly run: LedgerRun } | { readonly why: string } {
  const read = readFields(text);
  if ("why" in read) return read;
  const { fields } = read;
  const [loop, result] = [textIn(fields, "loop"), textIn(fields, "result")];
  if (loop === undefined || result === undefined) return { why: "is no row: it does not name a loop and a result" };
  const findings = sumOf(fields.get("high"), fields.get("watch"));
  return { run: runOf(fields, { loop, at: fields.get("ts"), result, findings }) };
}

/** The state file holds only the last run of each loop. */
export function readStriveState(label: string, text: string): LedgerSource {
  const read = readFields(text);
  const loops = "fields" in read ? fieldsOf(read.fields.get("loops")) : undefined;
  if (!loops) {
    const why = "why" in read ? `it ${read.why}: it was torn while it was written, or is no state file` : "it has no field loops";
    return { label, system: "strive", runs: [], chain: { kind: "unreadable", why } };
  }
  const runs = [...loops].flatMap(([loop, value]) => {
    const section = fieldsOf(value);
    // The scheduler keeps notes of its own beside the loops.
    if (!section?.has("last_run") || loop.endsWith("::sched")) return [];
    const findings = section.get("findings");
    const facts = { loop, at: section.get("last_run"), result: section.get("last_result") };
    return [runOf(section, { ...facts, findings: Array.isArray(findings) ? findings.length : undefined })];
  });
  return {
    label,
    system: "strive",
    runs,
    chain: { kind: "unchained", why: `${NO_CHAIN}; and only the last run of each loop is kept here` },
  };
}

interface Facts {
  readonly loop: string;
  readonly at: unknown;
  readonly result: unknown;
  readonly findings: number | undefined;
}

function runOf(fields: Fields, { loop, at, result, findings }: Facts): LedgerRun {
  const commit = textIn(fields, "commit");
  const rounds = fields.get("attempts");
  return {
    id: `strive:${cut(loop)}:${digestOf([loop, at, result, fields.get("branch"), rounds, fields.get("note")])}`,
    system: "strive",
    loop: cut(loop),
    at: timeOf(at),
    result: RESULTS.get(result) ?? "unknown",
    ...(commit !== undefined ? { commit: cut(commit) } : {}),
    ...(isCount(rounds) ? { rounds } : {}),
    ...(findings !== undefined ? { findings } : {}),
  };
}

/** `escalated` and `error` may each mean that it was refuted, or that nobody could tell. */
const RESULTS: ReadonlyMap<unknown, RunResult> = new Map<unknown, RunResult>([
  ["found", "passed"],
  ["proposed", "passed"],
  ["merged", "passed"],
  ["clean", "nothing-to-do"],
  ["escalated", "unknown"],
  ["error", "unknown"],
]);

/** Rows have no ids: the same words are the same run. */
const digestOf = (parts: readonly unknown[]): string =>
  sha256(canonicalJson(parts.map((part) => (typeof part === "string" ? part.toWellFormed() : isCount(part) ? part : null))));

const sumOf = (high: unknown, watch: unknown): number | undefined =>
  isCount(high) || isCount(watch) ? (isCount(high) ? high : 0) + (isCount(watch) ? watch : 0) : undefined;
