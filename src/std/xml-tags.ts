// The tags of an XML document and nothing else of it: no entities but the five and plain character numbers, no DTD, and a bound on depth.

export type XmlEvent =
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string }
  /** The root was closed; what follows it begins here. */
  | { readonly kind: "end"; readonly at: number }
  | { readonly kind: "broken"; readonly why: string };

const MOST_DEPTH = 100;
const MOST_ATTRIBUTES = 100;
const NAME = /[A-Za-z_][\w.:-]{0,200}/y;
// A pattern that may go back over any number of signs has no stack left for it some day: spaces are bounded, and values found by their quotes.
const ATTRIBUTE = /\s{1,1000}([A-Za-z_:][\w.:-]{0,200})\s{0,1000}=\s{0,1000}(["'])/y;
const TAG_END = /\s{0,1000}(\/?)>/y;

/** One document, from `from` on. The last event is `end` or `broken`. */
export function* readXmlTags(text: string, from: number): Generator<XmlEvent, void> {
  const open: string[] = [];
  for (let at = text.indexOf("<", from); at >= 0; at = text.indexOf("<", at)) {
    const past = pastAside(text, at);
    if (past === "never-ends") return yield broken("it breaks off in a comment, a text or an instruction");
    if (past !== undefined) {
      at = past;
      continue;
    }
    if (text.startsWith("<!", at)) return yield broken("it has a document type or an entity of its own, and such are not read");
    if (text.startsWith("</", at)) {
      const name = take(NAME, text, at + 2)?.[0];
      const end = name === undefined ? undefined : take(TAG_END, text, at + 2 + name.length);
      if (name === undefined || end?.[1] !== "") return yield broken("a closing tag is cut off or no tag");
      if (open.pop() !== name) return yield broken(`</${name}> closes what was not open`);
      yield { kind: "close", name };
      at += 2 + name.length + end[0].length;
      if (open.length === 0) return yield { kind: "end", at };
      continue;
    }
    const tag = readTag(text, at);
    if (typeof tag === "string") return yield broken(tag);
    yield { kind: "open", name: tag.name, attributes: tag.attributes };
    at = tag.past;
    if (!tag.isEmpty) open.push(tag.name);
    if (open.length > MOST_DEPTH) return yield broken(`its elements are nested more than ${MOST_DEPTH} deep`);
    if (tag.isEmpty) yield { kind: "close", name: tag.name };
    if (open.length === 0) return yield { kind: "end", at };
  }
  yield broken(open.length > 0 ? `it breaks off inside <${open.at(-1)}>` : "it has no element");
}

const broken = (why: string): XmlEvent => ({ kind: "broken", why });

const ASIDES = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** Where a comment, a text in brackets or an instruction ends, if one begins here. */
function pastAside(text: string, at: number): number | "never-ends" | undefined {
  const aside = ASIDES.find(([begin]) => text.startsWith(begin, at));
  if (!aside) return undefined;
  const end = text.indexOf(aside[1], at + aside[0].length);
  return end < 0 ? "never-ends" : end + aside[1].length;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  readonly past: number;
}

/** The tag that begins here, or what is wrong with it. */
function readTag(text: string, at: number): Tag | string {
  const name = take(NAME, text, at + 1)?.[0];
  if (name === undefined) return "a < begins no tag";
  const attributes = new Map<string, string>();
  let past = at + 1 + name.length;
  for (let found = take(ATTRIBUTE, text, past); found; found = take(ATTRIBUTE, text, past)) {
    const from = past + found[0].length;
    const to = text.indexOf(found[2]!, from);
    const raw = to < 0 ? "<" : text.slice(from, to);
    if (raw.includes("<")) return `<${name}> is cut off or no tag`;
    const value = plainText(raw);
    if (value === undefined) return `<${name}> uses an entity that XML does not know`;
    if (attributes.has(found[1]!)) return `<${name}> has the attribute ${found[1]} twice`;
    attributes.set(found[1]!, value);
    if (attributes.size > MOST_ATTRIBUTES) return `<${name}> has more than ${MOST_ATTRIBUTES} attributes`;
    past = to + 1;
  }
  const end = take(TAG_END, text, past);
  return end ? { name, attributes, isEmpty: end[1] === "/", past: past + end[0].length } : `<${name}> is cut off or no tag`;
}

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const ENTITIES: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const KNOWN = /&(lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g;
const UNKNOWN = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)/;

/** The text with its entities put in once, so that nothing can grow; undefined when one is unknown. */
const plainText = (raw: string): string | undefined =>
  UNKNOWN.test(raw) ? undefined : raw.replace(KNOWN, (_, name: string) => ENTITIES[name] ?? numbered(name));

function numbered(name: string): string {
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
