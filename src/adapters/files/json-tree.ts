// Reads JSON with comments into a tree that knows where everything stands, so that a text can be edited in place.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

interface Span {
  readonly start: number;
  readonly end: number;
}
export interface JsonMember extends Span {
  readonly key: string;
  readonly node: JsonNode;
}
export type JsonObject = Span & { readonly kind: "object"; readonly parts: readonly JsonMember[] };
export type JsonList = Span & { readonly kind: "list"; readonly parts: readonly JsonNode[] };
export type JsonNode = JsonObject | JsonList | (Span & { readonly kind: "plain"; readonly value: Json });

export type JsonReading = { readonly kind: "tree"; readonly root: JsonNode } | { readonly kind: "broken"; readonly why: string };

const MOST_DEEP = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

export function readJsonTree(text: string): JsonReading {
  try {
    return { kind: "tree", root: parse(text) };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { kind: "broken", why: `${placeOf(text, error.at)}: ${error.message}` };
  }
}

/** What a node means. */
export function jsonValue(node: JsonNode): Json {
  switch (node.kind) {
    case "plain":
      return node.value;
    case "list":
      return node.parts.map(jsonValue);
    case "object":
      return Object.fromEntries(node.parts.map(({ key, node: child }) => [key, jsonValue(child)]));
  }
}

/** Thrown inside the reader only. */
class Unexpected extends Error {
  readonly at: number;
  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
  }
}

function parse(text: string): JsonNode {
  let at = text.startsWith("\ufeff") ? 1 : 0;
  skip();
  const root = value(0);
  skip();
  if (at < text.length) throw new Unexpected(at, "something stands after the end of the JSON");
  return root;

  function value(depth: number): JsonNode {
    if (depth > MOST_DEEP) throw new Unexpected(at, `lists and objects are nested more than ${MOST_DEEP} deep`);
    const start = at;
    if (text[at] === "{") return { kind: "object", start, parts: parts("}", () => member(depth)), end: at };
    if (text[at] === "[") return { kind: "list", start, parts: parts("]", () => value(depth + 1)), end: at };
    if (text[at] === '"') return { kind: "plain", start, value: string(), end: at };
    const word = WORDS.find(([name]) => text.startsWith(name, at));
    NUMBER.lastIndex = at;
    const found = word?.[0] ?? NUMBER.exec(text)?.[0];
    if (found === undefined) throw new Unexpected(at, "a JSON value is missing here");
    at += found.length;
    return { kind: "plain", start, value: word ? word[1] : Number(found), end: at };
  }

  function parts<P>(close: "}" | "]", part: () => P): readonly P[] {
    const found: P[] = [];
    at += 1;
    skip();
    if (text[at] !== close) {
      for (;;) {
        found.push(part());
        skip();
        if (text[at] !== ",") break;
        at += 1;
        skip();
      }
    }
    if (text[at] !== close) throw new Unexpected(at, `a comma or ${close} is missing here`);
    at += 1;
    return found;
  }

  function member(depth: number): JsonMember {
    const start = at;
    if (text[at] !== '"') throw new Unexpected(at, "a name in double quotes is missing here");
    const key = string();
    skip();
    if (text[at] !== ":") throw new Unexpected(at, "a colon is missing here");
    at += 1;
    skip();
    const node = value(depth + 1);
    return { key, node, start, end: at };
  }

  function string(): string {
    const start = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      throw new Unexpected(start, "this text in quotes does not end, or has a character that must be escaped");
    }
  }

  /** Blanks and comments. */
  function skip(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(text[at] ?? "")) at += 1;
      if (text.startsWith("//", at)) at = endOf("\n", at);
      else if (text.startsWith("/*", at)) at = endOf("*/", at + 2);
      else return;
    }
  }

  function endOf(mark: string, from: number): number {
    const found = text.indexOf(mark, from);
    if (found >= 0) return found + mark.length;
    if (mark === "*/") throw new Unexpected(from - 2, "this comment does not end");
    return text.length;
  }
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
