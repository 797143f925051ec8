// Checks everything a home has on record against itself and against what was signed: the chain, its checkpoints, the places outside
// where they were written, and the receipts. What cannot be looked at is told as not checked, and is never in order.
import { LoopError } from "../../contract/errors.ts";
import type { Checkpoint } from "../../contract/receipt.ts";
import type { Checkpointed, Entry } from "../../contract/record.ts";
import type { Damage } from "../../journal/journal.ts";
import { MEND_PLACE } from "../../journal/mend.ts";
import { openCheckpoint } from "../../receipts/checkpoint.ts";
import { type LoggedCheckpoint, readCheckpointLog } from "../../receipts/checkpoint-log.ts";
import { openReceipt } from "../../receipts/receipt.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import type { House } from "../open-house.ts";
import { CHECKPOINT_PATH, FILE, lastCheckpointIn, TARGET, whyAhead } from "./sign.ts";

export interface HomeVerification {
  /** `empty`: nothing is on record, so there is nothing to check, and nothing is shown. */
  readonly kind: "whole" | "broken" | "empty";
  readonly entries: number;
  readonly chain: string | undefined;
  /** How many records lie under a signed checkpoint. */
  readonly signedUpTo: number;
  readonly checkpoints: number;
  readonly receipts: number;
  /** The number of the first record that is not as it was written, where that can be told. */
  readonly firstBad: number | undefined;
  readonly problems: readonly Problem[];
  readonly notChecked: readonly string[];
}

export interface Problem {
  readonly what: "journal" | "keys" | "checkpoint" | "anchor" | "receipt";
  /** The first record that it is about; undefined where it is about none. */
  readonly seq: number | undefined;
  readonly why: string;
}

type Kept = Pick<House, "journal" | "signing">;

const EVERY = 1_000_000;
const PAGE = 500;

export async function verifyHome(house: Kept): Promise<HomeVerification> {
  const { journal, signing } = house;
  const inspection = await journal.inspect();
  const head = await journal.head();
  const ring = signing.keys.ring();
  const keys = ring.kind === "whole" ? ring.keys : [];
  const recorded = await journal.newestOf(MEND_PLACE.loop, "checkpointed", { most: EVERY });
  const log = readCheckpointLog(signing.log.text() ?? "", keys);
  const anchors = await checkAnchors(house, recorded, keys);
  const ahead = await checkTargets(house, recorded, head?.chain, keys);
  const receipts = await checkReceipts(house, keys);
  const problems: readonly Problem[] = [
    ...inspection.damage.map(ofDamage),
    ...(ring.kind === "broken" ? [{ what: "keys" as const, seq: undefined, why: `line ${ring.line} of the key ring: ${ring.why}` }] : []),
    ...(log.problem ? [{ what: "checkpoint" as const, seq: undefined, why: `the file of checkpoints, ${log.problem}` }] : []),
    ...(await checkLogged(house, log.checkpoints, head?.chain)),
    ...checkRecorded(recorded, log.checkpoints),
    ...anchors.problems,
    ...ahead,
    ...receipts.problems,
  ];
  const bad = problems.flatMap(({ seq }) => seq ?? []);
  return {
    kind: problems.length > 0 ? "broken" : inspection.entries === 0 ? "empty" : "whole",
    entries: inspection.entries,
    chain: head?.chain,
    signedUpTo: problems.length === 0 ? (log.checkpoints.at(-1)?.seq ?? 0) : 0,
    checkpoints: log.checkpoints.length,
    receipts: receipts.count,
    firstBad: bad.length > 0 ? Math.min(...bad) : undefined,
    problems,
    notChecked: [
      ...(head && log.checkpoints.length === 0 ? ["the journal has no signed checkpoint yet: `lw ledger checkpoint` makes one"] : []),
      ...anchors.notChecked,
    ],
  };
}

const ofDamage = ({ from, to, problem }: Damage): Problem => ({
  what: "journal",
  seq: from,
  why: `${from === to ? `record ${from}` : `records ${from} to ${to}`}: ${problem}`,
});

/** Whether the journal still holds what was signed. The first that does not bounds where it was changed. */
async function checkLogged(house: Kept, logged: readonly LoggedCheckpoint[], chain: string | undefined): Promise<readonly Problem[]> {
  let good = 0;
  for (let from = 0; from < logged.length; from += PAGE) {
    const page = logged.slice(from, from + PAGE);
    const hashes = await house.journal.hashesAt(page.map(({ seq }) => seq));
    for (const { seq, hash, chain: named } of page) {
      if (hashes.get(seq) === hash && named === chain) good = seq;
      else return [{ what: "checkpoint", seq: good + 1, why: differs(good, seq) }];
    }
  }
  return [];
}

const differs = (good: number, seq: number): string =>
  `the records from ${good + 1} to ${seq} are not those that a checkpoint was signed for: they were changed, cut off or are of another journal`;

/** Every checkpoint that is on record was written beside the journal, and must still be there. */
function checkRecorded(recorded: readonly Entry<Checkpointed>[], logged: readonly LoggedCheckpoint[]): readonly Problem[] {
  const there = new Set(logged.map(({ sha256 }) => sha256));
  const missing = recorded.filter(({ record }) => !there.has(record.sha256));
  const oldest = missing.at(-1);
  return oldest
    ? [
        {
          what: "checkpoint",
          seq: undefined,
          why: `${missing.length} checkpoint(s) that record ${oldest.seq} and later ones name are gone`,
        },
      ]
    : [];
}

