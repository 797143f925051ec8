// What receipts are checked and signed with where no house is open: files that somebody names, a repository, Sigstore.
import type { Environment } from "../contract/clock.ts";
import type { SignBundle } from "../contract/signing.ts";
import type { PublicKey } from "../std/ed25519.ts";
import { createFiles } from "../world/files/files.ts";
import { texts } from "../world/files/spec-files.ts";
import { createGitReader } from "../world/git/git-reader.ts";
import { createMover } from "../world/git/mover.ts";
import { gitFor } from "../world/git/run-git.ts";
import { http } from "../world/net/http.ts";
import { signBundle } from "../world/net/sigstore.ts";
import { type Against, MOST_RECEIPT_BYTES, readKeyFiles } from "./records/receipts.ts";

export const keysIn = (paths: readonly string[]): Promise<readonly PublicKey[]> => readKeyFiles(texts, paths);
export const readReceiptFile = (path: string): Promise<string> => texts.readWhole(path, MOST_RECEIPT_BYTES);
export const writeReceiptFile = (path: string, text: string): Promise<void> => createFiles().writeText(path, text);

/** A repository to compare with. */
export function repositoryAt(path: string, env: Environment): Against["repo"] {
  const git = gitFor(env);
  return { path, git: createGitReader(git), mover: createMover(git, env) };
}

/** The variables say which job it is that signs. */
export const sigstoreFor =
  (env: Environment): SignBundle =>
  (signable, places) =>
    signBundle(signable, places, { http, env });
