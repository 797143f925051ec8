// Where runs are read from, for counting: this home's journal, other homes, exported chains, and other people's ledgers.
import { basename, dirname, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Files, Found, Inputs, Search } from "../../contract/files.ts";
import type { LedgerSource } from "../../contract/receipt.ts";
import type { KeyRing } from "../../contract/signing.ts";
import { type LedgerReader, readFields } from "../../dialects/ledger-reader.ts";
import { createLoopgenReader } from "../../dialects/loopgen.ts";
import { createStriveLogReader, readStriveState } from "../../dialects/strive.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { readChainFile } from "../../receipts/chain-file.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import { createRunCounter, journalSource } from "./ledger-runs.ts";

export interface Collected {
  readonly sources: readonly LedgerSource[];
  /** What was not looked at, and why: then nobody can say that all is whole. */
  readonly unseen: readonly string[];
  readonly notes: readonly string[];
}

/** What a home has on record, in a copy that nobody else writes to. */
export interface OtherHome {
  readonly journal: JournalReader;
  /** Its checkpoints, one a line. */
  readonly log: string;
  readonly ring: KeyRing;
}

/** Where ledgers lie. */
export interface Ledgers extends Pick<Inputs, "lines" | "chunks">, Pick<Files, "readText"> {
  kindAt(path: string): Promise<"file" | "folder" | "other" | "missing">;
  findFiles(folder: string, search: Search): Promise<Found>;
  /** The name of the file in a home that holds its records. */
  readonly journalFile: string;
  /** Nothing is written where it lies, whatever is wrong with it. */
  lookAtHome<T>(folder: string, look: (home: OtherHome) => Promise<T>): Promise<T | { readonly kind: "unreadable"; readonly why: string }>;
}

const MOST_LINE_BYTES = 4 * 1024 * 1024;
const SNIFFED_LINES = 20;
const searchFor = (journalFile: string): Search => ({
  skip: new Set(["node_modules", ".git"]),
  mostDepth: 100,
  mostNames: 2_000_000,
  isWanted: (name: string, folder: string) =>
    name === journalFile || name.endsWith(".jsonl") || (name === "state.json" && folder === ".loop-state"),
});

/** Everything that is a ledger under these paths. A bad one is a source that says why it is bad. */
export async function collectSources(
  ledgers: Ledgers,
  paths: readonly string[],
  cwd: string,
  keys: readonly PublicKey[],
): Promise<Collected> {
  const roots = await Promise.all(
    paths.map(async (path) => ({ path: resolve(cwd, path), kind: await ledgers.kindAt(resolve(cwd, path)) })),
  );
  const missing = roots.filter(({ kind }) => kind === "missing").map(({ path }) => path);
  if (missing.length > 0)
    throw new LoopError("bad-input", `there is nothing at ${missing.join(", ")}`, {
      retry: "never",
      hint: "Name files or folders that hold ledgers.",
    });
  const named = new Set(roots.filter(({ kind }) => kind !== "folder").map(({ path }) => path));
  const found: readonly Found[] = await Promise.all(
    roots.filter(({ kind }) => kind === "folder").map(({ path }) => ledgers.findFiles(path, searchFor(ledgers.journalFile))),
  );
  const files = new Set([...found.flatMap((one) => one.paths), ...roots.filter(({ kind }) => kind === "file").map(({ path }) => path)]);
  const sources = roots.filter(({ kind }) => kind === "other").map(({ path }) => unreadable(path, "it is neither a file nor a folder"));
  let passedOver = 0;
  for (const path of files) {
    // It is read with the run log beside it.
    if (path.endsWith(".json") && files.has(path.replace(/\.json$/, ".runlog.jsonl"))) continue;
    const read = await readLedger(ledgers, path, keys).catch((error: unknown) => [unreadable(path, `it cannot be read (${tell(error)})`)]);
    if (read.length === 0 && named.has(path)) sources.push(unreadable(path, "it is no ledger that is known here"));
    else if (read.length === 0) passedOver += 1;
    sources.push(...read);
  }
  const links = found.reduce((sum, one) => sum + one.links, 0);
  return {
    sources,
    unseen: found.flatMap((one) => one.unseen),
    notes: [
      ...(passedOver > 0 ? [`${passedOver} other file(s) of JSON lines are no ledgers, and were not counted`] : []),
      ...(links > 0 ? [`${links} link(s) were not followed`] : []),
    ],
  };
}

