// The short summary that `pytest -rA` prints; JUnit XML says more, this is for where only text is to be had.
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { isImpossible, tellImpossible } from "./totals.ts";

const HEADER = /^=+ short test summary info =+$/;
const MOST_LINE = 4000;
/** A line may stand for many skipped tests; together they stand for no more than this. */
const MOST_SKIPPED = 100_000;
const TEST = /^(PASSED|FAILED|ERROR|XFAIL|XPASS) (.+)$/;
/** One subtest of a test, with what it was called with before the id. */
const PART = /^(SUBFAILED)\b.*? (\S+::.*)$/;

type Word = "passed" | "failed" | "error" | "skipped" | "xfailed" | "xpassed";

const WORDS: { readonly [word: string]: readonly [Word, TestOutcome] } = {
  PASSED: ["passed", "passed"],
  FAILED: ["failed", "failed"],
  SUBFAILED: ["failed", "failed"],
  ERROR: ["error", "failed"],
  XFAIL: ["xfailed", "todo"],
  XPASS: ["xpassed", "passed"],
};

export function readPytest(text: string): Reading {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const headers = lines.flatMap((line, index) => (line.length < MOST_LINE && HEADER.test(line) ? [index] : []));
  if (headers.length === 0) return { seen: [], problems: ["there is no short summary in it; run pytest with -rA"] };
  const problems = headers.length > 1 ? ["it has more than one summary, so something other than one pytest run wrote it"] : [];
  return readSummary(lines.slice(headers[0]! + 1), problems);
}

function readSummary(lines: readonly string[], problems: string[]): Reading {
  const seen: Seen[] = [];
  const counts = new Map<Word, number>();
  const count = (word: Word, by: number): void => void counts.set(word, (counts.get(word) ?? 0) + by);
  for (const line of lines) {
    const sum = line.length < MOST_LINE ? sumIn(line) : undefined;
    if (sum) return { seen, problems: [...problems, ...disagreements(counts, sum)] };
    if (line.length < MOST_LINE) problems.push(...impossibleIn(line));
    if (/^!+ .*(?:Interrupted|stopping after)/.test(line.slice(0, 200))) problems.push("the run was interrupted");
    const skipped = /^SKIPPED \[(\d{1,6})\] ([^\s:]{1,1000})(?::\d{1,9})?: ?(.*)$/.exec(line.slice(0, MOST_LINE));
    if (skipped) {
      const times = Math.min(Number(skipped[1]), MOST_SKIPPED - (counts.get("skipped") ?? 0));
      for (let index = 0; index < times; index++) seen.push({ suite: [skipped[2]!], name: `skipped: ${skipped[3]}`, outcome: "skipped" });
      count("skipped", times);
    }
    const test = TEST.exec(line.slice(0, MOST_LINE)) ?? PART.exec(line.slice(0, MOST_LINE));
    const known = test ? WORDS[test[1]!] : undefined;
    if (!test || !known) continue;
    seen.push(seenOf(withoutMessage(test[2]!), known[1]));
    count(known[0], 1);
  }
  return { seen, problems: [...problems, "it breaks off before the sum of its tests"] };
}

function seenOf(id: string, outcome: TestOutcome): Seen {
  const [file = "", ...names] = id.split("::");
  // A file that could not be collected is named alone.
  return { suite: [file, ...names.slice(0, -1)], name: names.at(-1) ?? WHOLE, outcome };
}

/** `id - message`, where the brackets of an id may hold anything, also a dash. */
function withoutMessage(told: string): string {
  let depth = 0;
  for (let at = 0; at < told.length; at++) {
    if (told[at] === "[") depth += 1;
    if (told[at] === "]") depth -= 1;
    if (depth <= 0 && told.startsWith(" - ", at)) return told.slice(0, at);
  }
  return told;
}

/** The last line: `== 1 failed, 4 passed in 3.51s ==`, with or without the signs around it. */
function sumIn(line: string): ReadonlyMap<string, number> | undefined {
  const list = listIn(line);
  if (list === undefined || !/^\d/.test(list)) return undefined;
  const parts = list.split(", ").map((part) => /^(\d{1,9}) ([a-z ]+)$/.exec(part));
  return parts.every((part) => part !== null)
    ? new Map(parts.map((part) => [part[2]!.replace(/^errors$/, "error"), Number(part[1])]))
    : undefined;
}

/** What would be the last line, but for how much it counts. */
const impossibleIn = (line: string): readonly string[] =>
  (listIn(line)?.split(", ") ?? []).flatMap((part) => {
    const [, count, of] = /^(\S+) (passed|failed|errors?|skipped|xfailed|xpassed)$/.exec(part) ?? [];
    return count !== undefined && of !== undefined && isImpossible(count) ? [tellImpossible(count, of)] : [];
  });

function listIn(line: string): string | undefined {
  const told = line.replace(/^=+ /, "").replace(/ =+$/, "");
  return /^(.*) in \d+\.\d+s(?: \([\d:]+\))?$/.exec(told)?.[1];
}

function disagreements(counts: ReadonlyMap<Word, number>, sum: ReadonlyMap<string, number>): readonly string[] {
  const words: readonly Word[] = ["passed", "failed", "error", "skipped", "xfailed", "xpassed"];
  return words.flatMap((word) =>
    (counts.get(word) ?? 0) === (sum.get(word) ?? 0)
      ? []
      : [`it counts ${sum.get(word) ?? 0} ${word}, and names ${counts.get(word) ?? 0}; run pytest with -rA`],
  );
}
