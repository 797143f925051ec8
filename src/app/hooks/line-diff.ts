// A small unified diff: one hunk from the first line that differs to the last.

const CONTEXT = 3;

export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT);
  const end = Math.max(0, tail - CONTEXT);
  const span = (lines: readonly string[]): string => {
    const count = lines.length - end - start;
    return `${count === 0 ? start : start + 1},${count}`;
  };
  return [
    `@@ -${span(old)} +${span(now)} @@`,
    ...marked(" ", old.slice(start, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", old.slice(old.length - tail, old.length - end)),
  ];
}

/** A line with its end, so that a missing last line break is a difference. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (mark: string, lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) =>
    line.endsWith("\n") ? [`${mark}${line.replace(/\r?\n$/, "")}`] : [`${mark}${line}`, "\\ No newline at end of file"],
  );
