// Brings tests that failed, out of a JUnit file that lies in the repository's folder.
import { join } from "node:path";
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import { untrustedText } from "../contract/text.ts";
import { readJunit } from "../std/junit.ts";
import { readNames } from "../std/path-names.ts";
import type { Seen } from "../std/test-results.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(1_000)
    .refine((path) => readNames(path).kind === "names", { error: "must lead to a file inside the repository" })
    .meta({ description: "Where the file is, from the root of the repository's working tree.", examples: ["reports/junit.xml"] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many to bring at once; the others come the next time.", examples: [100] }),
});

export const junit = defineConnector({
  name: "junit",
  summary: "Tests that fail in a JUnit file of the working tree and did not the last time.",
  options: Options,
  async gather({ repo, cursors }, { file, most }, { files }: Pick<ConnectorWorld, "files">): Promise<GatheredThings> {
    const text = await files.readText(join(repo, file));
    if (text === undefined) throw missing(file);
    const { seen, problems } = readJunit(text);
    const key = `junit:${file}`;
    const failed = seen.filter(({ outcome }) => outcome === "failed").map(thingOf);
    const { fresh, left, cursor } = unseenOf(failed, Object.hasOwn(cursors, key) ? cursors[key] : undefined, most);
    return {
      kind: "things",
      source: `tests in ${file}`,
      things: fresh,
      notes: [...problems.slice(0, 5), ...(left > 0 ? [`${left} more come the next time`] : [])],
      cursors: { [key]: cursor },
    };
  },
});

const thingOf = ({ suite, name }: Seen): Thing => ({
  id: JSON.stringify([suite, name]),
  title: untrustedText([...suite, name].join(" > ")),
  // Names of tests are somebody's who may write here, or had it merged.
  trust: "outsider",
  why: untrustedText("failed"),
  cites: [],
});

const missing = (file: string): LoopError =>
  new LoopError("gather-failed", `there is no file ${file} of at most 4 MiB`, {
    retry: "never",
    hint: "Have the tests write it before the loop wakes, or mend `file` under `gather`.",
  });
