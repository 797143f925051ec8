// Everything in a text that is a secret, by its kind, by its value, or by the name beside it.
import { anchorFinder } from "./anchors.ts";
import { findAssigned } from "./assigned.ts";
import { decodedIn } from "./encoded.ts";
import type { SecretKind } from "./kind.ts";
import { secretKinds } from "./kinds/index.ts";
import type { KnownFinder } from "./known.ts";
import { merged, type Span } from "./span.ts";
import { seen, unwrap, unwrapKeepingMarks } from "./views.ts";

/** What stands in the place of a secret. It is never taken for one. */
const PLACEHOLDER = /\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{8}\]/g;
export const hasPlaceholder = (text: string): boolean => text.includes("[redacted:") && text.search(PLACEHOLDER) !== -1;

const RANK_OF_ASSIGNED = secretKinds.length + 1;
const RANK_OF_KNOWN = secretKinds.length;
/** As far as one secret that was broken over lines is followed. */
const MOST_WRAPPED = 700;

export function findSecrets(text: string, known: KnownFinder): readonly Span[] {
  const byValue: Find = (shown) => [...findKinds(shown), ...findKnown(shown, known)];
  const spans = findBelow(text, MOST_LAYERS, (shown) => [...byValue(shown), ...findAssigned(shown, RANK_OF_ASSIGNED)], byValue);
  if (spans.length === 0) return spans;
  return merged(clearOfPlaceholders(text, spans), text);
}

type Find = (text: string) => readonly Span[];

/** A code in a code, or colours in an escape, are followed so deep. */
const MOST_LAYERS = 3;
/** As far before a secret as the name beside it may be hidden. */
const NAME_BEFORE = 100;

/**
 * Secrets in a text, in what is seen of it, and in what is encoded there. What is encoded is somebody's text as a whole: there a name
 * beside a value says nothing.
 */
function findBelow(text: string, layers: number, find: Find, findEncoded: Find): readonly Span[] {
  const spans = [...find(text)];
  if (layers === 0) return spans;
  const view = seen(text);
  for (const span of view ? findBelow(view.text, layers - 1, find, findEncoded) : [])
    if (view && view.changesWithin(Math.max(0, span.start - NAME_BEFORE), span.end) > 0)
      spans.push({ ...span, start: view.placeOf(span.start), end: view.endOf(span.end - 1) });
  for (const { text: decoded, placeOf } of decodedIn(text))
    for (const span of findBelow(decoded, layers - 1, findEncoded, findEncoded)) spans.push({ ...span, ...placeOf(span.start, span.end) });
  return spans;
}

interface Ranked {
  readonly kind: SecretKind;
  readonly rank: number;
}

const BY_ANCHOR = byAnchor();
const findAnchors = anchorFinder([...BY_ANCHOR.keys()]);
/** No text has so many secrets at the end of a line; one that seems to is made to take time. */
const MOST_WRAPPED_TRIES = 4_000;

function byAnchor(): ReadonlyMap<string, readonly Ranked[]> {
  const kinds = new Map<string, Ranked[]>();
  for (const [rank, kind] of secretKinds.entries()) {
    for (const anchor of kind.anchors) kinds.set(anchor, [...(kinds.get(anchor) ?? []), { kind, rank }]);
  }
  return kinds;
}

function findKinds(text: string): readonly Span[] {
  const spans: Span[] = [];
  let wrappedTries = text.includes("\n") ? MOST_WRAPPED_TRIES : 0;
  findAnchors(text, (anchor, at) => {
    for (const { kind, rank } of BY_ANCHOR.get(anchor)!) {
      const found = kindAt(text, at, kind, rank);
      if (found) spans.push(found);
      if (!kind.wraps || wrappedTries === 0 || !reachesLineEnd(text, at)) continue;
      wrappedTries--;
      const wrapped = wrappedAt(text, at, kind, rank);
      if (wrapped) spans.push(wrapped);
    }
  });
  return spans;
}

