// Everything a maker is told, made by one pure function, and never longer than the spec says.
import { LoopError } from "../contract/errors.ts";
import type { NoteShown } from "../contract/part-worlds.ts";
import { BriefWish, type DocumentWish, type LoopSpec } from "../contract/spec.ts";
import type { Admitted } from "../contract/text.ts";
import { parseCount } from "../std/count.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { BaseTold, CausesTold, InputTold } from "./read-outside.ts";

/** Where whoever is told may write notes: nobody is sent to a file that their tools refuse. */
export type NotesTo = { readonly kind: "file"; readonly file: string } | { readonly kind: "tool" };

export interface BriefMatter {
  readonly spec: LoopSpec;
  readonly roundNumber: number;
  /** What was seen of base before the first round. */
  readonly base?: BaseTold;
  /** What woke the loop; not there in a run by hand. */
  readonly causes?: CausesTold;
  /** What the run was told. It is always in the brief: without it there is nothing to do. */
  readonly inputs?: readonly InputTold[];
  /** What connectors brought. */
  readonly context?: readonly Admitted[];
  /** What the loop's own changes tell it to heed. Like the task itself, it is always in the brief. */
  readonly heed?: readonly Admitted[];
  /** What earlier rounds taught, oldest first. */
  readonly lessons: readonly Admitted[];
  /** What earlier makers wrote down, newest first; and where this one may. */
  readonly notes?: readonly NoteShown[];
  readonly notesTo?: NotesTo | undefined;
  /** The repository's own AGENTS.md, fenced, up to so many characters of it; undefined where so few are of no use. */
  readonly agents?: ((mostChars: number) => Admitted | undefined) | undefined;
  readonly timeLeft: string;
  /** Places in the spec of checks that the maker is told nothing of. */
  readonly untold?: ReadonlySet<number>;
  /** Caps that are nearly used up, in words. */
  readonly nearCaps?: readonly string[];
  /** Whether its copy holds what an earlier try of this round had done. */
  readonly goesOn?: boolean;
}

export interface Brief {
  readonly text: string;
  readonly tokens: number;
  /** What was left out or cut for lack of room. */
  readonly cut: readonly string[];
}

/**
 * Outside text gets in only as `Admitted`. What a maker cannot do without is always in it: intent, level, checks, seal and budget. Then
 * comes what there is room for, the most needed first: the task, the state of base, what woke it, the newest lesson, what was gathered, AGENTS.md,
 * older lessons, notes.
 */
export function writeBrief(whole: BriefMatter): Brief {
  const most = mostTokens(whole.spec);
  // What was gained may not stand in the way of what must be there.
  const isRoom = estimateTokens(render(whole, NOTHING, EVERYTHING)) <= most;
  return writeWithin(isRoom ? whole : { ...whole, heed: [] }, most);
}

function writeWithin(matter: BriefMatter, most: number): Brief {
  const fits = (choice: Choice, cut: readonly string[] = []): boolean => estimateTokens(render(matter, choice, cut)) <= most;
  // The words for what is left out need room as well.
  const leavesRoom = (choice: Choice): boolean => fits(choice, EVERYTHING);
  if (!leavesRoom(NOTHING)) throw tooShort(matter.spec, estimateTokens(render(matter, NOTHING, EVERYTHING)));

  const whole = everythingIn(matter);
  const choice = fits(whole) ? whole : chooseWithin(matter, leavesRoom);
  const cut = whatIsMissing(matter, whole, choice);
  const text = render(matter, choice, cut);
  return { text, tokens: estimateTokens(text), cut };
}

/** What of the matter is told. */
interface Choice {
  readonly task: string;
  readonly base: BaseTold;
  readonly causes: CausesTold;
  readonly context: readonly Admitted[];
  /** How many of the newest. */
  readonly lessons: number;
  readonly notes: number;
  readonly agents: Admitted | undefined;
}

const NO_BASE: BaseTold = { lines: [], names: undefined };
const NO_CAUSES: CausesTold = { lines: [], words: [] };
const NOTHING: Choice = { task: "", base: NO_BASE, causes: NO_CAUSES, context: [], lessons: 0, notes: 0, agents: undefined };
const EVERYTHING: readonly string[] = [
  "the end of the task",
  "the state of base",
  "what woke it",
  "gathered text",
  "AGENTS.md",
  "999 lesson(s)",
  "999 note(s)",
];
/** A few words of a long file are worth less than their room. */
const LEAST_AGENTS_CHARS = 400;

