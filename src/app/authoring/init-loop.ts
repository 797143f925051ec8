// lw init as one use: looks at a repository, tries its tests, asks what cannot be seen, and writes one loop, or leaves the one that is there alone.
import { join, relative } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Files } from "../../contract/files.ts";
import { makers } from "../../makers/index.ts";
import { type SpecPath, setValue } from "../../spec/edit-spec.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { type SpecField, writeSpec } from "../../spec/write-spec.ts";
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
} from "./outline-loop.ts";
import { tryChecks } from "./try-checks.ts";

/** What somebody said outright; what is undefined is seen, asked or left as it is. */
export interface InitWishes {
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
  readonly test?: string | undefined;
  readonly at?: string | undefined;
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

const TIMES = ["02:30", "by hand"];

/** Everything but the writing. */
export async function planInit(
  { root, scan }: Pick<SeenRepository, "root" | "scan">,
  wishes: InitWishes,
  world: InitWorld,
): Promise<InitPlan> {
  const candidates = candidatesOf(scan, wishes.test);
  const name = wishes.name ?? nameFor(candidates.length > 0 ? "fix" : "watch", root);
  const path = join(root, SPEC_FOLDER, `${name}.loop.yaml`);
  const about = { path, file: relative(root, path), name };
  const before = await world.readText(path);
  if (before !== undefined) return { ...about, ...changed(before, wishes, about.file), before, tried: undefined };

  const choices = await chooseAll(scan, name, wishes, candidates.length > 0, world);
  const outlineOf = (candidate: Candidate, tried: Tried): readonly SpecField[] => outlineFix(scan, candidate, tried, choices);
  const best = await tryChecks(candidates, (candidate) => world.tryOnBase(path, outlineOf(candidate, { kind: "not-tried", why: "" })));
  const text = writeSpec(openingOf(), best ? outlineOf(best.candidate, best.tried) : outlineWatch(scan, choices));
  mustBeSound(about.file, text);
  const notes = [
    ...choices.notes,
    ...(best && best.tried.kind !== "ran"
      ? ["The tests could not be run on base: see the comment at `verifiers`, and mend that first."]
      : []),
    ...scan.missing.filter((line) => /\btests?\b/.test(line)),
  ];
  return { ...about, kind: "new", before, text, diff: lineDiff("", text), tried: best?.tried, notes };
}

/** What is there is somebody's: only what was asked for outright is changed, each by itself. */
function changed(before: string, { agent, test, at }: InitWishes, file: string): Pick<InitPlan, "kind" | "text" | "diff" | "notes"> {
  const wanted: readonly (readonly [path: SpecPath, value: string | undefined])[] = [
    [["maker", "use"], agent],
    [["verifiers", 0, "with", "run"], test],
    [["trigger", "with", "at"], at],
  ];
  let text = before;
  const notes: string[] = [];
  for (const [path, value] of wanted) {
    if (value === undefined) continue;
    const edited = setValue(text, path, value);
    if (edited.kind === "edited") text = edited.text;
    else notes.push(`${file}: ${edited.why}; change it there by hand.`);
  }
  return { kind: text === before ? "unchanged" : "changed", text, diff: lineDiff(before, text), notes };
}

async function chooseAll(
  { agents }: SeenRepository["scan"],
  name: string,
  wishes: InitWishes,
  makesChanges: boolean,
  world: InitWorld,
): Promise<LoopChoices & { readonly notes: readonly string[] }> {
  const known = new Map(makers.flatMap((maker) => (maker.program ? [[maker.name, maker.program] as const] : [])));
  if (wishes.agent !== undefined && !makers.some((maker) => maker.name === wishes.agent))
    throw new LoopError("bad-input", `there is no maker called ${wishes.agent}`, {
      retry: "never",
      hint: `Write one of: ${[...known.keys()].join(", ")}.`,
    });
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
    at: at === "by hand" ? undefined : at,
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
