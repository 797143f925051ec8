// What a round reads of others before its maker does: examined, put on record, and refused where it must be.
import type { Baseline } from "../contract/baseline.ts";
import type { Gathered, Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import type { GitReader } from "../contract/git.ts";
import { factsOf, type Proposal } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { type Admitted, type Taint, type Trust, untrustedText } from "../contract/text.ts";
import { type Cause, tellCause } from "../contract/waking.ts";
import { type Admission, admit } from "../guard/text/admit.ts";
import { taintOf } from "../guard/text/taint.ts";
import { displayLine, visibleText } from "../std/display-text.ts";
import { sourcesIn, trustIn, walksIn } from "./gathered.ts";
import type { Steps } from "./steps.ts";
import { namesOf } from "./weigh-base.ts";

const MOST_LESSON_CHARS = 6_000;
const MOST_TOLD_CHARS = 60_001;
const MOST_NAMES_CHARS = 3_000;
const MOST_GATHERED_CHARS = 6_000;
const AGENTS_FILE = "AGENTS.md";
const MOST_AGENTS_CHARS = 24_000;
const MOST_SIGNALS = 20;
const MOST_CAUSES = 20;
const MOST_CAUSE_CHARS = 2_000;
const MOST_PATHS = 50;

/** What is kept of a text: not its words, which may be many, but which text it was and what was seen in it. */
interface Examination {
  readonly source: string;
  readonly trust: Trust;
  readonly sha256: string;
  readonly kind: Admission["kind"];
  readonly severity: string;
  readonly score: number;
  readonly signals: readonly string[];
}

/** The lessons of earlier rounds, fit for a brief. What a check printed is our own checks' word, so it does not taint. */
export async function readLessons({ lessons }: Round, step: Steps): Promise<readonly Admitted[]> {
  if (lessons.length === 0) return [];
  const admissions = lessons.map((lesson, index) =>
    admit(lesson, { source: `round ${index + 1}`, trust: "machine", mostChars: MOST_LESSON_CHARS }),
  );
  await step.light("admit", async () => admissions.map(examinationOf));
  return admissions.map((admission) => {
    if (admission.kind === "refused") throw refusedText(admission);
    return admission.text;
  });
}

/**
 * What the spec wants somebody to hear of the round before, fit for a brief. A check's word is our own; what a worker says is a
 * stranger's, and where it reads like an injection it is left out, as the record says.
 */
export async function readTold(
  { told = [] }: Round,
  to: string,
  step: Steps,
  workers: { readonly [id: string]: unknown } = {},
): Promise<readonly Admitted[]> {
  const mine = told.filter((one) => one.to === to);
  if (mine.length === 0) return [];
  const admissions = mine.map(({ from, text }) =>
    admit(text, { source: `what ${from} says`, trust: Object.hasOwn(workers, from) ? "outsider" : "machine", mostChars: MOST_TOLD_CHARS }),
  );
  await step.light(`admit-told${to === "maker" ? "" : `-${to}`}`, async () => admissions.map(examinationOf));
  return admissions.flatMap((admission) => {
    if (admission.kind !== "refused") return [admission.text];
    if (admission.examined.trust === "outsider") return [];
    throw refusedText(admission);
  });
}

/** What the instructions of this round tell somebody to heed. Nothing of it is needed to go on, so what is refused is left out. */
export async function readHeed(admissions: readonly Admission[], to: string, step: Steps): Promise<readonly Admitted[]> {
  if (admissions.length === 0) return [];
  await step.light(`admit-heed${to === "maker" ? "" : `-${to}`}`, async () => admissions.map(examinationOf));
  return admissions.flatMap((admission) => (admission.kind === "refused" ? [] : [admission.text]));
}

/** What a maker may hear of base: our own words, and the names of tests only as they were admitted. */
export interface BaseTold {
  readonly lines: readonly string[];
  /** Undefined where there are no names, or where they read like an injection. */
  readonly names: Admitted | undefined;
}

/** Nothing here is needed to go on, so what is refused is left out, and the record says so. */
export async function readBase(baseline: Baseline | undefined, step: Steps): Promise<BaseTold> {
  const checks = (baseline?.checks ?? []).filter(({ isHidden }) => !isHidden);
  const lines = checks.map((check) => `- ${namesOf(check)}: ${check.state}${check.redCount > 0 ? `, ${check.redCount} test(s) fail` : ""}`);
  const red = [...new Set(checks.flatMap((check) => check.red))];
  if (red.length === 0) return { lines, names: undefined };
  const admission = admit(untrustedText(red.join("\n")), {
    source: "tests that fail on base",
    trust: "machine",
    mostChars: MOST_NAMES_CHARS,
  });
  await step.light("admit-base", async () => [examinationOf(admission)]);
  return { lines, names: admission.kind === "refused" ? undefined : admission.text };
}

/** What connectors brought, fit for a brief. Nothing of it is needed to go on, so what is refused is left out, and the record says so. */
export async function readGathered(gathered: readonly Gathered[], step: Steps): Promise<readonly Admitted[]> {
  const walks = walksIn(gathered).filter(({ commits }) => commits.length > 0);
  const sources = sourcesIn(gathered);
  if (walks.length + sources.length === 0) return [];
  const admissions = [
    ...walks.map(({ ref, commits }) =>
      admit(untrustedText(commits.map(({ commit, subject }) => `${commit.slice(0, 12)} ${displayLine(subject, 200)}`).join("\n")), {
        source: `commits of ${ref}`,
        trust: "outsider",
        mostChars: MOST_GATHERED_CHARS,
      }),
    ),
    ...sources.map(({ source, things }) =>
      admit(untrustedText(things.map(tellThing).join("\n")), { source, trust: trustIn(things), mostChars: MOST_GATHERED_CHARS }),
    ),
  ];
  await step.light("admit-gathered", async () => admissions.map(examinationOf));
  return admissions.flatMap((admission) => (admission.kind === "refused" ? [] : [admission.text]));
}

const tellThing = ({ title, why, body, address }: Thing): string =>
  [
    `- ${displayLine(title, 300)} (${displayLine(why, 300)})${address === undefined ? "" : ` ${displayLine(address, 300)}`}`,
    ...(body === undefined ? [] : [visibleText(body)]),
  ].join("\n");

/**
 * The repository's own words to agents, as they are on base: whoever may write there wrote or took them. What reads like an injection
 * is left out, and the record says so.
 */
export async function readAgentsFile(
  { repo, base }: Pick<RunOpened, "repo" | "base">,
  git: Pick<GitReader, "filesAt">,
  step: Steps,
): Promise<((mostChars: number) => Admitted | undefined) | undefined> {
  const [found] = await git.filesAt(repo, [{ commit: base.commit, path: AGENTS_FILE }]);
  if (found?.kind !== "found" || found.text.trim() === "") return undefined;
  const { text } = found;
  const label = { source: AGENTS_FILE, trust: "member", mostChars: Number.MAX_SAFE_INTEGER } as const;
  // All of it is looked at once, whatever is shown of it.
  const whole = admit(untrustedText(text), label);
  await step.light("admit-agents-file", async () => [examinationOf(whole)]);
  if (whole.kind === "refused") return undefined;
  return (mostChars) => {
    const most = Math.min(mostChars, MOST_AGENTS_CHARS);
    if (text.length <= most) return whole.text;
    const head = admit(untrustedText(`${text.slice(0, most)}\n[… the rest is left out …]`), label);
    return head.kind === "refused" ? undefined : head.text;
  };
}

/** What woke the loop, as its maker hears it: our own words, and strangers' only as they were admitted. */
export interface CausesTold {
  readonly lines: readonly string[];
  readonly words: readonly Admitted[];
}

/** Nothing of it is needed to go on, so what is refused is left out, and the record says so. */
export async function readCauses({ waking }: Pick<RunOpened, "waking">, step: Steps): Promise<CausesTold | undefined> {
  if (!waking) return undefined;
  const causes = waking.causes.slice(0, MOST_CAUSES);
  const more = waking.causes.length - causes.length;
  const lines = [...causes.map((cause) => `- ${tellCause(cause)}`), ...(more > 0 ? [`- and ${more} more`] : [])];
  const admissions = causes.flatMap((cause) => {
    const words = wordsIn(cause);
    if (words.length === 0) return [];
    return [admit(untrustedText(words.join("\n")), { source: sourceOf(cause), trust: "outsider", mostChars: MOST_CAUSE_CHARS })];
  });
  if (admissions.length > 0) await step.light("admit-causes", async () => admissions.map(examinationOf));
  return { lines, words: admissions.flatMap((admission) => (admission.kind === "refused" ? [] : [admission.text])) };
}

const MOST_INPUT_CHARS = 200_000;

/** The inputs of the run, each fit for a brief. A loop cannot do without what it was told, so that what is refused ends it. */
export async function readInputs({ spec, inputs = {} }: Pick<RunOpened, "spec" | "inputs">, step: Steps): Promise<readonly InputTold[]> {
  const admissions = Object.entries(inputs).map(([name, { value, trust }]) => ({
    name,
    about: spec.inputs?.[name]?.about ?? "",
    admission: admit(untrustedText(typeof value === "string" ? value : JSON.stringify(value)), {
      source: `input ${name}`,
      trust,
      mostChars: MOST_INPUT_CHARS,
    }),
  }));
  if (admissions.length > 0) await step.light("admit-inputs", async () => admissions.map(({ admission }) => examinationOf(admission)));
  return admissions.map(({ name, about, admission }) => {
    if (admission.kind === "refused") throw refusedInput(name, admission);
    return { name, about, text: admission.text };
  });
}

/** One input as a maker hears of it. */
export interface InputTold {
  readonly name: string;
  readonly about: string;
  readonly text: Admitted;
}

/** What strangers wrote into a cause. */
function wordsIn(cause: Cause): readonly string[] {
  switch (cause.kind) {
    case "webhook":
      return [
        ...(cause.event === "" ? [] : [`event: ${displayLine(cause.event, 200)}`]),
        ...(cause.ref === null ? [] : [`ref: ${displayLine(cause.ref, 200)}`]),
        ...(cause.subject === null ? [] : [`subject: ${displayLine(cause.subject, 500)}`]),
      ];
    case "files":
      return cause.changed.slice(0, MOST_PATHS).map((path) => displayLine(path, 300));
    case "slot":
    case "git":
    case "loop":
    case "inbox":
    case "hand":
      return [];
  }
}

const sourceOf = (cause: Cause): string => (cause.kind === "webhook" ? `the webhook ${cause.address}` : "names of changed files");

/** Whoever can have a commit merged need not be somebody who may write here; nor whoever a webhook tells of. */
export const taintBy = (
  gathered: readonly Gathered[],
  { waking: { causes = [] } = { key: "", causes: [] }, inputs = {}, parent }: Pick<RunOpened, "waking" | "inputs" | "parent">,
): Taint =>
  taintOf([
    ...(parent?.isTainted ? [{ source: `the run ${parent.run}`, trust: "outsider" as const }] : []),
    // What workers make is fenced like strangers' words; whether strangers wrote it is for the run above to say.
    ...Object.entries(inputs).flatMap(([name, { trust, by }]) => (by === "worker" ? [] : [{ source: `input ${name}`, trust }])),
    ...walksIn(gathered)
      .filter(({ commits }) => commits.length > 0)
      .map(({ ref }) => ({ source: `commits of ${ref}`, trust: "outsider" as const })),
    ...sourcesIn(gathered).map(({ source, things }) => ({ source, trust: trustIn(things) })),
    ...causes.filter((cause) => wordsIn(cause).length > 0).map((cause) => ({ source: sourceOf(cause), trust: "outsider" as const })),
  ]);

/** Loops that were called read texts of their own: what they read, the round has read. */
export function taintWith(taint: Taint, proposal: Proposal): Taint {
  const by = (factsOf(proposal).team?.workers ?? []).flatMap(({ id, child }) => (child?.isTainted ? [`the loop ${id}`] : []));
  return taintPlus(taint, by);
}

export function taintPlus(taint: Taint, by: readonly string[]): Taint {
  if (by.length === 0) return taint;
  return { kind: "tainted", by: [...new Set([...(taint.kind === "tainted" ? taint.by : []), ...by])] };
}

export const examinationOf = ({ kind, examined: { source, trust, sha256, scan } }: Admission): Examination => ({
  source,
  trust,
  sha256,
  kind,
  severity: scan.severity,
  score: scan.score,
  signals: scan.signals.slice(0, MOST_SIGNALS).map(({ id }) => id),
});

const refusedText = ({ why, examined }: Extract<Admission, { kind: "refused" }>): LoopError =>
  new LoopError("injection", `a text from ${examined.source} was not shown to the maker: ${why}`, {
    retry: "never",
    hint: `Look at what the check printed (SHA-256 ${examined.sha256}): who made it say that? \`lw show\` has the output.`,
  });

const refusedInput = (name: string, { why, examined }: Extract<Admission, { kind: "refused" }>): LoopError =>
  new LoopError("injection", `the input ${name} was not shown to the maker: ${why}`, {
    retry: "never",
    hint: `Look at what was given (SHA-256 ${examined.sha256}): who wrote that? \`lw show\` has it.`,
  });
