// DSSE envelopes (v1) around in-toto statements: made, and opened only when everything about them is as we write it.
// A form that is looser than it must be leaves room for a second reading, so one byte more or less is a refusal.
import { type Envelope, PAYLOAD_TYPE, STATEMENT_TYPE, type Statement } from "../contract/receipt.ts";
import { isSignedBy, type PublicKey, type Signer } from "../std/ed25519.ts";
import { canonicalJson } from "../std/hash.ts";
import { isNestedDeeper } from "../std/json-depth.ts";
import { isObject } from "../std/json-record.ts";

export type Opened =
  | { readonly kind: "signed"; readonly statement: Statement; readonly by: readonly string[] }
  /** Well formed, but by nobody whose key was given: it is not known whether it is true. */
  | { readonly kind: "foreign"; readonly keyids: readonly string[]; readonly claims: Statement }
  | { readonly kind: "refused"; readonly why: string };

/** The most that is read of one: a receipt is a few kilobytes. */
export const MOST_ENVELOPE_BYTES = 8 * 1024 * 1024;

const MOST_DEPTH = 64;

export const makeStatement = <P>(subject: Statement["subject"], predicateType: Statement["predicateType"], predicate: P): Statement<P> => ({
  _type: STATEMENT_TYPE,
  subject,
  predicateType,
  predicate,
});

/** The text of an envelope, ready to be written: one line, canonical. */
export function signStatement(statement: Statement, signers: readonly Signer[]): string {
  const payload = Buffer.from(canonicalJson(statement));
  const bytes = preAuthentication(PAYLOAD_TYPE, payload);
  const envelope: Envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString("base64"),
    signatures: signers.map(({ keyid, sign }) => ({ keyid, sig: Buffer.from(sign(bytes)).toString("base64") })),
  };
  return `${canonicalJson(envelope)}\n`;
}

/**
 * Signed only if every signature is by one of these keys and holds. Without keys nothing can be signed by anyone known: it is foreign.
 */
export function openEnvelope(text: string, keys: readonly PublicKey[]): Opened {
  const envelope = readEnvelope(text);
  if (typeof envelope === "string") return refused(envelope);
  const payload = readBase64(envelope.payload);
  const statement = payload && readStatement(payload);
  if (!payload || !statement) return refused("what it holds is no in-toto statement as we write it");
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  if (keyids.length === 0) return refused("it is not signed");
  if (new Set(keyids).size !== keyids.length) return refused("it names the same key twice");
  const bytes = preAuthentication(envelope.payloadType, payload);
  const known = envelope.signatures.map(({ keyid, sig }) => ({ key: keys.find((key) => key.keyid === keyid), sig: readBase64(sig) }));
  // A signature that does not hold is worse than one that nobody can check.
  if (known.some(({ key, sig }) => !sig || (key && !isSignedBy(key, bytes, sig)))) return refused("its signature does not hold");
  if (known.some(({ key }) => !key)) return { kind: "foreign", keyids, claims: statement };
  return { kind: "signed", statement, by: keyids };
}

/** What is signed, as DSSE says: its type and its bytes, each with its length. */
export function preAuthentication(type: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

/** The envelope, or why it is none. */
export function readEnvelope(text: string): Envelope | string {
  if (text.length > MOST_ENVELOPE_BYTES) return "it is too large to be a receipt";
  const value = parse(text);
  if (!isObject(value) || !hasExactly(value, ["payload", "payloadType", "signatures"])) return "it is no DSSE envelope";
  const { payload, payloadType, signatures } = value;
  if (typeof payload !== "string" || payloadType !== PAYLOAD_TYPE || !Array.isArray(signatures)) return "it is no DSSE envelope of ours";
  if (!signatures.every(isSignature)) return "its signatures are not as they should be";
  if (`${canonicalJson(value)}\n` !== text) return "it is not written the way we write it, so somebody changed it";
  return { payload, payloadType, signatures };
}

function readStatement(payload: Uint8Array): Statement | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(payload);
  const value = parse(text);
  if (!isObject(value) || !hasExactly(value, ["_type", "predicate", "predicateType", "subject"])) return undefined;
  const { _type, subject, predicateType, predicate } = value;
  if (_type !== STATEMENT_TYPE || typeof predicateType !== "string" || !isObject(predicate)) return undefined;
  if (!Array.isArray(subject) || !subject.every(isSubject)) return undefined;
  if (!Buffer.from(canonicalJson(value)).equals(payload)) return undefined;
  return { _type, subject, predicateType, predicate };
}

/** Base64 that leaves no second way of writing the same bytes. */
function readBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}

const isSignature = (value: unknown): value is Envelope["signatures"][number] =>
  isObject(value) && hasExactly(value, ["keyid", "sig"]) && typeof value.keyid === "string" && typeof value.sig === "string";

const isSubject = (value: unknown): value is Statement["subject"][number] =>
  isObject(value) &&
  hasExactly(value, ["digest", "name"]) &&
  typeof value.name === "string" &&
  isObject(value.digest) &&
  Object.values(value.digest).every((digest) => typeof digest === "string" && /^[0-9a-f]{40,64}$/.test(digest));

const hasExactly = (value: object, keys: readonly string[]): boolean => Object.keys(value).toSorted().join(" ") === keys.join(" ");

/** Undefined for what is no JSON, and for what is nested deeper than anything we write. */
function parse(text: string): unknown {
  try {
    return isNestedDeeper(text, MOST_DEPTH) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refused = (why: string): Opened => ({ kind: "refused", why });
