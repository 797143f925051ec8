// Every file of a commit, as git's own list of its tree has it.
import type { TreeFile } from "../../contract/git.ts";
import { decodeText } from "../../std/decode-text.ts";
import { isFullId, type Repository } from "./open-repository.ts";

export async function readTree(repository: Repository, commit: string): Promise<readonly TreeFile[]> {
  if (!isFullId(repository, commit)) throw new TypeError(`${commit} is no full id`);
  return parseTree(await repository.read(["ls-tree", "-r", "-z", "--full-tree", commit])).map(({ file }) => file);
}

/** Reads `git ls-tree -r -z` and `git ls-files --stage -z`; each file also with its name in one character a byte, as it need not be text. */
export const parseTree = (list: Buffer): readonly { readonly file: TreeFile; readonly bytes: string }[] =>
  list
    .toString("latin1")
    .split("\0")
    .flatMap((entry) => {
      const found = /^(\d{6}) (?:[a-z]+ )?([0-9a-f]{40,64})(?: \d)?\t(.+)$/s.exec(entry);
      if (!found) return [];
      const [, mode = "", blob = "", bytes = ""] = found;
      return [{ bytes, file: { path: decodeText(Buffer.from(bytes, "latin1")), mode, blob } }];
    });
