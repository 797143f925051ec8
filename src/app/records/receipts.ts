// Finds receipts, and checks them: with only a public key, and as far as there is more to compare with, against that.
import { resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { GitReader, Mover } from "../../contract/git.ts";
import type { RunReceipt, RunResult, Statement } from "../../contract/receipt.ts";
import type { Journal } from "../../journal/journal.ts";
import { openReceipt, resultOf } from "../../receipts/receipt.ts";
import { type PublicKey, readPublicKeys } from "../../std/ed25519.ts";
import type { House } from "../open-house.ts";
import { loadReceiptSettings } from "../settings.ts";
import { findRun } from "./find-run.ts";
import { signLoop } from "./sign.ts";

export const MOST_RECEIPT_BYTES = 16 * 1024 * 1024;

export interface FoundReceipt {
  /** The envelope, byte for byte. */
  readonly text: string;
  /** The commit that was asked about, where one was: the receipt must speak of it. */
  readonly commit: string | undefined;
}

/** By a file, a run or the start of its id, a loop, or a commit whose message names its run. One that is missing is made first. */
export async function findReceipt(house: House, asked: string, cwd: string): Promise<FoundReceipt> {
  const path = resolve(cwd, asked);
  const file = asked.includes("/") || asked.endsWith(".json") ? await house.texts.readOptional(path, MOST_RECEIPT_BYTES) : undefined;
  if (file !== undefined) return { text: file, commit: undefined };
  const named = await runNamedBy(house, asked, cwd);
  const run = named?.run ?? (await findRun(house, asked));
  const text = await newestReceipt(house, run);
  if (text === undefined)
    throw new LoopError("bad-input", `the run ${run} has no receipt: it has not come to rest`, {
      retry: "never",
      hint: "`lw status` tells where it stands; finish it with `lw resume`.",
    });
  return { text, commit: named?.commit };
}

/** The newest receipt of a run in this home. Who only asks for one writes nothing: not here, and not where checkpoints are kept. */
async function newestReceipt(house: House, run: string): Promise<string | undefined> {
  const found = (await house.journal.story(run)).entries;
  const [opened] = found;
  if (!opened) return undefined;
  // Whoever died after its rest left it without one, and so did whoever died after a decision.
  if (found.at(-1)?.record.kind !== "receipted") await signLoop(house, opened.loop, () => {});
  const { entries } = await house.journal.story(run);
  const record = entries.findLast((entry) => entry.record.kind === "receipted")?.record;
  if (record?.kind !== "receipted") return undefined;
  return Buffer.from(await house.signing.receipts.read(record.receipt)).toString("utf8");
}

const TRAILER = /^Loopwright-Receipt: (\S{1,200})$/m;

/** The run that a commit's message names. Only what looks like a commit's id is taken for one. */
async function runNamedBy(
  house: House,
  asked: string,
  cwd: string,
): Promise<{ readonly commit: string; readonly run: string } | undefined> {
  if (!/^[0-9a-f]{7,64}$|^HEAD/.test(asked)) return undefined;
  const commit = await house.world.git.resolve(cwd, asked).catch(ifNoRepository);
  if (!commit) return undefined;
  const run = TRAILER.exec(await house.signing.proofs.messageOf(cwd, commit))?.[1];
  if (run) return { commit, run };
  throw new LoopError("bad-input", `the commit ${commit.slice(0, 12)} names no receipt in its message`, {
    retry: "never",
    hint: `Whether any receipt is about it, \`lw ledger check --require LOOP --commit ${commit.slice(0, 12)}\` tells.`,
  });
}

function ifNoRepository(error: unknown): undefined {
  if (error instanceof LoopError) return undefined;
  throw error;
}

// ── whose keys count ────────────────────────────────────────────────────────────────────────────────────────────

/** Keys in these files; with none, those of this home and those that its settings trust. */
export async function trustedKeys(house: House, files: readonly string[], cwd: string): Promise<readonly PublicKey[]> {
  if (files.length > 0)
    return readKeyFiles(
      house.texts,
      files.map((file) => resolve(cwd, file)),
    );
  const ring = house.signing.keys.ring();
  const { trust } = await loadReceiptSettings(house);
  const trusted = await readKeyFiles(
    house.texts,
    trust.map((file) => resolve(house.home.folder, file)),
  );
  return [...(ring.kind === "whole" ? ring.keys : []), ...trusted];
}

export async function readKeyFiles(texts: Pick<Texts, "readWhole">, paths: readonly string[]): Promise<readonly PublicKey[]> {
  const keys = await Promise.all(
    paths.map(async (path) => {
      const read = readPublicKeys(await texts.readWhole(path, 1024 * 1024));
      if (!read)
        throw new LoopError("bad-input", `${path} holds no public Ed25519 keys, or something besides`, {
          retry: "never",
          hint: "`lw key export` prints what is wanted.",
        });
      return read;
    }),
  );
  return keys.flat();
}

// ── checking ────────────────────────────────────────────────────────────────────────────────────────────────────

export type Aspect = "holds" | "does-not-hold" | "not-checked";

export interface ReceiptVerification {
  /** `genuine`: signed by a key that counts, and nothing speaks against it. It says nothing about how the run ended. */
  readonly kind: "genuine" | "not-checked" | "refused";
  readonly why: string;
  readonly result: RunResult | undefined;
  readonly receipt: RunReceipt | undefined;
  /** What it says of itself where nothing could be checked: for people to read, and for nothing else. */
  readonly claims?: unknown;
  readonly signedBy: readonly string[];
  readonly aspects: readonly { readonly name: string; readonly aspect: Aspect; readonly why: string }[];
}

/** What a receipt is compared with besides its signature. */
export interface Against {
  /** The repository of its commit, if there is one at hand. */
  readonly repo: { readonly path: string; readonly git: Pick<GitReader, "resolve">; readonly mover: Pick<Mover, "treeOf"> } | undefined;
  /** A commit that it must be about. */
  readonly commit: string | undefined;
  /** Undefined where a public key is all there is. */
  readonly journal: Pick<Journal, "head" | "hashesAt" | "story"> | undefined;
}

export async function verifyReceipt(text: string, keys: readonly PublicKey[], against: Against): Promise<ReceiptVerification> {
  const opened = openReceipt(text, keys);
  if (opened.kind === "refused") return nothing("refused", opened.why);
  if (opened.kind === "foreign") {
    const why = `it is signed with ${opened.keyids.map(short).join(", ")}, a key that was not given: nothing was checked`;
    return { ...nothing("not-checked", why), claims: opened.claims.predicate };
  }
  return compareReceipt(opened, [{ name: "signature", aspect: "holds", why: `signed with ${opened.by.map(short).join(", ")}` }], against);
}

interface Signed {
  readonly receipt: RunReceipt;
  readonly subject: Statement["subject"];
  readonly by: readonly string[];
}

/** What was signed, beside what is at hand. */
export async function compareReceipt(
  { receipt, subject, by }: Signed,
  signatures: readonly Compared[],
  against: Against,
): Promise<ReceiptVerification> {
  const aspects = [...signatures, await compareCommit(receipt, subject, against), await compareJournal(receipt, against)];
  const wrong = aspects.find(({ aspect }) => aspect === "does-not-hold");
  return {
    kind: wrong ? "refused" : "genuine",
    why: wrong?.why ?? "signed, and nothing speaks against it",
    result: resultOf(receipt),
    receipt,
    signedBy: by,
    aspects,
  };
}

export const nothing = (kind: "refused" | "not-checked", why: string): ReceiptVerification => ({
  kind,
  why,
  result: undefined,
  receipt: undefined,
  signedBy: [],
  aspects: [],
});

const short = (keyid: string): string => keyid.slice(0, 16);

type Compared = ReceiptVerification["aspects"][number];

async function compareCommit({ tested }: RunReceipt, subject: Statement["subject"], { repo, commit }: Against): Promise<Compared> {
  const told = (aspect: Aspect, why: string): Compared => ({ name: "commit", aspect, why });
  const commits = subject.flatMap(({ digest }) => digest.gitCommit ?? []);
  if (commit !== undefined && !commits.includes(commit)) return told("does-not-hold", `it is not about the commit ${commit}`);
  if (!tested?.commit) return told("not-checked", "it is about no commit");
  if (repo === undefined) return told("not-checked", "there is no repository to look it up in: name one with --repo");
  const found = await repo.git.resolve(repo.path, tested.commit).catch(ifNoRepository);
  if (found !== tested.commit) return told("not-checked", `${repo.path} does not have the commit ${tested.commit}`);
  const tree = await repo.mover.treeOf(repo.path, tested.commit);
  return tree === tested.tree
    ? told("holds", `the commit ${tested.commit} has the tree that was tested`)
    : told("does-not-hold", `the commit ${tested.commit} has another tree than the one that was tested`);
}

async function compareJournal({ journal: place, run, number }: RunReceipt, { journal }: Against): Promise<Compared> {
  const told = (aspect: Aspect, why: string): Compared => ({ name: "journal", aspect, why });
  if (!journal) return told("not-checked", "only the key was given: whether the journal still has its records was not looked at");
  const head = await journal.head();
  if (head?.chain !== place.chain) return told("not-checked", "it is of another journal than this home's");
  const hash = (await journal.hashesAt([place.to])).get(place.to);
  if (hash !== place.head) return told("does-not-hold", `record ${place.to} of the journal is not the one that it names`);
  const { entries } = await journal.story(run);
  const newest = entries.filter(({ record }) => record.kind === "receipted").length - 1;
  return newest > number
    ? told("holds", `the journal has its records; a newer receipt of the run is there (${newest})`)
    : told("holds", "the journal has its records, and it is the newest of its run");
}
