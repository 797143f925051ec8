// What a worker of a team is told. Pure: the role, the task, what it reads as it was admitted, and how to hand over what it makes.
import type { LoopSpec, Worker } from "../contract/spec.ts";
import type { Admitted } from "../contract/text.ts";
import { parseCount } from "../std/count.ts";
import type { Brief, NotesTo } from "./brief.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { InputTold } from "./read-outside.ts";

export interface WorkerMatter {
  readonly spec: LoopSpec;
  readonly id: string;
  readonly worker: Worker;
  readonly file: string;
  readonly roundNumber: number;
  readonly timeLeft: string;
  readonly inputs: readonly InputTold[];
  /** What others made, each fenced; or why it is not shown. */
  readonly given: readonly { readonly id: string; readonly text: Admitted | undefined; readonly why: string }[];
  /** What the loop's own changes tell it to heed. */
  readonly heed?: readonly Admitted[];
  /** What earlier rounds taught, and why the try before this one was not taken. */
  readonly lessons: readonly Admitted[];
  /** What is kept in the notebook of what it reads there. */
  readonly kept: readonly { readonly name: string; readonly texts: readonly Admitted[] }[];
  /** Where it may write something down. */
  readonly notesTo: NotesTo | undefined;
  /** There once the run is past the line from which on it goes easy. */
  readonly soft?: string | undefined;
}

export function writeWorkerBrief(matter: WorkerMatter): Brief {
  const { spec, id, worker, file, roundNumber, timeLeft, inputs, given, heed = [], lessons, kept } = matter;
  const sections = [
    `# ${spec.name}: ${id}`,
    `Intent: ${spec.intent}`,
    `## Your role\n\n${worker.role}`,
    heed.length > 0 ? `## What to heed\n\n${heed.join("\n\n")}` : "",
    spec.task === undefined ? "" : `## The task that all of you work on\n\n${spec.task}`,
    inputs.length > 0 ? `## Inputs\n\n${inputs.map(({ name, about, text }) => `${name} (${about}):\n${text}`).join("\n\n")}` : "",
    given.length > 0 ? `## What others made\n\n${given.map(tellGiven).join("\n\n")}` : "",
    kept.length > 0 ? `## What is kept in the notebook\n\n${kept.map(tellKept).join("\n\n")}` : "",
    lessons.length > 0 ? `## What was refused before\n\n${lessons.join("\n\n")}` : "",
    `## What you hand over\n\n${howToGive(worker, file)}`,
    howToNote(matter),
    worker.gives.as === "commit" && spec.seal.length > 0 ? `## Sealed\n\nLeave these files as they are: ${spec.seal.join(", ")}` : "",
    `## Budget\n\nThis is round ${roundNumber} of ${spec.budget.rounds}; you have ${timeLeft}.${matter.soft === undefined ? "" : `\n\nGo easy: ${matter.soft}.`}`,
  ];
  const text = `${sections.filter(Boolean).join("\n\n")}\n`;
  return { text, tokens: estimateTokens(text), cut: [] };
}

const tellGiven = ({ id, text, why }: WorkerMatter["given"][number]): string => `${id}:\n${text ?? `[not shown: ${why}]`}`;

const tellKept = ({ name, texts }: WorkerMatter["kept"][number]): string =>
  `${name}:\n${texts.length === 0 ? "[nothing yet]" : texts.join("\n")}`;

/** Only those who may write under a name are told how. */
function howToNote({ spec, id, notesTo }: WorkerMatter): string {
  const own = Object.entries(spec.notebook?.keys ?? {}).filter(([, { writes }]) => writes.includes(id));
  if (own.length === 0 || notesTo === undefined) return "";
  const names = own.map(([name, { schema }]) => `- ${name}${schema ? `, JSON of this shape: ${JSON.stringify(schema)}` : ""}`);
  const how =
    notesTo.kind === "tool"
      ? "Write it down with your tool `note`, with the name as its `key`."
      : `Write it into ${notesTo.file} (its path is also in $LOOPWRIGHT_NOTES): each entry begins with a line \`key: NAME\`, with a line of --- between two.`;
  return `## Notebook\n\nYou may keep something for later rounds under these names:\n${names.join("\n")}\n\n${how} What you hand over is kept under a name of yours if you write nothing there.`;
}

function howToGive({ gives, paths }: Worker, file: string): string {
  const most = gives.most ?? "64kB";
  const where = `Write it into the file ${file} of this folder, in UTF-8, at most ${most}; or hand it over as you end, if you can.`;
  if (gives.as === "commit")
    return `What you change in this folder is taken as your change. Do not push or merge.${paths ? ` Change nothing but: ${paths.join(", ")}.` : ""}`;
  switch (gives.as) {
    case "json":
      return `JSON and nothing else. ${where}${gives.schema ? `\n\nIt must have this shape:\n${JSON.stringify(gives.schema)}` : ""}`;
    case "handover":
      return `A handover as JSON and nothing else: {"goal": text, "facts": [texts], "decisions": [texts], "questions": [texts], "artifacts": [texts]}. ${where}`;
    case "markdown":
      return `Markdown. ${where}`;
    case "text":
    case "file":
      return where;
  }
}

/** How many characters of each of so many results there is room for. */
export function roomForEach({ brief }: LoopSpec, count: number): number {
  const chars = (parseCount(brief.tokens) ?? 20_000) * 3 * 0.6;
  return Math.max(500, Math.floor(chars / Math.max(1, count)));
}
