// Finds where any of many short texts stand, in one pass over a long one.

/** Tells every place of every anchor, place by place. */
export type AnchorFinder = (text: string, tell: (anchor: string, at: number) => void) => void;

const SIZE = 1 << 16;

/** Looks at three characters at a time; where no anchor begins with them, which is nearly everywhere, that is all it costs. */
export function anchorFinder(anchors: readonly string[]): AnchorFinder {
  const short = anchors.filter((anchor) => anchor.length < 3);
  const starts = new Map<number, string[]>();
  for (const anchor of anchors.filter(({ length }) => length >= 3)) {
    const slot = slotOf(anchor.charCodeAt(0), anchor.charCodeAt(1), anchor.charCodeAt(2));
    starts.set(slot, [...(starts.get(slot) ?? []), anchor]);
  }
  const isStart = new Uint8Array(SIZE);
  for (const slot of starts.keys()) isStart[slot] = 1;

  return (text, tell) => {
    for (const anchor of short) for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at + 1)) tell(anchor, at);
    let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
    for (let at = 2; at < text.length; at++) {
      const third = text.charCodeAt(at);
      const slot = slotOf(first, second, third);
      if (isStart[slot] === 1) for (const anchor of starts.get(slot)!) if (text.startsWith(anchor, at - 2)) tell(anchor, at - 2);
      first = second;
      second = third;
    }
  };
}

const slotOf = (first: number, second: number, third: number): number => (first * 1031 + second * 61 + third) & (SIZE - 1);
