// Brings findings of another tool out of a SARIF file that lies in the repository's folder.
import { join } from "node:path";
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import { untrustedText } from "../contract/text.ts";
import { readNames } from "../std/path-names.ts";
import { readSarif, type SarifResult } from "../std/read-sarif.ts";
import { unseenOf } from "../std/unseen.ts";

const LEVELS = ["error", "warning", "note"] as const;

const Options = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(1_000)
    .refine((path) => readNames(path).kind === "names", { error: "must lead to a file inside the repository" })
    .meta({ description: "Where the file is, from the root of the repository's working tree.", examples: ["reports/scan.sarif"] }),
  least: z
    .enum(LEVELS)
    .default("warning")
    .meta({ description: "The mildest level that is told.", examples: ["error"] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many to bring at once; the others come the next time.", examples: [100] }),
});

export const sarif = defineConnector({
  name: "sarif",
  summary: "Findings in a SARIF file of the working tree that were not there the last time, gravest first.",
  options: Options,
  async gather({ repo, cursors }, { file, least, most }, { files }: Pick<ConnectorWorld, "files">): Promise<GatheredThings> {
    const text = await files.readText(join(repo, file));
    const results = text === undefined ? undefined : readSarif(text);
    if (results === undefined) throw unreadable(file, text === undefined);
    const told = LEVELS.slice(0, LEVELS.indexOf(least) + 1).flatMap((level) =>
      results.filter((result) => result.level === level).map(thingOf),
    );
    const key = `sarif:${file}`;
    const { fresh, left, cursor } = unseenOf(told, Object.hasOwn(cursors, key) ? cursors[key] : undefined, most);
    return {
      kind: "things",
      source: `findings in ${file}`,
      things: fresh,
      notes: left > 0 ? [`${left} more come the next time`] : [],
      cursors: { [key]: cursor },
    };
  },
});

/** Without its line, which moves with every edit above it. */
const thingOf = ({ ruleId, level, message, file, line }: SarifResult): Thing => ({
  id: JSON.stringify([ruleId, level, message, file ?? null]),
  title: untrustedText(message),
  // A tool writes it, out of files that others wrote.
  trust: "outsider",
  why: untrustedText(`${level} ${ruleId}${file === undefined ? "" : ` in ${file}${line === undefined ? "" : `:${line}`}`}`),
  cites: [],
});

const unreadable = (file: string, isMissing: boolean): LoopError =>
  new LoopError("gather-failed", isMissing ? `there is no file ${file} of at most 4 MiB` : `${file} is no SARIF`, {
    retry: "never",
    hint: "Have the tool write it before the loop wakes, or mend `file` under `gather`.",
  });
