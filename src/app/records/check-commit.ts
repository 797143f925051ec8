// The merge gate: whether a commit was proven by every loop that must prove it, by receipts whose keys count. Nothing recorded is a no.
import { LoopError } from "../../contract/errors.ts";
import type { RunReceipt, RunResult } from "../../contract/receipt.ts";
import { type OpenedReceipt, openReceipt, resultFor } from "../../receipts/receipt.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import type { House } from "../open-house.ts";

export interface CommitCheck {
  readonly commit: string;
  readonly tree: string;
  readonly loops: readonly LoopCheck[];
  /** Receipts of that tree that do not count, and why. */
  readonly ignored: readonly string[];
}

export interface LoopCheck {
  readonly loop: string;
  /** `missing`: no receipt that counts is about this commit. */
  readonly result: RunResult | "missing";
  readonly run?: string;
  readonly at?: string;
  readonly signedBy?: readonly string[];
}

export interface Asked {
  readonly repo: string;
  readonly commit: string;
  readonly require: readonly string[];
  readonly keys: readonly PublicKey[];
}

export async function checkCommit(house: House, { repo, commit: name, require, keys }: Asked): Promise<CommitCheck> {
  const commit = await house.world.git.resolve(repo, name);
  if (!commit)
    throw new LoopError("ref-missing", `${repo} has no commit called ${name}`, {
      retry: "never",
      hint: "Name a commit that is there; a shallow clone may lack it (`git fetch --unshallow`).",
    });
  const tree = await house.world.mover.treeOf(repo, commit);
  const found = [...(await ownReceipts(house, require, tree)), ...(await keptReceipts(house, repo, tree))];
  const ignored: string[] = [];
  const counting: Counting[] = [];
  for (const { text, from } of found) {
    const opened = openReceipt(text, keys);
    const why = opened.kind === "signed" ? await irrelevant(house, repo, commit, tree, opened) : notSigned(opened);
    if (why) ignored.push(`${from}: ${why}`);
    else if (opened.kind === "signed") counting.push({ receipt: opened.receipt, by: opened.by });
  }
  return { commit, tree, loops: require.map((loop) => latest(loop, counting, tree)), ignored };
}

interface Counting {
  readonly receipt: RunReceipt;
  readonly by: readonly string[];
}

/** The latest result wins. Of two at the same moment, the one that is no pass does. */
function latest(loop: string, counting: readonly Counting[], tree: string): LoopCheck {
  const [newest] = counting
    .filter(({ receipt }) => receipt.loop === loop)
    .map(({ receipt, by }) => ({ receipt, by, result: resultFor(receipt, tree) ?? "unknown" }))
    .toSorted((one, other) => byTime(other.receipt, one.receipt) || Number(one.result === "passed") - Number(other.result === "passed"));
  if (!newest) return { loop, result: "missing" };
  return { loop, result: newest.result, run: newest.receipt.run, at: newest.receipt.at, signedBy: newest.by };
}

/** Times are compared as times, and a later receipt of the same run is later whatever its clock said. */
const byTime = (one: RunReceipt, other: RunReceipt): number =>
  one.run === other.run ? one.number - other.number : Date.parse(one.at) - Date.parse(other.at);

/** Why a signed receipt says nothing about this commit, if so. */
async function irrelevant(
  { world }: House,
  repo: string,
  commit: string,
  tree: string,
  { receipt }: Extract<OpenedReceipt, { kind: "signed" }>,
): Promise<string | undefined> {
  if (resultFor(receipt, tree) === undefined) return "it is about another tree";
  if (Number.isNaN(Date.parse(receipt.at))) return "it has no time";
  const base = receipt.tested?.base;
  const isAfter = base !== undefined && (await world.git.reachableFrom(repo, commit, [base])).has(base);
  return isAfter ? undefined : "the commit does not come after the base that it was verified on";
}

function notSigned(opened: Exclude<OpenedReceipt, { kind: "signed" }>): string {
  return opened.kind === "foreign"
    ? `it is signed with ${opened.keyids.map((id) => id.slice(0, 16)).join(", ")}, a key that does not count here`
    : opened.why;
}

interface Kept {
  readonly text: string;
  readonly from: string;
}

/** What this home has on record about the tree. A referee of a loop writes under a name of its own. */
async function ownReceipts(house: House, loops: readonly string[], tree: string): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  for (const loop of loops.flatMap((name) => [name, `${name}.referee`])) {
    for (const { run, record } of await house.journal.newestOf(loop, "receipted", { most: MOST_RECEIPTS })) {
      const isAbout = record.subject.tree === tree || (record.subject.others ?? []).includes(tree);
      if (!isAbout) continue;
      const bytes = await house.signing.receipts.read(record.receipt);
      kept.push({ text: Buffer.from(bytes).toString("utf8"), from: run });
    }
  }
  return kept;
}

const MOST_RECEIPTS = 100_000;

/** What anybody left in the repository about it. */
async function keptReceipts({ signing }: House, repo: string, tree: string): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  for (const chain of await signing.proofs.chains(repo)) {
    for (const name of await signing.proofs.list(repo, chain, `receipts/${tree}`)) {
      const text = await signing.proofs.read(repo, chain, `receipts/${tree}/${name}`);
      if (text !== undefined) kept.push({ text, from: `${name} of the journal ${chain.slice(0, 12)}` });
    }
  }
  return kept;
}
