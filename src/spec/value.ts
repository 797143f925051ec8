// Turns the nodes of a parsed YAML text into a plain JSON value, and keeps where each part of it stood.
import { type Alias, isAlias, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { type Path, quoted } from "./path.ts";
import type { Place } from "./place.ts";

interface ValueProblem {
  readonly at: number;
  readonly path: Path;
  readonly problem: string;
  readonly instead: string;
}

interface Read {
  readonly value: unknown;
  readonly place: Place;
}

interface Spot {
  readonly path: Path;
  readonly keyAt: number;
}

/** What grows while the whole text is read. */
interface Reading {
  readonly anchors: Map<string, ParsedNode>;
  readonly open: Set<ParsedNode>;
  readonly problems: ValueProblem[];
  readonly most: number;
  values: number;
}

export const DEEPEST = 40;
const TOO_LARGE = "the spec is too large, or nested too deeply";

export function readNode(root: ParsedNode, most: number): Read & { readonly problems: readonly ValueProblem[] } {
  const reading: Reading = { anchors: new Map(), open: new Set(), problems: [], most, values: 0 };
  const read = readAny(root, { path: [], keyAt: root.range[0] }, reading);
  return { ...read, problems: reading.problems };
}

function readAny(node: ParsedNode, spot: Spot, reading: Reading): Read {
  reading.values += 1;
  if (reading.values > reading.most || spot.path.length > DEEPEST)
    return refuseOnce(node, spot, reading, TOO_LARGE, "Write fewer values, without aliases.");
  if (isAlias(node)) return readAlias(node, spot, reading);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  if (isScalar(node)) return readScalar(node, spot, reading);
  reading.open.add(node);
  const read = isSeq(node) ? readList(node, spot, reading) : readMap(node, spot, reading);
  reading.open.delete(node);
  return read;
}

function readAlias(node: Alias.Parsed, spot: Spot, reading: Reading): Read {
  const meant = reading.anchors.get(node.source);
  if (meant === undefined)
    return refuse(node, spot, reading, `no anchor ${quoted(`&${node.source}`)} stands before this alias`, "Write the value out.");
  if (reading.open.has(meant))
    return refuse(node, spot, reading, `the alias ${quoted(`*${node.source}`)} contains itself`, "Write the value out.");
  const read = readAny(meant, spot, reading);
  return { value: read.value, place: { ...read.place, at: node.range[0], end: node.range[1] } };
}

function readScalar(node: Scalar.Parsed, spot: Spot, reading: Reading): Read {
  const { value } = node;
  if (typeof value === "number" && !Number.isFinite(value)) return refuse(node, spot, reading, "must be a finite number", "Write digits.");
  if (typeof value === "string" && isBroken(value))
    return refuse(node, spot, reading, "contains half a character", "Remove the \\u escape.");
  return { value, place: { keyAt: spot.keyAt, at: node.range[0], end: node.range[1], inside: new Map() } };
}

function readList(node: YAMLSeq.Parsed, spot: Spot, reading: Reading): Read {
  const reads = node.items.map((item, index) => readAny(item, { path: [...spot.path, index], keyAt: item.range[0] }, reading));
  return {
    value: reads.map(({ value }) => value),
    place: { keyAt: spot.keyAt, at: node.range[0], end: node.range[1], inside: new Map(reads.map(({ place }, index) => [index, place])) },
  };
}

function readMap(node: YAMLMap.Parsed, spot: Spot, reading: Reading): Read {
  const inside = new Map<string, Read>();
  for (const { key, value } of node.items) {
    if (!isScalar(key) || typeof key.value !== "string") {
      reading.problems.push({
        at: key.range[0],
        path: [...spot.path, "?"],
        problem: "a key must be a plain word",
        instead: "Write `key: value`.",
      });
      continue;
    }
    const inner = { path: [...spot.path, key.value], keyAt: key.range[0] };
    const wrong = keyProblem(key.value, inside);
    if (wrong === undefined) inside.set(key.value, value === null ? empty(inner) : readAny(value, inner, reading));
    else reading.problems.push({ at: key.range[0], path: inner.path, ...wrong });
  }
  return {
    value: Object.fromEntries([...inside].map(([key, { value }]) => [key, value])),
    place: {
      keyAt: spot.keyAt,
      at: node.range[0],
      end: node.range[1],
      inside: new Map([...inside].map(([key, { place }]) => [key, place])),
    },
  };
}

function keyProblem(key: string, before: ReadonlyMap<string, Read>): { readonly problem: string; readonly instead: string } | undefined {
  if (before.has(key)) return { problem: `the key ${quoted(key)} is written twice`, instead: "Keep one of them." };
  if (key === "<<") return { problem: "merge keys are not used in specs", instead: "Write the keys out." };
  if (["__proto__", "constructor", "prototype"].includes(key))
    return { problem: `the key ${quoted(key)} is not allowed`, instead: "Leave it out." };
  if (isBroken(key)) return { problem: "the key contains half a character", instead: "Remove the \\u escape." };
  return undefined;
}

const isBroken = (text: string): boolean => /\p{Surrogate}/u.test(text);

const empty = ({ keyAt }: Spot): Read => ({ value: null, place: { keyAt, at: keyAt, end: keyAt, inside: new Map() } });

/** Reports what cannot be read, and reads it as nothing. */
function refuse(node: ParsedNode, spot: Spot, reading: Reading, problem: string, instead: string): Read {
  const at = node.range[0];
  reading.problems.push({ at, path: spot.path, problem, instead });
  return { value: null, place: { keyAt: spot.keyAt, at, end: node.range[1], inside: new Map() } };
}

/** There is no end of the values that are too many: the first is reported. */
function refuseOnce(node: ParsedNode, spot: Spot, reading: Reading, problem: string, instead: string): Read {
  if (!reading.problems.some((known) => known.problem === problem)) return refuse(node, spot, reading, problem, instead);
  return { value: null, place: { keyAt: spot.keyAt, at: node.range[0], end: node.range[1], inside: new Map() } };
}
