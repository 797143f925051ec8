// Brings files of base that are new or changed since they were read last, with what they say.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import type { FileFound, TreeFile } from "../contract/git.ts";
import { untrustedText } from "../contract/text.ts";
import { compileAllowing, globProblem } from "../std/glob.ts";
import { unseenOf } from "../std/unseen.ts";

const Glob = z.string().superRefine((pattern, context) => {
  const problem = globProblem(pattern);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const Options = z.strictObject({
  paths: z
    .array(Glob)
    .min(1)
    .max(50)
    .meta({ description: "Globs of the files, from the root of the repository.", examples: [["docs/**/*.md"]] }),
  most: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .meta({ description: "How many to bring at once; the others come the next time.", examples: [20] }),
  mostChars: z
    .int()
    .min(0)
    .max(50_000)
    .default(2_000)
    .meta({ description: "How much of each is brought.", examples: [2000] }),
});

export const files = defineConnector({
  name: "files",
  summary: "Files on base that are new or changed since they were last read, with the beginning of what they hold.",
  options: Options,
  async gather(order, { paths, most, mostChars }, { git }: Pick<ConnectorWorld, "git">): Promise<GatheredThings> {
    const { repo, baseRef } = order;
    const source = `files ${paths.join(", ")}`;
    const tip = await git.resolve(repo, baseRef);
    if (tip === undefined)
      return { kind: "things", source, things: [], notes: [`there is no branch, tag or commit ${baseRef}`], cursors: {} };
    const isWanted = compileAllowing(paths);
    const wanted = (await git.filesOf(repo, tip))
      .filter(({ path, mode }) => mode.startsWith("100") && isWanted(path))
      .map((file) => ({ ...file, id: JSON.stringify([file.path, file.blob]) }));
    const key = `files:${paths.join(" ")}`;
    const { fresh, left, cursor } = unseenOf(wanted, Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined, most);
    const texts =
      fresh.length === 0
        ? []
        : await git.filesAt(
            repo,
            fresh.map(({ path }) => ({ commit: tip, path })),
          );
    return {
      kind: "things",
      source,
      things: fresh.map((file, index) => thingOf(file, texts[index], tip, mostChars)),
      notes: left > 0 ? [`${left} more come the next time`] : [],
      cursors: { [key]: cursor },
    };
  },
});

const thingOf = (
  { id, path }: TreeFile & { readonly id: string },
  found: FileFound | undefined,
  commit: string,
  mostChars: number,
): Thing => ({
  id,
  title: untrustedText(path),
  ...(found?.kind === "found" && mostChars > 0 ? { body: untrustedText(found.text.slice(0, mostChars)) } : {}),
  // Whoever may write here wrote or took it.
  trust: "member",
  why: untrustedText(found?.kind === "unread" ? `not read: ${found.why}` : "new or changed on base"),
  cites: [{ kind: "file", path, commit }],
});
