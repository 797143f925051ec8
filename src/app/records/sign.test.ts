import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, withProposal } from "../../../test/support/memory-house.ts";
import { dyingAt } from "../../../test/support/memory-journal.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RunReceipt } from "../../contract/receipt.ts";
import type { Entry } from "../../contract/record.ts";
import { openReceipt } from "../../receipts/receipt.ts";
import type { House } from "../open-house.ts";
import { runSpec } from "../runs/wake.ts";
import { makeCheckpoint, rotateKey, signLoop, workSigned } from "./sign.ts";
import { verifyHome } from "./verify-home.ts";

const RUN = "fix-1-t0001";
const quiet = () => {};

const receiptedRuns = ({ entries }: MemoryHouse): readonly string[] =>
  entries.filter(({ record }) => record.kind === "receipted").map(({ run }) => run);

/** Somebody decided something about a run, and nobody has signed for it yet. */
const touch = ({ house }: MemoryHouse, run: string) =>
  house.journal.append([{ loop: "fix", run, record: { kind: "decided", decision: "defer", tree: "", by: "ada", why: "" } }]);

async function readReceipts({ house, entries }: MemoryHouse): Promise<readonly RunReceipt[]> {
  const ring = house.signing.keys.ring();
  const keys = ring.kind === "whole" ? ring.keys : [];
  const refs = entries.flatMap(({ record }) => (record.kind === "receipted" ? [record.receipt] : []));
  const texts = await Promise.all(refs.map(async (ref) => Buffer.from(await house.signing.receipts.read(ref)).toString("utf8")));
  return texts.map((text) => {
    const opened = openReceipt(text, keys);
    if (opened.kind !== "signed") throw new TypeError(`a receipt is ${opened.kind}`);
    return opened.receipt;
  });
}

it("signs once for what came of a waking, and lays it under a checkpoint", async () => {
  const at = await withProposal();

  expect(receiptedRuns(at)).toEqual([RUN]);
  expect(await readReceipts(at)).toMatchObject([{ kind: "run", run: RUN, number: 0, rest: { kind: "accept" } }]);
  expect(await verifyHome(at.house)).toMatchObject({ kind: "whole", receipts: 1, checkpoints: 1, problems: [], notChecked: [] });
});

it("signs nothing again where nothing happened since", async () => {
  const at = await withProposal();
  const { length } = at.entries;

  await signLoop(at.house, "fix", quiet);

  expect(at.entries).toHaveLength(length);
});

it("signs again for a run that something was decided about, and for no other", async () => {
  const at = await withProposal();
  await runSpec(at.house, at.spec(), { onlyIfDue: false, again: true }, quiet);
  await touch(at, RUN);
  const before = receiptedRuns(at).length;

  await signLoop(at.house, "fix", quiet);

  expect(receiptedRuns(at).slice(before)).toEqual([RUN]);
  expect((await readReceipts(at)).at(-1)?.decisions).toMatchObject([{ decision: "defer", by: "ada" }]);
});

it("tells whoever watches of every record that it writes", async () => {
  const at = await withProposal();
  await touch(at, RUN);
  const { length } = at.entries;
  const heard: Entry[] = [];

  await signLoop(at.house, "fix", (event) => event.kind === "recorded" && heard.push(event.entry));

  expect(heard).toEqual(at.entries.slice(length));
  expect(heard.map(({ record }) => record.kind)).toEqual(["receipted", "checkpointed"]);
});

it.each(["lost", "kept"] as const)(
  "goes on after a crash at any record, the last of which is %s, and signs nothing twice",
  async (fate) => {
    let crashes = 0;
    for (let isDone = false; !isDone; crashes++) {
      const at = await withProposal();
      await runSpec(at.house, at.spec(), { onlyIfDue: false, again: true }, quiet);
      const runs = [RUN, "fix-2-t0002"];
      for (const run of runs) await touch(at, run);
      const before = receiptedRuns(at).length;
      const dying: House = { ...at.house, journal: dyingAt(at.house.journal, crashes, fate) };

      isDone = await signLoop(dying, "fix", quiet).then(
        () => true,
        (error: Error) => error.message !== "killed",
      );
      await signLoop(at.house, "fix", quiet);

      expect(receiptedRuns(at).slice(before).toSorted()).toEqual(runs);
      expect(await verifyHome(at.house)).toMatchObject({ kind: "whole", problems: [], notChecked: [] });
      expect(at.entries.at(-1)?.record.kind).toBe("checkpointed");
    }
    expect(crashes).toBeGreaterThan(2);
  },
);

it("lets two who sign at once take turns", async () => {
  const at = await withProposal();
  await touch(at, RUN);
  const before = receiptedRuns(at).length;

  await Promise.all([signLoop(at.house, "fix", quiet), signLoop(at.house, "fix", quiet)]);

  expect(receiptedRuns(at).slice(before)).toEqual([RUN]);
  expect((await verifyHome(at.house)).kind).toBe("whole");
});

it("begins no work that could not be signed for", async () => {
  const at = createMemoryHouse();
  const unusable = (): never => {
    throw new LoopError("store-unusable", "the key is gone", { retry: "never", hint: "Put it back." });
  };
  const keyless: House = { ...at.house, signing: { ...at.house.signing, keys: { ...at.house.signing.keys, signer: unusable } } };
  let isBegun = false;

  const working = workSigned(keyless, "fix", quiet, async () => {
    isBegun = true;
  });

  await expect(working).rejects.toMatchObject({ code: "store-unusable" });
  expect(isBegun).toBe(false);
});

it("names the checkpoint before in each one, and makes none while nothing is on record", async () => {
  expect(await makeCheckpoint(createMemoryHouse().house, quiet)).toBeUndefined();

  const at = await withProposal();
  const made = await makeCheckpoint(at.house, quiet);

  const [first, second] = at.records("checkpointed");
  if (first?.kind !== "checkpointed" || second?.kind !== "checkpointed") throw new TypeError("there are no two checkpoints");
  expect([first.checkpoint.after, second.checkpoint.after]).toEqual([null, first.sha256]);
  expect(made?.record).toEqual(second);
  expect(await verifyHome(at.house)).toMatchObject({ kind: "whole", checkpoints: 2 });
});

it("signs although a place outside cannot be written, and says so on record", async () => {
  const at = createMemoryHouse();
  const write = () => Promise.reject(new LoopError("git-failed", "the disk is full", { retry: "later", hint: "Make room." }));
  const house: House = { ...at.house, signing: { ...at.house.signing, proofs: { ...at.house.signing.proofs, write } } };

  await runSpec(house, at.spec(), { onlyIfDue: false, again: false }, quiet);

  expect(at.records("checkpointed")).toMatchObject([{ anchors: ["home"], failed: [{ anchor: "target /repo", why: "the disk is full" }] }]);
});

it("puts a change of keys on record, under a checkpoint", async () => {
  const at = await withProposal();
  const rotate = async () => ({ from: "old", to: "new" });
  const house: House = { ...at.house, signing: { ...at.house.signing, keys: { ...at.house.signing.keys, rotate } } };

  expect(await rotateKey(house, "ada", quiet)).toEqual({ from: "old", to: "new" });

  expect(at.entries.slice(-2).map(({ record }) => record)).toMatchObject([
    { kind: "signer-changed", from: "old", to: "new", by: "ada" },
    { kind: "checkpointed" },
  ]);
});
