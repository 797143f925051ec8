// A receipt's second signature: made by a CI job through Sigstore, and verified with what the one who verifies brings along.
import type { Envelope } from "../contract/receipt.ts";
import type { BundleCheck, BundleSigning, SigstorePlaces } from "../contract/sigstore.ts";
import { preAuthentication } from "../receipts/dsse.ts";
import { verifyBundle } from "../receipts/verify-bundle.ts";
import { processEnvironment } from "../world/clock.ts";
import { http } from "../world/http.ts";
import { readBytes } from "../world/read-bytes.ts";
import { signBundle } from "../world/sigstore.ts";

/** The public instance; a company's own is named on the command line. */
export const PUBLIC_SIGSTORE: SigstorePlaces = { fulcioUrl: "https://fulcio.sigstore.dev", rekorUrl: "https://rekor.sigstore.dev" };

const MOST_BYTES = 4 * 1024 * 1024;

/** Signs exactly the bytes that the receipt's own signature is of. What fails leaves the receipt as it was. */
export function signWithSigstore({ payloadType, payload }: Envelope, places: SigstorePlaces): Promise<BundleSigning> {
  const bytes = Buffer.from(payload, "base64");
  return signBundle({ payloadType, payload: bytes, encoded: preAuthentication(payloadType, bytes) }, places, {
    http,
    env: processEnvironment,
  });
}

export interface SigstoreQuestion {
  /** Files. */
  readonly bundle: string;
  readonly trustedRoot: string | undefined;
  readonly identity: string | undefined;
  readonly issuer: string | undefined;
}

/** Whether this bundle is of exactly this receipt, by the signer that was pinned. Nothing is fetched. */
export async function verifySigstore({ payload }: Envelope, asked: SigstoreQuestion): Promise<BundleCheck> {
  const [bundle, root] = await Promise.all([
    readText(asked.bundle),
    asked.trustedRoot === undefined ? undefined : readText(asked.trustedRoot),
  ]);
  if (bundle.text === undefined) return notChecked(asked.bundle, bundle.why);
  if (root && root.text === undefined) return notChecked(asked.trustedRoot!, root.why);
  const { identity, issuer } = asked;
  return verifyBundle(bundle.text, { payload: Buffer.from(payload, "base64"), identity, issuer, trustedRoot: root?.text });
}

type TextReading = { readonly text: string } | { readonly text: undefined; readonly why: string };

async function readText(path: string): Promise<TextReading> {
  const reading = await readBytes(path, MOST_BYTES);
  if (reading.kind === "unreadable") return { text: undefined, why: reading.why };
  if (!reading.isWhole) return { text: undefined, why: `it is larger than ${MOST_BYTES} bytes` };
  return { text: Buffer.from(reading.bytes).toString("utf8") };
}

const notChecked = (path: string, why: string): BundleCheck => ({
  kind: "not-checked",
  why: `${path} cannot be read: ${why}`,
  hint: "Check the path.",
});
