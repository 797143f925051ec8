// Files as a commit holds them, and files put into a branch as a commit: by objects alone, no working tree is touched.
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { FilesOrder, HeldFile } from "../../contract/git.ts";
import { decodeText } from "../../std/decode-text.ts";
import { removeTree } from "../files/remove-tree.ts";
import { makeOwnFolder, temporaryFolder } from "../files/temporary.ts";
import { stamp } from "./commit-of.ts";
import { zeroEnded } from "./commit-work.ts";
import { openAsIs } from "./open-repository.ts";
import { readContents } from "./read-contents.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";

const MOST_FILES = 500;
const MOST_BYTES = 32 * 1024 * 1024;

export async function heldFiles(git: RunGit, repo: string, commit: string): Promise<readonly HeldFile[]> {
  const { objects, read } = await openAsIs(git, repo);
  const listed = zeroEnded(await read(["ls-tree", "-r", "-z", "--full-tree", commit])).flatMap((entry) => {
    const [, blob, bytes] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
    return blob !== undefined && bytes !== undefined ? [{ path: decodeText(Buffer.from(bytes, "latin1")), blob }] : [];
  });
  if (listed.length > MOST_FILES) throw tooMuch(`it has ${listed.length} files, and ${MOST_FILES} are the most`);
  const contents = await readContents(
    objects,
    listed.map(({ blob }) => blob),
  );
  const files = listed.map(({ path, blob }) => {
    const bytes = contents.get(blob);
    if (bytes === undefined) throw tooMuch(`${path.slice(0, 200)} is too large to be read, or damaged`);
    return { path, bytes };
  });
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_BYTES) throw tooMuch("its files have more than 32 MiB together");
  return files;
}

/** The commit that has these files on top of a tip; the tip itself where it has them already. */
export async function commitOnTop(
  git: RunGit,
  env: Environment,
  repo: string,
  tip: string,
  { into, files, message, at }: Omit<FilesOrder, "branch">,
): Promise<string> {
  const place = await makeOwnFolder("index", temporaryFolder(env));
  try {
    const call = { cwd: repo, env: { GIT_INDEX_FILE: join(place, "index"), ...stamp(at) } };
    await gitOrThrow(git, { ...call, args: ["read-tree", tip] });
    const before = await gitLine(git, { ...call, args: ["write-tree"] });
    const lines: Buffer[] = [];
    for (const { path, bytes } of files) {
      // As it is: no filter of the repository has a say in what was decided about.
      const blob = await gitLine(git, { ...call, args: ["hash-object", "-w", "--no-filters", "--stdin"], input: Buffer.from(bytes) });
      lines.push(Buffer.from(`100644 ${blob}\t${into === "" ? "" : `${into}/`}${path}\0`));
    }
    await gitOrThrow(git, { ...call, args: ["update-index", "-z", "--add", "--replace", "--index-info"], input: Buffer.concat(lines) });
    const tree = await gitLine(git, { ...call, args: ["write-tree"] });
    if (tree === before) return tip;
    return await gitLine(git, { ...call, args: ["commit-tree", tree, "-p", tip], input: message });
  } finally {
    await removeTree(place);
  }
}

const tooMuch = (why: string): LoopError =>
  new LoopError("action-failed", `the document cannot be read: ${why}`, {
    retry: "never",
    hint: "Look at its branch in the loop's own repository with git.",
  });
