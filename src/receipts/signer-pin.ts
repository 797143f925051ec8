// Who may have signed, as the one who verifies wrote it down: compared character by character, never as a pattern language.
import type { SignerPin } from "../contract/signing.ts";

export type PinReading = { readonly kind: "pin"; readonly pin: SignerPin } | { readonly kind: "unusable"; readonly why: string };

/** A prefix must end where a name ends: `…/ada/app*` would also be `…/ada/app-of-somebody-else`. */
const PREFIX = /^https:\/\/[^/*\s]+\/[^*\s]*[/@]\*$/;

/** What was asked for, if it pins anybody at all. */
export function readSignerPin(identity: string | undefined, issuer: string | undefined): PinReading {
  if (!identity?.trim()) return unusable("no identity is pinned, so anybody's signature would do");
  if (!issuer?.trim()) return unusable("no issuer is pinned, so anybody could vouch for that identity");
  if (issuer.includes("*")) return unusable("an issuer is pinned as it is, without `*`");
  if (identity.includes("*") && !PREFIX.test(identity))
    return unusable("a pinned identity may have one `*`, at its end, after a `/` or `@` that follows a name at the host");
  return { kind: "pin", pin: { identity, issuer } };
}

interface Signer {
  readonly identity: string | undefined;
  readonly issuer: string | undefined;
}

/** Why this signer is not the pinned one; undefined when it is. */
export function strangerBecause({ identity, issuer }: SignerPin, signer: Signer): string | undefined {
  if (!signer.identity || !isPinned(identity, signer.identity))
    return `it was signed as ${told(signer.identity)}, and ${identity} is pinned`;
  if (signer.issuer !== issuer) return `${told(signer.issuer)} vouches for the signer, and ${issuer} is pinned`;
  return undefined;
}

const isPinned = (pin: string, identity: string): boolean => (pin.endsWith("*") ? identity.startsWith(pin.slice(0, -1)) : identity === pin);

const told = (name: string | undefined): string => name || "nobody that it names";

const unusable = (why: string): PinReading => ({ kind: "unusable", why });
