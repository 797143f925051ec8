// Writes the report of a run to a file outside the target.
import { isAbsolute, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";

const Options = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !path.includes("\0"), { error: "must not contain a NUL" })
    .meta({
      description: "Where to write the report (Markdown), relative to the spec's folder. What was there is replaced.",
      examples: ["../reports/triage.md"],
    }),
});

export const file = defineNotifier({
  name: "file",
  summary: "Writes the run's report as Markdown to a file outside the target.",
  options: Options,
  async tell({ folder, repo, report }, { path }, { files }) {
    const place = resolve(folder, path);
    if (isInside(repo, place)) throw insideTarget(place, repo);
    await files.writeText(place, report);
  },
});

/**
 * By name only, and in either case, as some file systems see no difference: there is no port here that follows links,
 * so a link outside the target that leads into it is not seen.
 */
function isInside(folder: string, place: string): boolean {
  const way = relative(folded(folder), folded(place));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const folded = (path: string): string => path.normalize("NFC").toLowerCase();

const insideTarget = (place: string, repo: string): LoopError =>
  new LoopError(
    "notify-failed",
    `the report was not written to ${place}: it lies inside the target ${repo}, which reports may not change`,
    {
      retry: "never",
      hint: "Give the `file` action a `path` outside the repository.",
    },
  );
