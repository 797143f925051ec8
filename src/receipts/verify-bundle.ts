// Verifies a Sigstore bundle of one receipt, offline: trust and pins come from whoever verifies, and only the rest from the bundle.
import type { Bundle } from "@sigstore/bundle";
import { PAYLOAD_TYPE } from "../contract/receipt.ts";
import type { BundleCheck } from "../contract/signing.ts";
import { displayLine } from "../std/display-text.ts";
import { readSignerPin, strangerBecause } from "./signer-pin.ts";

export interface BundleQuestion {
  /** The bytes of the receipt's own payload: the bundle must be of exactly these. */
  readonly payload: Uint8Array;
  readonly identity: string | undefined;
  readonly issuer: string | undefined;
  /** The text of a `trusted_root.json` that the one who verifies got by a way of their own. */
  readonly trustedRoot: string | undefined;
}

const MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";

export async function verifyBundle(bundleText: string, asked: BundleQuestion): Promise<BundleCheck> {
  const pinned = readSignerPin(asked.identity, asked.issuer);
  if (pinned.kind === "unusable") return notChecked(pinned.why, PIN_HINT);
  if (asked.trustedRoot === undefined) return notChecked("there is no trusted root to check the certificate and the log with", ROOT_HINT);
  const library = await import("./sigstore-library.ts").catch(() => undefined);
  if (!library) return notChecked("the part of loopwright that reads Sigstore bundles cannot be loaded", "Install loopwright again.");
  const root = library.readRoot(asked.trustedRoot);
  if (!root) return notChecked("the trusted root is no Sigstore trusted root with a certificate authority and both logs", ROOT_HINT);
  try {
    const bundle = library.readBundle(bundleText);
    const misfit = misfitOf(bundle, asked.payload);
    if (misfit) return refused(misfit);
    const signer = library.signerOf(bundle, root);
    const stranger = strangerBecause(pinned.pin, signer);
    if (stranger) return refused(stranger);
    const { identity = "", issuer = "" } = signer;
    return { kind: "verified", identity, issuer, ...placeOf(bundle) };
  } catch (error) {
    // Whatever the library cannot make sense of is not verified; it throws on everything from bad base64 to a false proof.
    return refused(displayLine(error instanceof Error ? error.message : String(error), 300));
  }
}

/** What the library's checks leave open: the form, and of which receipt it is. */
function misfitOf({ mediaType, content }: Bundle, payload: Uint8Array): string | undefined {
  if (mediaType !== MEDIA_TYPE) return "it is no Sigstore bundle of version 0.3";
  if (content.$case !== "dsseEnvelope") return "it signs a plain file and no statement";
  if (content.dsseEnvelope.payloadType !== PAYLOAD_TYPE) return "what it signs is no in-toto statement";
  if (!content.dsseEnvelope.payload.equals(payload)) return "it is the bundle of another receipt";
  return undefined;
}

/** Where the log has it. A log that gives no times leaves that to an authority of its own, whose word the library has checked. */
function placeOf({ verificationMaterial: { tlogEntries } }: Bundle): { readonly at?: string; readonly logIndex: string } {
  const [entry] = tlogEntries;
  const seconds = Number(entry?.integratedTime ?? 0);
  return { ...(seconds > 0 ? { at: new Date(seconds * 1000).toISOString() } : {}), logIndex: entry?.logIndex ?? "" };
}

const refused = (why: string): BundleCheck => ({ kind: "refused", why });

const notChecked = (why: string, hint: string): BundleCheck => ({ kind: "not-checked", why, hint });

const PIN_HINT =
  "Name who must have signed, e.g. --identity https://github.com/OWNER/REPO/.github/workflows/check.yml@refs/heads/main --issuer https://token.actions.githubusercontent.com";
const ROOT_HINT = "Name one with --trusted-root FILE; docs/sigstore.md says where to get it.";
