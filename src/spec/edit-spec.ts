// Changes one value in the text of a spec and leaves every other byte as it is: comments, order, and how somebody likes to write it.
import { Document, isCollection, isMap, isScalar, isSeq, type Node, parseDocument, stringify } from "yaml";
import { readSpecText } from "./text.ts";

export type SpecPath = readonly (string | number)[];

export type Edited = { readonly kind: "edited"; readonly text: string } | { readonly kind: "refused"; readonly why: string };

/** The value must be there already: a key that somebody took out stays out. */
export function setValue(text: string, path: SpecPath, value: string | number | boolean): Edited {
  if (readSpecText(text).brokenAt !== undefined) return { kind: "refused", why: "the file is no YAML that can be read" };
  const document = parseDocument(text, { keepSourceTokens: true, uniqueKeys: false });
  const node = nodeAt(document.contents, path);
  const told = path.join(".");
  if (!isScalar(node) || !node.range) return { kind: "refused", why: `there is no single value at ${told}` };
  if (node.anchor !== undefined || node.tag !== undefined) return { kind: "refused", why: `the value at ${told} has an anchor or a tag` };
  if (node.value === value) return { kind: "edited", text };
  const [start, end] = node.range;
  const tail = /\s*$/.exec(text.slice(start, end))![0];
  const isInQuotes = text[start] === '"' && typeof value === "string";
  const edited = `${text.slice(0, start)}${isInQuotes ? JSON.stringify(value) : inline(value)}${tail}${text.slice(end)}`;
  return onlyThere(document, edited, path, value);
}

/** A part with its options in the place of another one, in one line. Comments that stand inside would be lost, and so it is left then. */
export function setPart(text: string, path: SpecPath, part: { readonly [key: string]: unknown }): Edited {
  if (readSpecText(text).brokenAt !== undefined) return { kind: "refused", why: "the file is no YAML that can be read" };
  const document = parseDocument(text, { keepSourceTokens: true, uniqueKeys: false });
  const node = nodeAt(document.contents, path);
  const told = path.join(".");
  if (!isMap(node) || !node.range || node.anchor !== undefined || node.tag !== undefined)
    return { kind: "refused", why: `there is no part at ${told}` };
  const [start, end] = node.range;
  const written = text.slice(start, end);
  if (written.includes("#")) return { kind: "refused", why: `there are comments inside ${told}` };
  const line = stringify(part, { collectionStyle: "flow", lineWidth: 0 }).trim();
  return onlyThere(document, `${text.slice(0, start)}${line}${/\s*$/.exec(written)![0]}${text.slice(end)}`, path, part);
}

/** Whatever the syntax around it is: only this value may have changed. */
function onlyThere(document: Document.Parsed, edited: string, path: SpecPath, value: unknown): Edited {
  const after = parseDocument(edited);
  const before = new Document(document.toJS());
  before.setIn(path, value);
  const isSame = after.errors.length === 0 && JSON.stringify(after.toJS()) === JSON.stringify(before.toJS());
  return isSame ? { kind: "edited", text: edited } : { kind: "refused", why: `the value at ${path.join(".")} cannot be changed by itself` };
}

const nodeAt = (root: Node | null, path: SpecPath): unknown =>
  path.reduce<unknown>((here, step) => {
    if (!isCollection(here) || !(isMap(here) || isSeq(here))) return undefined;
    return here.get(step, true);
  }, root);

/** In one line, and such that it can stand in braces too; what older readers take for a number is quoted. */
const inline = (value: string | number | boolean): string => {
  if (typeof value !== "string") return String(value);
  if (/^\d+:\d+$/.test(value)) return JSON.stringify(value);
  return stringify([value], { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trim().slice(1, -1);
};
