// Looks around in the target for what could be worked on: its branches, marked lines, and who wrote them. Never writes to it.
import type { Blamed, BranchesSeen, BranchSeen, GitScout, LineAt, LineSeen, LinesSeen } from "../../contract/git.ts";
import { untrustedText } from "../../contract/text.ts";
import { decodeText } from "../../std/decode-text.ts";
import { isFullId, openRepository, type Repository } from "./open-repository.ts";
import type { RunGit } from "./run-git.ts";

export function createGitScout(git: RunGit): GitScout {
  return {
    branches: async (repo, asked) => listBranches(await openRepository(git, repo), asked),
    linesWith: async (repo, commit, words) => linesWith(await openRepository(git, repo), commit, words),
    blame: async (repo, commit, places) => blame(await openRepository(git, repo), commit, places),
  };
}

const FORMAT = ["%(objectname)", "%(committerdate:unix)", "%(symref)", "%(refname)", "%(authorname)"].join("%00");

async function listBranches(repository: Repository, { remote, into, most }: Parameters<GitScout["branches"]>[1]): Promise<BranchesSeen> {
  sureOf(repository, into);
  // A remote's name stands in a pattern of git's, and must not be one.
  if (remote !== undefined && !/^[\w.-]{1,100}$/.test(remote)) return { branches: [], all: 0 };
  const under = remote === undefined ? "refs/heads/" : `refs/remotes/${remote}/`;
  const list = ["for-each-ref", "--sort=-committerdate"];
  const inside = new Set(namesOf(await repository.read([...list, "--format=%(refname)", `--merged=${into}`, under])));
  const all = namesOf(await repository.read([...list, `--format=${FORMAT}`, under])).flatMap((line) => branchIn(repository, line, inside));
  return { branches: all.slice(0, most), all: all.length };
}

const namesOf = (answer: Buffer): readonly string[] =>
  decodeText(answer)
    .split("\n")
    .filter((line) => line !== "");

/** A name for another branch, as `origin/HEAD` is, is none of its own. */
function branchIn(repository: Repository, line: string, inside: ReadonlySet<string>): readonly BranchSeen[] {
  const [tip = "", seconds = "", symref, ref = "", author = ""] = line.split("\0");
  if (symref !== "" || !isFullId(repository, tip) || !/^\d{1,12}$/.test(seconds)) return [];
  return [{ ref, tip, at: isoOf(seconds), author: untrustedText(author), isIn: inside.has(ref) }];
}

const MOST_LINES = 5_000;
const MOST_TEXT = 2_000;

async function linesWith(repository: Repository, commit: string, words: readonly string[]): Promise<LinesSeen> {
  sureOf(repository, commit);
  const patterns = words.flatMap((word) => ["-e", word]);
  // Fixed words, text files alone, no attributes' or settings' say in what is looked at.
  const args = ["grep", "--no-textconv", "--no-recurse-submodules", "--full-name", "-n", "-z", "-I", "-w", "-F", ...patterns, commit];
  const answer = await repository.ask(args);
  if (answer.code !== 0) return { lines: [], isWhole: answer.code === 1 };
  const entries = answer.stdout.toString("latin1").split("\n");
  const lines = entries.flatMap((entry) => lineIn(entry, commit));
  return { lines: lines.slice(0, MOST_LINES), isWhole: lines.length <= MOST_LINES };
}

/** `commit:path`, number and line, with a NUL between them. A path with a line break in it cannot be told from a line, and is left out. */
function lineIn(entry: string, commit: string): readonly LineSeen[] {
  const [place = "", number = "", ...text] = entry.split("\0");
  if (!place.startsWith(`${commit}:`) || !/^\d{1,9}$/.test(number)) return [];
  const path = textOf(place.slice(commit.length + 1));
  return [{ path, line: Number(number), text: untrustedText(textOf(text.join("\0").slice(0, MOST_TEXT))) }];
}

const textOf = (bytes: string): string => decodeText(Buffer.from(bytes, "latin1"));

/** One git for each file, however many of its lines are asked for. */
async function blame(repository: Repository, commit: string, places: readonly LineAt[]): Promise<readonly (Blamed | undefined)[]> {
  sureOf(repository, commit);
  const known = new Map<string, Blamed>();
  for (const path of new Set(places.map((place) => place.path))) {
    const numbers = [...new Set(places.flatMap((place) => (place.path === path ? [place.line] : [])))];
    const ranges = numbers.flatMap((line) => ["-L", `${line},${line}`]);
    const answer = await repository.ask(["blame", "--no-textconv", "--line-porcelain", ...ranges, commit, "--", path]);
    if (answer.code !== 0) continue;
    for (const [line, blamed] of readBlame(decodeText(answer.stdout))) known.set(keyOf({ path, line }), blamed);
  }
  return places.map((place) => known.get(keyOf(place)));
}

function readBlame(text: string): readonly (readonly [line: number, blamed: Blamed])[] {
  return text.split(/\n\t[^\n]*(?:\n|$)/).flatMap((block) => {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(block);
    const seconds = /^author-time (\d{1,12})$/m.exec(block)?.[1];
    if (!head || seconds === undefined) return [];
    const author = untrustedText(/^author (.*)$/m.exec(block)?.[1] ?? "");
    return [[Number(head[2]), { commit: head[1]!, author, at: isoOf(seconds) }] as const];
  });
}

const keyOf = ({ path, line }: LineAt): string => `${line}:${path}`;

/** What is handed to git as a commit is one by its full id, and never an option or a range. */
function sureOf(repository: Repository, commit: string): void {
  if (!isFullId(repository, commit)) throw new TypeError(`${commit} is no full id`);
}

const LAST_SECOND = 253_402_300_799;

/** Times come from strangers: whatever lies past the year 9999 counts as its last second. */
const isoOf = (seconds: string): string => new Date(Math.min(Number(seconds), LAST_SECOND) * 1000).toISOString();
