// Whether a test lives on under another name: the same lines, indented below a line that differs in nothing but the name. Pure, for any language.

export interface TestTexts {
  /** Files that a change touched, as they were and as they are. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export type IsRenamed = (old: string, now: string) => boolean;

const LEAST_CHARS = 12;

export function renamedIn({ before, after }: TestTexts): IsRenamed {
  const [was, is] = [before.map(linesIn), after.map(linesIn)];
  return (old, now) => {
    const [name, other] = [withoutCase(old), withoutCase(now)];
    const blocks = new Set(was.flatMap((lines) => blocksOf(lines, name)));
    return is.some((lines) => blocksOf(lines, other).some((block) => blocks.has(block)));
  };
}

/** Of a test with parameters or below another, the name that stands in the source. */
const withoutCase = (name: string): string =>
  name
    .replace(/\[.*\]$/s, "")
    .replace(/^.*\//s, "")
    .replaceAll("_", " ");

const linesIn = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");
const depthOf = (line: string): number => /^\s*/.exec(line)![0].length;

/** Everything that is indented below a line with the name, and that line without it. */
function blocksOf(lines: readonly string[], name: string): readonly string[] {
  return lines.flatMap((line, at) => {
    const place = line.replaceAll("_", " ").search(new RegExp(`(?<![\\w])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])`));
    if (place < 0) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((one) => depthOf(one) <= depthOf(line));
    const body = (end < 0 ? rest : rest.slice(0, end)).map((one) => one.trim());
    const block = [(line.slice(0, place) + line.slice(place + name.length)).trim(), ...body].join("\n");
    return (body.length > 0 ? body.join("") : block).length >= LEAST_CHARS ? [block] : [];
  });
}
