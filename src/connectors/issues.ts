// Brings issues that were opened or changed since they were read last.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings } from "../contract/connector.ts";
import type { ForgeItem } from "../contract/forge.ts";
import { forgeOptions, thingOf, wishOf } from "../contract/forge-options.ts";

const Options = forgeOptions({
  labels: z
    .array(z.string().min(1).max(100))
    .max(10)
    .default([])
    .meta({ description: "Only issues that have all of these labels.", examples: [["bug"]] }),
  most: z
    .int()
    .min(1)
    .max(5_000)
    .default(100)
    .meta({ description: "How many to bring, changed last first; the others are counted.", examples: [100] }),
});

/** What is looked at, however few of it are told. */
const MOST_READ = 5_000;

export const issues = defineConnector({
  name: "issues",
  summary: "Open issues of GitHub or GitLab that are new or changed since they were last read, with author and labels.",
  options: Options,
  async gather(order, options, { forges }: Pick<ConnectorWorld, "forges">): Promise<GatheredThings> {
    const forge = await forges.open(wishOf(options, order));
    const key = `issues:${JSON.stringify([forge.place, options.labels])}`;
    const last = readCursor(Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined);
    const { items, notes } = await forge.issues({ labels: options.labels, since: last?.at, most: MOST_READ });
    const fresh = items.filter(({ id }) => last?.ids.includes(id) !== true);
    return {
      kind: "things",
      source: `issues of ${forge.place}${options.labels.map((label) => ` ${label}`).join("")}`,
      things: fresh.slice(0, options.most).map(thingOf),
      notes: [...notes, ...(fresh.length > options.most ? [`only the ${options.most} of ${fresh.length} that changed last are told`] : [])],
      cursors: items.length === 0 ? {} : { [key]: JSON.stringify(cursorAfter(items)) },
    };
  },
});

/** Everything of that instant comes again, as more may have happened in it: what is known of it is told by id. */
interface Cursor {
  readonly at: string;
  readonly ids: readonly string[];
}

function cursorAfter(items: readonly ForgeItem[]): Cursor {
  const at = items.map((item) => item.at).reduce((one, other) => (one > other ? one : other));
  return { at, ids: items.filter((item) => item.at === at).map(({ id }) => id) };
}

const CursorShape = z.object({ at: z.iso.datetime(), ids: z.array(z.string()) });

/** One that nobody wrote here is none. */
function readCursor(text: string | undefined): Cursor | undefined {
  try {
    return text === undefined ? undefined : CursorShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
