// Talks with a server of the Model Context Protocol that runs as a command of ours: bounded in time and size, and answered nothing that it asks.
import { Client, type ContentBlock, type JsonSchemaValidatorResult, type jsonSchemaValidator } from "@modelcontextprotocol/client";
import type { MarkedCommand, Proc } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import type { McpAnswer, McpLine, McpOrder, Talked, ToolSeen } from "../../contract/mcp.ts";
import { untrustedText } from "../../contract/text.ts";
import { displayLine } from "../../std/display-text.ts";
import { parseDuration } from "../../std/duration.ts";
import { isObject } from "../../std/json-record.ts";
import { misfit } from "../../std/json-shape.ts";
import { type DialogueTransport, dialogueTransport } from "./dialogue-transport.ts";

const MOST_TOOLS = 500;
const MOST_PAGES = 50;

export async function talkWithServer<T>(
  proc: Proc<MarkedCommand>,
  { entry, cwd, env, mark, box }: McpOrder,
  work: (line: McpLine) => Promise<T>,
): Promise<Talked<T>> {
  const timeoutMs = parseDuration(entry.timeout)!;
  const transport = dialogueTransport();
  let conversation: Promise<{ readonly value: T } | { readonly error: unknown }> = Promise.resolve({ error: new Error("it never began") });
  const finished = await proc.run(
    { run: entry.run, cwd, env, timeoutMs, mark, box },
    {
      begun(speaker) {
        transport.open(speaker);
        conversation = converse(transport, timeoutMs, work)
          .then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          )
          .finally(() => transport.over());
      },
      heard: async (line) => transport.heard(line),
    },
  );
  const ended = endOf(finished.end);
  transport.over(ended);
  const came = await conversation;
  if ("value" in came) return { value: came.value, refused: transport.refused(), box: finished.box };
  if (came.error instanceof LoopError) throw came.error;
  const why = transport.whyOver() ?? (came.error instanceof Error ? came.error.message : String(came.error));
  const said = finished.tail.trim();
  throw new LoopError(
    "mcp-failed",
    `the server ${entry.name} could not be talked with: ${displayLine(why, 300)}${said === "" ? "" : `; it last printed: ${displayLine(said.slice(-600), 300)}`}`,
    { retry: "later", hint: `Try it with \`lw mcp inspect\`, or start it by hand: ${displayLine(entry.run, 200)}`, cause: came.error },
  );
}

function endOf(end: { readonly kind: string; readonly code?: number; readonly signal?: string; readonly afterMs?: number }): string {
  if (end.kind === "timed-out") return `it took longer than ${end.afterMs} ms`;
  return end.kind === "exited" ? `it exited with ${end.code}` : `it was ended by ${end.signal}`;
}

async function converse<T>(transport: DialogueTransport, timeoutMs: number, work: (line: McpLine) => Promise<T>): Promise<T> {
  const options = { timeout: timeoutMs };
  // It declares no capability, so that whatever the server asks for is refused by the library.
  const client = new Client({ name: "loopwright", version: "1" }, { capabilities: {}, jsonSchemaValidator: BOUNDED_VALIDATOR });
  await client.connect(transport, options);
  const value = await work({
    tools: () => toolsOf(client, options),
    call: async (tool, asked) => answerOf(await client.callTool({ name: tool, arguments: { ...asked } }, options)),
    read: async (uri) => {
      const { contents } = await client.readResource({ uri }, options);
      return {
        text: untrustedText(contents.map((each) => ("text" in each ? each.text : told("blob", each.blob, each.mimeType))).join("\n")),
        isError: false,
      };
    },
  });
  await client.close();
  return value;
}

async function toolsOf(client: Client, options: { readonly timeout: number }): Promise<readonly ToolSeen[]> {
  const found: ToolSeen[] = [];
  let cursor: string | undefined;
  for (let page = 0; page === 0 || cursor !== undefined; page++) {
    if (page >= MOST_PAGES) throw new Error(`its list of tools has more than ${MOST_PAGES} pages`);
    // An empty cursor asks for the first page, and keeps the library from turning pages by itself.
    const listed = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, options);
    found.push(
      ...listed.tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) =>
        plain({ name, title, description, inputSchema, outputSchema, annotations }),
      ),
    );
    if (found.length > MOST_TOOLS) throw new Error(`it has more than ${MOST_TOOLS} tools`);
    cursor = listed.nextCursor;
  }
  const twice = found.find(({ name }, index) => found.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`it has two tools called ${displayLine(twice.name, 80)}`);
  return found;
}

/** Without what is not there. */
const plain = (tool: { readonly [F in keyof ToolSeen]?: unknown }): ToolSeen => JSON.parse(JSON.stringify(tool)) as ToolSeen; // the library read it as one

/** Words as they are, the rest in a few of ours. */
function answerOf({
  content,
  structuredContent,
  isError,
}: {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}): McpAnswer {
  const words = content.map(wordsIn);
  const text = words.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : words.join("\n");
  return { text: untrustedText(text), isError: isError === true };
}

function wordsIn(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return told(block.type, block.data, block.mimeType);
    case "resource_link":
      return `[a link, not followed: ${displayLine(block.uri, 300)}]`;
    case "resource":
      return "text" in block.resource ? block.resource.text : told("blob", block.resource.blob, block.resource.mimeType);
  }
}

const told = (what: string, data: string, form = "of no known form"): string =>
  `[${what}, not shown: about ${Math.round((data.length * 3) / 4)} bytes, ${displayLine(form, 80)}]`;

/** No schema of a server is ever made into a program: what a small part of JSON Schema says is looked at, and the rest is not. */
const BOUNDED_VALIDATOR: jsonSchemaValidator = {
  getValidator:
    <T>(schema: unknown) =>
    (value: unknown): JsonSchemaValidatorResult<T> => {
      const problem = isObject(schema) ? misfit(value, schema, "its result") : "its schema is no map";
      return problem === undefined
        ? { valid: true, data: value as T, errorMessage: undefined } // as far as it is looked at
        : { valid: false, data: undefined, errorMessage: problem };
    },
};