const taskOf = ({ task, intent }: LoopSpec): string => task ?? intent;

/** Runs from before briefs were bounded have no bound in their spec: then the default counts. */
const mostTokens = ({ brief }: LoopSpec): number => parseCount(BriefWish.parse(brief ?? {}).tokens)!;

const everythingIn = ({ spec, base = NO_BASE, causes = NO_CAUSES, context = [], lessons, notes = [], agents }: BriefMatter): Choice => ({
  task: taskOf(spec),
  base,
  causes,
  context,
  lessons: lessons.length,
  notes: notes.length,
  agents: agents?.(Number.MAX_SAFE_INTEGER),
});

function chooseWithin(matter: BriefMatter, fits: (choice: Choice) => boolean): Choice {
  const { base = NO_BASE, causes = NO_CAUSES, context = [], lessons, notes = [] } = matter;
  let choice: Choice = { ...NOTHING, task: longestTask(taskOf(matter.spec), (task) => fits({ ...NOTHING, task })) };
  const take = (more: Partial<Choice>): boolean => {
    const larger = { ...choice, ...more };
    if (!fits(larger)) return false;
    choice = larger;
    return true;
  };
  take({ base: { lines: base.lines, names: undefined } });
  if (choice.base.lines.length > 0) take({ base });
  if (!take({ causes })) take({ causes: { lines: causes.lines, words: [] } });
  if (lessons.length > 0) take({ lessons: 1 });
  take({ context });
  takeAgents(matter, take);
  if (choice.lessons > 0) while (choice.lessons < lessons.length && take({ lessons: choice.lessons + 1 }));
  while (choice.notes < notes.length && take({ notes: choice.notes + 1 }));
  return choice;
}

/** Its end goes first. */
function takeAgents({ agents }: BriefMatter, take: (more: Partial<Choice>) => boolean): void {
  const whole = agents?.(Number.MAX_SAFE_INTEGER);
  if (!agents || whole === undefined || take({ agents: whole })) return;
  for (let most = Math.floor(whole.length * 0.8); most >= LEAST_AGENTS_CHARS; most = Math.floor(most * 0.8)) {
    const shorter = agents(most);
    if (shorter !== undefined && take({ agents: shorter })) return;
  }
}

/** The task as it is, or as much of its beginning as there is room for. */
function longestTask(task: string, fits: (task: string) => boolean): string {
  if (fits(task)) return task;
  const chars = [...task];
  let [least, most] = [0, chars.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(headOf(chars, middle))) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? "" : headOf(chars, least);
}

const headOf = (chars: readonly string[], most: number): string => `${chars.slice(0, most).join("")}\n[… the rest is left out …]`;

function whatIsMissing({ spec, lessons, notes = [] }: BriefMatter, whole: Choice, choice: Choice): readonly string[] {
  const isShorter = <K extends keyof Choice>(what: K): boolean => JSON.stringify(whole[what]) !== JSON.stringify(choice[what]);
  const missing = (all: number, told: number, what: string): readonly string[] => (told < all ? [`${all - told} ${what}`] : []);
  return [
    ...(choice.task !== taskOf(spec) ? ["the end of the task"] : []),
    ...(isShorter("base") ? ["the state of base"] : []),
    ...(isShorter("causes") ? ["what woke it"] : []),
    ...(isShorter("context") ? ["gathered text"] : []),
    ...(isShorter("agents") ? [choice.agents === undefined ? "AGENTS.md" : "the end of AGENTS.md"] : []),
    ...missing(lessons.length, choice.lessons, "lesson(s)"),
    ...missing(notes.length, choice.notes, "note(s)"),
  ];
}

