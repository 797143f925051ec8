// What a model may do in the maker's copy. Every call is checked before anything happens, and one that is refused says why.
import { dirname } from "node:path";
import * as z from "zod";
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { Finished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { BytesRead, FileChanged, LinesRead, Refused } from "../contract/files.ts";
import type { EditOrder } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import type { ModelTool, ToolCall } from "../contract/models.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { type Trust, untrustedText } from "../contract/text.ts";
import { chosenEnvironment } from "../std/environment.ts";
import type { Fact } from "./model-transcript.ts";

export interface ToolLimits {
  /** What one result shows at most. */
  readonly resultChars: number;
  /** How many files may be changed. */
  readonly files: number;
  readonly commandMs: number;
  readonly inherit: readonly string[];
}

/** What came of a call. One that ends the work says how. */
export interface Used {
  readonly result: string;
  readonly facts: readonly Fact[];
  readonly end?:
    | { readonly kind: "finished"; readonly summary: string; readonly result?: string }
    | { readonly kind: "asked"; readonly question: string };
}

export interface Toolbox {
  readonly tools: readonly ModelTool[];
  readonly names: ReadonlySet<string>;
  use(call: ToolCall, leftMs: number): Promise<Used>;
  hasChanged(): boolean;
}

const MOST_LINES = 2_000;
const MOST_HITS = 200;
const MOST_LISTED = 5_000;
const MOST_FILE_BYTES = 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const KEPT = /^kept:(\d+)$/;

interface Bench {
  readonly order: Pick<EditOrder, "workspace" | "spec" | "round" | "tools" | "gives">;
  readonly world: MakerWorld;
  readonly limits: ToolLimits;
  /** What was too long to be shown, by its number. */
  readonly kept: ArtifactRef[];
  readonly changed: Set<string>;
  readonly tally: { writtenBytes: number };
  /** How long this call may take. */
  readonly leftMs: number;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly use: (input: unknown, bench: Bench) => Promise<Used>;
}

const defineTool = <Input extends z.ZodType>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly use: (input: z.infer<Input>, bench: Bench) => Promise<Used>;
}): Tool => ({ ...tool, use: (raw, bench) => tool.use(tool.input.parse(raw), bench) });

const path = z.string().max(2000).describe("From the root of the repository, such as src/total.js.");
const folder = z.string().max(2000).default("").describe("Such as src; left out: everything.");
/** Models send numbers as texts. */
const count = (about: string) => z.coerce.number().int().min(1).optional().describe(about);

