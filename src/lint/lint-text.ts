// Lints the text of one loop, ours or another system's: what is wrong with it, and what can go wrong with it, each with its place. Pure.
import type { AnatomyNode } from "../contract/anatomy.ts";
import type { Registries } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { lssAnatomy } from "../dialects/lss/anatomy.ts";
import { sketchOf } from "../dialects/lss/sketch.ts";
import { nativeSurface } from "../dialects/native-surface.ts";
import { inNotation } from "../dialects/notation.ts";
import type { Sheet } from "../dialects/sheet.ts";
import type { SpecDialect } from "../dialects/spec-dialect.ts";
import { type Bindings, type DialectProblem, EMPTY_SHELF, type Fate } from "../dialects/translation.ts";
import { textOf } from "../dialects/values.ts";
import { understand } from "../guard/command/understand.ts";
import { anatomyOf } from "../spec/anatomy.ts";
import type { Library } from "../spec/library.ts";
import type { Path } from "../spec/path.ts";
import { type CloseReading, placed, readSpecClosely, type SpecProblem } from "../spec/read-spec.ts";
import type { SpecText } from "../spec/text.ts";
import type { CheckCommand, Failure, Flaw, Subject, Weight } from "./detector.ts";
import { detectors } from "./detectors/index.ts";

export interface LintFinding extends SpecProblem {
  /** The detector, or the rule of a dialect, or `unsound`. */
  readonly rule: string;
  readonly weight: Weight;
  /** Which of the twelve failures it leads to; null where it is about none of them. */
  readonly failure: Failure | null;
  /** What to write there, where that is certain. */
  readonly fix: { readonly path: Path; readonly value: string | number | boolean } | null;
}

export interface Linted {
  readonly file: string;
  /** Whose format it is in. */
  readonly dialect: string;
  /** Whether it is a loop that could be run at all. */
  readonly isSound: boolean;
  readonly findings: readonly LintFinding[];
}

/** Never throws, whatever the text, and opens nothing that it names. */
export function lintText(file: string, sheet: Sheet, dialect: SpecDialect | undefined, registries: Registries, library?: Library): Linted {
  if (dialect === undefined) return lintOurs(file, sheet.text, registries, library);
  return dialect.name === "lss" ? lintLss(file, sheet, dialect) : lintTheirs(file, sheet, dialect, registries);
}

function lintOurs(file: string, text: string, registries: Registries, library?: Library): Linted {
  const close = readSpecClosely(file, text, registries, undefined, library);
  const dialect = "loopwright";
  if (close.reading.kind === "refused") return { file, dialect, isSound: false, findings: close.reading.problems.map(unsound) };
  return { file, dialect, isSound: true, findings: inOrder(flawsOf(file, close.text, subjectOf(close, close.reading.spec, registries))) };
}

function subjectOf({ text, doubts }: CloseReading, spec: LoopSpec, registries: Registries): Subject {
  const commands = spec.verifiers.flatMap(({ with: options }, index) => command(["verifiers", index, "with", "run"], textOf(options?.run)));
  return {
    anatomy: anatomyOf(spec, registries),
    pathOf: pathIn(spec),
    commands,
    ours: { spec, written: text.value, doubts, registries },
    lss: undefined,
  };
}

const command = (path: Path, run: string | undefined): readonly CheckCommand[] =>
  run === undefined ? [] : [{ path, run, line: understand(run) }];

const numberIn = ({ id }: AnatomyNode): number => Number(/\d+$/.exec(id)?.[0] ?? 1) - 1;

const pathIn =
  ({ maker, team }: LoopSpec) =>
  (node: AnatomyNode): Path => {
    switch (node.kind) {
      case "maker":
        return team ? ["team", "workers", node.name] : Array.isArray(maker) ? ["maker", numberIn(node)] : ["maker"];
      case "verifier":
        return ["verifiers", numberIn(node)];
      default:
        return [];
    }
  };

function lintLss(file: string, sheet: Sheet, dialect: SpecDialect): Linted {
  const { problems } = dialect.check(file, sheet, EMPTY_SHELF);
  const read = sheet.plain();
  const sketch = sketchOf(read.value);
  const subject: Subject = {
    anatomy: lssAnatomy(read.value),
    pathOf: pathInLss,
    commands: sketch.evaluators.flatMap(({ path, fields }) => command([...path, "command"], textOf(fields.command))),
    ours: undefined,
    lss: sketch,
  };
  const said = problems.map(ofRule);
  return { file, dialect: dialect.name, isSound: problems.length === 0, findings: inOrder(besides(said, flawsOf(file, read, subject))) };
}

