// Reads a file of the standard's other tools as plain values: YAML, JSON, or one JSON a line.
import { LoopError } from "../../contract/errors.ts";
import { OF_OTHERS } from "../../dialects/sheet.ts";
import { readSpecText } from "../../spec/text.ts";
import { isNestedDeeper } from "../../std/json-depth.ts";

export function readTheirFile(path: string, text: string): readonly unknown[] {
  const whole = parsed(text);
  if (whole) return [whole.value];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parsed);
  if (lines.length > 1 && parsed(lines[0]!)) {
    const bad = values.indexOf(undefined);
    if (bad >= 0) throw unreadable(path, `line ${bad + 1} of those with something in them is no JSON`);
    return values.map((value) => value?.value);
  }
  const { value, problems } = readSpecText(text, OF_OTHERS);
  const [problem] = problems;
  if (problem) throw unreadable(path, problem.problem);
  return [value];
}

const MOST_DEPTH = 100;

function parsed(text: string): { readonly value: unknown } | undefined {
  if (isNestedDeeper(text, MOST_DEPTH)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // It may be another format; whoever calls tries the next.
    return undefined;
  }
}

const unreadable = (path: string, why: string): LoopError =>
  new LoopError("bad-input", `${path} cannot be read: ${why}`, { retry: "never", hint: "It must be YAML, JSON, or one JSON a line." });
