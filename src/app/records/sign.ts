// Signs what is on record: a receipt for every run that came to rest, and a checkpoint of the journal, written where a thief of the
// journal does not reach. All of it can be done again after a crash: what is missing is made the next time.
import { LoopError } from "../../contract/errors.ts";
import { underLock } from "../../contract/locks.ts";
import type { Checkpoint } from "../../contract/receipt.ts";
import type { Checkpointed, Receipted } from "../../contract/record.ts";
import type { SignedFile } from "../../contract/signing.ts";
import type { Watch } from "../../contract/watch.ts";
import { type Line, lastOf, runsSince } from "../../journal/journal.ts";
import { MEND_PLACE } from "../../journal/mend.ts";
import { type OpenedCheckpoint, openCheckpoint, signCheckpoint } from "../../receipts/checkpoint.ts";
import { signStatement } from "../../receipts/dsse.ts";
import { sha256 } from "../../std/hash.ts";
import type { House } from "../open-house.ts";
import { loadReceiptSettings } from "../settings.ts";
import { receiptOf, statementOf } from "./receipt-of.ts";

/** More runs than these that have no receipt, from before there were any, are left without. */
const MOST_AT_ONCE = 20;
const URL_TIMEOUT_MS = 10_000;
const LOCK_WAIT_MS = 30_000;

/** What a signed thing is kept under in a target repository. */
const proofPath = (tree: string, run: string, number: number): string => `receipts/${tree}/${run}.${number}.json`;
export const CHECKPOINT_PATH = "checkpoint.json";
export const RING_PATH = "ring.jsonl";

/** Said before anything is spent: a run that could not be signed for is not begun. */
async function mustBeAbleToSign(house: House): Promise<void> {
  await loadReceiptSettings(house);
  house.signing.keys.signer(house.world.clock.now().toISOString());
}

/** Works on a loop; only for who holds its lock, so that what came of it is signed before anybody else may work on it. */
export async function workSigned<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  await mustBeAbleToSign(house);
  const result = await work();
  await signLoop(house, loop, watch);
  return result;
}

/** Gives every run of the loop that came to rest, or on which something was decided since, its receipt; then makes a checkpoint. */
export async function signLoop(house: House, loop: string, watch: Watch): Promise<void> {
  await underSignLock(house, async () => {
    const covered = (await lastOf(house.journal, loop, "receipted"))?.record.covers ?? 0;
    const upTo = (await house.journal.head())?.seq ?? 0;
    const runs = (await runsSince(house.journal, loop, covered)).slice(-MOST_AT_ONCE);
    const receipted: Line[] = [];
    for (const run of runs) {
      const record = await signRun(house, run, upTo);
      if (record) receipted.push({ loop, run, record });
    }
    // All of them or none: whoever dies before begins again with the first.
    if (receipted.length > 0) for (const entry of await house.journal.append(receipted)) watch({ kind: "recorded", entry });
    // Whoever died in between left receipts that lie under no checkpoint yet.
    const before = (await lastOf(house.journal, MEND_PLACE.loop, "checkpointed"))?.record.checkpoint.seq ?? 0;
    const newest = await lastOf(house.journal, loop, "receipted");
    if (newest && newest.seq > before) await checkpointInside(house, watch);
  });
}

/** A checkpoint of everything that is on record now; undefined while nothing is. */
export const makeCheckpoint = (house: House, watch: Watch): Promise<Made | undefined> =>
  underSignLock(house, () => checkpointInside(house, watch));

export interface Made {
  readonly record: Checkpointed;
  /** As it was written. */
  readonly line: string;
}

/** Another key signs from now on; the change itself is on record, and under a checkpoint of the new one. */
export async function rotateKey(house: House, by: string, watch: Watch): Promise<{ readonly from: string; readonly to: string }> {
  return underSignLock(house, async () => {
    const changed = await house.signing.keys.rotate(house.world.clock.now().toISOString());
    await house.journal.append([{ ...MEND_PLACE, record: { kind: "signer-changed", ...changed, by } }]);
    await checkpointInside(house, watch);
    return changed;
  });
}

