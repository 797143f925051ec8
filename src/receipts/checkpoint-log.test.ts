import { expect, it } from "vitest";
import { newPrivateKey, readPrivateKey, type Signer } from "../std/ed25519.ts";
import { sha256 } from "../std/hash.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { readCheckpointLog } from "./checkpoint-log.ts";

const newSigner = (): Signer => readPrivateKey(newPrivateKey())!;
const [ada, bob] = [newSigner(), newSigner()];
const chain = "c".repeat(64);
const make = (seq: number, after: string | null, signer = ada): string =>
  signCheckpoint({ chain, seq, hash: sha256(`${seq}`), at: "2026-01-02T03:04:05.678Z", after }, signer);
const first = make(3, null);
const second = make(7, sha256(first));
const third = make(7, sha256(second));

it("reads checkpoints that name each other, also two of the same record", () => {
  const { checkpoints, problem } = readCheckpointLog(first + second + third, [ada]);

  expect(problem).toBeUndefined();
  expect(checkpoints.map(({ seq, sha256: hash }) => [seq, hash])).toEqual([
    [3, sha256(first)],
    [7, sha256(second)],
    [7, sha256(third)],
  ]);
});

it.each([
  ["one that was taken out", first + third, 1, "line 2: it does not follow the one before it"],
  ["the first one missing", second + third, 0, "line 1: it does not follow the one before it"],
  ["another order", second + first, 0, "line 1: it does not follow the one before it"],
  ["one that goes back", first + second + make(2, sha256(second)), 2, "line 3: it goes back in the journal"],
  ["one of a stranger", first + make(9, sha256(first), bob), 1, "line 2: it is signed with a key that is not one of ours"],
  ["a torn end", first + second.slice(0, 40), 0, "line 2: the file ends in the middle of it"],
])("stops at %s", (_, text, good, problem) => {
  const read = readCheckpointLog(text, [ada]);

  expect(read.checkpoints).toHaveLength(good);
  expect(read.problem).toBe(problem);
});

it("finds nothing in nothing", () => {
  expect(readCheckpointLog("", [ada])).toEqual({ checkpoints: [], problem: undefined });
});
