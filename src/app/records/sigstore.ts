// A receipt's second signature: made by a CI job through Sigstore, and verified with what the one who verifies brings along.
import type { Inputs } from "../../contract/files.ts";
import type { BundleCheck, BundleSigning, SignBundle, SigstorePlaces } from "../../contract/signing.ts";
import { openEnvelope, preAuthentication, readEnvelope } from "../../receipts/dsse.ts";
import { receiptIn } from "../../receipts/receipt.ts";
import { verifyBundle } from "../../receipts/verify-bundle.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import { type Against, compareReceipt, nothing, type ReceiptVerification } from "./receipts.ts";

/** The public instance; a company's own is named on the command line. */
export const PUBLIC_SIGSTORE: SigstorePlaces = { fulcioUrl: "https://fulcio.sigstore.dev", rekorUrl: "https://rekor.sigstore.dev" };

const MOST_BYTES = 4 * 1024 * 1024;

/** Signs exactly the bytes that the receipt's own signature is of. What fails leaves the receipt as it was. */
export async function signWithSigstore(signBundle: SignBundle, text: string, places: SigstorePlaces): Promise<BundleSigning> {
  const envelope = readEnvelope(text);
  if (typeof envelope === "string") return { kind: "unsigned", why: envelope, hint: "Sign a receipt as `lw receipt export` writes it." };
  const { payloadType } = envelope;
  const payload = Buffer.from(envelope.payload, "base64");
  const signable = { payloadType, payload, encoded: preAuthentication(payloadType, payload) };
  return signBundle(signable, places);
}

export interface SigstoreQuestion {
  /** Files. */
  readonly bundle: string;
  readonly trustedRoot: string | undefined;
  readonly identity: string | undefined;
  readonly issuer: string | undefined;
}

/** Whether the job that was pinned has signed exactly this receipt. Keys that are given must have signed it as well. Nothing is fetched. */
export async function verifySigstore(
  inputs: Pick<Inputs, "bytes">,
  text: string,
  asked: SigstoreQuestion,
  keys: readonly PublicKey[],
  against: Against,
): Promise<ReceiptVerification> {
  const [opened, envelope] = [openEnvelope(text, keys), readEnvelope(text)];
  if (opened.kind === "refused" || typeof envelope === "string")
    return nothing("refused", "why" in opened ? opened.why : "it is no receipt");
  if (opened.kind === "foreign" && keys.length > 0)
    return nothing("not-checked", "it is signed with another key than the ones that were given");
  const statement = opened.kind === "signed" ? opened.statement : opened.claims;
  const check = await checkBundle(inputs, Buffer.from(envelope.payload, "base64"), asked);
  if (check.kind === "not-checked") return nothing("not-checked", `${check.why}. ${check.hint}`);
  if (check.kind === "refused") return nothing("refused", `the Sigstore bundle does not verify: ${check.why}`);
  const receipt = receiptIn(statement);
  if (!receipt) return nothing("refused", "it is signed, but it is no receipt");
  const why = `signed by ${check.identity}, for whom ${check.issuer} vouches; entry ${check.logIndex} of the log${check.at ? ` at ${check.at}` : ""}`;
  const by = [check.identity, ...(opened.kind === "signed" ? opened.by : [])];
  const own = opened.kind === "signed" ? [{ name: "signature", aspect: "holds" as const, why: "signed with a key that was given" }] : [];
  return compareReceipt({ receipt, subject: statement.subject, by }, [{ name: "sigstore", aspect: "holds", why }, ...own], against);
}

async function checkBundle(
  inputs: Pick<Inputs, "bytes">,
  payload: Uint8Array,
  { bundle, trustedRoot, identity, issuer }: SigstoreQuestion,
): Promise<BundleCheck> {
  const files = await Promise.all([
    readText(inputs, bundle),
    trustedRoot === undefined ? { text: undefined } : readText(inputs, trustedRoot),
  ]);
  const unread = files.find((file) => "why" in file);
  if (unread && "why" in unread) return { kind: "not-checked", why: unread.why, hint: "Check the path." };
  const [text, root] = files.map((file) => file.text);
  return verifyBundle(text ?? "", { payload, identity, issuer, trustedRoot: root });
}

type TextReading = { readonly text: string | undefined } | { readonly text: undefined; readonly why: string };

async function readText(inputs: Pick<Inputs, "bytes">, path: string): Promise<TextReading> {
  const reading = await inputs.bytes({ kind: "file", path }, MOST_BYTES);
  if (reading.kind === "unreadable") return { text: undefined, why: `${path} cannot be read: ${reading.why}` };
  if (!reading.isWhole) return { text: undefined, why: `${path} is larger than ${MOST_BYTES} bytes` };
  return { text: Buffer.from(reading.bytes).toString("utf8") };
}
