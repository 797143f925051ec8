// A new loop on the page: where it could work, which ready-made one to begin with, what its spec says and costs, one round to try, and adding it.
import { basename, dirname, join, resolve } from "node:path";
import type {
  AddAnswer,
  DraftBody,
  DraftView,
  NewTarget,
  NewView,
  ReadyLoop,
  ScanView,
  SpecProblemView,
  TrialAnswer,
  Who,
} from "../../contract/api.ts";
import { isCalledLoop } from "../../contract/calling.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RepositoryScan } from "../../contract/scan.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { NewFiles, ReadySpec } from "../../contract/web.ts";
import { capsOf } from "../../guard/budget.ts";
import { lastOf } from "../../journal/journal.ts";
import { readKnownLoop } from "../../journal/known-loops.ts";
import type { Needs, Started } from "../../schedule/ports.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { sha256 } from "../../std/hash.ts";
import { needsOf } from "../loops/loop-plan.ts";
import { addPlaces } from "../loops/tend.ts";
import { viewCost } from "../records/spending.ts";
import { ENDINGS } from "../runs/spec-places.ts";
import { loadLimits } from "../settings.ts";
import type { PageHouse } from "./act.ts";
import { clipped } from "./clip.ts";
import { graphOf, tellTrigger } from "./graph.ts";
import { nothingThere } from "./nothing-there.ts";
import type { PageRecords } from "./page-records.ts";
import { factsOf } from "./read-loops.ts";

/** What is at hand for making a loop. */
export interface Workbench {
  readonly ready: () => readonly ReadySpec[];
  readonly files: NewFiles;
  /** Undefined where nobody here runs loops. */
  readonly tryOut: TryOut | undefined;
  /** Undefined where nobody starts processes. */
  readonly scan?: LookAtTarget | undefined;
  readonly outline?: OutlineFor | undefined;
  /** Why nobody may make one here; undefined where they may. */
  readonly barred: string | undefined;
}

/** Runs one round of a spec that lies nowhere yet, in a process of its own. */
export type TryOut = (trial: { readonly needs: Needs; readonly path: string; readonly text: string }) => Promise<Started>;

/** What can be seen of a repository; nothing of it is run. */
export type LookAtTarget = (folder: string) => Promise<RepositoryScan>;

/** The text of a loop that fits what can be seen of a repository. */
export type OutlineFor = (folder: string) => Promise<string>;

const FOLDER = ".loopwright";
/** Made from what can be seen, and not one of those that come with the program. */
const FITTED = "made-for-this-repository";
const MOST_FACTS = 12;
const MOST_TARGETS = 200;
const MOST_NAMES = 12;
const NO_RECORDS = { opened: [], closed: [], decided: [], began: [], done: [], failed: [] };

/** Only repositories that loops of this home work on already: a browser names none of its own. */
export async function readNew(records: PageRecords, { ready, barred, outline }: Workbench): Promise<NewView> {
  const asOf = await records.memo.catchUp();
  const fitted: ReadyLoop = {
    name: FITTED,
    about: "As `lw init` writes it: from the commands, tests, CI and agents that are seen there, with the reason for every choice.",
    intent: "What the repository itself calls for.",
    level: null,
    trigger: null,
  };
  return {
    asOf,
    barred: barred ?? null,
    targets: await readTargets(records),
    ready: [...(outline ? [fitted] : []), ...ready().flatMap((one) => readyOf(one, records))],
  };
}

/** What a look at a repository found, the best of each first. */
export async function readScan(records: PageRecords, { scan }: Workbench, id: string): Promise<ScanView> {
  const { path } = await mustBeTarget(records, id);
  if (!scan) throw nothingThere("nobody looks at repositories here", "`lw scan` does.");
  const seen = await scan(path);
  return {
    target: id,
    languages: seen.languages.slice(0, MOST_FACTS).map(({ language, files }) => ({ language, files })),
    commands: seen.commands.slice(0, MOST_FACTS).map(({ task, run, folder, sure, because }) => ({ task, run, folder, sure, because })),
    tests: seen.checks.slice(0, MOST_FACTS).map(({ run, folder, sure, because }) => ({ task: "test", run, folder, sure, because })),
    ci: seen.ci.slice(0, MOST_FACTS).map(({ system, file }) => ({ system, file })),
    branch: seen.branch?.branch ?? null,
    agents: seen.agents.map(({ maker }) => maker),
    missing: seen.missing.slice(0, MOST_FACTS),
    unread: seen.unread.slice(0, MOST_FACTS),
  };
}

