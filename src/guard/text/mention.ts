// Whether words are only mentioned: quoted, in a place that talks about attacks. A manual against injections must be readable.
import { firstFrom } from "./match-signal.ts";
import type { Sightings } from "./read-concepts.ts";
import { indexOf } from "./vocabulary.ts";

const DISCUSSION = indexOf("discussion");
const NEARBY = 45;
const LOOK_BACK = 200;

export function isMention(text: string, start: number, place: number, sightings: Sightings): boolean {
  const next = sightings[DISCUSSION]![firstFrom(sightings[DISCUSSION]!, place - NEARBY)];
  return next !== undefined && next.place <= place + NEARBY && isQuoted(text, start);
}

/** An opening quote or backtick on the same line that is not yet closed, and that is not just the value of some field. */
function isQuoted(text: string, start: number): boolean {
  const from = Math.max(text.lastIndexOf("\n", start - 1) + 1, start - LOOK_BACK);
  const line = text.slice(from, start);
  if (/^\s{0,3}>/.test(line)) return true;
  const open = openingOf(line);
  return open >= 0 && !/[:=,[{]\s*$/.test(line.slice(0, open));
}

function openingOf(line: string): number {
  for (const mark of ['"', "`"]) if (line.split(mark).length % 2 === 0) return line.lastIndexOf(mark);
  return Math.max(line.search(/[“«「‘][^”»」’]*$/), line.search(/(?<=^|[\s(])'[^']*$/));
}
