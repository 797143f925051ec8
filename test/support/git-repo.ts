// Real git repositories for tests: in a temporary folder, with fixed names and times, deaf to the machine's configuration.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TestRepo {
  readonly dir: string;
  /** Runs git in the repository and gives back what it printed, trimmed; throws with git's own words when it fails. */
  git(...args: readonly string[]): string;
  /** The same, with something on stdin. */
  feed(input: string | Uint8Array, ...args: readonly string[]): string;
  write(path: string, text: string | Uint8Array): void;
  /** Commits everything in the working tree, also when nothing changed; gives back the full commit id. */
  commit(subject: string, about?: CommitAbout): string;
  remove(): void;
}

interface CommitAbout {
  readonly body?: string;
  /** Author and committer date. Default: one minute after the commit made before, the first at 2024-01-01T00:01:00Z. */
  readonly at?: string;
  /** Files to write first: path → text. */
  readonly files?: { readonly [path: string]: string };
}

const FIRST_MS = Date.UTC(2024, 0, 1);

/** Makes a repository on branch `main`, without commits. Two made by the same steps have the same commit ids. */
export function createRepo(about: { readonly objectFormat?: "sha1" | "sha256" } = {}): TestRepo {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "lw-repo-")));
  const repo = openTestRepo(dir);
  const { objectFormat = "sha1" } = about;
  const known = empty.get(objectFormat);
  for (const { path, bytes } of known ?? []) put(join(dir, path), bytes);
  if (known) return repo;
  repo.git("init", "--quiet", "--initial-branch=main", `--object-format=${objectFormat}`);
  rmSync(join(dir, ".git/hooks"), { recursive: true, force: true });
  mkdirSync(join(dir, ".git/hooks"));
  empty.set(objectFormat, partsOf(dir));
  return repo;
}

/** A folder has no bytes. */
interface Part {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

/** What git makes of an empty folder, without its samples of hooks: asked once, because tests need thousands. */
const empty = new Map<string, readonly Part[]>();

const partsOf = (dir: string): readonly Part[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path: path.slice(dir.length + 1), bytes: entry.isDirectory() ? undefined : readFileSync(path) };
  });

function put(path: string, bytes: Part["bytes"]): void {
  mkdirSync(bytes ? dirname(path) : path, { recursive: true });
  if (bytes) writeFileSync(path, bytes);
}

/** The same handle for a repository that is already there: a clone, a worktree. `remove()` deletes it. */
function openTestRepo(dir: string): TestRepo {
  let minutes = 0;

  const run = (args: readonly string[], input: string | Uint8Array, at: string): string =>
    execFileSync("git", args, { cwd: dir, env: gitEnv(at), input, stdio: ["pipe", "pipe", "pipe"], maxBuffer: 256 * 1024 * 1024 })
      .toString("utf8")
      .trim();
  const now = (): string => new Date(FIRST_MS + minutes * 60_000).toISOString();

  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  return {
    dir,
    git: (...args) => run(args, "", now()),
    feed: (input, ...args) => run(args, input, now()),
    write,
    commit(subject, { body, at, files = {} } = {}) {
      minutes += 1;
      for (const [path, text] of Object.entries(files)) write(path, text);
      run(["add", "--all"], "", now());
      run(
        ["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-"],
        body === undefined ? subject : `${subject}\n\n${body}`,
        at ?? now(),
      );
      return tipOf(dir) ?? run(["rev-parse", "HEAD"], "", now());
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** What was just committed, where that is written as one would expect. */
function tipOf(dir: string): string | undefined {
  const head = join(dir, ".git/HEAD");
  if (!existsSync(head)) return undefined;
  const [, ref] = /^ref: (.+)$/m.exec(readFileSync(head, "utf8")) ?? [];
  const tip = ref === undefined ? head : join(dir, ".git", ref);
  return existsSync(tip) ? readFileSync(tip, "utf8").trim() : undefined;
}

/** Repositories, clones and folders of one test file, removed together: `afterEach(yard.clear)`. */
export function createYard() {
  const kept: TestRepo[] = [];
  const keep = (repo: TestRepo): TestRepo => {
    kept.push(repo);
    return repo;
  };
  const newFolder = (): string => keep(openTestRepo(realpathSync(mkdtempSync(join(tmpdir(), "lw-folder-"))))).dir;
  return {
    newFolder,
    newRepo: (...about: Parameters<typeof createRepo>): TestRepo => keep(createRepo(...about)),
    cloneOf(repo: TestRepo, ...options: readonly string[]): TestRepo {
      const dir = join(newFolder(), "clone");
      repo.git("clone", "--quiet", ...options, `file://${repo.dir}`, dir);
      return openTestRepo(dir);
    },
    clear(): void {
      for (const repo of kept.splice(0)) repo.remove();
    },
  };
}

const gitEnv = (at: string) => ({
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Ada Test",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: at,
  GIT_COMMITTER_NAME: "Ada Test",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_COMMITTER_DATE: at,
});
