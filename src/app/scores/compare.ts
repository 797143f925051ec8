// Answers to "which of two is better": two specs by what they say, or the runs of two by what happened.
import { complexityOf } from "../../anatomy/complexity.ts";
import { levelOf } from "../../anatomy/level.ts";
import { type Anatomy, nodesOf } from "../../contract/anatomy.ts";
import type { CompareAnswer, ComparedRuns, ComparedSpecs } from "../../contract/compare.ts";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RunView } from "../../contract/views.ts";
import { compareRuns, type RunFigures } from "../../scoring/compare-runs.ts";
import { perDimension } from "../../scoring/les/dimensions.ts";
import { lintScore } from "../../scoring/les/lint.ts";
import { scoreRuns } from "../../scoring/les/measured.ts";
import type { MeasuredRun } from "../../scoring/les/measured-run.ts";
import type { SpecProblem } from "../../spec/read-spec.ts";
import type { Records } from "../open-records.ts";
import { findSpec, readLoop } from "../open-specs.ts";
import { findRun } from "../records/find-run.ts";
import { viewOf } from "../records/views.ts";
import { type LoopRuns, runsOf } from "./score-runs.ts";

export type Compared =
  | { readonly kind: "compared"; readonly answer: CompareAnswer }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

type Meant =
  | {
      readonly kind: "runs";
      readonly about: ComparedRuns["a"];
      readonly views: readonly RunView[];
      readonly measured: readonly MeasuredRun[];
    }
  | { readonly kind: "spec"; readonly asked: string; readonly anatomy: Anatomy }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

/** Each is a file, a loop, LOOP@HASH for the runs of one version of it, or a run. */
export async function compareTwo(
  records: Pick<Records, "journal">,
  asked: readonly [a: string, b: string],
  cwd: string,
  registries: Registries,
): Promise<Compared> {
  const [a, b] = await Promise.all([find(records, asked[0], cwd, registries), find(records, asked[1], cwd, registries)]);
  const problems = [a, b].flatMap((one) => (one.kind === "refused" ? one.problems : []));
  if (problems.length > 0) return { kind: "refused", problems };
  if (a.kind === "runs" && b.kind === "runs") return { kind: "compared", answer: ofRuns(a, b) };
  if (a.kind === "spec" && b.kind === "spec") return { kind: "compared", answer: ofSpecs(a, b) };
  const spec = a.kind === "spec" ? asked[0] : asked[1];
  throw new LoopError("bad-input", `${spec} is a spec that says what is meant, and the other has runs that show what happened`, {
    retry: "never",
    hint: "Name two files, or two loops or runs that are on record.",
  });
}

async function find(records: Pick<Records, "journal">, asked: string, cwd: string, registries: Registries): Promise<Meant> {
  if (/[./\\]/.test(asked)) return specAt(asked, asked, cwd, registries);
  const [name = "", hash] = asked.split("@");
  const ofLoop = await runsOf(records, name);
  if (ofLoop) return hash === undefined ? meant(asked, ofLoop, () => true) : ofVersion(asked, ofLoop, hash);
  const run = await findRun(records, asked).catch((error: unknown) => {
    if (error instanceof LoopError) return undefined;
    throw error;
  });
  if (run === undefined) return specAt(asked, await findSpec(asked, cwd), cwd, registries);
  const { loop } = await viewOf(records, run);
  const runs = await runsOf(records, loop);
  if (!runs) throw new TypeError(`a run of ${loop} without a record`);
  return meant(asked, runs, (view) => view.run === run);
}

async function specAt(asked: string, file: string, cwd: string, registries: Registries): Promise<Meant> {
  const read = await readLoop(file, cwd, registries);
  if (read.kind === "refused" || read.problems.length > 0) return { kind: "refused", problems: read.problems };
  return { kind: "spec", asked, anatomy: read.anatomy };
}

function ofVersion(asked: string, runs: LoopRuns, hash: string): Meant {
  const hashes = new Set(runs.views.map(({ specHash }) => specHash));
  const [found, ...others] = [...hashes].filter((one) => one.startsWith(hash));
  if (found === undefined || others.length > 0 || hash === "")
    throw new LoopError(
      "bad-input",
      `${asked}: ${found === undefined ? "no run" : "not one version"} of ${runs.loop} is of a spec whose hash begins so`,
      {
        retry: "never",
        hint: `There is: ${[...hashes]
          .map((one) => one.slice(0, 12))
          .slice(-10)
          .join(", ")}.`,
      },
    );
  return meant(asked, runs, ({ specHash }) => specHash === found);
}

