// Writes the report of what was decided to a file outside the target.
import { isAbsolute, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { type Deed, defineAction } from "../contract/action.ts";

const Options = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !path.includes("\0"), { error: "must not contain a NUL" })
    .meta({
      description: "Where to write the report (Markdown), relative to the spec's folder. What was there is replaced.",
      examples: ["../reports/decided.md"],
    }),
});

const textOf = ({ report, key }: Deed): string => `${report}\n<!-- ${key} -->\n`;
const receiptOf = (path: string) => ({ says: `the report is in ${path}`, facts: { path } });

export const file = defineAction({
  name: "file",
  summary: "Writes the report as Markdown to a file outside the target.",
  options: Options,
  async prepare({ folder, repo }, { path }) {
    const place = resolve(folder, path);
    return isInside(repo, place)
      ? { kind: "refused", why: `${place} lies inside the target`, hint: "Give the `file` action a `path` outside the repository." }
      : { kind: "ready", says: `write ${place}` };
  },
  async execute(deed, { path }, { files }) {
    const place = resolve(deed.folder, path);
    await files.writeText(place, textOf(deed));
    return { kind: "done", receipt: receiptOf(place) };
  },
  async confirm(deed, { path }, { files }) {
    const place = resolve(deed.folder, path);
    return (await files.readText(place)) === textOf(deed) ? { kind: "done", receipt: receiptOf(place) } : { kind: "not-done" };
  },
});

/** By name, and in either case, as some file systems see no difference. */
function isInside(folder: string, place: string): boolean {
  const folded = (path: string): string => path.normalize("NFC").toLowerCase();
  const way = relative(folded(folder), folded(place));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