const TOOLS: readonly Tool[] = [
  defineTool({
    name: "list",
    description:
      "Lists the files of the repository, or those below a folder. Installed dependencies are left out unless you name their folder.",
    input: z.object({ folder }),
    async use({ folder: within }, bench) {
      const list = await bench.world.desk.files.list(within, MOST_LISTED);
      if (list.kind === "refused") return refused(`list ${within}`, list);
      const more = list.isWhole ? "" : `\nThere are more than ${MOST_LISTED}: ask for a folder.`;
      const shown = await showLong(list.paths.join("\n"), `the files${within ? ` in ${within}` : ""}`, "member", bench);
      return { result: `${list.paths.length} files.\n${shown}${more}`, facts: [{ kind: "looked", what: `list ${within}` }] };
    },
  }),
  defineTool({
    name: "search",
    description: "Finds the lines that hold a text, as it is written and in any case. No patterns.",
    input: z.object({ text: z.string().min(1).max(500).describe("What to look for."), folder }),
    async use({ text, folder: within }, bench) {
      const found = await bench.world.desk.files.search(text, within, MOST_HITS);
      if (found.kind === "refused") return refused(`search ${within}`, found);
      const facts: readonly Fact[] = [{ kind: "looked", what: `search ${JSON.stringify([text, within])}` }];
      const more = found.isWhole ? "" : "\nNot everything was looked through, or there is more: ask for less.";
      if (found.hits.length === 0) return { result: `Nothing was found.${more}`, facts };
      const lines = found.hits.map((hit) => `${hit.path}:${hit.line}\t${hit.text.slice(0, 400)}`);
      return { result: `${await showLong(lines.join("\n"), "a search", "member", bench)}${more}`, facts };
    },
  }),
  defineTool({
    name: "read",
    description:
      "Reads lines of a file, or of a long result that was kept (path kept:1). For a line that is too long, give `offset` instead of `from`.",
    input: z.object({
      path,
      from: count("The first line, counted from 1. Default: 1."),
      lines: count(`How many lines, ${MOST_LINES} at most.`),
      offset: z.coerce.number().int().min(0).optional().describe("Where to begin, in bytes."),
    }),
    use: ({ path: at, from = 1, lines = MOST_LINES, offset }, bench) =>
      offset === undefined ? readLines(at, from, Math.min(lines, MOST_LINES), bench) : readBytes(at, offset, bench),
  }),
  defineTool({
    name: "write",
    description: "Writes a whole file, new or in place of the old one.",
    input: z.object({ path, text: z.string().describe("All of what it should hold.") }),
    async use({ path: at, text }, bench) {
      const why = tooMuch(at, text, bench);
      return why
        ? refused(`write ${at}`, why)
        : changed(`write ${at}`, [at, "written"], await bench.world.desk.files.write(at, text), bench, text);
    },
  }),
  defineTool({
    name: "patch",
    description: "Puts a text in the place of another one in a file. The old text must stand there exactly once, with every space.",
    input: z.object({
      path,
      old: z.string().describe("The text as it stands there, with enough around it to be found once; without line numbers."),
      new: z.string().describe("What should stand there instead."),
    }),
    async use({ path: at, old, new: text }, bench) {
      const why = tooMuch(at, text, bench);
      return why
        ? refused(`patch ${at}`, why)
        : changed(`patch ${at}`, [at, "patched"], await bench.world.desk.files.replace(at, old, text), bench, text);
    },
  }),
  defineTool({
    name: "delete",
    description: "Deletes a file.",
    input: z.object({ path }),
    async use({ path: at }, bench) {
      const why = tooMuch(at, "", bench);
      return why
        ? refused(`delete ${at}`, why)
        : changed(`delete ${at}`, [at, "deleted"], await bench.world.desk.files.remove(at), bench, "");
    },
  }),
  defineTool({
    name: "move",
    description: "Moves or renames a file. There must be nothing at the new place.",
    input: z.object({ from: path, to: path }),
    async use({ from, to }, bench) {
      const why = tooMuch(from, "", bench) ?? tooMuch(to, "", bench);
      if (why) return refused(`move ${from}`, why);
      const used = await changed(`move ${from}`, [to, `moved here from ${from}`], await bench.world.desk.files.move(from, to), bench, "");
      if (used.facts[0]?.kind !== "changed") return used;
      bench.changed.add(from);
      return { ...used, facts: [...used.facts, { kind: "changed", path: from, how: `moved to ${to}` }] };
    },
  }),
  defineTool({
    name: "run",
    description: "Runs a shell command in the repository's root: tests, builds, git log. It has no input, and ends after its time.",
    input: z.object({
      command: z.string().min(1).max(20_000).describe("For /bin/sh."),
      seconds: count("How long it may take."),
    }),
    use: ({ command, seconds }, bench) => runCommand(command, seconds, bench),
  }),
  defineTool({
    name: "note",
    description: "Writes down, in a few sentences, what the next one to work here should know. It outlives this conversation.",
    input: z.object({
      text: z.string().min(1).max(8000),
      key: z.string().max(80).optional().describe("Under which name it is kept, if you were told of names."),
    }),
    async use({ text, key }, { world }) {
      const answer = await world.notebook.add(untrustedText(text), key);
      return answer.kind === "refused" ? refused("note", answer) : { result: "It is kept.", facts: [] };
    },
  }),
  defineTool({
    name: "ask",
    description: "Asks a human, and ends your work: nobody answers while you work. Only when you cannot go on without an answer.",
    input: z.object({ question: z.string().min(1).max(4000) }),
    use: async ({ question }) => ({ result: "", facts: [], end: { kind: "asked", question } }),
  }),
  defineTool({
    name: "finish",
    description: "Ends your work. What you leave in the repository is then checked by others.",
    input: z.object({ summary: z.string().max(8000).default("").describe("What you did, in a few sentences.") }),
    use: async ({ summary }) => ({ result: "", facts: [], end: { kind: "finished", summary } }),
  }),
];

