// Who signs, and where signed things are kept besides the journal.
import type { Artifacts } from "./world.ts";

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
  rotate(at: string): { readonly from: string; readonly to: string };
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
