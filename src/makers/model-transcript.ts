// What was said between a model and its tools. A call and what came of it are one thing here, so that they are never torn apart.
import type { ModelMessage, ToolCall } from "../contract/models.ts";

/** What is known of a call once it is done, for whoever sums up. */
export type Fact =
  /** Lines of a file, counted from 1. */
  | { readonly kind: "read"; readonly path: string; readonly from: number; readonly to: number }
  /** A list or a search, by what was asked. */
  | { readonly kind: "looked"; readonly what: string }
  | { readonly kind: "changed"; readonly path: string; readonly how: string }
  | { readonly kind: "ran"; readonly command: string; readonly end: string; readonly isGood: boolean }
  | { readonly kind: "refused"; readonly what: string; readonly why: string };

export interface Called extends ToolCall {
  readonly result: string;
  readonly facts: readonly Fact[];
}

/** One reply of the model, with what came of its calls; or with what it was told, where it called nothing. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly Called[];
  readonly told: string;
}

/** What older turns came to. There is one at most: a later one takes in the earlier. */
export interface Summary {
  readonly turns: number;
  /** What the model said it would do, oldest first. */
  readonly decisions: readonly string[];
  /** What failed or was refused, and has not gone well since. */
  readonly problems: readonly { readonly about: string; readonly what: string }[];
  readonly files: readonly FileFact[];
  /** In the model's own words, where it was asked for them. */
  readonly words: string;
}

export interface FileFact {
  readonly path: string;
  readonly changed: string;
  readonly seen: string;
}

export interface Transcript {
  /** The task, which is never left out. */
  readonly opening: string;
  readonly summary: Summary | undefined;
  readonly turns: readonly Turn[];
}

export const messagesOf = ({ opening, summary, turns }: Transcript): readonly ModelMessage[] => [
  { from: "user", text: summary ? `${opening}\n\n${tellSummary(summary)}` : opening },
  ...turns.flatMap(messagesOfTurn),
];

const messagesOfTurn = ({ text, calls, told }: Turn): readonly ModelMessage[] => [
  {
    from: "model",
    text: text === "" && calls.length === 0 ? "(nothing)" : text,
    calls: calls.map(({ id, tool, input }) => ({ id, tool, input })),
  },
  calls.length > 0
    ? { from: "tools", results: calls.map(({ id, tool, result }) => ({ id, tool, text: result })) }
    : { from: "user", text: told },
];

export function tellSummary({ turns, decisions, problems, files, words }: Summary): string {
  const changed = files.filter((file) => file.changed !== "");
  const seen = files.filter((file) => file.changed === "");
  const part = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`;
  return [
    `# What happened so far (${turns} replies of yours, left out here)`,
    words,
    part("What you said you would do", decisions),
    part(
      "What is not solved",
      problems.map(({ about, what }) => `${about}: ${what}`),
    ),
    part(
      "Files you changed",
      changed.map(({ path, changed: how, seen: what }) => `${path}: ${how}${what === "" ? "" : `; ${what}`}`),
    ),
    part(
      "Files you read",
      seen.map(({ path, seen: what }) => `${path}: ${what}`),
    ),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Fewer characters make a token than most texts need, so that more is assumed than there is. */
const CHARACTERS_A_TOKEN = 3;

export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);
export const charactersIn = (tokens: number): number => tokens * CHARACTERS_A_TOKEN;

/** How many characters are sent for it, roughly. */
export const sizeOf = (transcript: Transcript): number => messagesOf(transcript).reduce((sum, message) => sum + sizeOfMessage(message), 0);

export const sizeOfTurn = (turn: Turn): number => messagesOfTurn(turn).reduce((sum, message) => sum + sizeOfMessage(message), 0);

function sizeOfMessage(message: ModelMessage): number {
  switch (message.from) {
    case "user":
      return message.text.length;
    case "model":
      return message.calls.reduce((sum, { tool, input }) => sum + tool.length + (JSON.stringify(input) ?? "").length, message.text.length);
    case "tools":
      return message.results.reduce((sum, { text }) => sum + text.length, 0);
  }
}