/** Of somebody who hands over a result, and no change. */
const HAND_OVER = defineTool({
  name: "finish",
  description: "Ends your work and hands over your result.",
  input: z.object({
    result: z.string().describe("All of what you hand over, unless you wrote it into the file that you were told."),
    summary: z.string().max(8000).default(""),
  }),
  use: async ({ result, summary }) => ({ result: "", facts: [], end: { kind: "finished", summary, result } }),
});

/** What is not named does not exist; who hands over a result ends in another way. */
function toolsFor({ tools, gives }: Pick<EditOrder, "tools" | "gives">): readonly Tool[] {
  const ending = gives ? HAND_OVER : TOOLS.find(({ name }) => name === "finish")!;
  return [...TOOLS.filter(({ name }) => name !== "finish" && (tools === undefined || tools.includes(name))), ending];
}

const describe = ({ name, description, input }: Tool): ModelTool => {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, input: schema };
};

export function createToolbox(order: Bench["order"], limits: ToolLimits, world: MakerWorld): Toolbox {
  const kept: ArtifactRef[] = [];
  const changedPaths = new Set<string>();
  const tally = { writtenBytes: 0 };
  const tools = toolsFor(order);
  return {
    tools: tools.map(describe),
    names: new Set(tools.map(({ name }) => name)),
    hasChanged: () => changedPaths.size > 0,
    async use(call, leftMs) {
      const tool = tools.find(({ name }) => name === call.tool);
      await world.agent.tell({ kind: "tool-call", tool: call.tool, about: untrustedText(aboutCall(call)) });
      if (!tool)
        return tellRefused(
          world,
          refused(
            call.tool,
            no(`there is no tool called ${JSON.stringify(call.tool.slice(0, 60))}; there are ${tools.map(({ name }) => name).join(", ")}`),
          ),
        );
      if (call.input === undefined)
        return tellRefused(world, refused(call.tool, no("what you sent with it is no JSON object: send the call again")));
      const bench: Bench = { order, world, limits, kept, changed: changedPaths, tally, leftMs };
      try {
        const used = await tool.use(call.input, bench);
        for (const event of eventsOf(used)) await world.agent.tell(event);
        return used;
      } catch (error) {
        if (!(error instanceof z.ZodError)) throw error;
        return tellRefused(world, refused(call.tool, no(`that is not how it is called: ${z.prettifyError(error).slice(0, 500)}`)));
      }
    },
  };
}

const aboutCall = ({ input }: ToolCall): string => {
  const { path: at, command, from, text, folder: within, question } = z.record(z.string(), z.unknown()).catch({}).parse(input);
  return [command, at, from, question, within, text].find((value): value is string => typeof value === "string" && value !== "") ?? "";
};

const eventsOf = ({ facts, end }: Used): readonly MakerEvent[] => [
  ...facts.flatMap((fact): readonly MakerEvent[] => {
    if (fact.kind === "changed") return [{ kind: "file-change", path: untrustedText(fact.path) }];
    return fact.kind === "refused" ? [{ kind: "refused", what: untrustedText(`${fact.what}: ${fact.why}`) }] : [];
  }),
  ...(end?.kind === "asked" ? [{ kind: "question" as const, text: untrustedText(end.question) }] : []),
];

async function tellRefused(world: MakerWorld, used: Used): Promise<Used> {
  for (const event of eventsOf(used)) await world.agent.tell(event);
  return used;
}

const no = (why: string): Refused => ({ kind: "refused", why });

