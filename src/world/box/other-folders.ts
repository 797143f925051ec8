// Folders that must not be shown with what is: the other work trees of a target, and homes of ours that lie among programs.
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

const MOST_TREES = 1_000;

/** Where else of a repository's files lie: its own folder, the main work tree and all others, each with a `.env` of its own. */
export function treesOf(path: string): readonly string[] {
  const common = commonFolderOf(path);
  if (common === undefined) return [];
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const others = namesIn(join(common, "worktrees"))
    .slice(0, MOST_TREES)
    .flatMap((name) => {
      const told = textOf(join(common, "worktrees", name, "gitdir"));
      return told === undefined ? [] : [dirname(resolve(join(common, "worktrees", name), told))];
    });
  return [common, ...main, ...others];
}

/** A work tree says in a file where the folder of git is; a repository has that folder. The target may be a folder in one. */
function commonFolderOf(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const git = join(at, ".git");
    const found = statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory()) return git;
    const named = found?.isFile() ? /^gitdir: (.+)$/m.exec(textOf(git) ?? "")?.[1] : undefined;
    if (named !== undefined) {
      const own = resolve(at, named);
      const common = textOf(join(own, "commondir"));
      return common === undefined ? own : resolve(own, common);
    }
    if (at === sep || dirname(at) === at) return undefined;
  }
}

const MOST_TEXT = 64 * 1024;

function textOf(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MOST_TEXT ? readFileSync(path, "utf8").trim() : undefined;
  } catch {
    return undefined; // not there, or not to be read: then nobody else's way leads there
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const DEEPEST = 3;
const MOST_FOLDERS = 2_000;

/** Known by what is in them. What lies among a system's programs is not looked through as a whole: a few steps down, and no more. */
export function homesBelow(folders: readonly string[]): readonly string[] {
  const homes: string[] = [];
  let level = [...folders];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && seen < MOST_FOLDERS; depth++) {
    const at = level.slice(0, MOST_FOLDERS - seen);
    seen += at.length;
    level = [];
    for (const folder of at) {
      const inside = entriesIn(folder);
      const mayBeHome = inside === undefined || inside.some(({ name }) => name === JOURNAL);
      if (mayBeHome && isOurHome(folder)) homes.push(folder);
      else for (const entry of inside ?? []) if (entry.isDirectory()) level.push(join(folder, entry.name));
    }
  }
  return homes;
}

const JOURNAL = "journal.db";

/** Undefined where it cannot be listed. */
function entriesIn(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

export const isOurHome = (path: string): boolean => existsSync(join(path, JOURNAL));
