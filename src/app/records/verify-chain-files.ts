// Checks exported chains, each by itself: one that is broken does not hide the others.
import { type ChainFile, readChainFile } from "../../receipts/chain-file.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import { readChunks } from "../../world/files/read-chunks.ts";

export interface ChainFileCheck {
  readonly path: string;
  readonly chain: ChainFile;
}

/** `-` is standard input. */
export async function verifyChainFiles(paths: readonly string[], keys: readonly PublicKey[]): Promise<readonly ChainFileCheck[]> {
  const checks: ChainFileCheck[] = [];
  for (const path of paths) checks.push({ path, chain: await readChainFile(readChunks(path), keys) });
  return checks;
}