const refused = (what: string, { why }: Refused): Used => ({
  result: `Not done: ${why}.`,
  facts: [{ kind: "refused", what: what.slice(0, 200), why }],
});

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Asked before anything is written. */
function tooMuch(at: string, text: string, { changed: paths, tally, limits }: Bench): Refused | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_FILE_BYTES) return no(`the text has more than ${MOST_FILE_BYTES} bytes`);
  if (tally.writtenBytes + bytes > MOST_BYTES)
    return no(`you have written ${tally.writtenBytes} bytes, and may write ${MOST_BYTES} in all`);
  return paths.has(at) || paths.size < limits.files ? undefined : no(`you have changed ${paths.size} files, and may change no more`);
}

async function changed(
  what: string,
  [at, how]: readonly [path: string, how: string],
  answer: FileChanged | Refused,
  bench: Bench,
  text: string,
): Promise<Used> {
  if (answer.kind === "refused") return refused(what, answer);
  bench.changed.add(at);
  bench.tally.writtenBytes += Buffer.byteLength(text);
  const told = answer.bytes === 0 ? how : `${how}, ${answer.bytes} bytes`;
  return { result: `Done: ${JSON.stringify(at)} ${told}.`, facts: [{ kind: "changed", path: at, how: told }] };
}

async function readLines(at: string, from: number, most: number, bench: Bench): Promise<Used> {
  const read = KEPT.test(at) ? await keptLines(at, from, most, bench) : await bench.world.desk.files.readLines(at, from, most);
  if (read.kind === "refused") return refused(`read ${at}`, read);
  const { total, bytes } = read;
  const size = `${total === undefined ? "more" : total} lines, ${bytes} bytes`;
  if (read.lines.length === 0) return { result: `There is nothing from line ${from} on: it has ${size}.`, facts: [] };
  const lines: string[] = [];
  let length = 0;
  for (const [index, { text, restAt }] of read.lines.entries()) {
    const line = `${from + index}\t${text}${restAt === undefined ? "" : `[… the line goes on: read it with offset ${restAt}]`}`;
    if (lines.length > 0 && length + line.length > bench.limits.resultChars) break;
    lines.push(line);
    length += line.length + 1;
  }
  const to = from + lines.length - 1;
  const more = total !== undefined && to >= total ? "" : `\nRead on from line ${to + 1}.`;
  const shown = show(lines.join("\n"), `${at}, lines ${from} to ${to}`, KEPT.test(at) ? "machine" : "member", bench);
  return { result: `Lines ${from} to ${to}; it has ${size}.\n${shown}${more}`, facts: [{ kind: "read", path: at, from, to }] };
}

async function readBytes(at: string, offset: number, bench: Bench): Promise<Used> {
  const most = bench.limits.resultChars;
  const read = KEPT.test(at) ? await keptBytes(at, offset, most, bench) : await bench.world.desk.files.readBytes(at, offset, most);
  if (read.kind === "refused") return refused(`read ${at}`, read);
  if (read.text === "") return { result: `There is nothing at ${offset}: it has ${read.bytes} bytes.`, facts: [] };
  const more = read.to < read.bytes ? `\nRead on with offset ${read.to}.` : "";
  const shown = show(read.text, `${at}, bytes ${read.from} to ${read.to}`, KEPT.test(at) ? "machine" : "member", bench);
  return {
    result: `Bytes ${read.from} to ${read.to} of ${read.bytes}.\n${shown}${more}`,
    facts: [{ kind: "looked", what: `${at} at ${offset}` }],
  };
}

// ── what is too long to be shown ────────────────────────────────────────────────────────────────────────────────

/** Only in a fence, and only what the guard lets through. */
function show(text: string, source: string, trust: Trust, { world, limits }: Bench): string {
  const shown = world.desk.show(untrustedText(text), { source, trust, mostChars: limits.resultChars + 500 });
  return shown.kind === "shown" ? shown.text : `It is not shown to you: ${shown.why}. Do without it.`;
}

async function showLong(text: string, source: string, trust: Trust, bench: Bench): Promise<string> {
  if (text.length <= bench.limits.resultChars) return show(text, source, trust, bench);
  return preview(text, source, trust, await bench.world.desk.keep(text), bench);
}

