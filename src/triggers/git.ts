// A loop that wakes when a ref of its target, or of a remote of it, moved.
import * as z from "zod";
import { Duration } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";
import { parseDuration } from "../std/duration.ts";

/** As git itself would take it, without anything that it could read as an option, a range or a pattern. */
const name = (what: string) =>
  z
    .string()
    .max(200)
    .regex(/^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[/.]$))[^\0-\x20\x7f~^:?*[\\]+$/, { error: `is not the name of ${what}` });

const SHORTEST_MS = 5000;

const Options = z.strictObject({
  ref: name("a ref").meta({ description: "The branch, or the ref by its full name.", examples: ["main", "refs/tags/latest"] }),
  remote: name("a remote")
    .optional()
    .meta({ description: "The remote of the target whose ref it is. Default: the target's own.", examples: ["origin"] }),
  every: Duration.refine((text) => (parseDuration(text) ?? 0) >= SHORTEST_MS, { error: "must be 5s at least" })
    .default("1m")
    .meta({ description: "How often it is looked at, where no hook tells that it moved.", examples: ["1m"] }),
});

export const git = defineTrigger({
  name: "git",
  summary: "Wakes when a ref of the target, or of one of its remotes, moved.",
  options: Options,
  wakes: ({ ref, remote, every }) => ({ hears: [{ kind: "git", ref, remote, everyMs: parseDuration(every)! }] }),
});
