// Checks exported chains, each by itself: one that is broken does not hide the others.
import type { StandardInput } from "../../contract/around.ts";
import type { Inputs } from "../../contract/files.ts";
import { type ChainFile, readChainFile } from "../../receipts/chain-file.ts";
import type { PublicKey } from "../../std/ed25519.ts";

export interface ChainFileCheck {
  readonly path: string;
  readonly chain: ChainFile;
}

/** `-` is standard input. */
export async function verifyChainFiles(
  inputs: Pick<Inputs, "chunks">,
  paths: readonly string[],
  keys: readonly PublicKey[],
  stdin: StandardInput,
): Promise<readonly ChainFileCheck[]> {
  const checks: ChainFileCheck[] = [];
  for (const path of paths) {
    const chunks = inputs.chunks(path === "-" ? { kind: "stdin", stdin } : { kind: "file", path });
    checks.push({ path, chain: await readChainFile(chunks, keys) });
  }
  return checks;
}
