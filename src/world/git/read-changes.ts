// Reads which paths each commit changed and by how many lines, from git's NUL-separated plumbing.
import { LoopError } from "../../contract/errors.ts";
import type { Repository } from "./open-repository.ts";

interface Changes {
  readonly paths: readonly string[];
  readonly changedLines: number;
}

interface Compared {
  readonly id: string;
  readonly parents: readonly string[];
}

const COMMITS_PER_DIFF = 256;
const MOST_PATHS = 2000;
const DIFF = [
  ...["diff-tree", "--stdin", "-r", "--root", "-z", "--raw", "--no-abbrev", "--no-renames"],
  ...["--no-ext-diff", "--no-textconv", "--ignore-submodules=none"],
];

interface ChangesRead {
  readonly byId: ReadonlyMap<string, Changes>;
  /** Contents were left behind when the clone was made, so no lines were counted. */
  readonly isPartial: boolean;
  readonly unread: readonly string[];
  /** Commits with more paths than are given. */
  readonly cut: readonly string[];
}

export async function readChanges(repository: Repository, commits: readonly Compared[]): Promise<ChangesRead> {
  // Where a shallow clone was cut, a comparison with nothing would call the whole tree new.
  const whole = commits.filter(({ id }) => !repository.shallow.has(id));
  const isPartial = await isPartialClone(repository);
  const args = isPartial ? DIFF : [...DIFF, "--numstat"];

  const byId = new Map<string, Changes>();
  for (let at = 0; at < whole.length; at += COMMITS_PER_DIFF) {
    const read = await compare(repository, args, whole.slice(at, at + COMMITS_PER_DIFF));
    for (const [id, changes] of read) byId.set(id, changes);
  }
  return {
    byId: new Map([...byId].map(([id, changes]) => [id, { ...changes, paths: changes.paths.slice(0, MOST_PATHS) }])),
    isPartial,
    unread: whole.map(({ id }) => id).filter((id) => !byId.has(id)),
    cut: [...byId].filter(([, changes]) => changes.paths.length > MOST_PATHS).map(([id]) => id),
  };
}

export async function isPartialClone(repository: Repository): Promise<boolean> {
  const answer = await repository.ask(["config", "--local", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"]);
  return answer.code === 0;
}

/** One commit whose objects are missing or whose changes are endless must not cost us the others: halve until it stands alone. */
async function compare(
  repository: Repository,
  args: readonly string[],
  commits: readonly Compared[],
): Promise<ReadonlyMap<string, Changes>> {
  // Merges are compared with their first parent, named here so that no default can choose another.
  const input = commits.map(({ id, parents: [first] }) => (first === undefined ? `${id}\n` : `${id} ${first}\n`)).join("");
  const answer = await repository.ask(args, input).catch(noAnswer);
  // A commit that changed nothing is not mentioned.
  if (answer?.code === 0) return new Map([...commits.map(({ id }) => [id, NOTHING] as const), ...parseDiff(answer.stdout)]);
  if (commits.length === 1) return new Map();

  const middle = Math.ceil(commits.length / 2);
  const first = await compare(repository, args, commits.slice(0, middle));
  const second = await compare(repository, args, commits.slice(middle));
  return new Map([...first, ...second]);
}

/** Too much output is a thrown failure; here it is one more answer that tells nothing. */
function noAnswer(cause: unknown): undefined {
  if (cause instanceof LoopError && cause.code === "git-failed") return undefined;
  throw cause;
}

const NOTHING: Changes = { paths: [], changedLines: 0 };
const LINE_COUNTS = /^(\d+|-)\t(\d+|-)\t/;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Between NULs stand: an id, which opens a commit; `:modes ids letter`, which a path follows; and `added TAB deleted TAB path`.
 * The three begin differently and a path is only ever read where one must stand, so no path can pass for anything else.
 */
function parseDiff(answer: Buffer): ReadonlyMap<string, Changes> {
  const byId = new Map<string, { readonly paths: string[]; changedLines: number }>();
  let current: { readonly paths: string[]; changedLines: number } = { paths: [], changedLines: 0 };
  const fields = answer.toString("latin1").split("\0").slice(0, -1).values();
  for (const field of fields) {
    const counts = LINE_COUNTS.exec(field);
    if (counts) {
      current.changedLines += count(counts[1]) + count(counts[2]);
    } else if (field.startsWith(":")) {
      current.paths.push(Buffer.from(fields.next().value ?? "", "latin1").toString("utf8"));
    } else if (ID.test(field)) {
      current = { paths: [], changedLines: 0 };
      byId.set(field, current);
    } else {
      throw new Error(`git diff-tree answered in a way we do not know: ${JSON.stringify(field.slice(0, 80))}`);
    }
  }
  return byId;
}

/** Git counts no lines in what it takes for binary. */
const count = (text: string | undefined): number => (text === undefined || text === "-" ? 0 : Number(text));
