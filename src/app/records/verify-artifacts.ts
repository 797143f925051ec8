// Checks the bytes that records name by their hash: outputs, diffs, reports and what else was kept beside the journal.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Records } from "../open-records.ts";

export interface ArtifactsVerification {
  /** How many are on record, each counted once. */
  readonly artifacts: number;
  readonly problems: readonly ArtifactProblem[];
}

export interface ArtifactProblem {
  readonly what: "artifact";
  /** The record that named it first is as it was written: nothing speaks against it. */
  readonly seq: undefined;
  /** The first run that it belongs to. */
  readonly run: string;
  readonly why: string;
}

const PAGE = 500;

/** Receipts are looked at where their signatures are. */
export async function verifyArtifacts({ journal, artifacts }: Pick<Records, "journal" | "artifacts">): Promise<ArtifactsVerification> {
  const seen = new Set<string>();
  const problems: ArtifactProblem[] = [];
  for (let after = 0; ; ) {
    const entries = await journal.entriesAfter(after, PAGE);
    for (const { run, seq, record } of entries) {
      after = seq;
      if (record.kind === "receipted") continue;
      for (const ref of artifactsIn(record)) {
        if (seen.has(ref.sha256)) continue;
        seen.add(ref.sha256);
        const why = await wrongWith(artifacts, ref);
        if (why !== undefined) problems.push({ what: "artifact", seq: undefined, run, why: `${why} (${run}, record ${seq})` });
      }
    }
    if (entries.length === 0) return { artifacts: seen.size, problems };
  }
}

async function wrongWith(artifacts: Records["artifacts"], ref: ArtifactRef): Promise<string | undefined> {
  try {
    await artifacts.read(ref);
    return undefined;
  } catch (error) {
    if (error instanceof LoopError) return error.message;
    throw error;
  }
}

/** All that a record names, however deep: a new kind of record needs no line here. Pure. */
export function artifactsIn(record: LoopRecord): readonly ArtifactRef[] {
  const found: ArtifactRef[] = [];
  const waiting: unknown[] = [record];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (isArtifactRef(value)) found.push(value);
    else waiting.push(...Object.values(value).toReversed());
  }
  return found;
}

/** Exactly these three, so that nothing that a maker made up is taken for one by chance. */
function isArtifactRef(value: object): value is ArtifactRef {
  const { sha256, bytes, truncated, ...more }: { [name: string]: unknown } = { ...value };
  return (
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof bytes === "number" &&
    typeof truncated === "boolean" &&
    Object.keys(more).length === 0
  );
}