interface Looked {
  readonly problems: readonly Problem[];
  readonly notChecked: readonly string[];
}

/** The newest checkpoint that each place outside was given must be there, or a later one. */
async function checkAnchors(house: Kept, recorded: readonly Entry<Checkpointed>[], keys: readonly PublicKey[]): Promise<Looked> {
  const newest = new Map<string, Checkpoint>();
  for (const { record } of recorded) for (const anchor of record.anchors) if (!newest.has(anchor)) newest.set(anchor, record.checkpoint);
  newest.delete("home");
  const looked: Looked[] = [];
  for (const [anchor, checkpoint] of newest) looked.push(await checkAnchor(house, anchor, checkpoint, keys));
  return { problems: looked.flatMap(({ problems }) => problems), notChecked: looked.flatMap(({ notChecked }) => notChecked) };
}

async function checkAnchor(house: Kept, anchor: string, wanted: Checkpoint, keys: readonly PublicKey[]): Promise<Looked> {
  const found = await readAnchor(house, anchor, wanted.chain);
  if (found.kind === "not-checked") return { problems: [], notChecked: [`${anchor}: ${found.why}`] };
  const problem = (why: string, seq?: number): Looked => ({
    problems: [{ what: "anchor", seq, why: `${anchor}: ${why}` }],
    notChecked: [],
  });
  if (found.text === undefined) return problem("the checkpoint that was written there is gone");
  const opened = openCheckpoint(found.text, keys);
  if (opened.kind === "refused") return problem(opened.why);
  if (opened.kind === "foreign") return problem("what is there is signed with a key that is not one of ours");
  const { checkpoint } = opened;
  if (checkpoint.chain !== wanted.chain) return problem("what is there is of another journal");
  if (checkpoint.seq < wanted.seq) return problem(`it was put back to record ${checkpoint.seq}, and was at ${wanted.seq} already`);
  const held = (await house.journal.hashesAt([checkpoint.seq])).get(checkpoint.seq);
  return held === checkpoint.hash ? { problems: [], notChecked: [] } : problem(differs(0, checkpoint.seq), 1);
}

/**
 * Targets of runs in which, by the records, no checkpoint was ever written: one that is there all the same was written by a journal
 * that went further, and of which this one is the beginning.
 */
async function checkTargets(
  house: Kept,
  recorded: readonly Entry<Checkpointed>[],
  chain: string | undefined,
  keys: readonly PublicKey[],
): Promise<readonly Problem[]> {
  if (chain === undefined) return [];
  const anchored = new Set(recorded.flatMap(({ record }) => record.anchors));
  const repos = new Set<string>();
  for (const loop of await house.journal.loops())
    for (const { record } of await house.journal.newestOf(loop, "run-opened", { most: EVERY })) repos.add(record.repo);
  const problems: Problem[] = [];
  for (const repo of repos) {
    const anchor = `${TARGET}${repo}`;
    if (anchored.has(anchor)) continue;
    const found = await readAnchor(house, anchor, chain);
    if (found.kind === "not-checked" || found.text === undefined) continue;
    const why = await whyAhead(house.journal, openCheckpoint(found.text, keys));
    if (why !== undefined) problems.push({ what: "anchor", seq: undefined, why: `${anchor}: ${why}` });
  }
  return problems;
}

type Anchored = { readonly kind: "read"; readonly text: string | undefined } | { readonly kind: "not-checked"; readonly why: string };

async function readAnchor(house: Kept, anchor: string, chain: string): Promise<Anchored> {
  const { signing } = house;
  try {
    if (anchor.startsWith(TARGET)) {
      const repo = anchor.slice(TARGET.length);
      // A repository that cannot be asked is told as that; one that can, and has lost what it was given, is not.
      await signing.proofs.chains(repo);
      return { kind: "read", text: await signing.proofs.read(repo, chain, CHECKPOINT_PATH) };
    }
    if (anchor.startsWith(FILE))
      return { kind: "read", text: lastCheckpointIn(signing.logAt(anchor.slice(FILE.length)).text() ?? "", chain) };
    return { kind: "not-checked", why: "it can only be written to from here" };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { kind: "not-checked", why: error.message };
  }
}

/** Every receipt that is on record is there, unchanged, signed by one of our keys, and of that run. */
async function checkReceipts(
  house: Kept,
  keys: readonly PublicKey[],
): Promise<{ readonly problems: readonly Problem[]; readonly count: number }> {
  const problems: Problem[] = [];
  let count = 0;
  for (const loop of await house.journal.loops()) {
    for (const { seq, run, record } of await house.journal.newestOf(loop, "receipted", { most: EVERY })) {
      count += 1;
      const why = await wrongWith(house, run, record, keys);
      if (why) problems.push({ what: "receipt", seq: undefined, why: `the receipt ${record.number} of ${run} (record ${seq}): ${why}` });
    }
  }
  return { problems, count };
}

async function wrongWith(
  house: Kept,
  run: string,
  { receipt, number }: Extract<Entry["record"], { kind: "receipted" }>,
  keys: readonly PublicKey[],
): Promise<string | undefined> {
  const read = await house.signing.receipts.read(receipt).catch((error: unknown) => {
    if (error instanceof LoopError) return error.message;
    throw error;
  });
  if (typeof read === "string") return read;
  const opened = openReceipt(Buffer.from(read).toString("utf8"), keys);
  if (opened.kind === "refused") return opened.why;
  if (opened.kind === "foreign") return "it is signed with a key that is not one of ours";
  return opened.receipt.run === run && opened.receipt.number === number ? undefined : "it is of another run";
}
