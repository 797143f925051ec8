// Texts that loops put into repositories by themselves: a spec among them is not obeyed before a person accepted it.
import { LoopError } from "../../contract/errors.ts";
import { factsOf } from "../../contract/proposal.ts";
import { proposedIn } from "../../engine/proposed.ts";
import type { House } from "../open-house.ts";

/** Who put a text somewhere, without a person having approved it. */
export interface Author {
  readonly loop: string;
  readonly run: string;
}

/** Says of a spec's text whether it came in through a proposal that no person approved. */
export type FindAuthor = (path: string, text: string) => Author | undefined;

const PAGE = 200;
/** Line ends may be others in a checkout than in the repository. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

/**
 * A loop that acts alone moves exactly the commit it proposed, so a text of it is found again wherever the repository is checked out,
 * and under whatever name. Where the repository cannot be read any more, the names of what was changed must do.
 */
export async function readUnapproved(house: Pick<House, "journal" | "world">): Promise<FindAuthor> {
  const texts = new Map<string, Author>();
  const names = new Map<string, Author>();
  for (const loop of await house.journal.loops()) {
    for (const run of await actingRuns(house, loop)) {
      const proposed = proposedIn((await house.journal.story(run)).entries);
      // A reviewer who made it their own has seen it.
      if (!proposed || proposed.state.approvals.length > 0 || proposed.state.amendedBy !== undefined) continue;
      const changed = factsOf(proposed.proposal).changes.flatMap(({ path, after }) => (after ? [path] : []));
      const found = await readTexts(house, proposed.opened.repo, proposed.proposal.commit, changed);
      for (const text of found ?? []) texts.set(plain(text), { loop, run });
      if (!found) for (const path of changed) names.set(baseName(path), { loop, run });
    }
  }
  return (path, text) => texts.get(plain(text)) ?? names.get(baseName(path));
}

/** Runs of a loop that moved something, or began to. */
async function actingRuns({ journal }: Pick<House, "journal">, loop: string): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await journal.newestOf(loop, "action-began", { before, most: PAGE });
    for (const { run, seq } of page) {
      runs.add(run);
      before = seq;
    }
    if (page.length < PAGE) return runs;
  }
}

async function readTexts(
  { world }: Pick<House, "world">,
  repo: string,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[] | undefined> {
  try {
    const found = await world.git.filesAt(
      repo,
      paths.map((path) => ({ commit, path })),
    );
    return found.flatMap((file) => (file.kind === "found" ? [file.text] : []));
  } catch (error) {
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
