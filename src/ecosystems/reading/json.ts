// Reads JSON that people write, comments and all, and where each of its keys stands.
import { isNestedDeeper } from "../../std/json-depth.ts";
import { type Fields, fieldsOf } from "../../std/json-record.ts";

const MOST_DEEP = 100;

export interface JsonReading {
  readonly fields: Fields;
  /** The line of a key, by the names that lead to it; undefined where there is none. */
  readonly lineOf: (...names: readonly string[]) => number | undefined;
}

/** Undefined where it is no JSON object, or is nested too deeply. */
export function readJson(text: string): JsonReading | undefined {
  const plain = withoutComments(text.replace(/^\uFEFF/, ""));
  if (isNestedDeeper(plain, MOST_DEEP)) return undefined;
  const fields = fieldsOf(parsed(plain));
  if (!fields) return undefined;
  const lines = linesOfKeys(plain);
  return { fields, lineOf: (...names) => lines.get(JSON.stringify(names)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|,(?=\s*[}\]])/g;

/** Comments and commas too many become spaces, so that every line stays where it is. */
const withoutComments = (text: string): string =>
  text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, " ")));

interface Level {
  readonly path: readonly string[];
  key: string | undefined;
}

/** Only keys of objects in objects: what is in lists is not named. */
function linesOfKeys(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const levels: Level[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"(?:[^"\\\n]|\\.)*"(?:\s*:)?|[{}[\]\n]/g)) {
    const level = levels.at(-1);
    if (token === "{" || token === "[") levels.push({ path: level?.key === undefined ? [] : [...level.path, level.key], key: undefined });
    else if (token === "}" || token === "]") levels.pop();
    else if (token === "\n") line += 1;
    else if (token.endsWith(":") && level) {
      level.key = String(parsed(token.slice(0, token.lastIndexOf('"') + 1)));
      const name = JSON.stringify([...level.path, level.key]);
      if (!lines.has(name)) lines.set(name, line);
      line += token.split("\n").length - 1;
    }
  }
  return lines;
}
