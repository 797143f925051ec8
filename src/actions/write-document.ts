// Writes the files of a document that may go on into a folder outside the target.
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { type ActionWorld, type Deed, defineAction } from "../contract/action.ts";
import type { NotMoved } from "../contract/git.ts";

const Options = z.strictObject({
  folder: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !path.includes("\0"), { error: "must not contain a NUL" })
    .meta({
      description: "Where to write it, relative to the spec's folder. Files of the same names are replaced; others stay.",
      examples: ["../briefs"],
    }),
});

const receiptOf = (place: string, count: number) => ({ says: `${count} file(s) are in ${place}`, facts: { folder: place } });

/** The files as text; a refusal where that is not what they are. */
async function textsOf(
  { repo, commit }: Deed,
  { git }: ActionWorld,
): Promise<readonly { readonly path: string; readonly text: string }[] | NotMoved> {
  const files = await git.filesOf(repo, commit);
  const binary = files.find(({ bytes }) => bytes.includes(0));
  if (binary)
    return {
      kind: "refused",
      why: `${binary.path} is no text`,
      hint: "Take it with `commit-document`, or from the loop's own repository.",
    };
  return files.map(({ path, bytes }) => ({ path, text: new TextDecoder().decode(bytes) }));
}

const isRefusal = (texts: object): texts is NotMoved => "kind" in texts;

export const writeDocument = defineAction({
  name: "write-document",
  summary: "Writes the files of a document into a folder outside the target.",
  options: Options,
  async prepare(deed, { folder }, world) {
    const place = resolve(deed.folder, folder);
    if (!deed.target)
      return { kind: "refused", why: "this is a change and no document", hint: "Use `merge` or `push`, or say `document` in the spec." };
    if (isInside(deed.target.repo, place) && (await isRepository(deed, world)))
      return { kind: "refused", why: `${place} lies inside the target`, hint: "Name a folder outside it, or use `commit-document`." };
    const texts = await textsOf(deed, world);
    return isRefusal(texts) ? texts : { kind: "ready", says: `write ${texts.length} file(s) to ${place}` };
  },
  async execute(deed, { folder }, world) {
    const place = resolve(deed.folder, folder);
    const texts = await textsOf(deed, world);
    if (isRefusal(texts)) return texts;
    for (const { path, text } of texts) await world.files.writeText(join(place, path), text);
    return { kind: "done", receipt: receiptOf(place, texts.length) };
  },
  // Written again, they are the same.
  confirm: async () => ({ kind: "not-done" }),
});

/** Where the spec's folder is no repository, nothing of it can be somebody's work. */
const isRepository = ({ target }: Deed, { git }: ActionWorld): Promise<boolean> =>
  target === undefined
    ? Promise.resolve(false)
    : git.branchTip(target.repo, target.ref).then(
        () => true,
        () => false,
      );

/** By name, and in either case, as some file systems see no difference. */
function isInside(folder: string, place: string): boolean {
  const folded = (path: string): string => path.normalize("NFC").toLowerCase();
  const way = relative(folded(folder), folded(place));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