/** Both ends of it, and where the rest is. */
function preview(text: string, source: string, trust: Trust, ref: ArtifactRef, bench: Bench): string {
  bench.kept.push(ref);
  const head = Math.floor(bench.limits.resultChars / 4);
  const tail = Math.floor(bench.limits.resultChars / 2);
  const lines = text.split("\n").length;
  const cut = `${text.slice(0, head)}\n[… left out …]\n${text.slice(-tail)}`;
  return `${show(cut, source, trust, bench)}\nThis is the beginning and the end of ${lines} lines. All of it is kept: read it by ranges with path kept:${bench.kept.length}.`;
}

const MOST_KEPT_LINE = 2_000;

async function keptText(at: string, { kept, world }: Bench): Promise<string | Refused> {
  const ref = kept[Number(KEPT.exec(at)?.[1]) - 1];
  return ref ? world.desk.readKept(ref) : no(`nothing was kept as ${at}`);
}

async function keptLines(at: string, from: number, most: number, bench: Bench): Promise<LinesRead | Refused> {
  const text = await keptText(at, bench);
  if (typeof text !== "string") return text;
  const all = text.replace(/\n$/, "").split("\n");
  const lines = all
    .slice(from - 1, from - 1 + most)
    .map((line) => ({ text: line.length > MOST_KEPT_LINE ? `${line.slice(0, MOST_KEPT_LINE)}[… cut]` : line }));
  return { kind: "lines", from, lines, total: all.length, bytes: Buffer.byteLength(text) };
}

async function keptBytes(at: string, from: number, most: number, bench: Bench): Promise<BytesRead | Refused> {
  const text = await keptText(at, bench);
  if (typeof text !== "string") return text;
  const bytes = Buffer.from(text, "utf8");
  const piece = bytes.subarray(from, from + most);
  return { kind: "bytes", text: piece.toString("utf8"), from, to: from + piece.length, bytes: bytes.length };
}

// ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────

async function runCommand(command: string, seconds: number | undefined, bench: Bench): Promise<Used> {
  const { order, world, limits, leftMs } = bench;
  const { workspace, spec, round } = order;
  const timeoutMs = Math.max(1, Math.floor(Math.min(limits.commandMs, (seconds ?? Number.POSITIVE_INFINITY) * 1000, leftMs)));
  const env = {
    HOME: workspace.home,
    ...chosenEnvironment(limits.inherit, world.env),
    LOOPWRIGHT_LOOP: spec.name,
    LOOPWRIGHT_ROUND: round.id,
    GIT_CEILING_DIRECTORIES: dirname(workspace.work),
  };
  const finished = await world.proc.run({ run: command, cwd: workspace.work, input: "", timeoutMs, env }).catch((error: unknown) => {
    if (error instanceof LoopError && error.code === "command-blocked") return no(error.message.slice(0, 2000));
    throw error;
  });
  if ("kind" in finished) return refused(`run ${command}`, finished);
  const end = tellEnd(finished);
  const shown = await showOutput(command, finished, bench);
  const isGood = finished.end.kind === "exited" && finished.end.code === 0;
  return { result: `${end}\n${shown}`, facts: [{ kind: "ran", command, end, isGood }] };
}

function tellEnd({ end, tookMs }: Finished): string {
  switch (end.kind) {
    case "exited":
      return `It exited ${end.code} after ${tookMs} ms.`;
    case "killed":
      return `It was killed by ${end.signal}${end.why ? `, because ${end.why}` : ""}.`;
    case "timed-out":
      return `It took longer than ${end.afterMs} ms and was ended.`;
  }
}

async function showOutput(command: string, { output, tail }: Finished, bench: Bench): Promise<string> {
  if (output.bytes === 0) return "It printed nothing.";
  const source = `what ${command.slice(0, 80)} printed`;
  if (output.bytes <= Buffer.byteLength(tail)) return show(tail, source, "machine", bench);
  const text = await bench.world.desk.readKept(output);
  return text.length <= bench.limits.resultChars ? show(text, source, "machine", bench) : preview(text, source, "machine", output, bench);
}
