// Brings alerts about dependencies and code that are open on a forge and were not told of before.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings } from "../contract/connector.ts";
import { ALERT_KINDS, ALERT_SEVERITIES, type AlertSeverity, type ForgeAlert } from "../contract/forge.ts";
import { forgeOptions, thingOf, wishOf } from "../contract/forge-options.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = forgeOptions({
  about: z
    .array(z.enum(ALERT_KINDS))
    .min(1)
    .max(ALERT_KINDS.length)
    .default([...ALERT_KINDS])
    .meta({ description: "Which alerts: about dependencies, or about the code itself.", examples: [["dependencies"]] }),
  least: z
    .enum(ALERT_SEVERITIES)
    .default("low")
    .meta({ description: "The mildest that is told; one that the forge does not weigh is told always.", examples: ["high"] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many to bring at once, gravest first; the others come the next time.", examples: [100] }),
});

/** Of each kind, however few of them are told. */
const MOST_READ = 2_000;

/** What nobody weighed is looked at before what is known to be mild. */
const ORDER: readonly AlertSeverity[] = ["critical", "high", "unknown", "medium", "low"];

export const security = defineConnector({
  name: "security",
  summary: "Open alerts of GitHub or GitLab about dependencies and code that are new, gravest first, with the version that mends them.",
  options: Options,
  async gather(order, options, { forges }: Pick<ConnectorWorld, "forges">): Promise<GatheredThings> {
    const forge = await forges.open(wishOf(options, order));
    const about = ALERT_KINDS.filter((kind) => options.about.includes(kind));
    const { items, notes } = await forge.alerts({ about, most: MOST_READ });
    const told = ORDER.flatMap((severity) => items.filter((item) => item.severity === severity)).filter((item) =>
      weighs(item, options.least),
    );
    const key = `security:${JSON.stringify([forge.place, about, options.least])}`;
    const { fresh, left, cursor } = unseenOf(told, Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined, options.most);
    return {
      kind: "things",
      source: [
        `security alerts of ${forge.place}`,
        ...(about.length === ALERT_KINDS.length ? [] : [`about ${about.join(" and ")}`]),
        ...(options.least === "low" ? [] : [`from ${options.least} on`]),
      ].join(" "),
      things: fresh.map(thingOf),
      notes: [...notes, ...(left > 0 ? [`${left} more come the next time`] : [])],
      cursors: { [key]: cursor },
    };
  },
});

const weighs = ({ severity }: ForgeAlert, least: (typeof ALERT_SEVERITIES)[number]): boolean =>
  severity === "unknown" || ALERT_SEVERITIES.indexOf(severity) <= ALERT_SEVERITIES.indexOf(least);
