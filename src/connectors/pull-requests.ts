// Brings pull requests that are new or stand differently than when they were read last.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings } from "../contract/connector.ts";
import { forgeOptions, thingOf, wishOf } from "../contract/forge-options.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = forgeOptions({
  most: z
    .int()
    .min(1)
    .max(500)
    .default(50)
    .meta({ description: "How many to look at, changed last first.", examples: [50] }),
});

export const pullRequests = defineConnector({
  name: "pull-requests",
  summary: "Open pull or merge requests with reviews, comments, checks, conflicts and age; each again when one of these changed.",
  options: Options,
  async gather(order, options, { forges }: Pick<ConnectorWorld, "forges">): Promise<GatheredThings> {
    const forge = await forges.open(wishOf(options, order));
    const key = `pull-requests:${forge.place}`;
    const { items, notes } = await forge.pulls({ most: options.most });
    const { fresh, cursor } = unseenOf(items, Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined, options.most);
    return { kind: "things", source: `pull requests of ${forge.place}`, things: fresh.map(thingOf), notes, cursors: { [key]: cursor } };
  },
});
