// lw init as one use: looks at a repository, tries its tests, asks what cannot be seen, and writes one loop, or leaves the one that is there alone.
import { join, relative } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Files } from "../../contract/files.ts";
import type { CheckFact } from "../../contract/scan.ts";
import { fieldsOf } from "../../dialects/values.ts";
import { isManifest } from "../../ecosystems/scan-tree.ts";
import { canFail } from "../../guard/command/can-fail.ts";
import { makers } from "../../makers/index.ts";
import { changeSpec } from "../../spec/change-spec.ts";
import { type Edited, setPart, setValue } from "../../spec/edit-spec.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { readSpecText } from "../../spec/text.ts";
import { type SpecField, writeSpec } from "../../spec/write-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { builtIn } from "../crew.ts";
import { lineDiff } from "../hooks/line-diff.ts";
import type { SeenRepository } from "./look-at-repository.ts";
import {
  type Candidate,
  candidatesOf,
  chooseAgent,
  type LoopChoices,
  nameFor,
  openingOf,
  outlineFix,
  outlineWatch,
  SPEC_FOLDER,
  type Tried,
  tellUnrun,
  unrunSuites,
} from "./outline-loop.ts";
import { recommendedVerifiers } from "./recommended-verifiers.ts";
import { tryChecks } from "./try-checks.ts";

/** What somebody said outright; what is undefined is seen, asked or left as it is. */
export interface InitWishes {
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
  readonly test?: string | undefined;
  readonly at?: string | undefined;
  readonly merge?: true | undefined;
}

export interface InitWorld extends Pick<Files, "readText" | "writeText"> {
  /** The first choice is what is taken where nobody can be asked. */
  choose(question: string, choices: readonly string[]): Promise<string>;
  isSet(variable: string): boolean;
  /** Runs the checks of these fields on base, once. */
  tryOnBase(path: string, fields: readonly SpecField[]): Promise<Tried>;
}

export interface InitPlan {
  readonly path: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly name: string;
  readonly kind: "new" | "changed" | "unchanged";
  readonly before: string | undefined;
  readonly text: string;
  /** What would change in the file; nothing where nothing does. */
  readonly diff: readonly string[];
  readonly tried: Tried | undefined;
  /** What to know, in sentences. */
  readonly notes: readonly string[];
}

const BY_HAND = "by hand";
const TIMES = ["02:30", BY_HAND];

/** Everything but the writing. */
export async function planInit(
  { root, scan }: Pick<SeenRepository, "root" | "scan">,
  wishes: InitWishes,
  world: InitWorld,
): Promise<InitPlan> {
  mustBeWishes(wishes);
  const candidates = candidatesOf(scan, wishes.test);
  const name = wishes.name ?? nameFor(candidates.length > 0 ? "fix" : "watch", root);
  const path = join(root, SPEC_FOLDER, `${name}.loop.yaml`);
  const about = { path, file: relative(root, path), name };
  const before = await world.readText(path);
  if (before !== undefined) return { ...about, ...changed(before, wishes, about.file, scan), before, tried: undefined };

  if (candidates.length === 0) mustBeReadable(scan);
  const choices = await chooseAll(scan, name, wishes, candidates.length > 0, world);
  const outlineOf = (candidate: Candidate, tried: Tried): readonly SpecField[] => outlineFix(scan, candidate, tried, choices);
  const best = await tryChecks(candidates, (candidate) => world.tryOnBase(path, outlineOf(candidate, { kind: "not-tried", why: "" })));
  const text = writeSpec(openingOf(), best ? outlineOf(best.candidate, best.tried) : outlineWatch(scan, choices));
  mustBeSound(about.file, text);
  const notes = [
    ...choices.notes,
    ...(best?.tried.kind === "cannot-run"
      ? ["The tests could not be run on base: see the comment at `verifiers`, and mend that first."]
      : []),
    ...(best ? tellUnrun(unrunSuites(scan.checks, best.candidate.check)) : []),
    ...unreadManifests(scan).map((line) => `Not looked at: ${line}.`),
    ...scan.missing.filter((line) => /\btests?\b/.test(line)),
  ];
  return { ...about, kind: "new", before, text, diff: lineDiff("", text), tried: best?.tried, notes };
}

/** What is there is somebody's: only what was asked for outright is changed, each by itself. */
function changed(
  before: string,
  { agent, test, at, merge }: InitWishes,
  file: string,
  scan: SeenRepository["scan"],
): Pick<InitPlan, "kind" | "text" | "diff" | "notes"> {
  const reports = isReport(file, before);
  const wanted: readonly ((text: string) => Edited)[] = [
    ...(agent === undefined || reports ? [] : [(text: string) => setValue(text, ["maker", "use"], agent)]),
    ...(test === undefined ? [] : [(text: string) => setTests(text, test, candidatesOf(scan, test)[0]!.check)]),
    ...(at === undefined ? [] : [(text: string) => setTime(text, at)]),
    ...(merge === undefined || reports ? [] : [(text: string) => changeSpec(text, [{ path: ["act"], value: [{ use: "merge" }] }])]),
  ];
  let text = before;
  const notes: string[] = agent !== undefined && reports ? [`${file} only reports, and calls no agent.`] : [];
  for (const edit of wanted) {
    const edited = edit(text);
    if (edited.kind === "edited") text = edited.text;
    else notes.push(`${file}: ${edited.why}; change it there by hand.`);
  }
  if (text !== before) mustBeSound(file, text);
  return { kind: text === before ? "unchanged" : "changed", text, diff: lineDiff(before, text), notes };
}

/**
 * Every check that carries the command of the first takes the new one, for they prove together. Where its results are not where they were, what reads
 * them goes too.
 */
