// Words that translations of all dialects share: names, intents, tasks, who works and what proves it.
import { scanText } from "../guard/text/scan-text.ts";
import type { Path } from "../spec/path.ts";
import { parseDuration } from "../std/duration.ts";
import type { Putting } from "./define-dialect.ts";
import { modelPartOf, whereIs } from "./models.ts";
import type { Notes } from "./notes.ts";

const LONGEST_NAME = 49;
const LONGEST_INTENT = 300;
const LONGEST_TASK = 20_000;

/** Lower-case letters, digits and dashes, beginning with a letter. */
export function putName(written: string, path: Path, { notes }: Putting): string {
  const plain = written
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const name = (/^[a-z]/.test(plain) ? plain : `loop-${plain}`).slice(0, LONGEST_NAME).replace(/-+$/, "");
  notes.tell("translated", path, "name", name === written ? "" : "in letters, digits and dashes");
  return name;
}

/** One sentence on one line. */
export const intentOf = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST_INTENT ? line : `${line.slice(0, LONGEST_INTENT - 1).toWellFormed()}…`;
};

/** Undefined where it is too long or empty, which is told. */
export function putTask(text: string, path: Path, { notes }: Putting, why = ""): string | undefined {
  const task = text.trim();
  if (task === "") notes.tell("asked", path, "", "what should be done? There is nothing here");
  else if (task.length > LONGEST_TASK) notes.tell("asked", path, "", `a task has at most ${LONGEST_TASK} characters, and this is longer`);
  else {
    notes.tell("translated", path, "task", why);
    tellIfHostile(task, path, notes);
    return task;
  }
  return undefined;
}

/** A file of somebody else's is somebody else's words: what reads like an injection is not run before a person has looked at it. */
export function tellIfHostile(text: string, path: Path, notes: Notes): void {
  const { severity, signals } = scanText(text);
  if (severity !== "high") return;
  const named = [...new Set(signals.map(({ id }) => id))].slice(0, 5).join(", ");
  notes.tell("lost", path, "", `reads like an injection (${named}): look at it before you run it`);
}

export interface PartValue {
  readonly use: string;
  readonly with?: { readonly [option: string]: unknown };
}

/** Who works, as whoever imports the file said; undefined where nobody did, which is asked at the path. */
export function putMaker(path: Path, at: Putting): PartValue | undefined {
  const { bindings, notes } = at;
  if (bindings.use === undefined) {
    notes.tell("asked", path, "", "who does this? Say it with --use, such as --use claude-code or --use anthropic:MODEL");
    return undefined;
  }
  const part = boundPart(at, path);
  if (part !== undefined) notes.tell("translated", path, "maker", `--use ${bindings.use.part}`);
  return part;
}

/** The part that `--use` names, with its model where one is named. */
export function boundPart({ bindings: { use, ...bindings }, notes }: Putting, path: Path): PartValue | undefined {
  if (use === undefined) return undefined;
  const { part, model } = use;
  if (!MODELS.has(part)) return { use: part, ...(model === undefined ? {} : { with: { model } }) };
  if (model === undefined) {
    notes.tell("asked", path, "", `which model of ${part}? Say it with --use ${part}:MODEL`);
    return undefined;
  }
  const asked = modelPartOf({ provider: part === "openai-compatible" ? "openai" : part, name: model }, bindings);
  if (asked === undefined) {
    notes.tell("asked", path, "", whereIs(part));
    return undefined;
  }
  const { provider, ...options } = asked;
  return { use: provider, with: options };
}

/** Makers that are models with our tools, and need one by its name. */
const MODELS: ReadonlySet<string> = new Set(["anthropic", "openai", "openai-compatible", "ollama", "nvidia"]);

/** What proves a result where the file has nothing that could; undefined where nobody said it, which is asked. */
export function putTest(path: Path, { bindings, notes }: Putting, why: string): readonly PartValue[] | undefined {
  if (bindings.test === undefined) {
    notes.tell("asked", path, "", `${why} Say it with --test, such as --test 'npm test'`);
    return undefined;
  }
  notes.tell("added", path, "verifiers", "--test: an exit of zero in a clean copy");
  return [commandCheck(bindings.test)];
}

export const commandCheck = (run: string, timeout?: string): PartValue => ({
  use: "command",
  with: { run, ...(timeout === undefined ? {} : { timeout }) },
});

/** Agents as other systems call them, and the maker of ours that is the same. */
const AGENTS: { readonly [name: string]: string } = {
  claude: "claude-code",
  "claude-code": "claude-code",
  claude_code: "claude-code",
  codex: "codex",
  copilot: "copilot-cli",
  "copilot-cli": "copilot-cli",
  gemini: "gemini-cli",
  "gemini-cli": "gemini-cli",
  opencode: "opencode",
  pi: "pi",
  aider: "aider",
  cursor: "cursor-agent",
  "cursor-agent": "cursor-agent",
};

export const agentCalled = (name: string): string | undefined =>
  Object.hasOwn(AGENTS, name.toLowerCase()) ? AGENTS[name.toLowerCase()] : undefined;

const LONGEST_TIME_MS = 7 * 24 * 3600 * 1000;

/** A length of time as specs write it, a week at most. */
export const lasting = (ms: number): string => {
  const kept = Math.min(Math.max(1, Math.floor(ms)), LONGEST_TIME_MS);
  return kept % 1000 === 0 ? `${kept / 1000}s` : `${kept}ms`;
};

/** `10m` and the like; undefined where it is no length of time that a loop could wake by. */
export function interval(text: string): string | undefined {
  const ms = parseDuration(text);
  return ms === undefined || ms < 1000 || ms > 366 * 24 * 3600 * 1000 ? undefined : text;
}

/** An amount as specs write it. */
export const dollars = (usd: number): string => `$${Math.max(usd, 0.0001).toFixed(4)}`;
