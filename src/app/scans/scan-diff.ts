// Scans a change with everything it takes: reads it from a text or from a repository, loads the grammars, asks the rules.
import { environmentOf, type Input } from "../../contract/around.ts";
import type { ChangeSet } from "../../contract/change-set.ts";
import type { Environment } from "../../contract/clock.ts";
import { boundWork } from "../../guard/diff/bound-work.ts";
import { changeSetOf } from "../../guard/diff/change-set-of.ts";
import { parseDiff } from "../../guard/diff/parse-diff.ts";
import { type DiffScan, scanChangeSet } from "../../guard/diff/scan.ts";
import { languagesIn } from "../../guard/diff/view.ts";
import { readInput, readInputLines } from "../../world/files/read-input.ts";
import { createChangeReader } from "../../world/git/change-reader.ts";
import { withGit } from "../../world/git/run-git.ts";
import { loadSyntax } from "../../world/machine/syntax.ts";
import { thisProcess } from "../../world/machine/this-process.ts";

/** More than the parser looks at, so that what is cut here is said there. */
const MOST_BYTES = 64_000_000;

export interface Scanned extends DiffScan {
  /** How many files changed. */
  readonly files: number;
}

/** Scans a unified diff. What of it cannot be understood is a finding. */
export const scanDiff = (text: string, seal: readonly string[] = []): Promise<Scanned> => scanSet({ ...parseDiff(text), seal });

/** Scans what changed in a repository since base: up to a commit, or up to what lies on disk. */
export async function scanRepository(
  repo: string,
  base: string,
  until: { readonly kind: "commit"; readonly head: string } | { readonly kind: "work-tree" },
  env: Environment = environmentOf(thisProcess.env),
): Promise<Scanned> {
  const compared = await withGit(env, (git) => {
    const reader = createChangeReader(git);
    return until.kind === "commit" ? reader.betweenCommits(repo, base, until.head) : reader.withWorkTree(repo, base);
  });
  return scanSet(changeSetOf(compared));
}

async function scanSet(whole: ChangeSet): Promise<Scanned> {
  const set = boundWork(whole);
  return { ...scanChangeSet(set, await loadSyntax(languagesIn(set))), files: set.files.length };
}

export const readDiffText = (input: Input): Promise<string> => readInput(input, MOST_BYTES);
export const readDiffLines = (input: Input): AsyncIterable<string | undefined> => readInputLines(input, MOST_BYTES);
