// Everything that signing takes, put together for one home.
import type { Locks } from "../contract/locks.ts";
import type { Signing } from "../contract/signing.ts";
import { readRing, sealRotation } from "../receipts/key-ring.ts";
import { createProofs } from "../world/git/proofs.ts";
import type { RunGit } from "../world/git/run-git.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { createCheckpointLog } from "../world/store/checkpoint-log.ts";
import { createSigningKeys } from "../world/store/signing-keys.ts";
import type { Home } from "./home.ts";

export const openSigning = (home: Pick<Home, "folder" | "receipts" | "checkpoints">, git: RunGit, locks: Pick<Locks, "hold">): Signing => ({
  keys: createSigningKeys(home.folder, { read: readRing, add: sealRotation }, locks),
  receipts: createArtifacts(home.receipts),
  log: createCheckpointLog(home.checkpoints),
  logAt: createCheckpointLog,
  proofs: createProofs(git, systemClock),
});
