// What a model that judges may do: list, read and search in its own copy, and nothing that leaves a trace.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { ModelTool, ToolCall } from "../contract/models.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import type { Checkout } from "../contract/workshop.ts";

const MOST_LINES = 400;
const MOST_CHARS = 30_000;
const MOST_PATHS = 500;
const MOST_HITS = 60;
const MOST_SEARCHED_BYTES = 32 * 1024 * 1024;
const MOST_LINE_CHARS = 400;

const Listing = z.object({ folder: z.string().max(500).default("") });
const Reading = z.object({ path: z.string().min(1).max(500), from: z.int().min(1).default(1), lines: z.int().min(1).default(MOST_LINES) });
const Searching = z.object({ text: z.string().min(1).max(200), folder: z.string().max(500).default("") });

export const READ_TOOLS: readonly ModelTool[] = [
  {
    name: "list",
    description: "Lists the files of the proposal, or those in a folder of it.",
    input: { type: "object", properties: { folder: { type: "string", description: "Such as src; left out: all." } } },
  },
  {
    name: "read",
    description: `Reads lines of a file, ${MOST_LINES} at most.`,
    input: {
      type: "object",
      required: ["path"],
      properties: {
        path: { type: "string" },
        from: { type: "integer", description: "The first line, counted from 1." },
        lines: { type: "integer", description: "How many." },
      },
    },
  },
  {
    name: "search",
    description: "Finds the lines that hold a text, as it is written and in any case.",
    input: { type: "object", required: ["text"], properties: { text: { type: "string" }, folder: { type: "string" } } },
  },
];

type LookWorld = Pick<VerifierWorld, "desk" | "roomFiles">;

/** What a tool shows. Whatever the model asks for, it gets a text, and what stands in files only in a fence. */
export async function useTool({ tool, input }: ToolCall, room: Checkout, world: LookWorld): Promise<string> {
  try {
    if (tool === "list") return await list(Listing.parse(input), room, world);
    if (tool === "read") return await read(Reading.parse(input), room, world);
    if (tool === "search") return await search(Searching.parse(input), room, world);
    return `There is no tool called ${JSON.stringify(tool.slice(0, 60))}.`;
  } catch (error) {
    if (error instanceof z.ZodError) return `That is not how ${tool} is called: ${z.prettifyError(error).slice(0, 500)}`;
    // A path out of the copy is refused by the copy's own door; other failures are not the model's to hear.
    if (error instanceof LoopError && error.code === "maker-failed") return error.message.slice(0, 500);
    throw error;
  }
}

async function list({ folder }: z.infer<typeof Listing>, room: Checkout, world: LookWorld): Promise<string> {
  const { paths, isWhole } = await world.desk.listFiles(room);
  const inside = paths.filter(isUnder(folder));
  const more = inside.length > MOST_PATHS || !isWhole ? "\nThere are more; ask for a folder." : "";
  return `${fenced(inside.slice(0, MOST_PATHS).join("\n"), `the list of files${folder ? ` in ${folder}` : ""}`, world)}${more}`;
}

async function read({ path, from, lines }: z.infer<typeof Reading>, room: Checkout, world: LookWorld): Promise<string> {
  const text = await world.roomFiles(room).read(path);
  if (text === undefined) return "There is no such plain file.";
  const all = text.replace(/\n$/, "").split("\n");
  const shown = all.slice(from - 1, from - 1 + Math.min(lines, MOST_LINES));
  if (shown.length === 0) return `The file has ${all.length} lines.`;
  const numbered = shown.map((line, index) => `${from + index}\t${line}`).join("\n");
  return fenced(numbered, `${path}, lines ${from} to ${from + shown.length - 1} of ${all.length}`, world);
}

/** Files are read until there is enough to show, or too much was looked through. */
async function search({ text, folder }: z.infer<typeof Searching>, room: Checkout, world: LookWorld): Promise<string> {
  const { paths, isWhole } = await world.desk.listFiles(room);
  const wanted = text.toLowerCase();
  const hits: string[] = [];
  let bytes = 0;
  for (const path of paths.filter(isUnder(folder))) {
    if (hits.length >= MOST_HITS || bytes > MOST_SEARCHED_BYTES) break;
    const content = (await world.roomFiles(room).read(path)) ?? "";
    bytes += content.length;
    if (content.includes("\0") || !content.toLowerCase().includes(wanted)) continue;
    for (const [index, line] of content.split("\n").entries())
      if (line.toLowerCase().includes(wanted)) hits.push(`${path}:${index + 1}\t${line.slice(0, MOST_LINE_CHARS)}`);
  }
  const isCut = !isWhole || hits.length > MOST_HITS || bytes > MOST_SEARCHED_BYTES;
  if (hits.length === 0) return isCut ? "Nothing was found in what was looked through, which is not everything." : "It stands nowhere.";
  return `${fenced(hits.slice(0, MOST_HITS).join("\n"), "a search", world)}${isCut ? "\nThere may be more." : ""}`;
}

const isUnder = (folder: string): ((path: string) => boolean) => {
  const start = folder.replace(/^(\.?\/)+|\/+$/g, "");
  return (path) => start === "" || start === "." || path === start || path.startsWith(`${start}/`);
};

function fenced(text: string, source: string, { desk }: LookWorld): string {
  const shown = desk.show(untrustedText(text), { source, trust: "outsider", mostChars: MOST_CHARS });
  return shown.kind === "shown" ? shown.text : `This is not shown to you: ${shown.why}. Say that you are unsure if you need it.`;
}