const unreadable = (label: string, why: string): LedgerSource => ({
  label,
  system: "loopwright",
  runs: [],
  chain: { kind: "unreadable", why },
});

const tell = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The sources that one file is; none when it is something else. */
async function readLedger(ledgers: Ledgers, path: string, keys: readonly PublicKey[]): Promise<readonly LedgerSource[]> {
  if (basename(path) === ledgers.journalFile) return [await readOtherHome(ledgers, dirname(path))];
  if (path.endsWith(".json")) return readState(ledgers, path);
  switch (await kindOfLines(ledgers, path)) {
    case "loopgen":
      return [await readLines(ledgers, path, createLoopgenReader(path))];
    case "strive":
      return readStriveLog(ledgers, path);
    case "chain":
      return [await readExport(ledgers, path, keys)];
    case "other":
      return [];
  }
}

type LinesKind = "loopgen" | "strive" | "chain" | "other";

/** Told by what the first lines hold; a ledger whose beginning is bad is known by its name, so that damage does not hide it. */
async function kindOfLines(ledgers: Ledgers, path: string): Promise<LinesKind> {
  let number = 0;
  for await (const line of ledgers.lines({ kind: "file", path }, MOST_LINE_BYTES)) {
    const kind = kindOfLine(line);
    if (kind) return kind;
    number += 1;
    if (number >= SNIFFED_LINES) break;
  }
  if (basename(path) === "audit.jsonl") return "loopgen";
  return path.endsWith(".runlog.jsonl") ? "strive" : "other";
}

function kindOfLine(line: string | undefined): LinesKind | undefined {
  const read = readFields(line);
  const has = (...names: readonly string[]): boolean => "fields" in read && names.every((name) => read.fields.has(name));
  if (has("prevHash", "hash", "loopId")) return "loopgen";
  if (has("seq", "prev", "hash", "record", "run")) return "chain";
  return has("ts", "loop", "result") ? "strive" : undefined;
}

async function readLines(ledgers: Ledgers, path: string, reader: LedgerReader): Promise<LedgerSource> {
  for await (const line of ledgers.lines({ kind: "file", path }, MOST_LINE_BYTES)) reader.line(line);
  return reader.end();
}

/** With the state beside it, of which only loops count that the log does not know. */
async function readStriveLog(ledgers: Ledgers, path: string): Promise<readonly LedgerSource[]> {
  const log = await readLines(ledgers, path, createStriveLogReader(path));
  const known = new Set(log.runs.map(({ loop }) => loop));
  const state = await readState(ledgers, path.replace(/\.runlog\.jsonl$/, ".json"));
  return [log, ...state.map((source) => ({ ...source, runs: source.runs.filter(({ loop }) => !known.has(loop)) }))];
}

async function readState(ledgers: Ledgers, path: string): Promise<readonly LedgerSource[]> {
  const text = await ledgers.readText(path);
  return text === undefined ? [] : [readStriveState(path, text)];
}

/** Without the key of whoever signed it, all of it may be made up. */
async function readExport(ledgers: Ledgers, path: string, keys: readonly PublicKey[]): Promise<LedgerSource> {
  const counter = createRunCounter();
  const read = await readChainFile(ledgers.chunks({ kind: "file", path }), keys, (line) => counter.line(line));
  const { runs, problems } = counter.end();
  const source = { label: path, system: "loopwright", runs } as const;
  const [first] = problems;
  switch (read.kind) {
    case "broken":
      return { ...source, chain: { kind: "broken", entries: read.entries, at: read.at, why: `record ${read.at}: ${read.why}` } };
    case "foreign":
      return { ...source, chain: { kind: "unchained", why: FOREIGN } };
    case "whole":
      if (first) return { ...source, chain: { kind: "broken", entries: read.entries, at: first.at, why: first.why } };
      return { ...source, chain: { kind: "whole", entries: read.entries, note: `signed by ${read.by.join(", ")}` } };
  }
}

const FOREIGN = "it fits together, but whoever signed it is not known here, so that all of it may be made up: name their key with --key";

async function readOtherHome(ledgers: Ledgers, home: string): Promise<LedgerSource> {
  const read = await ledgers.lookAtHome(home, ({ journal, log, ring }) => journalSource(journal, home, { log, keys: keysOf(ring) }));
  return "kind" in read ? unreadable(home, read.why) : read;
}

/** The keys that a home signed with: none where nothing was signed yet. A ring that is broken vouches for nobody. */
export const keysOf = (ring: KeyRing): readonly PublicKey[] => (ring.kind === "whole" ? ring.keys : []);
