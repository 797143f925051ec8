// Copies ignored files of the user's checkout, such as `.env.test`, into the maker's copy: those that `.worktreeinclude` names.
//
// The file is the one that Claude Code, Codex and others read: patterns as in `.gitignore`, at the root of the repository. What it
// names is copied only if git ignores it there too. It may come with the repository, so it is a stranger's wish and not an order.
import { constants } from "node:fs";
import { appendFile, chmod, lstat, mkdir, open, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { IncludeOrder } from "../../contract/prepared.ts";
import type { Included } from "../../contract/proposal.ts";
import { SECRET_IN_HOME } from "../box/secret-places.ts";
import { gitOrThrow, type RunGit } from "./run-git.ts";

const INCLUDE_FILE = ".worktreeinclude";

const MOST_PATTERN_BYTES = 64 * 1024;
const MOST_FILES = 1_000;
const MOST_FILE_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_TOLD = 50;

/** Places of the user's whose files are never copied, wherever the repository lies. */
export interface Private {
  readonly ourHome: string;
  readonly userHomes: readonly string[];
}

export async function includeFiles(git: RunGit, order: IncludeOrder, kept: Private): Promise<Included | undefined> {
  const checkout = await findCheckout(order.repo);
  if (checkout === undefined) return undefined;
  const own = await readPlain(join(checkout, INCLUDE_FILE), MOST_PATTERN_BYTES);
  const patterns = own ?? (order.byBase === undefined ? undefined : Buffer.from(order.byBase));
  if (patterns === undefined || patterns.length > MOST_PATTERN_BYTES || !(await isCheckoutOf(git, checkout, order.repo))) return undefined;

  const secret = await secretPlaces(kept);
  const files: string[] = [];
  const leftOut: { readonly path: string; readonly why: string }[] = [];
  let bytes = 0;
  for (const path of await named(git, checkout, order.work, patterns)) {
    const why = whyNot(path, order) ?? (files.length >= MOST_FILES ? `there are more than ${MOST_FILES} files` : undefined);
    const copied = why === undefined ? await copyOne(path, { checkout, order, secret, room: MOST_BYTES - bytes }) : { why };
    if ("bytes" in copied) {
      files.push(path);
      bytes += copied.bytes;
    } else if (leftOut.length < MOST_TOLD) leftOut.push({ path, why: copied.why });
  }
  // So that a maker who asks git what it changed is not shown them, also where its `.gitignore` is another.
  if (files.length > 0)
    await appendFile(join(order.work, ".git", "info", "exclude"), files.map((path) => `/${escapePattern(path)}\n`).join(""));
  return files.length + leftOut.length === 0 ? undefined : { by: own ? "checkout" : "base", files, bytes, leftOut };
}

/** The work tree that a path seems to lie in. */
async function findCheckout(repo: string): Promise<string | undefined> {
  for (let at = await realpath(repo); ; at = dirname(at)) {
    if (await lstat(join(at, ".git")).catch(() => undefined)) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A bare repository may lie in the checkout of another, whose files are none of its business. */
async function isCheckoutOf(git: RunGit, checkout: string, repo: string): Promise<boolean> {
  const { code, stdout } = await git({ cwd: repo, args: ["rev-parse", "--show-toplevel"] });
  return code === 0 && stdout.toString("utf8").replace(/\n$/, "") === checkout;
}

/** What the patterns name and git ignores, in order. */
async function named(git: RunGit, checkout: string, work: string, patterns: Buffer): Promise<readonly string[]> {
  const file = join(dirname(work), "include-patterns");
  await writeFile(file, patterns, { mode: 0o600 });
  try {
    const matching = await gitOrThrow(git, {
      cwd: checkout,
      args: ["ls-files", "--others", "--ignored", "-z", `--exclude-from=${file}`],
    });
    if (matching.length === 0) return [];
    // It cannot take names literally, and does not see more in one that begins like this. It says 1 when none of them is ignored.
    const { code, stdout, stderr } = await git({
      cwd: checkout,
      env: { GIT_LITERAL_PATHSPECS: "0" },
      args: ["check-ignore", "-z", "--stdin"],
      input: split(matching)
        .map((name) => `./${name}\0`)
        .join(""),
    });
    if (code > 1) throw notAsked(checkout, stderr);
    return split(stdout)
      .map((name) => name.slice(2))
      .sort();
  } finally {
    await rm(file, { force: true });
  }
}

/** Names that are no text are left: nobody could read of them on record. */
function split(list: Buffer): readonly string[] {
  const names = list.toString("utf8").split("\0").filter(Boolean);
  return names.filter((name) => !name.includes("\uFFFD") && !name.endsWith("/"));
}

function whyNot(path: string, { apart }: IncludeOrder): string | undefined {
  const parts = path.split("/");
  if (path.startsWith("/") || parts.some((part) => part === ".." || part === "" || part.toLowerCase() === ".git"))
    return "it leads out of the repository or into its .git";
  if (SECRET_IN_HOME.some((place) => isAtOrIn(path, place, "/"))) return "it is a place for secrets or for settings of agents";
  if (apart.hidden.includes(path)) return "it is held out";
  return apart.leftOut.some((folder) => isAtOrIn(path, folder, "/")) ? "it lies in a folder that is prepared" : undefined;
}

interface Way {
  readonly checkout: string;
  readonly order: IncludeOrder;
  readonly secret: readonly string[];
  /** How many bytes there is room for. */
  readonly room: number;
}

async function copyOne(
  path: string,
  { checkout, order, secret, room }: Way,
): Promise<{ readonly bytes: number } | { readonly why: string }> {
  const from = join(checkout, path);
  const folder = await realpath(dirname(from)).catch(() => undefined);
  // Whatever a link on the way leads to is not what was named.
  if (folder !== dirname(from)) return { why: "a link is on the way to it" };
  if (secret.some((place) => isAtOrIn(from, place, sep))) return { why: "it is a place for secrets" };
  const file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (!file) return { why: "it is a link, or may not be read" };
  try {
    const { size, mode } = await file.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return { why: "it is no plain file" };
    if (size > MOST_FILE_BYTES) return { why: `it has more than ${MOST_FILE_BYTES} bytes` };
    if (size > room) return { why: `all together have more than ${MOST_BYTES} bytes` };
    const to = await freeWay(order, path);
    if (to === undefined) return { why: "something is in its way in the copy of base" };
    const content = Buffer.alloc(size);
    const { bytesRead } = await file.read(content, 0, size, 0);
    await writeFile(to, content.subarray(0, bytesRead), { flag: "wx" });
    await chmod(to, mode & 0o777);
    return { bytes: bytesRead };
  } finally {
    await file.close();
  }
}

/** The place in the copy, with real folders on the way to it; undefined where base has something there. */
async function freeWay({ work, below = [] }: IncludeOrder, path: string): Promise<string | undefined> {
  const parts = path.split("/");
  const found = async (...inside: readonly string[]) =>
    (await Promise.all([work, ...below].map((root) => lstat(join(root, ...inside)).catch(() => undefined)))).filter(Boolean);
  for (let depth = 1; depth < parts.length; depth++) {
    const way = parts.slice(0, depth);
    if ((await found(...way)).some((each) => each?.isDirectory() !== true)) return undefined;
    await mkdir(join(work, ...way), { recursive: true });
  }
  return (await found(path)).length > 0 ? undefined : join(work, path);
}

async function readPlain(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (!file) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= most ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

const secretPlaces = async ({ ourHome, userHomes }: Private): Promise<readonly string[]> =>
  Promise.all(
    [ourHome, ...userHomes.flatMap((home) => SECRET_IN_HOME.map((place) => join(home, place)))].map((place) =>
      realpath(place).catch(() => place),
    ),
  );

const notAsked = (checkout: string, why: string): LoopError =>
  new LoopError("git-failed", `git could not say what is ignored in ${checkout}: ${why.trim().slice(0, 500)}`, {
    retry: "never",
    hint: "Look at the repository with `git status`, or set `workspace.include: false` in the spec.",
  });

const isAtOrIn = (path: string, place: string, by: string): boolean => path === place || path.startsWith(`${place}${by}`);

/** A path as a pattern that names it and nothing else. */
const escapePattern = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, "\\$&");