function setTests(text: string, run: string, { results, inherit, whole }: CheckFact): Edited {
  const listed: unknown = fieldsOf(readSpecText(text).value).verifiers;
  const verifiers: readonly { readonly [key: string]: unknown }[] = Array.isArray(listed) ? listed.map(fieldsOf) : [];
  const first = fieldsOf(verifiers[0]?.with);
  const carries = (one: { readonly [key: string]: unknown }): boolean => fieldsOf(one.with).run === first.run;
  const carriers = verifiers.flatMap((one, index) => (carries(one) ? [index] : []));
  if (carriers.length === 0 || first.run === run) return setValue(text, ["verifiers", 0, "with", "run"], run);
  const file = fieldsOf(first.results).file;
  if (first.results === undefined || (typeof file === "string" && run.includes(file))) {
    let now = text;
    for (const index of carriers) {
      const edited = setValue(now, ["verifiers", index, "with", "run"], run);
      if (edited.kind === "refused") return edited;
      now = edited.text;
    }
    return { kind: "edited", text: now };
  }
  const anew = recommendedVerifiers({
    run,
    ...(results === undefined
      ? {}
      : { results: { format: results.format, ...(results.file === undefined ? {} : { file: results.file }) } }),
    timeout: typeof first.timeout === "string" ? first.timeout : "5m",
    ...(inherit.length > 0 ? { inherit } : {}),
    ...(whole === undefined ? {} : { whole }),
  });
  const others = verifiers.filter((one) => !carries(one) && fieldsOf(one.with).run !== run);
  return changeSpec(text, [{ path: ["verifiers"], value: [...anew, ...others] }]);
}

/** A loop without tests reports, whatever agent was named for it. */
function isReport(file: string, text: string): boolean {
  const reading = readSpec(file, text, builtIn);
  return reading.kind === "read" && reading.spec.level === "L1";
}

/** A loop that somebody wakes has no time: then the whole trigger is another one. */
function setTime(text: string, at: string): Edited {
  const isManual = setValue(text, ["trigger", "use"], "manual");
  if (at === BY_HAND)
    return isManual.kind === "edited" && isManual.text === text ? isManual : setPart(text, ["trigger"], { use: "manual" });
  return isManual.kind === "edited" && isManual.text === text
    ? setPart(text, ["trigger"], { use: "daily", with: { at } })
    : setValue(text, ["trigger", "with", "at"], at);
}

const unreadManifests = ({ unread }: SeenRepository["scan"]): readonly string[] =>
  unread.filter((line) => isManifest(line.slice(0, line.indexOf(": "))));

/** A manifest that is broken is not one that is missing: it may well say how the tests are run. */
function mustBeReadable(scan: SeenRepository["scan"]): void {
  const [first] = unreadManifests(scan);
  if (first !== undefined)
    throw new LoopError(
      "bad-input",
      `no tests were found, and a manifest that may name them could not be read: ${displayLine(first, 200)}`,
      {
        retry: "never",
        hint: "Mend that file, or say how the tests are run with --test. Nothing was written.",
      },
    );
}

/** What was said outright is looked at before anything is seen, asked or tried. */
function mustBeWishes({ agent, test }: InitWishes): void {
  if (agent !== undefined && !makers.some((maker) => maker.name === agent))
    throw new LoopError("bad-input", `there is no maker called ${displayLine(agent, 60)}`, {
      retry: "never",
      hint: `Write one of: ${makers.flatMap(({ name, program }) => (program ? [name] : [])).join(", ")}.`,
    });
  if (test !== undefined && test.trim() === "")
    throw new LoopError("bad-input", "--test names no command", {
      retry: "never",
      hint: "Write the command that runs the tests, e.g. --test 'npm test'.",
    });
  if (test !== undefined && !canFail(test))
    throw new LoopError("bad-input", `--test: ${displayLine(test, 120)} cannot fail, so that it proves nothing`, {
      retry: "never",
      hint: "Write a command that exits other than 0 when a test fails.",
    });
}

async function chooseAll(
  { agents }: SeenRepository["scan"],
  name: string,
  wishes: InitWishes,
  makesChanges: boolean,
  world: InitWorld,
): Promise<LoopChoices & { readonly notes: readonly string[] }> {
  const known = new Map(makers.flatMap((maker) => (maker.program ? [[maker.name, maker.program] as const] : [])));
  // With one agent here, or none, there is nothing to ask.
  const asked =
    wishes.agent ??
    (makesChanges && agents.length > 1
      ? await world.choose(
          "Which agent makes the changes?",
          agents.map(({ maker }) => maker),
        )
      : undefined);
  const agent = chooseAgent(agents, asked, (maker) => (known.get(maker)?.variables ?? []).filter(world.isSet));
  const at = wishes.at ?? (await world.choose("When should it wake by itself?", TIMES));
  return {
    name,
    agent,
    at: at === BY_HAND ? undefined : at,
    merge: wishes.merge,
    notes:
      makesChanges && !agents.some(({ maker }) => maker === agent.maker)
        ? [`${agent.maker} is not on the PATH: install it, or name another with --agent.`]
        : [],
  };
}

/** What we write ourselves is right, whatever the repository holds; else it is a mistake of ours or of what was asked for. */
function mustBeSound(file: string, text: string): void {
  const reading = readSpec(file, text, builtIn);
  if (reading.kind === "read") return;
  const [first] = reading.problems;
  throw new LoopError("bad-input", `the loop that would be written is not right: ${first?.path ?? ""} ${first?.problem ?? ""}`, {
    retry: "never",
    hint: `${first?.instead ?? "Change what was asked for."} Nothing was written.`,
  });
}