function render(matter: BriefMatter, { task, base, causes, context, lessons, notes, agents }: Choice, cut: readonly string[]): string {
  const { spec, roundNumber, timeLeft, untold, nearCaps = [], goesOn = false, notesTo, inputs = [], heed = [] } = matter;
  const firstLesson = matter.lessons.length - lessons;
  const toldLessons = matter.lessons.slice(firstLesson).map((lesson, index) => `Round ${firstLesson + index + 1}:\n${lesson}`);
  const toldNotes = (matter.notes ?? []).slice(0, notes).map(({ roundId, at, text }) => `${roundId}, ${at}:\n${text}`);
  const sections = [
    `# ${spec.name}`,
    `Intent: ${spec.intent}`,
    task === "" ? "" : `## Task\n\n${task}`,
    heed.length > 0 ? `## What to heed\n\n${heed.join("\n\n")}` : "",
    inputs.length > 0 ? `## Inputs\n\n${inputs.map(({ name, about, text }) => `${name} (${about}):\n${text}`).join("\n\n")}` : "",
    `## How far you may go\n\nLevel ${spec.level}: ${spec.document ? howToWrite(spec.document) : HOW_TO_EDIT}`,
    `## How it will be checked\n\n${spec.verifiers.map((check, index) => describeCheck(check, untold?.has(index) === true)).join("\n")}${spec.document ? "" : NO_CHEATING}`,
    spec.seal.length > 0 ? `## Sealed\n\nLeave these files as they are: ${spec.seal.join(", ")}` : "",
    base.lines.length > 0 ? `## On base, before any change\n\n${[...base.lines, ...(base.names ? ["", base.names] : [])].join("\n")}` : "",
    causes.lines.length > 0
      ? `## What woke this loop\n\n${[...causes.lines, ...causes.words.flatMap((text) => ["", text])].join("\n")}`
      : "",
    context.length > 0 ? `## What was gathered\n\n${context.join("\n\n")}` : "",
    toldLessons.length > 0 ? `## What earlier rounds taught\n\n${toldLessons.join("\n\n")}` : "",
    agents === undefined ? "" : `## What the repository says to agents\n\n${agents}`,
    toldNotes.length > 0 ? `## What earlier makers wrote down\n\n${toldNotes.join("\n\n")}` : "",
    notesTo === undefined ? "" : `## Notes\n\n${howToNote(notesTo)}`,
    `## Budget\n\nThis is round ${roundNumber} of ${spec.budget.rounds}; ${timeLeft} are left for the whole run.${warning(nearCaps)}`,
    goesOn ? "## Where it stands\n\nAn earlier try was ended by its budget. What it had done is in this folder: go on from there." : "",
    cut.length > 0 ? `Left out for lack of room: ${cut.join(", ")}.` : "",
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const HOW_TO_EDIT =
  "edit files in this folder. What you leave here is committed for you, checked in a clean copy, and shown to a human. Do not push or merge.";

const NO_CHEATING = "\n\nDo not delete, skip or weaken tests: such a change is refused, whatever the checks say.";

const howToWrite = ({ files, most = "1MB" }: DocumentWish): string =>
  `write files into this folder. They are a document, and no change of a repository: what was accepted last is here already, if anything was. What you leave here is checked in a clean copy and shown to a human. At most ${most} may change${files ? `, in files such as ${files.join(", ")}` : ""}.`;

const howToNote = (to: NotesTo): string =>
  to.kind === "tool"
    ? "What those who come after you should know, such as a way that led nowhere, you may write down with your tool `note`: short, and without secrets."
    : `What those who come after you should know, such as a way that led nowhere, you may write into ${to.file} (its path is also in $LOOPWRIGHT_NOTES): short, without secrets, one thing after the other with a line of --- between them.`;

const warning = (nearCaps: readonly string[]): string =>
  nearCaps.length === 0
    ? ""
    : `\n\nWarning: the budget is nearly used up. When it is, you are ended at once. Finish what matters first.\n${nearCaps.map((line) => `- ${line}`).join("\n")}`;

function describeCheck({ use, with: options }: LoopSpec["verifiers"][number], isUntold: boolean): string {
  if (isUntold) return `- ${use}: a check that you do not see`;
  const run = options?.run;
  return typeof run === "string" ? `- ${use}: \`${run}\` must succeed` : `- ${use}`;
}

const tooShort = ({ brief }: LoopSpec, needed: number): LoopError =>
  new LoopError(
    "bad-input",
    `the intent, the inputs, the checks and the sealed files alone need ${needed} tokens, and the brief may have ${brief.tokens}`,
    {
      retry: "never",
      hint: "Give it more with `brief.tokens`, or name the sealed files by fewer globs, or give shorter inputs.",
    },
  );
