// Stretches of a text that are secrets, and how those that overlap become one.

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** The secret in its plain form, by which two mentions of it are told to be the same. */
  readonly secret: string;
  /** Of two that cover the same text, the lower one names it. */
  readonly rank: number;
}

/** In order, and none over another: what overlaps is redacted as one, under the name of the longest. */
export function merged(spans: readonly Span[], text: string): readonly Span[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  const result: Span[] = [];
  for (const span of ordered) {
    const last = result.at(-1);
    if (!last || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = joined(last, span, text);
  }
  return result;
}

function joined(a: Span, b: Span, text: string): Span {
  const { kind, rank } = b.end - b.start > a.end - a.start ? b : a;
  return { start: a.start, end: b.end, kind, secret: text.slice(a.start, b.end), rank };
}
