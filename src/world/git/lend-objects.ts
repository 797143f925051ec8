// What rooms borrow in place of the target's own objects: of a base all that it is made of and its history, and nothing else of the target.
// What lies in the target beside that (other branches, what was once added and never committed, what came later) is not there.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { sha256 } from "../../std/hash.ts";
import { removeTree } from "../files/remove-tree.ts";
import type { Lender } from "./copies.ts";
import { READ_ONLY } from "./git-call.ts";
import { isWithin } from "./is-within.ts";
import { openAsIs } from "./open-repository.ts";
import type { RunGit } from "./run-git.ts";

/** So many lie on each other before all is packed anew. */
const MOST_LAYERS = 12;
/** So many of those that were used last are asked whether a new one can lie on them. */
const MOST_ASKED = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_UNUSED_DAYS = 14;
const ABOUT = "about.json";
const MAKING = ".making-";

export interface Lending {
  /** Where objects of a commit and of all before it can be borrowed. */
  lend(repo: string, commit: string): Promise<Lender>;
  /** Puts into a copy of ours what a commit of a repository has that is not in what another commit is made of. */
  bring(from: string, into: string, { commit, known }: { readonly commit: string; readonly known: string }): Promise<void>;
}

/** What one layer says of itself. */
interface About {
  /** Commits of the layers that it lies on, the lowest first. */
  readonly below: readonly string[];
  /** Where history was cut when it was made: a target that was given more of it since has other objects. */
  readonly shallow: string;
}

/**
 * Layout: `<folder>/<target>/<commit>/objects`, one pack of what the commit adds to those below it, `about.json` and `shallow`. A layer is
 * never changed: it is made beside its place and moved there, so that whoever borrows from it sees nothing that came later.
 */
export function createLending(folder: string, rounds: string, git: RunGit): Lending {
  // Those who work side by side begin with the same base: one makes it, the others wait.
  const beingMade = new Map<string, Promise<readonly string[]>>();
  const makeOnce = (making: Making): Promise<readonly string[]> => {
    const key = `${making.target} ${making.commit} ${making.shallow}`;
    const made = beingMade.get(key) ?? make(making).finally(() => beingMade.delete(key));
    beingMade.set(key, made);
    return made;
  };
  return {
    async lend(repo, commit) {
      if (/[\r\n]/.test(repo)) throw unspeakablePath(repo);
      const { commonDir, format, isShallow } = await git.find(repo);
      const shallow = isShallow ? await readFile(join(commonDir, "shallow"), "utf8") : "";
      const target = join(folder, sha256(commonDir).slice(0, 32));
      const known = await readLayer(target, commit);
      const layers = known?.shallow === shallow ? known.below : await makeOnce({ git, repo, target, commit, shallow, rounds, folder });
      const now = new Date();
      await utimes(join(target, commit), now, now).catch(() => {});
      return {
        objects: [commit, ...layers.toReversed()].map((name) => join(target, name, "objects")),
        format,
        shallow: shallow === "" ? undefined : join(target, commit, "shallow"),
      };
    },

    bring: (from, into, { commit, known }) => pack(git, from, join(into, "objects"), [commit, `^${known}`]),
  };
}

interface Making {
  readonly git: RunGit;
  readonly repo: string;
  readonly target: string;
  readonly commit: string;
  readonly shallow: string;
  readonly rounds: string;
  readonly folder: string;
}

/** Gives back what the new layer lies on. */
async function make({ git, repo, target, commit, shallow, rounds, folder }: Making): Promise<readonly string[]> {
  const below = await layersBelow(git, repo, { target, commit, shallow });
  const place = join(target, commit);
  const making = `${place}${MAKING}${randomBytes(6).toString("hex")}`;
  await mkdir(join(making, "objects", "pack"), { recursive: true });
  try {
    const [last] = below.slice(-1);
    await pack(git, repo, join(making, "objects"), last === undefined ? [commit] : [commit, `^${last}`]);
    if (shallow !== "") await writeFile(join(making, "shallow"), shallow);
    await writeFile(join(making, ABOUT), JSON.stringify({ below, shallow } satisfies About));
    const isMoved = await rename(making, place).then(
      () => true,
      () => false,
    );
    // Another process has just made the same; or what is there is of another cut of the history, or half gone.
    const other = isMoved ? undefined : await readLayer(target, commit);
    if (other?.shallow === shallow) return other.below;
    if (!isMoved) await removeTree(place);
    if (!isMoved) await rename(making, place);
  } finally {
    if (existsSync(making)) await removeTree(making);
  }
  await collect({ folder, rounds, kept: [place, ...below.map((name) => join(target, name))] });
  return below;
}

