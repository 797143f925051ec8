// Makes a long transcript short enough to go on with: what was overtaken is dropped, older turns become one summary, the latest stay. Pure.
import { displayLine } from "../std/display-text.ts";
import {
  type Called,
  charactersIn,
  type Fact,
  type FileFact,
  type Summary,
  sizeOf,
  sizeOfTurn,
  type Transcript,
  type Turn,
  tellSummary,
  tokensIn,
} from "./model-transcript.ts";

export interface Compaction {
  readonly transcript: Transcript;
  /** Turns that are only in the summary from now on. */
  readonly folded: readonly Turn[];
}

/** Above so many tokens it is made shorter; about half of that is then left to the latest turns. */
export function compact(transcript: Transcript, mostTokens: number): Compaction {
  const isFit = (one: Transcript): boolean => tokensIn(sizeOf(one)) <= mostTokens;
  if (isFit(transcript)) return { transcript, folded: [] };
  const from = tailFrom(transcript.turns, mostTokens / 2);
  const folded = transcript.turns.slice(0, from);
  const tail = transcript.turns.slice(from);
  const lean = { ...transcript, turns: [...withoutOvertaken(folded, tail), ...tail] };
  if (isFit(lean)) return { transcript: lean, folded: [] };
  // With half for the latest turns and a quarter for the summary, there is room to go on.
  const summary = fitted(summaryOf(folded, transcript.summary), charactersIn(mostTokens / 4));
  const short: Transcript = { ...transcript, summary, turns: tail };
  return folded.length > 0 && sizeOf(short) < sizeOf(lean) ? { transcript: short, folded } : { transcript: lean, folded: [] };
}

/** The latest turns that have room, and the last of all whatever its size. */
function tailFrom(turns: readonly Turn[], mostTokens: number): number {
  let size = 0;
  let from = turns.length;
  while (from > 0) {
    size += sizeOfTurn(turns[from - 1]!);
    if (tokensIn(size) > mostTokens && from < turns.length) return from;
    from -= 1;
  }
  return from;
}

// ── what was overtaken ──────────────────────────────────────────────────────────────────────────────────────────

/** A file that was read again or changed since, and a list or a search that was made again: the older result is of no more use. */
function withoutOvertaken(turns: readonly Turn[], tail: readonly Turn[]): readonly Turn[] {
  const later: Fact[] = tail.flatMap(({ calls }) => calls.flatMap(({ facts }) => facts));
  const kept: Turn[] = [];
  for (const turn of turns.toReversed()) {
    const calls: Called[] = [];
    for (const call of turn.calls.toReversed()) {
      calls.push(leanCall(call, later));
      later.push(...call.facts);
    }
    kept.push({ ...turn, calls: calls.reverse() });
  }
  return kept.reverse();
}

const LEFT_OUT = "[left out: you saw this again later, or changed it since]";

function leanCall(call: Called, later: readonly Fact[]): Called {
  const isOvertaken = call.facts.length > 0 && call.facts.every((fact) => later.some((other) => overtakes(other, fact)));
  return isOvertaken && call.result.length > LEFT_OUT.length ? { ...call, result: LEFT_OUT } : call;
}

function overtakes(later: Fact, fact: Fact): boolean {
  switch (fact.kind) {
    case "read":
      if (later.kind === "changed") return later.path === fact.path;
      return later.kind === "read" && later.path === fact.path && later.from <= fact.from && later.to >= fact.to;
    case "looked":
      return later.kind === "looked" && later.what === fact.what;
    case "ran":
      return later.kind === "ran" && later.command === fact.command;
    case "changed":
    case "refused":
      return false;
  }
}

// ── the summary ─────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_DECISION = 240;
const MOST_ABOUT = 160;

export function summaryOf(turns: readonly Turn[], earlier: Summary | undefined): Summary {
  const facts = turns.flatMap(({ calls }) => calls.flatMap((call) => call.facts));
  return {
    turns: (earlier?.turns ?? 0) + turns.length,
    decisions: [...(earlier?.decisions ?? []), ...turns.map(({ text }) => displayLine(text, MOST_DECISION)).filter((line) => line !== "")],
    problems: facts.reduce(withProblem, earlier?.problems ?? []),
    files: facts.reduce(withFile, earlier?.files ?? []),
    words: earlier?.words ?? "",
  };
}

function withProblem(problems: Summary["problems"], fact: Fact): Summary["problems"] {
  switch (fact.kind) {
    case "ran": {
      const others = problems.filter(({ about }) => about !== commandIn(fact));
      return fact.isGood ? others : [...others, { about: commandIn(fact), what: fact.end }];
    }
    case "refused": {
      const about = displayLine(fact.what, MOST_ABOUT);
      return [...problems.filter((problem) => problem.about !== about), { about, what: displayLine(fact.why, MOST_DECISION) }];
    }
    case "read":
    case "looked":
    case "changed":
      return problems;
  }
}

const commandIn = ({ command }: Extract<Fact, { kind: "ran" }>): string => displayLine(`\`${command}\``, MOST_ABOUT);

function withFile(files: readonly FileFact[], fact: Fact): readonly FileFact[] {
  if (fact.kind !== "read" && fact.kind !== "changed") return files;
  const known = files.find(({ path }) => path === fact.path);
  const others = files.filter(({ path }) => path !== fact.path);
  if (fact.kind === "changed") return [...others, { path: fact.path, changed: fact.how, seen: "" }];
  return [...others, { path: fact.path, changed: known?.changed ?? "", seen: `read, lines ${fact.from} to ${fact.to}` }];
}

/** Made shorter by what is missed least: old intentions, then files that were only read, then old problems, words, and files. */
function fitted(summary: Summary, mostCharacters: number): Summary {
  let fit = summary;
  const isLong = (): boolean => tellSummary(fit).length > mostCharacters;
  const halve = <T>(list: readonly T[]): readonly T[] => list.slice(Math.ceil(list.length / 2));
  while (isLong() && fit.decisions.length > 1) fit = { ...fit, decisions: halve(fit.decisions) };
  const changed = (): readonly FileFact[] => fit.files.filter((file) => file.changed !== "");
  if (isLong()) fit = { ...fit, files: changed() };
  while (isLong() && fit.problems.length > 1) fit = { ...fit, problems: halve(fit.problems) };
  if (isLong()) fit = { ...fit, words: fit.words.slice(0, Math.floor(mostCharacters / 2)) };
  while (isLong() && fit.files.length > 1) fit = { ...fit, files: halve(fit.files) };
  return fit;
}
