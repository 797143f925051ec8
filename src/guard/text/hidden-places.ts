// Places of a folded text that a person who looks at it does not see: comments, hidden elements, what stands far to the right.

export interface Span {
  readonly start: number;
  readonly end: number;
}

const HIDING =
  /<[a-z][a-z0-9]{0,15}\s[^<>]{0,400}?(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|opacity\s{0,3}:\s{0,3}0(?![.1-9])|font-size\s{0,3}:\s{0,3}[01](?:px|pt|em|%)?\b|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3,5}|color\s{0,3}:\s{0,3}(?:white|#fff(?:fff)?|transparent)\b|\shidden(?=[\s>=])|aria-hidden\s{0,2}=)/g;
const MARKDOWN_COMMENT = /(?:^|\n)\[[^\]\n]{1,40}\]: ?(?:#|<>) ?["'(]/g;
const FAR = " ".repeat(100);
const PADDING = /(?<![ \t])(?: {100}|\t{20})[ \t]*/g;
const MOST_ELEMENT = 4_000;

/** In order; they may overlap. */
export function hiddenPlaces(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf("<!--"); start >= 0; ) {
    const close = text.indexOf("-->", start + 4);
    const end = close < 0 ? text.length : close;
    spans.push({ start, end });
    start = text.indexOf("<!--", end);
  }
  if (text.includes("<")) for (const { index } of text.matchAll(HIDING)) spans.push({ start: index, end: endOfElement(text, index) });
  if (text.includes("]:"))
    for (const { index } of text.matchAll(MARKDOWN_COMMENT)) spans.push({ start: index, end: endOfLine(text, index + 1) });
  if (text.includes(FAR) || text.includes("\t".repeat(20)))
    for (const { index, 0: blanks } of text.matchAll(PADDING))
      if (text[index - 1] !== "\n" && index > 0) spans.push({ start: index, end: endOfLine(text, index + blanks.length) });
  return spans.sort((a, b) => a.start - b.start);
}

/** Whether a letter stands in one of them. */
export function insideOf(spans: readonly Span[]): (offset: number) => boolean {
  // Spans that touch are joined, so that the last one that begins before an offset decides.
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return (offset) => {
    let low = 0;
    let high = joined.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (joined[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    return low > 0 && joined[low - 1]!.end > offset;
  };
}

function endOfElement(text: string, start: number): number {
  const name = /^<([a-z][a-z0-9]{0,15})/.exec(text.slice(start, start + 20))?.[1] ?? "";
  const close = text.indexOf(`</${name}`, start);
  return Math.min(close < 0 ? text.length : close, start + MOST_ELEMENT);
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}
