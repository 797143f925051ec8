// Brings what was released since it was read last, there or in a repository that this one leans on.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings } from "../contract/connector.ts";
import { forgeOptions, thingOf, wishOf } from "../contract/forge-options.ts";
import { sha256 } from "../std/hash.ts";

const Options = forgeOptions({
  prereleases: z
    .boolean()
    .default(false)
    .meta({ description: "Whether GitHub's prereleases are brought too; GitLab knows none.", examples: [true] }),
  most: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({ description: "How many to look at, newest first.", examples: [10] }),
});

const MOST_KNOWN = 500;

export const releases = defineConnector({
  name: "releases",
  summary: "Releases of a repository on GitHub or GitLab that are new, with their notes: its own, or one that it leans on.",
  options: Options,
  async gather(order, options, { forges }: Pick<ConnectorWorld, "forges">): Promise<GatheredThings> {
    const forge = await forges.open(wishOf(options, order));
    const key = `releases:${forge.place}`;
    const known = (Object.hasOwn(order.cursors, key) ? (order.cursors[key] ?? "") : "").split(" ").filter((hash) => hash !== "");
    const { items, notes } = await forge.releases({ most: options.most });
    const fresh = items.filter((item) => !known.includes(hashOf(item.id)) && (options.prereleases || !item.isPrerelease));
    // Also of those that fell out of the list: once the newest is deleted, an older one is in it again, and no news.
    const kept = [...new Set([...fresh.map(({ id }) => hashOf(id)), ...known])].slice(0, MOST_KNOWN);
    return {
      kind: "things",
      source: `releases of ${forge.place}`,
      things: fresh.map(thingOf),
      notes,
      cursors: { [key]: kept.join(" ") },
    };
  },
});

const hashOf = (id: string): string => sha256(id).slice(0, 12);