/** Keeps a run's receipt and says what to put on record of it; undefined where there is nothing to vouch for. */
async function signRun(house: House, run: string, covers: number): Promise<Receipted | undefined> {
  const { entries, damaged } = await house.journal.story(run);
  const chain = (await house.journal.head())?.chain;
  // What is not all there cannot be vouched for; what nothing happened to since has its receipt.
  if (damaged.length > 0 || chain === undefined || entries.at(-1)?.record.kind === "receipted") return undefined;
  const at = house.world.clock.now().toISOString();
  const receipt = receiptOf(entries, { chain, at, version: house.version });
  if (!receipt) return undefined;
  const { tested, rechecks, number } = receipt;
  const text = signStatement(statementOf(receipt), [house.signing.keys.signer(at)]);
  const kept = await house.signing.receipts.keep(text);
  const others = [...new Set(rechecks.map(({ tree }) => tree))].filter((tree) => tree !== tested?.tree);
  const subject = {
    ...(tested?.commit ? { commit: tested.commit } : {}),
    ...(tested ? { tree: tested.tree } : {}),
    ...(others.length > 0 ? { others } : {}),
  };
  return { kind: "receipted", number, receipt: kept, subject, covers };
}

/** Only for who holds the lock: each checkpoint names the one before it. */
async function checkpointInside(house: House, watch: Watch): Promise<Made | undefined> {
  const { signing, journal, world } = house;
  const head = await journal.head();
  if (!head) return undefined;
  const { anchors: wished } = await loadReceiptSettings(house);
  const before = (await lastOf(journal, MEND_PLACE.loop, "checkpointed"))?.record;
  const last = signing.log.last();
  const at = world.clock.now().toISOString();
  const checkpoint: Checkpoint = { ...head, at, after: last === undefined ? (before?.sha256 ?? null) : sha256(last) };
  const line = signCheckpoint(checkpoint, signing.keys.signer(at));
  signing.log.append(line);

  const anchors = ["home"];
  const failed: { readonly anchor: string; readonly why: string }[] = [];
  const tryAnchor = async (anchor: string, write: () => Promise<void> | void): Promise<void> => {
    try {
      await write();
      anchors.push(anchor);
    } catch (error) {
      if (!(error instanceof LoopError)) throw error;
      failed.push({ anchor, why: error.message });
    }
  };
  const targets = wished.target ? await receiptsSince(house, before?.checkpoint.seq ?? 0) : new Map<string, SignedFile[]>();
  for (const [repo, receipts] of targets) {
    const files = [{ path: CHECKPOINT_PATH, text: line }, { path: RING_PATH, text: signing.keys.ringText() ?? "" }, ...receipts];
    await tryAnchor(`${TARGET}${repo}`, async () => {
      await mustGoForward(house, await signing.proofs.read(repo, head.chain, CHECKPOINT_PATH));
      await signing.proofs.write(repo, head.chain, files, `checkpoint at record ${head.seq}`);
    });
  }
  const { file, url } = wished;
  if (file)
    await tryAnchor(`${FILE}${file}`, async () => {
      await mustGoForward(house, lastCheckpointIn(signing.logAt(file).text() ?? "", head.chain));
      signing.logAt(file).append(line);
    });
  if (url) await tryAnchor(`${URL_ANCHOR}${url}`, () => send(house, url, line));

  const record: Checkpointed = { kind: "checkpointed", checkpoint, sha256: sha256(line), anchors, failed };
  const [entry] = await journal.append([{ ...MEND_PLACE, record }]);
  watch({ kind: "recorded", entry: entry! });
  return { record, line };
}

