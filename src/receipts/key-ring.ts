// The keys of a home, from its first to the one in use: each is named by the one before it, and both have signed that.
import { ROTATION_TYPE } from "../contract/receipt.ts";
import type { KeyRing, SigningKey } from "../contract/signing.ts";
import { type PublicKey, readPublicKeys, type Signer } from "../std/ed25519.ts";
import { makeStatement, openEnvelope, signStatement } from "./dsse.ts";

interface Rotation {
  readonly from: string | null;
  readonly to: string;
  readonly publicKey: string;
  readonly at: string;
}

/** One line of a ring: the first key signs itself in, every other is signed in by the one before it. */
export function sealRotation(old: Signer | undefined, fresh: Signer, at: string): string {
  const { keyid, pem } = fresh;
  const rotation: Rotation = { from: old?.keyid ?? null, to: keyid, publicKey: pem, at };
  const subject = [{ name: "signing key", digest: { sha256: keyid } }];
  return signStatement(makeStatement(subject, ROTATION_TYPE, rotation), old ? [old, fresh] : [fresh]);
}

/** Reads a ring from its lines. It shows that later keys come from the first one; whether that one is to be trusted it cannot show. */
export function readRing(text: string): KeyRing {
  if (!text.endsWith("\n")) return { kind: "broken", line: 1, why: "its last line is torn, or there is none" };
  const keys: SigningKey[] = [];
  for (const [index, line] of text.slice(0, -1).split("\n").entries()) {
    const read = readRotation(`${line}\n`, keys.at(-1));
    if (typeof read === "string") return { kind: "broken", line: index + 1, why: read };
    const last = keys.pop();
    if (last) keys.push({ ...last, until: read.since });
    keys.push(read);
  }
  return { kind: "whole", keys };
}

/** The key that a line brings in, or why it does not. */
function readRotation(line: string, last: SigningKey | undefined): SigningKey | string {
  const claimed = claimedKey(line);
  if (!claimed) return "it brings in no key";
  const opened = openEnvelope(line, last ? [last, claimed] : [claimed]);
  if (opened.kind === "refused") return opened.why;
  if (opened.kind === "foreign") return "it is not signed by the key before it";
  const { predicate, predicateType } = opened.statement;
  const { from, to, at } = predicate as Partial<Rotation>; // each is looked at here
  const names = [last?.keyid, claimed.keyid].filter(Boolean).join(" ");
  const isOurs = predicateType === ROTATION_TYPE && to === claimed.keyid && from === (last?.keyid ?? null) && typeof at === "string";
  return isOurs && opened.by.join(" ") === names ? { ...claimed, since: at } : "it does not name the key before it and its own";
}

/** The public key that a line says it brings; what it is worth shows when its signatures are checked. */
function claimedKey(line: string): PublicKey | undefined {
  try {
    const { payload } = JSON.parse(line) as { readonly payload?: unknown };
    const { predicate } = JSON.parse(Buffer.from(String(payload), "base64").toString("utf8")) as { readonly predicate?: Partial<Rotation> };
    return readPublicKeys(String(predicate?.publicKey))?.[0];
  } catch {
    return undefined; // no line of ours
  }
}
