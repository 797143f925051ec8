// Commits the files of a document that may go on to a folder of a branch of the target.
import * as z from "zod";
import { type Deed, defineAction } from "../contract/action.ts";

/** A folder inside the repository, and not git's own. */
const FOLDER = /^(?!\/)(?!(?:.*\/)?(?:\.{1,2}|\.[gG][iI][tT])?(?:\/|$))[^\0\\]+$/;

const Options = z.strictObject({
  into: z
    .string()
    .max(500)
    .regex(FOLDER, { error: "must be a folder inside the repository, without `..`, `.git` or a slash at its end" })
    .optional()
    .meta({ description: "The folder of the target that its files go to. Default: the root.", examples: ["docs/briefs"] }),
  branch: z
    .string()
    .regex(/^(?!.*\.\.)[\w][\w./-]*$/, { error: "must be the name of a branch" })
    .optional()
    .meta({
      description: "The local branch they are committed to; it must be there, and checked out nowhere. Default: the target's base.",
      examples: ["briefs"],
    }),
});

const says = (files: number, branch: string, into: string): string => `${files} file(s) to ${into === "" ? "the root" : into} of ${branch}`;

const messageOf = ({ title, run, key }: Deed): string => `${title}\n\nLoopwright-Receipt: ${run}\nLoopwright-Deed: ${key}\n`;

export const commitDocument = defineAction({
  name: "commit-document",
  summary: "Commits the files of a document to a folder of a branch of the target that nobody has checked out. Never forces.",
  options: Options,
  async prepare(deed, { into = "", branch }, { git }) {
    if (!deed.target)
      return { kind: "refused", why: "this is a change and no document", hint: "Use `merge` or `push`, or say `document` in the spec." };
    const onto = branch ?? deed.target.ref;
    if ((await git.branchTip(deed.target.repo, onto)) === undefined)
      return { kind: "refused", why: `${deed.target.repo} has no branch ${onto}`, hint: "Name one that is there with `branch`." };
    return { kind: "ready", says: `commit ${says((await git.filesOf(deed.repo, deed.commit)).length, onto, into)}` };
  },
  async execute(deed, { into = "", branch }, { git }) {
    const { target, at = "" } = deed;
    if (!target) return { kind: "refused", why: "this is a change and no document", hint: "Use `merge` or `push`." };
    const onto = branch ?? target.ref;
    const files = await git.filesOf(deed.repo, deed.commit);
    const moved = await git.commitFiles(target.repo, { branch: onto, into, files, message: messageOf(deed), at });
    if (moved.kind === "refused") return moved;
    const receipt = { says: `committed ${says(files.length, onto, into)}`, facts: { branch: onto, into, commit: moved.commit } };
    return { kind: "done", receipt };
  },
  // What is there already is not committed twice.
  confirm: async () => ({ kind: "not-done" }),
});