async function readTargets(records: PageRecords): Promise<readonly NewTarget[]> {
  const loops = (await records.journal.loops()).filter((loop) => !isCalledLoop(loop));
  const places = await Promise.all(loops.map(async (loop) => ({ loop, at: await repoOf(records, loop) })));
  const byPath = new Map<string, readonly string[]>();
  for (const { loop, at } of places) if (at !== undefined) byPath.set(at, [...(byPath.get(at) ?? []), loop]);
  return [...byPath]
    .map(([path, its]): NewTarget => ({ id: idOf(path), path, loops: its.slice(0, MOST_NAMES), count: its.length }))
    .toSorted((one, other) => one.path.localeCompare(other.path))
    .slice(0, MOST_TARGETS);
}

/** Where its last run worked; before its first one, where its spec says. */
async function repoOf(records: PageRecords, loop: string): Promise<string | undefined> {
  const { opened, spec, isRemoved } = await factsOf(records, loop);
  if (opened) return opened.record.repo;
  const known = spec && !isRemoved ? await readKnownLoop(records.journal, loop) : undefined;
  return known && spec && resolve(dirname(known.path), spec.target.repo);
}

const idOf = (path: string): string => sha256(`target ${path}`).slice(0, 16);

function readyOf({ name, text }: ReadySpec, { registries }: PageRecords): readonly ReadyLoop[] {
  const reading = readSpec(name, text, registries);
  if (reading.kind === "refused") return [];
  const { intent, level, trigger } = reading.spec;
  return [{ name, intent, level, trigger: tellTrigger(trigger), about: aboutIn(text) }];
}

/** The comment that it begins with, without what is for editors. */
const aboutIn = (text: string): string =>
  text
    .split("\n")
    .slice(
      0,
      text.split("\n").findIndex((line) => !line.startsWith("#")),
    )
    .filter((line) => !isForEditors(line))
    .map((line) => line.slice(1).trim())
    .join(" ");

const isForEditors = (line: string): boolean => line.startsWith("# yaml-language-server:");

/** The text of a ready-made loop as it would lie in the folder for specs, one below the repository. */
export function draftOf({ text }: ReadySpec): string {
  const plain = text
    .split("\n")
    .filter((line) => !isForEditors(line))
    .join("\n")
    .replace(/^(target: \{ repo: )\.(?=[ ,])/m, "$1..");
  // Where none is named, it would be the folder of the spec itself.
  return /^target:/m.test(plain) ? plain : plain.replace(/^(level: .*)$/m, "$1\ntarget: { repo: .. }");
}

export async function readDraft(
  records: PageRecords,
  bench: Workbench,
  asked: { readonly ready: string; readonly target: string },
): Promise<DraftView> {
  if (asked.ready === FITTED && bench.outline) {
    const { path } = await mustBeTarget(records, asked.target);
    return checkDraft(records, { target: asked.target, text: await bench.outline(path) });
  }
  const ready = bench.ready().find(({ name }) => name === asked.ready);
  if (!ready) throw nothingThere(`no ready-made loop is called ${clipped(asked.ready, 80)}`, "The list has those that there are.");
  return checkDraft(records, { target: asked.target, text: draftOf(ready) });
}

/** What a spec would be if it lay there: everything that is wrong with it, else what it does and costs. Writes nothing. */
export async function checkDraft(records: PageRecords, { target: id, text }: DraftBody): Promise<DraftView> {
  const target = await mustBeTarget(records, id);
  const reading = readSpec("spec", text, records.registries);
  const draft = { target: id, text, name: null, path: null, taken: null, warnings: [], says: null, graph: null, cost: null };
  if (reading.kind === "refused") return { ...draft, problems: reading.problems.map(problemOf), caps: [] };
  const { spec, warnings } = reading;
  const path = join(target.path, FOLDER, `${spec.name}.loop.yaml`);
  return {
    ...draft,
    name: spec.name,
    path,
    taken: (await whyTaken(records, spec.name, path)) ?? whyElsewhere(spec, path, target.path),
    problems: [],
    warnings: warnings.map(problemOf),
    says: { intent: spec.intent, level: spec.level, trigger: tellTrigger(spec.trigger) },
    graph: graphOf(spec, NO_RECORDS),
    cost: await viewCost(records, spec).then(({ basis, because, usual, most }) => ({ basis, because, usual, most })),
    caps: capsOf(spec, await loadLimits(records))
      .filter(({ scope }) => scope !== "call" && scope !== "round")
      .map(({ scope, measure, written, from }) => ({ scope, measure, mostSays: written, from })),
  };
}

const problemOf = ({ line, col, path, problem, instead }: SpecProblem): SpecProblemView => ({ line, col, path, problem, instead });

async function mustBeTarget(records: PageRecords, id: string): Promise<NewTarget> {
  const target = (await readTargets(records)).find((one) => one.id === id);
  if (target) return target;
  throw nothingThere("this home knows no such repository", "Add a first loop of it with `lw add`; then it can be chosen here.");
}

/** A name stands for one loop: its records, its branches and its file. */
async function whyTaken({ journal, texts }: PageRecords, name: string, path: string): Promise<string | null> {
  const known = await readKnownLoop(journal, name);
  if (known && known.state !== "removed") return `this home looks after a loop called ${name} already, from ${known.path}`;
  const there = (await texts.list(dirname(path))).find((file) => ENDINGS.some((ending) => file === `${name}${ending}`));
  if (there !== undefined) return `${join(dirname(path), there)} is there already; nothing is written over it`;
  const ran = await lastOf(journal, name, "run-opened");
  return ran && ran.record.specPath !== path ? `a loop called ${name} ran before, from ${ran.record.specPath}` : null;
}

/** What was chosen is what is worked on: a spec that names another repository is for whoever has a terminal. */
const whyElsewhere = (spec: LoopSpec, path: string, repo: string): string | null =>
  resolve(dirname(path), spec.target.repo) === repo
    ? null
    : `target.repo leads to ${resolve(dirname(path), spec.target.repo)}, and not to the repository that was chosen; write target: { repo: .. }`;

/** Refuses what cannot be made, with the first reason. */
async function mustBeMade(house: PageHouse, bench: Workbench, body: DraftBody): Promise<{ readonly name: string; readonly path: string }> {
  if (bench.barred !== undefined) throw cannot(bench.barred, "Write the spec where this home is, and add it with `lw add`.");
  await house.memo.catchUp();
  const { name, path, taken, problems } = await checkDraft(house, body);
  const [first] = problems;
  if (first) throw cannot(`line ${first.line}: ${first.path} ${first.problem}`, first.instead);
  if (taken !== null) throw cannot(taken, "Give it another name, or change what is there.");
  if (name === null || path === null) throw cannot("it has no name", "Give it one.");
  return { name, path };
}

const cannot = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });

