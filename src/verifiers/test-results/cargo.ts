// What `cargo test` prints: the text of libtest, or its JSON lines.
import { type Fields, textIn } from "../../std/json-record.ts";
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { readJsonLine } from "./json-line.ts";
import { isImpossible, isTotal, tellImpossible } from "./totals.ts";

interface Target {
  readonly announced: number;
  readonly tests: { readonly name: string; readonly outcome: TestOutcome }[];
}

interface Progress {
  readonly seen: Seen[];
  readonly problems: string[];
  /** Which part of the crate is tested now, where cargo says so. */
  target: string;
  open: Target | undefined;
}

export function readCargo(text: string): Reading {
  const progress: Progress = { seen: [], problems: [], target: "", open: undefined };
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line.length > MOST_LINE && !line.startsWith("{")) continue;
    if (line.startsWith("{")) takeJson(line, progress);
    else takeText(line, progress);
  }
  if (progress.open) progress.problems.push("it breaks off inside a target");
  return { seen: progress.seen, problems: progress.problems };
}

const MOST_LINE = 4000;
const RESULT = /^test result: (ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/;

function takeText(line: string, progress: Progress): void {
  const target = /^\s*(?:Running (?:unittests )?(\S+) \(|Doc-tests (\S+)$)/.exec(line);
  if (target) progress.target = target[1] ?? `doc ${target[2]}`;
  if (/^error: could not compile /.test(line)) progress.seen.push({ suite: ["cargo"], name: WHOLE, outcome: "failed" });
  const running = /^running (\d{1,9}) tests?$/.exec(line);
  if (running) begin(progress, Number(running[1]));
  for (const { count, of } of totalsIn(line)) if (isImpossible(count)) progress.problems.push(tellImpossible(count, of));
  const test = /^test (.+) \.\.\. (ok|FAILED|ignored|bench:)(?:, .*|\s.*)?$/.exec(line);
  if (test) add(progress, test[1]!, test[2]!);
  const result = RESULT.exec(line);
  if (result)
    finish(progress, { isOk: result[1] === "ok", passed: Number(result[2]), failed: Number(result[3]), ignored: Number(result[4]) });
}

function takeJson(line: string, progress: Progress): void {
  const fields = readJsonLine(line);
  if (!fields) {
    progress.problems.push("a line is cut off or no JSON");
    return;
  }
  const [type, event, name] = [textIn(fields, "type"), textIn(fields, "event"), textIn(fields, "name")];
  const totals = type === "suite" ? TOTALS.filter((total) => fields.has(total)) : [];
  for (const total of totals) if (!isTotal(fields.get(total))) progress.problems.push(tellImpossible(fields.get(total), total));
  if (type === "suite" && event === "started") begin(progress, countIn(fields, "test_count"));
  if (type === "suite" && (event === "ok" || event === "failed")) {
    const [passed, failed, ignored] = [countIn(fields, "passed"), countIn(fields, "failed"), countIn(fields, "ignored")];
    finish(progress, { isOk: event === "ok", passed, failed, ignored });
  }
  if (type === "test" && name !== undefined && event !== undefined && event !== "started" && event !== "timeout")
    add(progress, name, event);
}

const TOTALS = ["test_count", "passed", "failed", "ignored", "measured", "filtered_out"];

function totalsIn(line: string): readonly { readonly count: string; readonly of: string }[] {
  const [, announced] = /^running (\S{1,40}) tests?$/.exec(line) ?? [];
  if (announced !== undefined) return [{ count: announced, of: "tests" }];
  if (!line.startsWith("test result: ")) return [];
  return [...line.matchAll(/(?<=[ ;])(\S{1,40}) (passed|failed|ignored|measured|filtered out)\b/g)].map(([, count = "", of = ""]) => ({
    count,
    of,
  }));
}

const countIn = (fields: Fields, name: string): number => {
  const value = fields.get(name);
  return typeof value === "number" ? value : 0;
};

function begin(progress: Progress, announced: number): void {
  if (progress.open) progress.problems.push("a target began before the one before it ended");
  progress.open = { announced, tests: [] };
}

const OUTCOMES: { readonly [word: string]: TestOutcome } = {
  ok: "passed",
  "bench:": "passed",
  FAILED: "failed",
  failed: "failed",
  ignored: "skipped",
};

function add({ open, problems }: Progress, name: string, word: string): void {
  const outcome = Object.hasOwn(OUTCOMES, word) ? OUTCOMES[word] : undefined;
  if (!outcome) problems.push(`a test ended with ${JSON.stringify(word.slice(0, 40))}, which is not known`);
  else if (!open) problems.push("a test stands outside of every target");
  else open.tests.push({ name: plainName(name), outcome });
}

interface Told {
  readonly isOk: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

function finish(progress: Progress, told: Told): void {
  const { open, problems, seen, target } = progress;
  if (!open) {
    problems.push("a result stands outside of every target");
    return;
  }
  progress.open = undefined;
  for (const { name, outcome } of open.tests) seen.push({ suite: [target], name, outcome });
  const count = (outcome: TestOutcome): number => open.tests.filter((test) => test.outcome === outcome).length;
  if (open.tests.length !== open.announced)
    problems.push(`${open.announced} tests were announced, and ${open.tests.length} are named; run cargo test without -q and --nocapture`);
  else if (count("failed") !== told.failed || count("skipped") !== told.ignored || count("passed") < told.passed)
    problems.push("the tests and the sum of them disagree");
  if (told.isOk && count("failed") > 0) problems.push("a target says ok, and a test in it failed");
}

/** A line number changes with every edit above it, and the text form says more about a test than the JSON form does. */
const plainName = (name: string): string =>
  name.replace(/ - should panic$/, "").replace(/ \(line \d{1,9}\)(?: - (?:compile|compile fail|should panic))?$/, "");