function kindAt(text: string, at: number, { id, pattern, before, accepts }: SecretKind, rank: number): Span | undefined {
  const match = matchAt(pattern, text, at);
  if (!match) return undefined;
  const lead = before && matchAt(before, text, at);
  if (before && !lead) return undefined;
  const head = lead?.groups?.secret ?? "";
  const tail = match.groups?.secret ?? match[0];
  // The secret is the end of what was matched, or nearly: its text is found again from behind.
  const tailAt = at + match[0].lastIndexOf(tail);
  const secret = head + tail;
  if (accepts && !accepts(secret)) return undefined;
  return { start: tailAt - head.length, end: tailAt + tail.length, kind: id, secret: plainForm(secret), rank };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A key with its line breaks escaped, indented or in a diff is the same key. */
const plainForm = (secret: string): string => (secret.startsWith("-----BEGIN") ? secret.replace(/\\+[nrt]|[^A-Za-z0-9]/g, "") : secret);

const TO_LINE_END = /[^\\\s]{1,300}\\?\r?\n/y;
const reachesLineEnd = (text: string, at: number): boolean => matchAt(TO_LINE_END, text, at) !== null;

/** A secret that begins with an anchor, comes to the end of its line, and goes on in the next. */
function wrappedAt(text: string, at: number, { id, pattern, accepts }: SecretKind, rank: number): Span | undefined {
  // A little before the anchor as well: patterns look at what stands before them.
  const from = Math.max(0, at - 12);
  const before = text.slice(from, at);
  const local = text.slice(at, at + MOST_WRAPPED);
  const lineEnd = local.search(/[\\\s]/);
  const unwrapped = unwrap(local);
  if (!unwrapped) return undefined;
  const match = matchAt(pattern, before + unwrapped.text, before.length);
  if (!match || unwrapped.changesWithin(0, match[0].length) === 0 || (accepts && !accepts(match[0]))) return undefined;
  const isWhole = matchAt(pattern, text.slice(from, at + lineEnd), before.length) !== null;
  // Whole as it is, and what follows on the next line is a word of its own.
  if (isWhole && !goesOn(text, at, lineEnd, match[0].slice(lineEnd))) return undefined;
  return { start: at, end: at + unwrapped.placeOf(match[0].length - 1) + 1, kind: id, secret: match[0], rank };
}

/** A line that is as long as a screen is wide, and goes on with what chance made. */
const goesOn = (text: string, at: number, length: number, rest: string): boolean =>
  at + length - (text.lastIndexOf("\n", at) + 1) >= 60 && /[A-Za-z]/.test(rest) && /[0-9]/.test(rest) && rest.length >= 4;

function findKnown(text: string, known: KnownFinder): readonly Span[] {
  if (known.isEmpty) return [];
  const spans = [...known.find(text)].map(({ start, end, of }) => ({ start, end, kind: of.kind, secret: of.value, rank: RANK_OF_KNOWN }));
  for (const unwrapped of [unwrap(text), unwrapKeepingMarks(text)]) {
    if (!unwrapped) continue;
    for (const { start, end, of } of known.find(unwrapped.text)) {
      if (unwrapped.changesWithin(start, end) === 0) continue;
      const [from, to] = [unwrapped.placeOf(start), unwrapped.placeOf(end - 1) + 1];
      spans.push({ start: from, end: to, kind: of.kind, secret: of.value, rank: RANK_OF_KNOWN });
    }
  }
  return spans;
}

/** A placeholder stays: what lies in one or over its edge is none; what holds one whole may go with it. */
function clearOfPlaceholders(text: string, spans: readonly Span[]): readonly Span[] {
  if (!text.includes("[redacted:")) return spans;
  const kept = [...text.matchAll(PLACEHOLDER)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
  return spans.filter((span) => {
    // They stand in order, so that only the few that a span may touch are looked at.
    for (let at = firstAfter(kept, span.start); at < kept.length && kept[at]!.start < span.end; at++) {
      const { start, end } = kept[at]!;
      if (span.start > start || span.end < end || span.end - span.start <= end - start + 8) return false;
    }
    return true;
  });
}

/** The first that ends behind a place. */
function firstAfter(kept: readonly { readonly end: number }[], place: number): number {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (kept[middle]!.end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
