// Reads what a model meant: calls by the wire, or written into its words; with the names and arguments that models get wrong mended. Pure.
import type { ModelReply, ToolCall } from "../contract/models.ts";
import { jsonObjectIn, withoutThoughts } from "../std/json-in-text.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";

export type Meant =
  | { readonly kind: "calls"; readonly text: string; readonly calls: readonly ToolCall[] }
  /** It said something and called nothing. */
  | { readonly kind: "words"; readonly text: string }
  /** Its provider, or the model itself, would not. */
  | { readonly kind: "refused"; readonly text: string };

/** What other tool loops call our tools. */
const ALIASES: { readonly [name: string]: string } = {
  list_files: "list",
  list_dir: "list",
  ls: "list",
  grep: "search",
  search_files: "search",
  read_file: "read",
  view: "read",
  cat: "read",
  write_file: "write",
  create: "write",
  create_file: "write",
  edit: "patch",
  replace: "patch",
  str_replace: "patch",
  edit_file: "patch",
  delete_file: "delete",
  remove: "delete",
  rm: "delete",
  rename: "move",
  move_file: "move",
  bash: "run",
  shell: "run",
  execute: "run",
  run_command: "run",
  ask_user: "ask",
  question: "ask",
  done: "finish",
  submit: "finish",
  complete: "finish",
};

/** Calls get ids of our own: providers give the same one twice, or none. */
export function readReply({ said, finish }: Pick<ModelReply, "said" | "finish">, tools: ReadonlySet<string>, turn: number): Meant {
  const text = withoutThoughts(said.text).trim();
  const byWire =
    said.kind === "calls" ? said.calls.map(({ tool, input }) => ({ tool: toolNamed(tool, tools) ?? tool, input: objectIn(input) })) : [];
  const calls = byWire.length > 0 ? byWire : callsInWords(said.text, tools);
  if (calls.length > 0) {
    // A call that stood in the words is not said twice.
    const words = byWire.length > 0 ? text : "";
    return { kind: "calls", text: words, calls: calls.map((call, index) => ({ id: `call-${turn}-${index + 1}`, ...call })) };
  }
  return finish === "refused" ? { kind: "refused", text } : { kind: "words", text };
}

function toolNamed(name: string, tools: ReadonlySet<string>): string | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(functions?|tools?|default_api)[.:/]/, "");
  return [plain, ALIASES[plain] ?? ""].find((one) => tools.has(one));
}

/** Arguments that came as a text, once or twice over, or in prose; undefined when there is no object in them. */
function objectIn(input: unknown): unknown {
  if (typeof input !== "string") return fieldsOf(input) ? input : undefined;
  try {
    const inner: unknown = JSON.parse(input);
    if (typeof inner === "string") return jsonObjectIn(inner);
  } catch {
    // It is prose around an object then, or nothing.
  }
  return jsonObjectIn(input);
}

const NAMES = ["tool", "name", "tool_name", "function", "action"];
const INPUTS = ["input", "arguments", "parameters", "args", "action_input", "tool_input"];

/** What small models do: they write the call down instead of making it. */
function callsInWords(text: string, tools: ReadonlySet<string>): readonly Omit<ToolCall, "id">[] {
  const fields = fieldsOf(jsonObjectIn(text));
  if (!fields) return [];
  const listed = fields.get("tool_calls") ?? fields.get("calls");
  const all = Array.isArray(listed) ? listed.map(fieldsOf) : [fields];
  return all.flatMap((one) => callIn(one, tools) ?? []);
}

function callIn(fields: Fields | undefined, tools: ReadonlySet<string>): Omit<ToolCall, "id"> | undefined {
  const inner = fieldsOf(fields?.get("function"));
  const call = inner ?? fields;
  const named = NAMES.find((name) => textIn(call, name) !== undefined);
  if (!call || named === undefined) return undefined;
  const tool = toolNamed(textIn(call, named)!, tools);
  if (tool === undefined) return undefined;
  const key = INPUTS.find((name) => call.has(name));
  const rest = [...call].filter(([name]) => name !== named);
  return { tool, input: key === undefined ? Object.fromEntries(rest) : objectIn(call.get(key)) };
}
