// Looks up what a report cites besides its commits: files, lines and tests in the repository, URLs and issues by their form alone.

import type { FileFound, GitReader } from "../contract/git.ts";
import type { Citation } from "../contract/proposal.ts";

export interface CitationsSeen {
  /** What is not there, in words. */
  readonly wrong: readonly string[];
  /** What could not be looked into. */
  readonly unseen: readonly string[];
  /** How many lie outside the repository, and were not looked up. */
  readonly outside: number;
}

/** `there` are the commits that exist. All files are asked for at once. */
export async function lookAtCitations(
  cites: readonly Citation[],
  there: ReadonlySet<string>,
  repo: string,
  git: Pick<GitReader, "filesAt" | "resolve" | "reachableFrom">,
): Promise<CitationsSeen> {
  const places = cites.filter((cite) => "path" in cite);
  const found = places.length === 0 ? [] : await git.filesAt(repo, places);
  const files = new Map<Citation, FileFound>(places.map((cite, index) => [cite, found[index] ?? { kind: "absent" }]));
  const sights: CitationSight[] = [];
  for (const cite of cites)
    sights.push(cite.kind === "branch" ? await lookAtBranch(cite, there, repo, git) : look(cite, there, files.get(cite)));
  return {
    wrong: sights.flatMap((sight) => (sight.kind === "wrong" ? [sight.what] : [])),
    unseen: sights.flatMap((sight) => (sight.kind === "unseen" ? [sight.what] : [])),
    outside: sights.filter(({ kind }) => kind === "outside").length,
  };
}

type CitationSight = { readonly kind: "there" | "outside" } | { readonly kind: "wrong" | "unseen"; readonly what: string };

/** One that is gone, or was moved away from what was seen of it, is no lie: somebody may have done so since. */
async function lookAtBranch(
  { branch, commit }: Extract<Citation, { kind: "branch" }>,
  there: ReadonlySet<string>,
  repo: string,
  git: Pick<GitReader, "resolve" | "reachableFrom">,
): Promise<CitationSight> {
  if (!branch.startsWith("refs/") || !there.has(commit)) return { kind: "wrong", what: `no branch ${quoted(branch)} at ${quoted(commit)}` };
  const now = await git.resolve(repo, branch);
  if (now === commit) return { kind: "there" };
  const isMoved = now !== undefined && (await git.reachableFrom(repo, now, [commit])).has(commit);
  return isMoved ? { kind: "there" } : { kind: "unseen", what: `${quoted(branch)} is no longer where it was read` };
}

function look(cite: Exclude<Citation, { kind: "branch" }>, there: ReadonlySet<string>, file: FileFound | undefined): CitationSight {
  const wrong = (what: string): CitationSight => ({ kind: "wrong", what });
  switch (cite.kind) {
    case "url":
      return isUrl(cite.url) ? { kind: "outside" } : wrong(`not a URL: ${quoted(cite.url)}`);
    case "issue":
      return ISSUE.test(cite.issue) || isUrl(cite.issue) ? { kind: "outside" } : wrong(`not an issue: ${quoted(cite.issue)}`);
    case "commit":
      return there.has(cite.commit) ? { kind: "there" } : wrong(`not a commit of the repository: ${quoted(cite.commit)}`);
    case "file":
    case "line":
    case "test":
      break;
  }
  const at = `${quoted(cite.path)} at ${quoted(cite.commit)}`;
  if (!there.has(cite.commit)) return wrong(`not a commit of the repository: ${quoted(cite.commit)}`);
  if (file?.kind === "unread") return { kind: "unseen", what: `${at}: ${file.why}` };
  if (file?.kind !== "found") return wrong(`no such file: ${at}`);
  if (cite.kind === "line" && !hasLine(file.text, cite.line)) return wrong(`no line ${cite.line} in ${at}`);
  if (cite.kind === "test" && !hasTest(file.text, cite.name)) return wrong(`no test ${quoted(cite.name)} in ${at}`);
  return { kind: "there" };
}

const hasLine = (text: string, line: number): boolean =>
  Number.isInteger(line) && line >= 1 && line <= text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);

/** By its words: every part of `Class::test_name[case]` but the case must stand in the file. A line scan, and no proof that it runs. */
function hasTest(text: string, name: string): boolean {
  const parts = name
    .replace(/\[[^\]]*\]$/, "")
    .split(/::| > /)
    .map((part) => part.trim());
  return parts.every((part) => part !== "" && text.includes(part));
}

const ISSUE = /^(?:[\w.-]+\/[\w.-]+)?#\d{1,9}$|^[A-Z][A-Z0-9]{1,9}-\d{1,9}$/;
const isUrl = (text: string): boolean => /^https?:\/\/[^\s\p{Cc}]+$/u.test(text) && URL.canParse(text);

/** Words of a report are quoted and cut. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
