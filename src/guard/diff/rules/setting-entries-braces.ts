// Reads JSON, and JavaScript, Groovy and Kotlin as far as they are written like it: names, braces, brackets, values.
import { bare, type Entry } from "./setting-entry.ts";
import type { SideLine } from "./side-lines.ts";

interface Open {
  readonly name: string;
  readonly isList: boolean;
}

/** What is being read: the names that are open, the name that waits for its value, and the words since the last sign. */
interface Place {
  readonly open: Open[];
  name: string;
  words: string;
}

const DEEPEST = 60;

export function readBraces(lines: readonly SideLine[]): readonly Entry[] {
  const entries: Entry[] = [];
  const place: Place = { open: [], name: "", words: "" };
  let isInComment = false;
  for (const line of lines) {
    const end = (): void => finishValue(place, line, entries);
    for (let at = 0; at < line.text.length; at += 1) {
      const sign = line.text[at]!;
      const pair = line.text.slice(at, at + 2);
      if (isInComment) {
        if (pair === "*/") isInComment = false;
        at += pair === "*/" ? 1 : 0;
        continue;
      }
      if (pair === "/*") isInComment = true;
      if (pair === "//" && line.text[at - 1] !== ":") break;
      if (isInComment) continue;
      if (sign === '"' || sign === "'" || sign === "`") {
        const close = closingQuote(line.text, at);
        place.words += line.text.slice(at, close + 1);
        at = close;
      } else if (sign === "{" || sign === "[" || sign === "(") openAt(place, sign);
      else if (sign === "}" || sign === "]" || sign === ")") {
        end();
        place.open.pop();
      } else if (sign === "," || sign === ";") end();
      else if ((sign === ":" || (sign === "=" && pair !== "==" && pair !== "=>")) && place.name === "") takeName(place);
      else place.words += sign;
    }
    if (place.name === "" || place.words.trim() !== "") end();
  }
  return entries;
}

function closingQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[from]) return at;
  }
  return text.length - 1;
}

function takeName(place: Place): void {
  place.name = bare(place.words.trim().split(/\s+/).at(-1) ?? "").replace(/\+$/, "");
  if (/^\s*["'].*["']\s*$/.test(place.words)) place.name = bare(place.words);
  place.words = "";
}

function openAt(place: Place, sign: string): void {
  const name = place.name || bare(place.words.trim().slice(-80));
  if (place.open.length < DEEPEST) place.open.push({ name: sign === "(" && place.name !== "" ? place.name : name, isList: sign !== "{" });
  place.name = "";
  place.words = "";
}

function finishValue(place: Place, { line, isChanged }: SideLine, entries: Entry[]): void {
  const words = bare(place.words);
  const { name } = place;
  place.name = "";
  place.words = "";
  if (words === "") return;
  const trail = place.open.map((open) => open.name).filter((part) => part !== "");
  if (name !== "") {
    entries.push({ path: [...trail, name].join("."), value: words, line, isChanged, isItem: false });
    return;
  }
  if (place.open.at(-1)?.isList) {
    entries.push({ path: trail.join("."), value: words, line, isChanged, isItem: true });
    return;
  }
  if (place.open.length > 0 && /^(true|false)$/.test(words)) {
    entries.push({ path: trail.join("."), value: words, line, isChanged, isItem: false });
    return;
  }
  // Groovy: a name and its value with a space between.
  const spoken = /^([\w.]+)\s+(\S.*)$/.exec(words);
  if (spoken)
    entries.push({ path: [...trail, spoken[1]!].join("."), value: bare(spoken[2]!), line, isChanged, isItem: /^exclude/.test(spoken[1]!) });
}
