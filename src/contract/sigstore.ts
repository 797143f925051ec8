// A receipt signed once more, by the identity of a CI job: Sigstore's certificate and log in place of a key that somebody keeps.

/** Who must have signed. Whoever verifies writes it; nothing of it is ever read from what is being verified. */
export interface SignerPin {
  /** The certificate's subject as it is, or the beginning of it with `*` at its end. */
  readonly identity: string;
  /** The address of whoever vouches for that identity, as it is. */
  readonly issuer: string;
}

/** What came of looking at a bundle. Only `verified` says that a receipt is attested. */
export type BundleCheck =
  | {
      readonly kind: "verified";
      readonly identity: string;
      readonly issuer: string;
      /** When the log took it, where it says so. */
      readonly at?: string;
      readonly logIndex: string;
    }
  | { readonly kind: "refused"; readonly why: string }
  /** Nobody looked, because something to look with is missing. It is never the same as `verified`. */
  | { readonly kind: "not-checked"; readonly why: string; readonly hint: string };

/** What is signed: the payload of a DSSE envelope, and the bytes that stand for it and its type. */
export interface Signable {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  /** The pre-authentication encoding of the two. */
  readonly encoded: Uint8Array;
}

/** Where to get a certificate and a log entry. */
export interface SigstorePlaces {
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
}

/** What came of signing. A bundle is a claim until somebody has verified it. */
export type BundleSigning =
  | { readonly kind: "signed"; readonly bundle: string; readonly logIndex: string }
  | { readonly kind: "unsigned"; readonly why: string; readonly hint: string };
