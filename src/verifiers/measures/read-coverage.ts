// Which lines tests ran, as lcov or Cobertura XML tell it.
import { readXmlTags } from "../../std/xml-tags.ts";

/** Path → line → how often it ran. */
export type Coverage = ReadonlyMap<string, ReadonlyMap<number, number>>;

const MOST_LINES = 5_000_000;

/** Undefined when it is neither, breaks off, or tells of no line. */
export function readCoverage(text: string): Coverage | undefined {
  const read = /^\s*</.test(text) ? readCobertura(text) : readLcov(text);
  const lines = read ? [...read.values()].reduce((sum, file) => sum + file.size, 0) : 0;
  return lines > 0 && lines <= MOST_LINES ? read : undefined;
}

function readLcov(text: string): Coverage | undefined {
  const files = new Map<string, Map<number, number>>();
  let current: Map<number, number> | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("SF:")) current = fileOf(files, line.slice(3).trim());
    else if (line.startsWith("DA:")) {
      const [number, hits] = line.slice(3).split(",").map(Number);
      if (!current || !isCount(number) || !isCount(hits)) return undefined;
      note(current, number, hits);
    } else if (line.startsWith("end_of_record")) current = undefined;
  }
  return current ? undefined : files;
}

function readCobertura(text: string): Coverage | undefined {
  const files = new Map<string, Map<number, number>>();
  let current: Map<number, number> | undefined;
  for (const event of readXmlTags(text.replace(/<!DOCTYPE[^>[]*>/i, ""), 0)) {
    if (event.kind === "broken") return undefined;
    if (event.kind === "open" && event.name === "class") current = fileOf(files, event.attributes.get("filename") ?? "");
    if (event.kind === "close" && event.name === "class") current = undefined;
    if (event.kind !== "open" || event.name !== "line" || !current) continue;
    const [number, hits] = [Number(event.attributes.get("number")), Number(event.attributes.get("hits"))];
    if (!isCount(number) || !isCount(hits)) return undefined;
    note(current, number, hits);
  }
  return files;
}

const isCount = (figure: number | undefined): figure is number => figure !== undefined && Number.isSafeInteger(figure) && figure >= 0;

function fileOf(files: Map<string, Map<number, number>>, path: string): Map<number, number> {
  const known = files.get(path) ?? new Map<number, number>();
  files.set(path, known);
  return known;
}

const note = (file: Map<number, number>, line: number, hits: number): void => void file.set(line, Math.max(hits, file.get(line) ?? 0));

/** The share of lines that ran. */
export function coveredShare(coverage: Coverage): number {
  const hits = [...coverage.values()].flatMap((file) => [...file.values()]);
  return hits.length === 0 ? 0 : hits.filter((count) => count > 0).length / hits.length;
}

/** The same of these lines alone, as far as the report knows them; undefined where it knows none. */
export function coveredOf(coverage: Coverage, lines: readonly { readonly path: string; readonly line: number }[]): number | undefined {
  const known = lines.flatMap(({ path, line }) => {
    const file = [...coverage].find(([name]) => name === path || name.endsWith(`/${path}`))?.[1];
    const hits = file?.get(line);
    return hits === undefined ? [] : [hits];
  });
  return known.length === 0 ? undefined : known.filter((count) => count > 0).length / known.length;
}
