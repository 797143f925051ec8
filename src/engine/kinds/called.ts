// What a loop makes that another one calls: nothing of it moves or waits for anybody; what holds is kept for the caller.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { factsOf, KINDS, type KindName } from "../../contract/proposal.ts";
import type { Round } from "../../contract/round.ts";
import { decodeText } from "../../std/decode-text.ts";
import type { Handed } from "../call-loop.ts";
import type { ProposalKind, Run } from "../run.ts";
import { keepFiles } from "./files.ts";

/** The step that says which files a document has, so that others can be given them also where it does not hold. */
export const HAND = "hand";

export function calledKind<K extends KindName>(kind: ProposalKind<K>): ProposalKind<K> {
  const { isOwn, hasBase } = KINDS[kind.name];
  const { act: _act, deciding: _deciding, actOnBest, ...rest } = kind;
  return {
    ...rest,
    async make(round, run, outside) {
      const proposal = await kind.make(round, run, outside);
      const { commit } = factsOf(proposal);
      if (isOwn && commit !== undefined) await run.steps(round.id).light(HAND, () => handOver(round, commit, run));
      return proposal;
    },
    async act(round, proposal, run) {
      const { commit } = factsOf(proposal);
      if (hasBase && commit !== undefined) await keepFiles(round, { commit }, run);
      return { branch: undefined };
    },
    // It is kept already; of a document, its files are handed over.
    ...(actOnBest ? { actOnBest: async () => ({ branch: undefined }) } : {}),
    ...(isOwn ? { keepBest: async () => {} } : {}),
  };
}

const MOST_FILES = 50;
/** More than anybody can be given. */
const MOST_BYTES = 4 * 1024 * 1024;

async function handOver<K extends KindName>(round: Round, commit: string, { world: { workshop, artifacts } }: Run<K>): Promise<Handed> {
  const files = (await workshop.listFiles(round, commit)).slice(0, MOST_FILES);
  const blobs = await workshop.readBlobs(
    round,
    files.map(({ blob }) => blob),
  );
  const there = files.flatMap(({ path, blob }) => {
    const bytes = blobs.get(blob);
    return bytes ? [{ path, bytes }] : [];
  });
  const bytes = there.reduce((sum, file) => sum + file.bytes.length, 0);
  // What is not among them is larger than what is read at all.
  if (there.length < files.length || bytes > MOST_BYTES) return { kind: "too-much", bytes: Math.max(bytes, MOST_BYTES) };
  const kept: { readonly path: string; readonly text: ArtifactRef }[] = [];
  for (const file of there) kept.push({ path: file.path, text: await artifacts.keep(decodeText(file.bytes)) });
  return { kind: "files", files: kept };
}
