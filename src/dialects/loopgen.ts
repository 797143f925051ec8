// Reads and verifies loopgen's audit ledger (`.loopgen/audit.jsonl`), line by line, and says what that format cannot show.
import type { LedgerRun, LedgerSource, RunResult } from "../contract/receipt.ts";
import { sha256 } from "../std/hash.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";
import { createComplaints, cut, isCount, type LedgerReader, MOST_ENTRIES, readFields, timeOf } from "./ledger-reader.ts";

/** Of the entries just before: two processes that append at once fork the chain near its end. */
const FORKS_SEEN_WITHIN = 1024;

/**
 * The chain holds as long as every entry's hash fits it and its `prevHash` is the hash before. What does not fit is named, and
 * the walk goes on from the next entry that is sound in itself, so that nothing behind it is hidden.
 */
export function createLoopgenReader(label: string, mostEntries = MOST_ENTRIES): LedgerReader {
  const runs: LedgerRun[] = [];
  const breaks = createComplaints();
  const recent = new Map<string, number>();
  let number = 0;
  let claims = 0;
  let isFull = false;
  let unread: number | undefined;
  /** The hash that the next entry must name; undefined after a line that cannot be believed, against which nothing can be held. */
  let head: string | null | undefined = null;

  function take(text: string | undefined): void {
    const entry = readEntry(text);
    if ("why" in entry) {
      unread = number;
      head = undefined;
      breaks.add(number, entry.why);
      return;
    }
    const { fields, hash, prevHash } = entry;
    if (head !== undefined && prevHash !== head) breaks.add(number, notFollowing(prevHash, head, recent));
    head = hash;
    recent.set(hash, number);
    if (recent.size > FORKS_SEEN_WITHIN) recent.delete(recent.keys().next().value!);
    if (fieldsOf(fields.get("provenance"))?.get("tier") === "attested") claims += 1;
    runs.push(runOf(fields, hash));
  }

  return {
    line(text) {
      number += 1;
      if (isFull || text?.trim() === "") return;
      isFull = runs.length >= mostEntries;
      if (!isFull) take(text);
      else breaks.add(number, `is past the ${mostEntries} entries that are read: what comes from here on was not looked at`);
    },
    end: () => ({ label, system: "loopgen", runs, chain: chainOf() }),
  };

  function chainOf(): LedgerSource["chain"] {
    if (breaks.first !== undefined) {
      const torn =
        unread === number && breaks.last === number ? `; line ${number} is the last one, and may have been torn while it was written` : "";
      return { kind: "broken", entries: runs.length, at: breaks.first, why: `${breaks.tell()}${torn}` };
    }
    if (runs.length === 0) return { kind: "unreadable", why: "it holds no entry, which is also how an emptied ledger looks" };
    return { kind: "whole", entries: runs.length, note: noteOn(claims) };
  }
}

/** What no reader of this format can know. */
const noteOn = (claims: number): string =>
  [
    "loopgen signs nothing: entries cut from the end, or a ledger that was written anew from the start, cannot be seen",
    ...(claims > 0 ? [`${claims} of its entries say that they are attested, which is their own claim and was not checked`] : []),
  ].join("; ");

function notFollowing(prevHash: string | null, head: string | null, recent: ReadonlyMap<string, number>): string {
  if (head === null) return "names an entry before it, and is the first: the beginning is missing";
  if (prevHash === null) return "begins a second chain: it names no entry before it";
  const forkedAt = recent.get(prevHash);
  if (forkedAt !== undefined) return `forks the chain: it follows line ${forkedAt}, and so does another entry`;
  return "does not follow the entry before it: entries were removed, put in another order, or joined from elsewhere";
}

type Read = { readonly fields: Fields; readonly hash: string; readonly prevHash: string | null } | { readonly why: string };

function readEntry(text: string | undefined): Read {
  const read = readFields(text);
  if ("why" in read) return read;
  const { fields } = read;
  const [hash, prevHash] = [fields.get("hash"), fields.get("prevHash")];
  if (typeof hash !== "string" || (typeof prevHash !== "string" && prevHash !== null))
    return { why: "is no entry: it has no hash and prevHash" };
  const said = canonicalFields([...fields].filter(([name]) => name !== "hash"));
  if (sha256(said) !== hash) return { why: "is not what was written: its hash does not fit it" };
  return { fields, hash, prevHash };
}

/** As loopgen hashes it: keys sorted, no spaces, scalars as JSON writes them. Its depth is bounded by then. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return typeof value === "object" && value !== null ? canonicalFields(Object.entries(value)) : JSON.stringify(value);
}

const canonicalFields = (fields: readonly (readonly [string, unknown])[]): string =>
  `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(",")}}`;

function runOf(entry: Fields, hash: string): LedgerRun {
  const git = fieldsOf(entry.get("git"));
  const driven = fieldsOf(entry.get("driven"));
  const maker = joined(fieldsOf(driven?.get("model")), ["adapter", "modelName"], "/");
  const actor = joined(fieldsOf(entry.get("actor")), ["user", "host"], "@");
  const commit = textIn(git, "shaAfter");
  const rounds = entry.get("iterations");
  return {
    id: `loopgen:${cut(textIn(entry, "entryId") ?? "")}:${hash}`,
    system: "loopgen",
    loop: cut(textIn(entry, "loopId") ?? "unknown"),
    at: timeOf(entry.get("timestamp")),
    result: resultOf(entry),
    ...(maker !== "" ? { maker } : {}),
    ...(actor !== "" ? { actor } : {}),
    // Of a tree that was not clean the commit says nothing: something else was tested.
    ...(commit !== undefined && git?.get("clean") === true ? { commit: cut(commit) } : {}),
    ...(isCount(rounds) ? { rounds } : {}),
    findings: listIn(fieldsOf(entry.get("forbidden")), "violations").length + blockedIn(driven),
  };
}

/** A pass that the rest of the entry does not bear out is none; one without a single command shows nothing. */
function resultOf(entry: Fields): RunResult {
  const verification = fieldsOf(entry.get("verification"));
  const claims = [entry.get("passed"), verification?.get("passed"), fieldsOf(entry.get("forbidden"))?.get("ok")];
  if (claims.includes(false)) return "refused";
  return claims.every((claim) => claim === true) && listIn(verification, "commands").length > 0 ? "passed" : "unknown";
}

const blockedIn = (driven: Fields | undefined): number =>
  listIn(driven, "attempts").reduce<number>((sum, attempt) => sum + listIn(fieldsOf(attempt), "blocked").length, 0);

const joined = (fields: Fields | undefined, names: readonly string[], between: string): string =>
  cut(names.flatMap((name) => textIn(fields, name) ?? []).join(between));

const listIn = (fields: Fields | undefined, name: string): readonly unknown[] => {
  const value = fields?.get(name);
  return Array.isArray(value) ? value : [];
};