const pathInLss = (node: AnatomyNode): Path => {
  switch (node.kind) {
    case "maker":
      return ["workers", numberIn(node)];
    case "verifier":
      return ["evaluators", numberIn(node)];
    default:
      return [];
  }
};

/** What a rule of the standard says already is not said twice. */
function besides(said: readonly LintFinding[], seen: readonly LintFinding[]): readonly LintFinding[] {
  const known = new Set(said.map(({ failure, line }) => `${failure} ${line}`));
  return [...said, ...seen.filter(({ failure, line }) => !known.has(`${failure} ${line}`))];
}

/** Nothing is made up for a file that is only looked at. */
const NOTHING_SAID: Bindings = { providers: new Map(), use: undefined, test: undefined, set: new Map(), commits: false, libraries: [] };

/** Another system's file is linted as the spec that it comes to; where it does not come to one, as what it is made of. */
function lintTheirs(file: string, sheet: Sheet, dialect: SpecDialect, registries: Registries): Linted {
  const said = dialect.check(file, sheet, EMPTY_SHELF).problems.map(ofRule);
  const translation = dialect.translate(file, sheet, NOTHING_SAID, nativeSurface(registries), EMPTY_SHELF);
  const about = { file, dialect: dialect.name, isSound: said.length === 0 };
  if (translation.kind !== "translated") {
    if (dialect.anatomy === undefined) return { ...about, findings: inOrder(said) };
    const subject: Subject = {
      anatomy: dialect.anatomy(sheet, EMPTY_SHELF),
      pathOf: () => [],
      commands: [],
      ours: undefined,
      lss: undefined,
    };
    return { ...about, findings: inOrder([...said, ...flawsOf(file, atTop, subject)]) };
  }
  const { findings } = lintOurs(file, inNotation(translation.spec, "yaml"), registries);
  return { ...about, findings: inOrder([...said, ...findings.map((finding) => atHome(finding, translation.fates))]) };
}

/** A file whose values have no places of their own that we know. */
const atTop: SpecText = {
  value: undefined,
  place: { keyAt: 0, at: 0, end: 0, inside: new Map() },
  problems: [],
  brokenAt: undefined,
  lineCol: () => ({ line: 1, col: 1 }),
};

/** Where what a spec says came from, as far as the translation tells. */
function atHome(finding: LintFinding, fates: readonly Fate[]): LintFinding {
  const [best] = fates
    .filter(({ to }) => to !== "" && (finding.path === to || finding.path.startsWith(`${to}.`) || finding.path.startsWith(`${to}[`)))
    .sort((a, b) => b.to.length - a.to.length);
  return {
    ...finding,
    line: best?.line ?? 1,
    col: best?.col ?? 1,
    path: best ? `${best.path} (${finding.path})` : finding.path,
    fix: null,
  };
}

const unsound = (problem: SpecProblem): LintFinding => ({ ...problem, rule: "unsound", weight: "error", failure: null, fix: null });

/** Rules of other systems' own that are about one of the failures. */
const FAILURE_OF: { readonly [code: string]: Failure } = {
  bounded: "F4",
  "depends-on-acyclic": "F10",
  "names-exist": "F10",
  "feedback-ends-exist": "F1",
  "metric-source-exists": "F5",
  "applies-to-exists": "F12",
  "tools-listed": "F12",
  "stays-here": "F12",
  "no-secrets-in-examples": "F12",
  "worker-budgets-fit": "F8",
  "structural-needs-human": "F11",
  "ids-unique": "F9",
  "rubric-weights-add-up": "F6",
};

const ofRule = ({ code, ...problem }: DialectProblem): LintFinding => ({
  ...problem,
  rule: code,
  weight: "error",
  failure: FAILURE_OF[code] ?? null,
  fix: null,
});

function flawsOf(file: string, read: SpecText, subject: Subject): readonly LintFinding[] {
  return detectors.flatMap(({ id, failure, weight, find }) =>
    find(subject)
      .slice(0, MOST_OF_ONE)
      .flatMap((flaw) =>
        placedFlaw(file, read, flaw).map((at) => ({ ...at, rule: id, weight: flaw.weight ?? weight, failure, fix: flaw.fix ?? null })),
      ),
  );
}

/** A file that is made to be wrong everywhere is told so this often by each detector. */
const MOST_OF_ONE = 50;

const placedFlaw = (file: string, read: SpecText, { path, problem, instead }: Flaw): readonly SpecProblem[] =>
  placed(file, read, [{ path, about: "value", problem, instead }]);

const WEIGHTS: readonly Weight[] = ["error", "warning", "note"];

const inOrder = (findings: readonly LintFinding[]): readonly LintFinding[] =>
  [...findings].sort((a, b) => a.line - b.line || a.col - b.col || WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight));
