// Finds the one JSON object a model meant, in a reply that wraps it in thoughts, prose or a code fence.

const MOST_STARTS = 20;
const MOST_CHARS = 1024 * 1024;

/** Undefined when there is none. The last whole object counts: what comes before it is often a draft. */
export function jsonObjectIn(text: string): { readonly [key: string]: unknown } | undefined {
  const said = withoutThoughts(text.slice(0, MOST_CHARS)).trim();
  const whole = objectFrom(said);
  if (whole) return whole;
  let found: ReturnType<typeof objectFrom>;
  let from = 0;
  for (let tries = 0; tries < MOST_STARTS; tries++) {
    const start = said.indexOf("{", from);
    if (start === -1) return found;
    const end = endOfObject(said, start);
    const object = end === undefined ? undefined : objectFrom(said.slice(start, end));
    found = object ?? found;
    from = object && end !== undefined ? end : start + 1;
  }
  return found;
}

/**
 * The JSON value that a reply is, and nothing beside it: undefined when anything else was said, too. Thoughts before it are no
 * second answer, and a fence around it is only paper; a key that is there twice says two things.
 */
export function soleJson(text: string): unknown {
  const bare = withoutThoughts(text.slice(0, MOST_CHARS + 1))
    .trim()
    .replace(/^```(?:json)?[ \t]*\r?\n([\s\S]*)\n```$/, "$1");
  return bare.length > MOST_CHARS ? undefined : unambiguousJson(bare);
}

/** A JSON value in which no key is there twice, of which readers would take one or the other. */
export function unambiguousJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
    return written === keyCount(value) ? value : undefined;
  } catch {
    return undefined; // no JSON is an answer here, not a failure
  }
}

function keyCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + keyCount(one), 0);
  return Array.isArray(value) ? inner : Object.keys(value).length + inner;
}

/** Thoughts that were never closed are all there is. */
export const withoutThoughts = (text: string): string => text.replace(/<(think|thinking|reasoning)>[\s\S]*?(<\/\1>|$)/gi, "");

function objectFrom(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // no JSON is an answer here, not a failure
  }
}

/** Where the bracket that opens here is closed, strings left aside. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
      continue;
    }
    if (char === '"') isQuoted = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
