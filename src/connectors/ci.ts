// Brings jobs of CI that failed since they were read last, each with the end of its log.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings } from "../contract/connector.ts";
import { forgeOptions, thingOf, wishOf } from "../contract/forge-options.ts";
import { sha256 } from "../std/hash.ts";

const Options = forgeOptions({
  branch: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Only runs of this branch. Default: of all.", examples: ["main"] }),
  most: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: "How many failed runs to look at, newest first.", examples: [20] }),
  mostChars: z
    .int()
    .min(0)
    .max(20_000)
    .default(4_000)
    .meta({ description: "How much of the end of each log is brought.", examples: [4000] }),
});

const MOST_KNOWN = 500;

export const ci = defineConnector({
  name: "ci",
  summary: "Jobs that failed in CI of GitHub or GitLab since it was last read, each with where it failed and the end of its log.",
  options: Options,
  async gather(order, options, { forges }: Pick<ConnectorWorld, "forges">): Promise<GatheredThings> {
    const forge = await forges.open(wishOf(options, order));
    const key = `ci:${JSON.stringify([forge.place, options.branch ?? null])}`;
    const known = (Object.hasOwn(order.cursors, key) ? (order.cursors[key] ?? "") : "").split(" ").filter((hash) => hash !== "");
    const { items, notes } = await forge.failures({
      branch: options.branch,
      isKnown: (run) => known.includes(hashOf(run)),
      most: options.most,
      mostLogChars: options.mostChars,
    });
    const runs = [...new Set([...items.map(({ id }) => hashOf(id.split(" job ")[0]!)), ...known])];
    return {
      kind: "things",
      source: `CI of ${forge.place}${options.branch === undefined ? "" : ` on ${options.branch}`}`,
      things: items.map(thingOf),
      notes,
      cursors: { [key]: runs.slice(0, MOST_KNOWN).join(" ") },
    };
  },
});

const hashOf = (run: string): string => sha256(run).slice(0, 12);