function meant(asked: string, { loop, views, measured }: LoopRuns, isMeant: (view: RunView) => boolean): Meant {
  const its = views.filter(isMeant);
  const ids = new Set(its.map(({ run }) => run));
  const found = measured.filter(({ run }) => ids.has(run));
  const endings = new Map<string, number>();
  for (const { rest } of its) endings.set(rest?.kind ?? "open", (endings.get(rest?.kind ?? "open") ?? 0) + 1);
  return {
    kind: "runs",
    about: {
      asked,
      loop,
      runs: found.map(({ run }) => run),
      unmeasured: its.length - found.length,
      endings: Object.fromEntries(endings),
    },
    views: its,
    measured: found,
  };
}

function ofRuns(a: Extract<Meant, { kind: "runs" }>, b: Extract<Meant, { kind: "runs" }>): ComparedRuns {
  return { kind: "runs", a: a.about, b: b.about, ...compareRuns(figuresOf(a), figuresOf(b)), notes: [...notesOn(a, b)] };
}

const figuresOf = ({ measured, views }: Extract<Meant, { kind: "runs" }>): readonly RunFigures[] =>
  measured.map((run) => {
    const view = views.find((one) => one.run === run.run);
    return {
      run: run.run,
      isProven: run.isProven,
      score: scoreRuns([run]).display ?? undefined,
      cost: run.usd,
      time: view === undefined ? undefined : view.workedMs / 1000,
      rounds: run.goals.length,
    };
  });

/** What could make a difference that is none of the loops'. */
function notesOn(a: Extract<Meant, { kind: "runs" }>, b: Extract<Meant, { kind: "runs" }>): readonly string[] {
  const keys = (of: (view: RunView) => string) => [new Set(a.views.map(of)), new Set(b.views.map(of))] as const;
  const differ = ([one, other]: readonly [ReadonlySet<string>, ReadonlySet<string>]): boolean =>
    one.size !== other.size || [...one].some((key) => !other.has(key));
  const shared = a.about.runs.filter((run) => b.about.runs.includes(run));
  return [
    ...(shared.length > 0 ? [`${shared.length} run(s) are in both: they cannot differ from themselves`] : []),
    ...(differ(keys(({ repo }) => repo)) ? ["they worked on different repositories: a difference may come from the work"] : []),
    ...(!differ(keys(({ repo }) => repo)) && differ(keys(({ base }) => base.commit))
      ? ["they did not begin from the same commits: a difference may come from the work"]
      : []),
    ...(differ(keys(({ inputs }) => JSON.stringify(inputs ?? {})))
      ? ["they were given different inputs: a difference may come from the work"]
      : []),
    ...([a, b].some(({ measured }) => measured.some(({ usd }) => usd === undefined))
      ? ["what some runs cost was not reported: those are left out of it"]
      : []),
  ];
}

function ofSpecs(a: Extract<Meant, { kind: "spec" }>, b: Extract<Meant, { kind: "spec" }>): ComparedSpecs {
  const [one, other] = [specFacts(a), specFacts(b)];
  const apart = (one.lint ?? 0) - (other.lint ?? 0);
  const word = apart === 0 ? "Both have the same lint score" : `${apart > 0 ? "A" : "B"} has the higher lint score`;
  const claims = [a, b].flatMap(({ asked, anatomy }) =>
    anatomy.claims.length > 0 ? [`what ${asked} says of its own worth counts for nothing`] : [],
  );
  return {
    kind: "specs",
    a: one,
    b: other,
    only: { a: [...onlyIn(a.anatomy, b.anatomy)], b: [...onlyIn(b.anatomy, a.anatomy)] },
    verdict: `${word}. Which is better cannot be told from specs: compare their runs.`,
    notes: ["a lint score is what a spec lets one expect at best, and no achievement", ...claims],
  };
}

function specFacts({ asked, anatomy }: Extract<Meant, { kind: "spec" }>): ComparedSpecs["a"] {
  const { display, band, dimensions } = lintScore(anatomy);
  const complexity = complexityOf(anatomy);
  return {
    asked,
    loop: anatomy.name,
    dialect: anatomy.dialect,
    lint: display,
    band,
    dimensions: {
      ...perDimension((dimension) => {
        const measure = dimensions[dimension];
        return measure.kind === "missing" ? null : measure.value;
      }),
    },
    level: levelOf(anatomy).level,
    ways: complexity.ways,
    makers: complexity.makers,
    checks: complexity.checks,
    refusing: nodesOf(anatomy, "verifier").filter(({ refuses }) => refuses === "yes").length,
    guards: nodesOf(anatomy, "guard").length,
    rounds: anatomy.bounds.rounds ?? null,
    usd: anatomy.bounds.usd ?? null,
    calls: complexity.callsARun,
  };
}

function onlyIn(one: Anatomy, other: Anatomy): readonly string[] {
  const names = (anatomy: Anatomy): readonly string[] => anatomy.nodes.map(({ kind, name }) => `${kind} ${name}`);
  const there = new Set(names(other));
  return [...new Set(names(one))].filter((name) => !there.has(name));
}
