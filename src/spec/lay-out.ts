// Lays out the text of a spec anew: one settled form, or as little as says the same. Comments and order survive the first.
import { isCollection, parseDocument, Scalar, visit } from "yaml";
import type { Registries } from "../contract/crew.ts";
import type { Edited } from "./edit-spec.ts";
import { printDocument } from "./print-document.ts";
import { readSpec } from "./read-spec.ts";
import { readSpecText } from "./text.ts";

/** Printing what was printed may move a comment once. */
const MOST_PASSES = 4;

/** The same values in one settled form: laid out twice it is laid out once. */
export function layOut(text: string): Edited {
  const before = readSpecText(text);
  const [problem] = before.problems;
  if (problem) return { kind: "refused", why: problem.problem };
  let now = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = isJson(now) ? `${JSON.stringify(JSON.parse(now), null, 2)}\n` : printed(now);
    if (next === now) return same(before.value, now);
    now = next;
  }
  return { kind: "refused", why: "its comments stand where they cannot be kept" };
}

/** Printed by the library, with the first line of blank space that somebody left, and none at the ends of lines. */
function printed(text: string): string {
  const document = parseDocument(text, { uniqueKeys: false });
  visit(document, {
    Scalar(_, node) {
      if (node.type === Scalar.QUOTE_SINGLE) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return `${printDocument(document).trimEnd()}\n`;
}

const isJson = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Flow style of YAML begins so too.
    return false;
  }
};

function same(value: unknown, text: string): Edited {
  const after = readSpecText(text);
  const isSame = after.problems.length === 0 && JSON.stringify(after.value) === JSON.stringify(value);
  return isSame ? { kind: "edited", text } : { kind: "refused", why: "it cannot be laid out anew without changing what it says" };
}

/** The shortest text of the same spec: no comments, and nothing that holds anyway. Its hash is the same. */
export function minify(file: string, text: string, registries: Registries): Edited {
  const reading = readSpec(file, text, registries);
  if (reading.kind === "refused") return { kind: "refused", why: reading.problems[0]?.problem ?? "it is no sound spec" };
  const means = (value: unknown): boolean => {
    const again = readSpec(file, JSON.stringify(value), registries);
    return again.kind === "read" && again.hash === reading.hash;
  };
  const { value } = readSpecText(text);
  const least = without(value, [], value, means);
  const document = parseDocument(JSON.stringify(least));
  visit(document, {
    Scalar(_, node) {
      delete node.type;
    },
    Collection(_, node) {
      if (isCollection(node)) node.flow = node !== document.contents;
    },
  });
  const short = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return readSpecHash(file, short, registries) === reading.hash
    ? { kind: "edited", text: short }
    : { kind: "edited", text: `${JSON.stringify(least)}\n` };
}

const readSpecHash = (file: string, text: string, registries: Registries): string | undefined => {
  const reading = readSpec(file, text, registries);
  return reading.kind === "read" ? reading.hash : undefined;
};

/** Takes out key by key whatever changes nothing, the outer ones first. */
function without(root: unknown, path: readonly string[], here: unknown, means: (value: unknown) => boolean): unknown {
  if (typeof here !== "object" || here === null || Array.isArray(here)) return root;
  let now = root;
  for (const key of Object.keys(here)) {
    const at = [...path, key];
    const less = removed(now, at);
    if (means(less)) now = less;
    else now = without(now, at, valueAt(now, at), means);
  }
  return now;
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((here, key) => (typeof here === "object" && here !== null ? Reflect.get(here, key) : undefined), value);

function removed(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || first === undefined) return value;
  const entries = Object.entries(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== first));
  return Object.fromEntries(entries.map(([key, inner]) => [key, key === first ? removed(inner, rest) : inner]));
}
