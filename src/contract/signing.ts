// Who signs, and where signed things are kept besides the journal.
import type { Artifacts } from "./artifacts.ts";

export interface SigningKey {
  readonly keyid: string;
  readonly pem: string;
  readonly since: string;
  /** When the next one took its place; not there for the one in use. */
  readonly until?: string;
}

export type KeyRing =
  | { readonly kind: "whole"; readonly keys: readonly SigningKey[] }
  | { readonly kind: "broken"; readonly line: number; readonly why: string };

export interface SigningKeys {
  /** The key in use, made where there is none. */
  signer(at: string): { readonly keyid: string; readonly pem: string; readonly sign: (bytes: Uint8Array) => Uint8Array };
  /** All keys there ever were; none while nothing was signed. */
  ring(): KeyRing;
  ringText(): string | undefined;
  rotate(at: string): Promise<{ readonly from: string; readonly to: string }>;
}

/** One file of what is signed. */
export interface SignedFile {
  readonly path: string;
  readonly text: string;
}

/** A ref of the target repository where a journal's checkpoints and receipts are kept, as files of a commit. */
export interface Proofs {
  /** Adds these files to what is there already. */
  write(repo: string, chain: string, files: readonly SignedFile[], because: string): Promise<void>;
  /** The chains that left something in a repository. */
  chains(repo: string): Promise<readonly string[]>;
  /** One file as it is now; undefined where there is none. */
  read(repo: string, chain: string, path: string): Promise<string | undefined>;
  /** What a commit's message says; the commit is named by its full id. */
  messageOf(repo: string, commit: string): Promise<string>;
  /** Names of files in a folder. */
  list(repo: string, chain: string, folder: string): Promise<readonly string[]>;
}

export interface CheckpointLog {
  /** The newest line; undefined where there is none. */
  last(): string | undefined;
  append(line: string): void;
  /** All of it; undefined where there is none. */
  text(): string | undefined;
}

/** Everything that signing takes. */
export interface Signing {
  readonly keys: SigningKeys;
  /** Receipts as they were signed: nothing goes over them any more. */
  readonly receipts: Artifacts;
  readonly log: CheckpointLog;
  readonly logAt: (path: string) => CheckpointLog;
  readonly proofs: Proofs;
}

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

/** Has somebody else vouch for what is signed, and logs it. */
export type SignBundle = (signable: Signable, places: SigstorePlaces) => Promise<BundleSigning>;

/** What came of signing. A bundle is a claim until somebody has verified it. */
export type BundleSigning =
  | { readonly kind: "signed"; readonly bundle: string; readonly logIndex: string }
  | { readonly kind: "unsigned"; readonly why: string; readonly hint: string };