/** What was written outside only goes forward: where it knows of records that this journal does not have, it stays as it is until a person has decided. */
async function mustGoForward({ signing, journal }: House, there: string | undefined): Promise<void> {
  if (there === undefined) return;
  const ring = signing.keys.ring();
  const why = await whyAhead(journal, openCheckpoint(there, ring.kind === "whole" ? ring.keys : []));
  if (why === undefined) return;
  throw new LoopError("store-unusable", `${why}: this home was put back or its journal cut, and what is written there was left as it is`, {
    retry: "never",
    hint: "Look with `lw ledger verify`, find the home that has these records, and go on with that one.",
  });
}

/** What a checkpoint outside has that the journal does not; undefined where the journal has all of it. */
export async function whyAhead(journal: Pick<House["journal"], "hashesAt">, opened: OpenedCheckpoint): Promise<string | undefined> {
  if (opened.kind === "refused") return opened.why;
  if (opened.kind === "foreign") return "what is there is signed with a key that is not one of ours";
  const { seq, hash } = opened.checkpoint;
  return (await journal.hashesAt([seq])).get(seq) === hash
    ? undefined
    : `a checkpoint there was signed for record ${seq}, which this journal does not have`;
}

/** A file may hold the checkpoints of several journals. */
export function lastCheckpointIn(text: string, chain: string): string | undefined {
  const line = text
    .split("\n")
    .slice(0, -1)
    .findLast((one) => Buffer.from(payloadIn(one), "base64").toString("utf8").includes(chain));
  return line === undefined ? undefined : `${line}\n`;
}

const payloadIn = (line: string): string => /"payload":"([^"]*)"/.exec(line)?.[1] ?? "";

/** Receipts that lie under no checkpoint yet, by the repository they belong to; each under every tree that it is about. */
async function receiptsSince({ journal, signing }: House, seq: number): Promise<ReadonlyMap<string, SignedFile[]>> {
  const files = new Map<string, SignedFile[]>();
  for (const loop of await journal.loops()) {
    for (const { run, record } of await journal.newestOf(loop, "receipted", { after: seq, most: MOST_AT_ONCE })) {
      const opened = (await journal.story(run)).entries[0]?.record;
      // A loop that only reports writes nothing into its target, not even this.
      if (opened?.kind !== "run-opened" || record.subject.tree === undefined) continue;
      const read = await signing.receipts.read(record.receipt).catch(ifGone);
      // That it is gone is told when everything is verified, and is no reason not to sign the rest.
      if (!read) continue;
      const text = Buffer.from(read).toString("utf8");
      const trees = [record.subject.tree, ...(record.subject.others ?? [])];
      const own = trees.map((tree) => ({ path: proofPath(tree, run, record.number), text }));
      files.set(opened.repo, [...(files.get(opened.repo) ?? []), ...own]);
    }
  }
  return files;
}

function ifGone(error: unknown): undefined {
  if (error instanceof LoopError) return undefined;
  throw error;
}

/** How anchors are named in records. */
export const [TARGET, FILE, URL_ANCHOR] = ["target ", "file ", "url "] as const;

async function send({ world }: House, url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/vnd.in-toto+json", "user-agent": "loopwright" };
  const { status } = await world.http.send({ method: "POST", url, headers, body, timeoutMs: URL_TIMEOUT_MS });
  if (status < 200 || status > 299)
    throw new LoopError("notify-failed", `${new URL(url).host} answered ${status}`, {
      retry: "later",
      hint: "Look at `anchors.url` in receipts.yaml, and at what the server there wants of a POST.",
    });
}

const underSignLock = <T>({ locks }: House, work: () => Promise<T>): Promise<T> =>
  underLock({ locks, name: "sign", ms: LOCK_WAIT_MS, busy: signedForTooLong }, work);

const signedForTooLong = (): LoopError =>
  new LoopError("loop-busy", "another process is signing for too long", { retry: "later", hint: "Try again in a moment." });