/** As `lw run` would, with one round and at most a proposal: nothing of it lies anywhere but on record. */
export async function tryDraft(house: PageHouse, bench: Workbench, body: DraftBody): Promise<TrialAnswer> {
  const { name, path } = await mustBeMade(house, bench, body);
  if (!bench.tryOut) throw cannot("nobody runs loops here", "Serve this home with `lw serve`.");
  const reading = readSpec("spec", body.text, house.registries);
  if (reading.kind === "refused") throw cannot("it cannot be read", "Look at its problems.");
  const needs = { ...(await needsOf(house, { loop: name, spec: reading.spec, path })), spare: false, priority: 0 };
  const started = await bench.tryOut({ needs, path, text: body.text });
  switch (started.kind) {
    case "started":
      return { loop: name, run: started.run, says: "One round is under way. It moves nothing: what it makes waits for your decision." };
    case "overtaken":
      throw cannot("somebody else began with it at the same moment", "Look at its runs.");
    case "busy":
    case "failed":
      throw cannot(`it did not begin: ${clipped(started.says, 600)}`, "Mend that, and try again.");
  }
}

/** Writes the spec, as a new file only, and adds it as `lw add` does. */
export async function addDraft(house: PageHouse, bench: Workbench, body: DraftBody, { name: by }: Who): Promise<AddAnswer> {
  const { name, path } = await mustBeMade(house, bench, body);
  const place = { root: dirname(dirname(path)), folder: FOLDER, name: basename(path) };
  if ((await bench.files.write(place, body.text)) === "there")
    throw cannot(`${path} is there already; nothing is written over it`, "Give the loop another name.");
  const { loops, wrong } = await addPlaces(house, "/", [path], by);
  const problem = [...loops.flatMap(({ problems }) => problems), ...wrong.flatMap(({ problems }) => problems)][0];
  await house.memo.catchUp();
  const says =
    problem === undefined ? "Added. It wakes by its trigger from now on." : `Written, and not obeyed yet: ${clipped(problem, 600)}`;
  return { loop: name, path, isKnown: problem === undefined, says };
}