/** The layers of a commit that is in the history of this one; none where all must be packed. */
async function layersBelow(
  git: RunGit,
  repo: string,
  { target, commit, shallow }: Pick<Making, "target" | "commit" | "shallow">,
): Promise<readonly string[]> {
  const repository = await openAsIs(git, repo);
  const recent = (await listLayers(target)).filter(({ name }) => name !== commit).sort((a, b) => b.usedMs - a.usedMs);
  for (const { name } of recent.slice(0, MOST_ASKED)) {
    const layer = await readLayer(target, name);
    if (!layer || layer.shallow !== shallow || layer.below.length + 1 >= MOST_LAYERS) continue;
    const [object] = await repository.objects.look([name]);
    if (object?.type === "commit" && (await isWithin(repository, commit, name))) return [...layer.below, name];
  }
  return [];
}

/**
 * Git itself walks what is wanted and writes one pack of it; what a partial clone left behind is left out here too. It begins a pack among
 * the objects it takes for its own, so these must lie on the same disk as the place it goes to, and the target's are only borrowed.
 */
async function pack(git: RunGit, repo: string, objects: string, wanted: readonly string[]): Promise<void> {
  const { gitDir, commonDir } = await git.find(repo);
  const { code, stderr } = await git({
    cwd: commonDir,
    env: {
      ...READ_ONLY,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(commonDir, "objects")),
    },
    args: [
      `--git-dir=${gitDir}`,
      "--bare",
      "pack-objects",
      "--revs",
      "--delta-base-offset",
      "--missing=allow-promisor",
      "--window=0",
      "-q",
      join(objects, "pack", "pack"),
    ],
    input: wanted.map((line) => `${line}\n`).join(""),
  });
  if (code === 0) return;
  throw new LoopError(
    "git-failed",
    `the objects of ${wanted[0]?.slice(0, 12)} in ${repo} cannot be brought together: ${lastWords(stderr) || `git exited ${code}`}`,
    { retry: "never", hint: "Look at the target with `git fsck`: objects of its history may be missing or damaged." },
  );
}

/** Without the advice that git gives before it says what is wrong. */
const lastWords = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => !line.startsWith("hint:"))
    .join("\n")
    .trim()
    .slice(0, 500);

/** Undefined where it is not there as a whole, with all that it lies on. */
async function readLayer(target: string, commit: string): Promise<About | undefined> {
  try {
    const { below, shallow } = JSON.parse(await readFile(join(target, commit, ABOUT), "utf8")) as About; // we wrote it
    return below.every((name) => existsSync(join(target, name, ABOUT))) ? { below, shallow } : undefined;
  } catch {
    return undefined;
  }
}

interface Listed {
  readonly name: string;
  readonly usedMs: number;
}

async function listLayers(target: string): Promise<Listed[]> {
  const names = await readdir(target).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const about = await stat(join(target, name)).catch(() => undefined);
      return about ? [{ name, usedMs: about.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

/** Throws away what nobody used for long: not what lies below something that is kept, and not what a copy still borrows from. */
async function collect({ folder, rounds, kept }: { readonly folder: string; readonly rounds: string; readonly kept: readonly string[] }) {
  const oldMs = Date.now() - LONGEST_UNUSED_DAYS * DAY_MS;
  const targets = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const layers = (
    await Promise.all(targets.map(async (target) => (await listLayers(target)).map((layer) => ({ ...layer, target }))))
  ).flat();
  const old = layers.filter(({ usedMs }) => usedMs < oldMs);
  if (old.length === 0) return;
  const young = layers.filter(({ usedMs }) => usedMs >= oldMs);
  const below = await Promise.all(
    young.map(async ({ target, name }) => ((await readLayer(target, name))?.below ?? []).map((each) => join(target, each))),
  );
  const spared = new Set([...kept, ...below.flat(), ...(await borrowedBy(rounds))]);
  for (const { target, name } of old) if (!spared.has(join(target, name))) await removeTree(join(target, name));
}

/** Layers that copies of rounds name, which may be taken up again however old they are. */
async function borrowedBy(rounds: string): Promise<readonly string[]> {
  const loops = await readdir(rounds).catch(() => []);
  const places = (
    await Promise.all(
      loops.map(async (loop) => (await readdir(join(rounds, loop)).catch(() => [])).map((round) => join(rounds, loop, round))),
    )
  ).flat();
  const files = places.flatMap((place) => ["store.git", "work/.git"].map((copy) => join(place, copy, "objects", "info", "alternates")));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.flatMap((text) => text.split("\n").map((line) => line.replace(/\/objects$/, "")));
}

const unspeakablePath = (repo: string): LoopError =>
  new LoopError("repo-unusable", `the repository at ${JSON.stringify(repo)} cannot be borrowed from: there is a line break in its path`, {
    retry: "never",
    hint: "Move the repository to a path without line breaks.",
  });
