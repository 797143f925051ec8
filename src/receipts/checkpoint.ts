// Checkpoints: signed words that a journal had exactly these records.
import { CHECKPOINT_TYPE, type Checkpoint } from "../contract/receipt.ts";
import type { PublicKey, Signer } from "../std/ed25519.ts";
import { makeStatement, type Opened, openEnvelope, signStatement } from "./dsse.ts";

export type OpenedCheckpoint =
  | { readonly kind: "signed"; readonly checkpoint: Checkpoint; readonly by: readonly string[] }
  | Exclude<Opened, { kind: "signed" }>;

/** One line, ready to be written. */
export const signCheckpoint = ({ chain, seq, hash, at, after }: Checkpoint, signer: Signer): string =>
  signStatement(makeStatement([{ name: `journal ${chain}`, digest: { sha256: hash } }], CHECKPOINT_TYPE, { chain, seq, hash, at, after }), [
    signer,
  ]);

export function openCheckpoint(text: string, keys: readonly PublicKey[]): OpenedCheckpoint {
  const opened = openEnvelope(text, keys);
  if (opened.kind !== "signed") return opened;
  const { predicate, predicateType } = opened.statement;
  const isOurs = predicateType === CHECKPOINT_TYPE && isCheckpoint(predicate);
  return isOurs
    ? { kind: "signed", checkpoint: predicate, by: opened.by }
    : { kind: "refused", why: "it is signed, but it is no checkpoint" };
}

const HASH = /^[0-9a-f]{64}$/;

function isCheckpoint(value: unknown): value is Checkpoint {
  if (typeof value !== "object" || value === null) return false;
  const { chain, seq, hash, at, after, ...rest } = value as Partial<Record<keyof Checkpoint, unknown>>; // each is looked at below
  return (
    Object.keys(rest).length === 0 &&
    [chain, hash].every((text) => typeof text === "string" && HASH.test(text)) &&
    Number.isSafeInteger(seq) &&
    Number(seq) > 0 &&
    typeof at === "string" &&
    (after === null || (typeof after === "string" && HASH.test(after)))
  );
}
