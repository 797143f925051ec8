// Keeps signed things in a repository, outside of every branch: one ref for each journal, a commit for each addition.

import type { Clock } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Proofs, SignedFile } from "../../contract/signing.ts";
import { openAsIs } from "./open-repository.ts";
import { refTip } from "./ref-tip.ts";
import { gitOrThrow, type RunGit } from "./run-git.ts";

const FOLDER = "refs/loopwright/proofs/";
const MOST_TRIES = 8;
/** Names of ours: nothing in them needs quoting, and nothing leads elsewhere. */
const PLAIN_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const CHAIN = /^[0-9a-f]{64}$/;

export function createProofs(git: RunGit, clock: Pick<Clock, "now">): Proofs {
  const tipOf = async (repo: string, chain: string): Promise<string | undefined> => {
    const repository = await openAsIs(git, repo).catch(ifUnusable);
    if (!repository) return undefined;
    const tip = await refTip(repository, refOf(chain));
    if (tip === undefined) return undefined;
    const [commit] = await repository.objects.look([`${tip}^{commit}`]);
    return commit?.id;
  };

  return {
    async write(repo, chain, files, because) {
      for (let tries = 1; ; tries++) {
        const tip = await tipOf(repo, chain);
        const input = additionTo(chain, tip, files, because, clock.now());
        // Refuses to move a ref that somebody else moved meanwhile: it would not be a continuation.
        const { code, stderr } = await git({ cwd: repo, args: ["fast-import", "--quiet", "--done"], input });
        if (code === 0) return;
        if (tries === MOST_TRIES || (await tipOf(repo, chain)) === tip)
          throw new LoopError(
            "git-failed",
            `${repo} does not keep what is signed: ${stderr.trim().slice(0, 300) || `git exited ${code}`}`,
            {
              retry: "later",
              hint: "See that the repository can be written to.",
            },
          );
      }
    },
    async chains(repo) {
      const names = await gitOrThrow(git, { cwd: repo, args: ["for-each-ref", "--format=%(refname)", FOLDER] });
      return names
        .toString("utf8")
        .split("\n")
        .map((name) => name.slice(FOLDER.length))
        .filter((name) => CHAIN.test(name));
    },
    async read(repo, chain, path) {
      const { code, stdout } = await git({ cwd: repo, args: ["cat-file", "blob", `${refOf(chain)}:${plain(path)}`] });
      return code === 0 ? stdout.toString("utf8") : undefined;
    },
    async messageOf(repo, commit) {
      const text = (await gitOrThrow(git, { cwd: repo, args: ["cat-file", "commit", commit] })).toString("utf8");
      // Behind the first empty line of the object, whatever else it has.
      const start = text.indexOf("\n\n");
      return start === -1 ? "" : text.slice(start + 2);
    },
    async list(repo, chain, folder) {
      const { code, stdout } = await git({ cwd: repo, args: ["ls-tree", "-z", "--name-only", `${refOf(chain)}:${plain(folder)}`] });
      return code === 0 ? stdout.toString("utf8").split("\0").filter(Boolean) : [];
    },
  };
}

/** What cannot be used says so when it is written to. */
function ifUnusable(error: unknown): undefined {
  if (error instanceof LoopError && error.code === "repo-unusable") return undefined;
  throw error;
}

const refOf = (chain: string): string => {
  if (!CHAIN.test(chain)) throw new TypeError(`${JSON.stringify(chain)} is no journal's name`);
  return `${FOLDER}${chain}`;
};

function plain(path: string): string {
  if (!PLAIN_PATH.test(path)) throw new TypeError(`${JSON.stringify(path)} is no path of ours`);
  return path;
}

/** As git's fast-import reads it. */
function additionTo(chain: string, tip: string | undefined, files: readonly SignedFile[], because: string, now: Date): Uint8Array {
  const seconds = Math.floor(now.getTime() / 1000);
  const parts = [
    `commit ${refOf(chain)}\ncommitter loopwright <loopwright@localhost> ${seconds} +0000\n`,
    ...data(because),
    tip ? `from ${tip}\n` : "",
    ...files.flatMap(({ path, text }) => [`M 100644 inline ${plain(path)}\n`, ...data(text)]),
    "\ndone\n",
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

const data = (text: string): readonly string[] => [`data ${Buffer.byteLength(text)}\n`, text, "\n"];
