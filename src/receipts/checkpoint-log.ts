// Reads the file of a journal's checkpoints: each is signed and names the one before it, so none can be taken out, moved or put in.
import type { Checkpoint } from "../contract/receipt.ts";
import type { PublicKey } from "../std/ed25519.ts";
import { sha256 } from "../std/hash.ts";
import { openCheckpoint } from "./checkpoint.ts";

export interface LoggedCheckpoint extends Checkpoint {
  /** Of its line, as records name it. */
  readonly sha256: string;
}

export interface CheckpointReading {
  /** The good ones, oldest first, up to the first that is not. */
  readonly checkpoints: readonly LoggedCheckpoint[];
  readonly problem: string | undefined;
}

export function readCheckpointLog(text: string, keys: readonly PublicKey[]): CheckpointReading {
  const checkpoints: LoggedCheckpoint[] = [];
  const broken = (line: number, why: string): CheckpointReading => ({ checkpoints, problem: `line ${line}: ${why}` });
  if (text !== "" && !text.endsWith("\n")) return broken(text.split("\n").length, "the file ends in the middle of it");

  let before: string | null = null;
  for (const [index, line] of text.split("\n").slice(0, -1).entries()) {
    const opened = openCheckpoint(`${line}\n`, keys);
    if (opened.kind === "refused") return broken(index + 1, opened.why);
    if (opened.kind === "foreign") return broken(index + 1, "it is signed with a key that is not one of ours");
    const { checkpoint } = opened;
    if (checkpoint.after !== before) return broken(index + 1, "it does not follow the one before it");
    if (checkpoint.seq < (checkpoints.at(-1)?.seq ?? 0)) return broken(index + 1, "it goes back in the journal");
    before = sha256(`${line}\n`);
    checkpoints.push({ ...checkpoint, sha256: before });
  }
  return { checkpoints, problem: undefined };
}
