// Brings what a server of the Model Context Protocol answers: to calls of tools that somebody accepted, and as resources.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import { type McpAnswer, McpEntry } from "../contract/mcp.ts";
import { untrustedText } from "../contract/text.ts";
import { displayLine } from "../std/display-text.ts";
import { sha256 } from "../std/hash.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = z.strictObject({
  server: McpEntry.meta({
    description: "The server: how it is started, and what it may reach.",
    examples: [{ name: "tracker", run: "./tracker-mcp" }],
  }),
  calls: z
    .array(
      z.strictObject({
        tool: z
          .string()
          .min(1)
          .max(200)
          .meta({ description: "The tool, as the server calls it; somebody must have accepted it.", examples: ["list_issues"] }),
        with: z
          .record(z.string().max(200), z.json())
          .default({})
          .meta({ description: "What it is asked with; looked at against the tool's own schema.", examples: [{ state: "open" }] }),
      }),
    )
    .max(20)
    .default([])
    .meta({ description: "Tools to call, in this order. What each answers is one thing.", examples: [[{ tool: "list_issues" }]] }),
  resources: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .default([])
    .meta({ description: "Resources to read, by their addresses. Each is one thing.", examples: [["memo://today"]] }),
});

const MOST_CHARS = 20_000;

export const mcp = defineConnector({
  name: "mcp",
  summary:
    "What a server of the Model Context Protocol answers: accepted tools and resources, once for each answer. The server runs in a box; all of it counts as strangers' words.",
  options: Options,
  async gather({ cursors }, { server, calls, resources }, { talk }: Pick<ConnectorWorld, "talk">): Promise<GatheredThings> {
    const { value, refused } = await talk(server, async (line) => {
      const answers: Answered[] = [];
      for (const { tool, with: asked } of calls)
        answers.push({ of: tool, why: `answered by the tool ${displayLine(tool, 80)}`, ...(await line.call(tool, asked)) });
      for (const uri of resources) answers.push({ of: uri, why: "read as a resource", ...(await line.read(uri)) });
      return answers;
    });
    const key = `mcp:${server.name}`;
    const good = value.filter(({ isError }) => !isError);
    const { fresh, cursor } = unseenOf(good.map(thingOf), Object.hasOwn(cursors, key) ? cursors[key] : undefined, MOST_ANSWERS);
    return {
      kind: "things",
      source: server.name,
      things: fresh,
      notes: [
        ...value.flatMap(({ of, text, isError }) =>
          isError ? [`${displayLine(of, 80)} answered with an error: ${displayLine(text, 200)}`] : [],
        ),
        ...good.flatMap(({ of, text }) =>
          text.length > MOST_CHARS ? [`of ${displayLine(of, 80)} the first ${MOST_CHARS} characters were taken`] : [],
        ),
        ...(refused.length > 0 ? [`the server asked for what it is not given: ${displayLine(refused.join(", "), 200)}`] : []),
      ],
      cursors: { [key]: cursor },
    };
  },
});

const MOST_ANSWERS = 40;

interface Answered extends McpAnswer {
  readonly of: string;
  readonly why: string;
}

const thingOf = ({ of, why, text }: Answered): Thing => ({
  id: `${of} ${sha256(text)}`,
  title: untrustedText(displayLine(of, 200)),
  body: untrustedText(text.slice(0, MOST_CHARS)),
  trust: "outsider",
  why: untrustedText(why),
  cites: [],
});
