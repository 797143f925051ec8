// A receipt verified where it is read: its form, its signature by WebCrypto, and what it says of the journal. What cannot be checked says so.
import type { ReceiptDocument } from "../../src/contract/api.ts";
import type { RunReceipt } from "../../src/contract/receipt.ts";
import { canonical } from "./canonical.ts";

export interface Check {
  /** `unknown`: nobody looked, which is never in order. */
  readonly mark: "holds" | "refuted" | "unknown";
  readonly says: string;
  readonly detail: string;
}

export interface Checked {
  readonly kind: "genuine" | "not-genuine" | "not-checked";
  readonly checks: readonly Check[];
  /** What it says of the run; undefined where it could not be read. */
  readonly receipt: RunReceipt | undefined;
}

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const RECEIPT_TYPE = "urn:loopwright:receipt:v1";

/** Null where the run has no receipt. */
export async function verifyReceipt(document: ReceiptDocument, subtle: SubtleCrypto | undefined): Promise<Checked | null> {
  if (document.envelope === null) return null;
  const read = readEnvelope(document.envelope);
  if (typeof read === "string")
    return notGenuine([{ mark: "refuted", says: "The receipt is not as it was signed", detail: read }], undefined);
  const signature = await checkSignature(read, document, subtle);
  const commit: Check = {
    mark: "unknown",
    says: "Commit not checked",
    detail: `a browser has no repository; use lw receipt verify ${document.run}`,
  };
  // What a signature does not hold together may say anything.
  if (signature.mark === "refuted") return notGenuine([signature], undefined);
  const checks = [signature, checkJournal(read.receipt, document), commit];
  if (checks.some(({ mark }) => mark === "refuted")) return notGenuine(checks, read.receipt);
  return { kind: signature.mark === "holds" ? "genuine" : "not-checked", checks, receipt: read.receipt };
}

const notGenuine = (checks: readonly Check[], receipt: RunReceipt | undefined): Checked => ({ kind: "not-genuine", checks, receipt });

interface Read {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
  readonly receipt: RunReceipt;
}

/** The envelope, or why it is none of ours. One byte more or less is a refusal: a looser form leaves room for a second reading. */
function readEnvelope(text: string): Read | string {
  const envelope = parse(text);
  if (!isRecord(envelope) || keysOf(envelope) !== "payload payloadType signatures") return "It is no DSSE envelope.";
  const { payload, payloadType, signatures } = envelope;
  if (typeof payload !== "string" || payloadType !== PAYLOAD_TYPE || !Array.isArray(signatures)) return "It is no DSSE envelope of ours.";
  if (`${canonical(envelope)}\n` !== text) return "It is not written the way it is signed, so somebody changed it.";
  const bytes = fromBase64(payload);
  if (!bytes) return "Its payload is no base64.";
  const statement = parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  if (!isRecord(statement) || statement.predicateType !== RECEIPT_TYPE || !isRecord(statement.predicate)) return "It holds no receipt.";
  if (!sameBytes(new TextEncoder().encode(canonical(statement)), bytes)) return "Its payload is not written the way it is signed.";
  const read = signatures.flatMap((one: unknown) => {
    if (!isRecord(one) || keysOf(one) !== "keyid sig") return [];
    const { keyid, sig } = one;
    return typeof keyid === "string" && typeof sig === "string" ? [{ keyid, sig }] : [];
  });
  if (read.length === 0 || read.length !== signatures.length) return "It is not signed as it should be.";
  // Its form is checked by its type and its signature; whoever holds the home's key writes only this.
  return { payload: bytes, signatures: read, receipt: statement.predicate as unknown as RunReceipt };
}

async function checkSignature({ payload, signatures }: Read, { keys }: ReceiptDocument, subtle: SubtleCrypto | undefined): Promise<Check> {
  if (!subtle) return { mark: "unknown", says: "Signature not checked", detail: "this browser has no WebCrypto here" };
  const signed = preAuthentication(payload);
  const [first] = signatures;
  for (const { keyid, sig } of signatures) {
    const key = keys.find((known) => known.keyid === keyid);
    const bytes = fromBase64(sig);
    if (!key) return { mark: "unknown", says: "Signature not checked", detail: `key ${keyid.slice(0, 8)} is not one of this home` };
    if (bytes?.length !== 64) return { mark: "refuted", says: "Signature does not hold", detail: `key ${keyid.slice(0, 8)}` };
    const holds = await verifyWith(subtle, key, bytes, signed);
    if (holds === "cannot") return { mark: "unknown", says: "Signature not checked", detail: "this browser knows no Ed25519" };
    if (holds === "other-key")
      return { mark: "refuted", says: "The key is not the one it is named by", detail: `key ${keyid.slice(0, 8)}` };
    if (!holds) return { mark: "refuted", says: "Signature does not hold", detail: `key ${keyid.slice(0, 8)}, checked in this browser` };
  }
  return { mark: "holds", says: "Signature holds", detail: `key ${first?.keyid.slice(0, 8)}, checked in this browser` };
}

/** A key goes by the SHA-256 of its public half: the name is checked too, so that no key passes for another. */
async function verifyWith(
  subtle: SubtleCrypto,
  key: ReceiptDocument["keys"][number],
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean | "cannot" | "other-key"> {
  const spki = fromBase64(key.pem.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, ""));
  if (!spki) return "other-key";
  const digest = new Uint8Array(await subtle.digest("SHA-256", spki));
  if (toHex(digest) !== key.keyid) return "other-key";
  try {
    const imported = await subtle.importKey("spki", spki, { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, imported, signature, signed);
  } catch {
    return "cannot"; // an older browser, which then says that it did not look
  }
}

function checkJournal({ journal }: RunReceipt, { journal: now }: ReceiptDocument): Check {
  if (typeof journal?.chain !== "string" || typeof journal.from !== "number" || typeof journal.to !== "number")
    return { mark: "unknown", says: "Journal not compared", detail: "it names no records" };
  const range = `${journal.from.toLocaleString("en-US")} to ${journal.to.toLocaleString("en-US")}`;
  if (now.hash === null || now.chain === null)
    return { mark: "unknown", says: "Journal not compared", detail: `records ${range} are not there` };
  if (now.chain !== journal.chain)
    return { mark: "refuted", says: "It is of another journal", detail: `chain ${journal.chain.slice(0, 8)}` };
  if (now.hash !== journal.head || now.seq !== journal.to)
    return {
      mark: "refuted",
      says: "The journal says something else",
      detail: `record ${journal.to.toLocaleString("en-US")} has another hash`,
    };
  return { mark: "holds", says: "Journal has its records", detail: range };
}

/** What is signed, as DSSE says: the type and the bytes, each with its length. */
function preAuthentication(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `);
  const whole = new Uint8Array(head.length + payload.length);
  whole.set(head);
  whole.set(payload, head.length);
  return whole;
}

/** Base64 that leaves no second way of writing the same bytes. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    return btoa(decoded) === text && decoded.length > 0 ? Uint8Array.from(decoded, (char) => char.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const keysOf = (value: object): string => Object.keys(value).toSorted().join(" ");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
