// Whose work a commit is: which loop of this home proposed it, and was about to move it.

import { factsOf } from "../../contract/proposal.ts";
import type { Entry } from "../../contract/record.ts";
import { proposedIn } from "../../engine/proposed.ts";
import type { JournalReader } from "../../journal/journal.ts";

export interface Work {
  readonly loop: string;
  readonly run: string;
}

type Reader = Pick<JournalReader, "newestOf" | "story">;

/** What moved longer ago does not move again as news. */
const MOST_RUNS = 30;

/** What is begun is on record before anything moves, so that whoever sees a movement finds whose it was. */
export function createWorkOf(journal: Reader, loops: () => readonly string[]): (commit: string) => Promise<Work | undefined> {
  return async (commit) => {
    for (const loop of loops()) {
      const began = await journal.newestOf(loop, "action-began", { most: MOST_RUNS });
      for (const run of new Set(began.map((entry) => entry.run))) {
        if (commitsIn((await journal.story(run)).entries).includes(commit)) return { loop, run };
      }
    }
    return undefined;
  };
}

function commitsIn(entries: readonly Entry[]): readonly string[] {
  const amended = entries.flatMap(({ record }) => (record.kind === "amended" || record.kind === "refreshed" ? [record.commit] : []));
  const proposed = proposedIn(entries);
  return proposed ? [factsOf(proposed.proposal).commit ?? "", ...amended].filter((commit) => commit !== "") : amended;
}
