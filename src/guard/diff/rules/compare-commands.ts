// Which of the commands that ran checks are gone, and which came back unable to fail.
import type { Sighting } from "../rule.ts";
import { likeness, type Weakening, weakeningOf } from "./command-weakening.ts";
import { type Purpose, purposeOf } from "./commands.ts";

export interface PlacedCommand {
  readonly command: string;
  readonly line: number;
  /** What it is for, by its words or by the name of the target it belongs to. */
  readonly purpose: Purpose;
}

export interface CommandChange {
  readonly removed: readonly PlacedCommand[];
  readonly added: readonly PlacedCommand[];
  /** Commands that the same change adds in other places, or that still stand there: what is done there is not gone. */
  readonly elsewhere: readonly string[];
}

/** Two lines that share less than this are not one line edited. */
const ALIKE = 0.4;

export function commandSightings(file: string, change: CommandChange): readonly Sighting[] {
  const { removed, added } = withoutMoved(change);
  // A command of tests is not followed by one that does something else, however alike they are.
  const pairs = pairUp(removed, added).map(({ before, after }) => {
    const isOther = after !== undefined && before.purpose === "tests" && after.purpose !== "tests" && after.purpose !== "nothing";
    return { before, after: isOther && !weakeningOf(before.command, after.command, before.purpose) ? undefined : after };
  });
  const weakened = pairs.flatMap(({ before, after }) => {
    const weakening = after && weakeningOf(before.command, after.command, before.purpose);
    return weakening ? [sightingOf(file, before, after, weakening)] : [];
  });
  const paired = new Set(pairs.flatMap(({ after }) => after ?? []));
  const fresh = added.filter((command) => !paired.has(command));
  const gone = pairs.filter(({ before, after }) => after === undefined && before.purpose === "tests").map(({ before }) => before);
  const deleting = fresh
    .filter(({ command }) => DELETES_TESTS.test(command) && !OUTPUT_OF_TESTS.test(command))
    .map(
      (after): Sighting => ({
        file,
        line: after.line,
        severity: "medium",
        confidence: "medium",
        what: "tests are deleted before they could run",
        after: after.command,
      }),
    );
  return [...weakened, ...deleting, ...(gone.length === 0 ? [] : goneSightings(file, gone, fresh, change))];
}

const DELETES_TESTS =
  /(^|[\s;&|"'])(rm|git rm|mv|del|Remove-Item|unlink|rimraf)\s[^;&|]*(^|[\s/"'])((tests?|specs?|__tests__)(\/|["'\s]|$)|test_[\w*]+\.py|[\w*-]+[._](test|spec)\.\w+|conftest\.py)/;
const OUTPUT_OF_TESTS = /results?|output|reports?|tmp|temp|cache|coverage|\.log|snap|dist|build|target|node_modules|fixtures?/i;

function withoutMoved({ removed, added }: CommandChange): Pick<CommandChange, "removed" | "added"> {
  const [were, are] = [countOf(removed), countOf(added)];
  return { removed: beyond(removed, are), added: beyond(added, were) };
}

function countOf(commands: readonly PlacedCommand[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { command } of commands) counts.set(plain(command), (counts.get(plain(command)) ?? 0) + 1);
  return counts;
}

/** The commands that are there more often than on the other side. */
function beyond(commands: readonly PlacedCommand[], others: ReadonlyMap<string, number>): readonly PlacedCommand[] {
  const left = new Map(others);
  return commands.filter(({ command }) => {
    const count = left.get(plain(command)) ?? 0;
    left.set(plain(command), count - 1);
    return count <= 0;
  });
}

const plain = (command: string): string => command.replaceAll(/[\s"'\\]+/g, " ").trim();

interface Pair {
  readonly before: PlacedCommand;
  readonly after: PlacedCommand | undefined;
}

/** Most pairs that are tried: more commands than that are paired in their order. */
const MOST_TRIED = 20_000;

/** Each removed command with the added one that is most like it; the likest pairs choose first. */
function pairUp(removed: readonly PlacedCommand[], added: readonly PlacedCommand[]): readonly Pair[] {
  if (removed.length * added.length > MOST_TRIED) return removed.map((before, index) => ({ before, after: added[index] }));
  const tried = removed
    .flatMap((before) => added.map((after) => ({ before, after, alike: likeness(before.command, after.command) })))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike);
  const taken = new Set<PlacedCommand>();
  const found = new Map<PlacedCommand, PlacedCommand>();
  for (const { before, after } of tried) {
    if (found.has(before) || taken.has(after)) continue;
    found.set(before, after);
    taken.add(after);
  }
  return removed.map((before) => ({ before, after: found.get(before) }));
}

function goneSightings(
  file: string,
  gone: readonly PlacedCommand[],
  fresh: readonly PlacedCommand[],
  change: CommandChange,
): readonly Sighting[] {
  const purposes = fresh.map(({ purpose }) => purpose);
  // One runner for another, or several suites under one command: what matters is that tests are still run.
  if (purposes.includes("tests")) return [];
  const there = new Set(change.elsewhere.map(plain));
  const isDoneElsewhere = (command: string): boolean =>
    there.has(plain(command)) || change.elsewhere.slice(0, MOST_COMPARED).some((other) => likeness(other, command) > 0.8);
  const missing = gone.slice(0, MOST_COMPARED).filter(({ command }) => !isDoneElsewhere(command));
  const idle = fresh.find((_, index) => purposes[index] === "nothing");
  return missing.map((before) => {
    if (idle && purposes.every((purpose) => purpose === "nothing")) {
      return sightingOf(file, before, idle, { severity: "high", what: "was replaced by something that always succeeds" });
    }
    const isHandedOn =
      fresh.some(({ command }) => HANDS_ON.test(command) && !DOES_OTHER_WORK.test(command)) ||
      change.elsewhere.some((other) => purposeOf(other) === "tests");
    return sightingOf(file, before, undefined, { severity: isHandedOn ? "low" : "medium", what: "is gone, and nothing runs in its place" });
  });
}

/** Commands that are looked for elsewhere, and places that are looked through: enough for any pipeline that people wrote. */
const MOST_COMPARED = 300;

const DOES_OTHER_WORK =
  /(^|[\s:/_-])(build|compile|assemble|lint|format|fmt|docs?|start|serve|deploy|install|clean|publish|release|pack)([\s:._-]|$)/;

/** A script, a target or another workflow may do the same work under its own name. */
const HANDS_ON =
  /(^|[\s"'])(\.\.?\/|make\s|just\s|task\s|invoke\s|npm run\s|yarn\s|pnpm\s|bash\s|sh\s|python3?\s|node\s|ruby\s|nx\s|turbo\s|bazel\s|earthly\s|dagger\s|docker\s|hatch\s|pdm run|uv run|rake|\S*\.sh\b|uses:)|^["']?\$/;

export function sightingOf(file: string, before: PlacedCommand, after: PlacedCommand | undefined, { severity, what }: Weakening): Sighting {
  return {
    file,
    line: (after ?? before).line,
    severity,
    confidence: after ? "high" : "medium",
    what: `"${short(before.command)}" ${what}`,
    before: before.command,
    ...(after && { after: after.command }),
  };
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
