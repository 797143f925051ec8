// What a worker of a team is told. Pure: the role, the task, what it reads as it was admitted, and how to hand over what it makes.
import type { LoopSpec, Worker } from "../contract/spec.ts";
import type { Admitted } from "../contract/text.ts";
import { parseCount } from "../std/count.ts";
import type { Brief } from "./brief.ts";
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
  /** What earlier rounds taught, and why the try before this one was not taken. */
  readonly lessons: readonly Admitted[];
}

export function writeWorkerBrief({ spec, id, worker, file, roundNumber, timeLeft, inputs, given, lessons }: WorkerMatter): Brief {
  const sections = [
    `# ${spec.name}: ${id}`,
    `Intent: ${spec.intent}`,
    `## Your role\n\n${worker.role}`,
    spec.task === undefined ? "" : `## The task that all of you work on\n\n${spec.task}`,
    inputs.length > 0 ? `## Inputs\n\n${inputs.map(({ name, about, text }) => `${name} (${about}):\n${text}`).join("\n\n")}` : "",
    given.length > 0 ? `## What others made\n\n${given.map(tellGiven).join("\n\n")}` : "",
    lessons.length > 0 ? `## What was refused before\n\n${lessons.join("\n\n")}` : "",
    `## What you hand over\n\n${howToGive(worker, file)}`,
    worker.gives.as === "commit" && spec.seal.length > 0 ? `## Sealed\n\nLeave these files as they are: ${spec.seal.join(", ")}` : "",
    `## Budget\n\nThis is round ${roundNumber} of ${spec.budget.rounds}; you have ${timeLeft}.`,
  ];
  const text = `${sections.filter(Boolean).join("\n\n")}\n`;
  return { text, tokens: estimateTokens(text), cut: [] };
}

const tellGiven = ({ id, text, why }: WorkerMatter["given"][number]): string => `${id}:\n${text ?? `[not shown: ${why}]`}`;

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
