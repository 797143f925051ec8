// Scans a change with everything it takes: reads it from a text or from a repository, loads the grammars, asks the rules.
import type { Input } from "../../contract/around.ts";
import type { ChangeSet } from "../../contract/change-set.ts";
import type { Inputs } from "../../contract/files.ts";
import type { ChangeReader } from "../../contract/git.ts";
import type { LoadSyntax } from "../../contract/syntax.ts";
import { boundWork } from "../../guard/diff/bound-work.ts";
import { changeSetOf } from "../../guard/diff/change-set-of.ts";
import { parseDiff } from "../../guard/diff/parse-diff.ts";
import { type DiffScan, scanChangeSet } from "../../guard/diff/scan.ts";
import { languagesIn } from "../../guard/diff/view.ts";

/** More than the parser looks at, so that what is cut here is said there. */
const MOST_BYTES = 64_000_000;

export interface Scanned extends DiffScan {
  /** How many files changed. */
  readonly files: number;
}

/** Scans a unified diff. What of it cannot be understood is a finding. */
export const scanDiffBy = (loadSyntax: LoadSyntax, text: string, seal: readonly string[]): Promise<Scanned> =>
  scanSet(loadSyntax, { ...parseDiff(text), seal });

/** Up to a commit, or up to what lies on disk. */
export type Until = { readonly kind: "commit"; readonly head: string } | { readonly kind: "work-tree" };

/** What scanning a repository takes. */
export interface ScanWorld {
  readonly changes: ChangeReader;
  readonly loadSyntax: LoadSyntax;
}

/** Scans what changed in a repository since base. */
export async function scanRepositoryBy({ changes, loadSyntax }: ScanWorld, repo: string, base: string, until: Until): Promise<Scanned> {
  const compared = until.kind === "commit" ? changes.betweenCommits(repo, base, until.head) : changes.withWorkTree(repo, base);
  return scanSet(loadSyntax, changeSetOf(await compared));
}

async function scanSet(loadSyntax: LoadSyntax, whole: ChangeSet): Promise<Scanned> {
  const set = boundWork(whole);
  return { ...scanChangeSet(set, await loadSyntax(languagesIn(set))), files: set.files.length };
}

export const readDiffText = (inputs: Pick<Inputs, "text">, input: Input): Promise<string> => inputs.text(input, MOST_BYTES);
export const readDiffLines = (inputs: Pick<Inputs, "lines">, input: Input): AsyncIterable<string | undefined> =>
  inputs.lines(input, MOST_BYTES);
