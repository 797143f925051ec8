// What somebody meets who only says `lw`: where the loops stand, what waits, which loops are written here, and what to do next.
import { basename, join, resolve } from "node:path";
import type { InboxItem, LoopView } from "../../contract/views.ts";
import { readInbox } from "../decisions/inbox.ts";
import type { Records } from "../open-records.ts";
import { ENDINGS, FOLDERS } from "../runs/spec-places.ts";
import { viewLoops } from "./views.ts";

/** A loop that is written in this place, by its file's name. */
export interface WrittenLoop {
  readonly loop: string;
  readonly path: string;
}

export interface HereView {
  readonly loops: readonly LoopView[];
  /** What waits for a person and is not put off. */
  readonly waiting: readonly InboxItem[];
  /** Loops that are written here and have not run. */
  readonly written: readonly WrittenLoop[];
  readonly next: readonly NextStep[];
}

/** A command to type, and what it is for. */
export interface NextStep {
  readonly line: string;
  readonly what: string;
}

/** More than this is a list, and no advice. */
const MOST_STEPS = 5;

export async function viewHere(records: Records, cwd: string): Promise<HereView> {
  const loops = await viewLoops(records);
  const waiting = (await readInbox(records, "all")).filter(({ stage }) => stage !== "deferred");
  const names = new Set(loops.map(({ loop }) => loop));
  const written = (await writtenIn(records, cwd)).filter(({ loop }) => !names.has(loop));
  return { loops, waiting, written, next: nextSteps({ loops, waiting, written }) };
}

async function writtenIn({ texts }: Pick<Records, "texts">, cwd: string): Promise<readonly WrittenLoop[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await texts.list(resolve(cwd, folder))).map((name) => join(folder, name))),
  );
  const found = lists
    .flat()
    .flatMap((path) =>
      ENDINGS.filter((ending) => path.endsWith(ending)).map((ending) => ({ loop: basename(path).slice(0, -ending.length), path })),
    );
  return [...new Map(found.toReversed().map((one) => [one.loop, one])).values()].toReversed();
}

/** What to type next, most pressing first; in an empty place, the three ways to begin. */
export function nextSteps({ loops, waiting, written }: Omit<HereView, "next">): readonly NextStep[] {
  const asked = waiting.map(({ id, loop, kind, next }): NextStep => {
    // A name is easier to type than a run's id, as long as it means the same.
    const isLast = loops.some((one) => one.loop === loop && one.last?.run === id);
    return { line: lineOf(isLast ? next.replaceAll(id, loop) : next), what: `${loop}: ${WAITS[kind]}` };
  });
  const resumed = loops
    .filter(({ state }) => state === "interrupted")
    .map(({ loop }): NextStep => ({ line: `lw resume ${loop}`, what: "its run was interrupted" }));
  const run = written.map(({ loop }): NextStep => ({ line: `lw run ${loop}`, what: "written here, and has not run" }));
  const steps = [...asked, ...resumed, ...run];
  if (steps.length > MOST_STEPS)
    return [...steps.slice(0, MOST_STEPS - 1), { line: "lw inbox", what: `and ${steps.length - MOST_STEPS + 1} more` }];
  if (steps.length > 0) return steps;
  return loops.length === 0 ? WAYS_TO_BEGIN : RESTING;
}

/** Advice may be several commands in a sentence; the first is what to type. */
const lineOf = (next: string): string => next.split(/, then |; /)[0]!;

const WAITS: { readonly [K in InboxItem["kind"]]: string } = {
  proposal: "a proven change waits for your yes",
  question: "a maker asks you something",
  review: "a check asks you",
  "needs-you": "it needs you",
  halted: "it was halted",
  absent: "what you expect of it did not come",
};

const WAYS_TO_BEGIN: readonly NextStep[] = [
  { line: "lw demo", what: "see one loop all the way through: no key, no network, a few seconds" },
  { line: "lw init", what: "in a repository: look at it, and write a loop for it" },
  { line: 'lw intent "Keep main green"', what: "say in a sentence what you want" },
];

const RESTING: readonly NextStep[] = [
  { line: "lw show LOOP", what: "what happened in its last run" },
  { line: "lw run LOOP", what: "run it again" },
  { line: "lw add .loopwright", what: "let loops wake by themselves; then lw serve" },
];
