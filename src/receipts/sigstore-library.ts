// Sigstore's own library, behind three questions. It is large, so whoever needs it imports this file when a bundle is looked at.
import { type Bundle, bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import { isNestedDeeper } from "../std/json-depth.ts";

const MOST_DEPTH = 32;

/** Throws on what is no bundle. */
export const readBundle = (text: string): Bundle => bundleFromJSON(readJson(text));

/** Undefined for what nothing can be checked with. */
export function readRoot(text: string): TrustedRoot | undefined {
  try {
    const root = TrustedRoot.fromJSON(readJson(text));
    const isUsable = root.certificateAuthorities.length > 0 && root.tlogs.length > 0 && root.ctlogs.length > 0;
    return isUsable ? root : undefined;
  } catch {
    return undefined;
  }
}

/** Who signed it. Throws unless certificate, timestamps, log entry, proofs and signature all hold. */
export function signerOf(
  bundle: Bundle,
  root: TrustedRoot,
): { readonly identity: string | undefined; readonly issuer: string | undefined } {
  // Its own comparison of identities searches for a regular expression anywhere in the name: ours is made after it.
  const verifier = new Verifier(toTrustMaterial(root), { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 });
  const { identity } = verifier.verify(toSignedEntity(bundle));
  return { identity: identity?.subjectAlternativeName, issuer: identity?.extensions?.issuer };
}

function readJson(text: string): unknown {
  if (isNestedDeeper(text, MOST_DEPTH)) throw new Error("it is nested deeper than any bundle");
  return JSON.parse(text);
}
