// Lists what is new on one ref since it was last read, and says whatever made that list shorter or longer than expected.
import type { GitReader, RefWalk } from "../../contract/git.ts";
import { forgeOf } from "./forge-of.ts";
import { isFullId, type Repository } from "./open-repository.ts";
import { type ListedCommit, readCommits } from "./read-commits.ts";
import { newestBranches, resolveName } from "./resolve-name.ts";

type From = Parameters<GitReader["walk"]>[1];

/** Where reading starts: after a commit that was read before, or at a time. */
interface Start {
  readonly range: readonly string[];
  readonly notes: readonly string[];
}

export async function walkRef(repository: Repository, from: From): Promise<RefWalk> {
  const { ref } = from;
  const tip = await resolveName(repository, ref);
  if (tip === undefined) return { ref, tip, commits: [], notes: [await whyMissing(repository, ref)] };

  const start = await findStart(repository, tip, from);
  const listed = await listCommits(repository, start, from.most);
  const { commits, notes } = await readCommits(repository, listed);
  const forge = await forgeOf(repository);
  return {
    ...(forge === undefined ? {} : { forge }),
    ref,
    tip,
    commits,
    notes: [
      ...start.notes,
      ...(await cutNotes(repository, start, listed.length, from.most)),
      ...shallowNotes(repository, listed),
      ...notes,
    ],
  };
}

/** A cursor that lost its meaning is told and left behind: a loop must never stay stuck on it. */
async function findStart(repository: Repository, tip: string, { ref, cursor, sinceMs }: From): Promise<Start> {
  const seconds = Math.max(0, Math.ceil(sinceMs / 1000));
  // A filter, not a limit: one commit with an old date must not hide everything beneath it.
  const bySince = (...notes: readonly string[]): Start => ({ range: [`--since-as-filter=@${seconds} +0000`, tip], notes });
  const since = `read everything since ${isoOf(seconds)} instead`;
  if (cursor === undefined) return bySince();
  if (!isFullId(repository, cursor)) return bySince(`what was remembered for ${ref} is not a commit id; ${since}`);

  const known = await repository.ask(["cat-file", "-t", cursor]);
  if (known.code !== 0 || known.stdout.toString("latin1").trim() !== "commit")
    return bySince(`the commit up to which ${ref} was read, ${short(cursor)}, is no longer in the repository; ${since}`);

  const shared = await repository.ask(["merge-base", cursor, tip]);
  if (shared.code !== 0) return bySince(`${ref} shares no history with ${short(cursor)}, the commit up to which it was read; ${since}`);
  const base = shared.stdout.toString("latin1").trim();
  const range = [tip, `^${cursor}`];
  if (base === cursor) return { range, notes: [] };
  if (base === tip) return { range, notes: [`${ref} was moved back, from ${short(cursor)} to ${short(tip)}`] };
  return {
    range,
    notes: [`the history of ${ref} was rewritten: ${short(cursor)} is no longer part of it; read on from ${short(base)}, where they part`],
  };
}

async function listCommits(repository: Repository, start: Start, most: number): Promise<readonly ListedCommit[]> {
  const listing = await repository.read(["rev-list", "--timestamp", "--parents", `--max-count=${most}`, ...start.range, "--"]);
  return listing
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [seconds, id, ...parents] = line.split(" ");
      if (id === undefined) throw new Error(`git rev-list printed a line we do not know: ${line}`);
      return { id, at: isoOf(Number(seconds)), parents };
    });
}

async function cutNotes(repository: Repository, start: Start, listed: number, most: number): Promise<readonly string[]> {
  if (listed < most) return [];
  const all = Number((await repository.read(["rev-list", "--count", ...start.range, "--"])).toString("latin1"));
  return all > most ? [`only the newest ${most} of ${all} commits were read; ${all - most} older ones were left out`] : [];
}

function shallowNotes(repository: Repository, listed: readonly ListedCommit[]): readonly string[] {
  const ends = listed.filter(({ id }) => repository.shallow.has(id));
  if (ends.length === 0) return [];
  const names = ends
    .slice(0, 3)
    .map(({ id }) => short(id))
    .join(", ");
  return [
    `the clone is shallow: history before ${names} is not here, and what changed there is not known; \`git fetch --unshallow\` brings it`,
  ];
}

async function whyMissing(repository: Repository, ref: string): Promise<string> {
  const anyRef = await repository.read(["for-each-ref", "--count=1"]);
  if (anyRef.length === 0) return "the repository has no commits yet";
  const there = await newestBranches(repository, MOST_NAMED);
  const named = there.length === 0 ? "" : `; the branches here are ${there.map((name) => JSON.stringify(name)).join(", ")}`;
  return `there is no branch, tag or commit named ${JSON.stringify(ref)}${named}`;
}

const MOST_NAMED = 5;

const LAST_SECOND = 253_402_300_799;

/** Times come from strangers: whatever lies past the year 9999 counts as its last second. */
const isoOf = (seconds: number): string => new Date(Math.min(seconds, LAST_SECOND) * 1000).toISOString();

const short = (id: string): string => id.slice(0, 12);
