// A table of settings, each with what would make it looser, and the sightings that the table gives.
import type { Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import type { Weakening } from "./command-weakening.ts";
import { type SettingChange, settingChangesIn } from "./setting-changes.ts";

export interface LooseSetting {
  /** The trail of names it is found under. */
  readonly path: RegExp;
  /** Left out: any settings file. */
  readonly files?: RegExp;
  readonly judge: (change: SettingChange) => Weakening | undefined;
}

export function looseSightings(view: ChangeView, table: readonly LooseSetting[]): readonly Sighting[] {
  const changes = settingChangesIn(view, isSettings);
  // What a file no longer says itself, it may take from another.
  const inherits = new Set(changes.flatMap(({ file, path, after }) => (/^extends$/.test(path) && after !== undefined ? [file.path] : [])));
  const moved = movedValues(changes);
  return changes.flatMap((change) => {
    if (moved.has(keyOf(change))) return [];
    const found = table.find(({ path, files }) => path.test(change.path) && (files?.test(change.file.path) ?? true));
    const weakening = found?.judge(change);
    if (!weakening) return [];
    return [
      sightingOf(change, change.after === undefined && inherits.has(change.file.path) ? { ...weakening, severity: "low" } : weakening),
    ];
  });
}

const isSettings = ({ role, path }: FileView): boolean => role === "settings" || /(^|\/)\.?codecov\.ya?ml$/i.test(path);

const keyOf = ({ path, before, after }: SettingChange): string => `${path.split(".").at(-1)}\0${before ?? after}`;

/** Values that left one place and came under the same last name in another: a file that was split, renamed or rearranged. */
function movedValues(changes: readonly SettingChange[]): ReadonlySet<string> {
  const gone = new Set(changes.filter(({ after }) => after === undefined).map(keyOf));
  return new Set(
    changes
      .filter(({ before }) => before === undefined)
      .map(keyOf)
      .filter((key) => gone.has(key)),
  );
}

function sightingOf(change: SettingChange, { severity, what }: Weakening): Sighting {
  // A file that was not there loosens nothing by itself.
  const isNew = change.file.before === undefined;
  const isGone = change.file.after === undefined;
  return {
    file: change.file.path,
    line: change.line,
    severity: isNew || isGone ? "low" : severity,
    confidence: "medium",
    what: `${change.path.split(".").slice(-3).join(".")} ${what}`,
    ...(change.before !== undefined && { before: change.before }),
    ...(change.after !== undefined && { after: change.after }),
  };
}

const OFF = /^(false|off|0|no|none|never|disable|disabled)$/i;
const ON = /^(true|on|1|yes|always|enable|enabled)$/i;

/** Switched on, or already there and said anew. */
export const switchedOn =
  (severity: Weakening["severity"], what: string): LooseSetting["judge"] =>
  ({ before, after }) =>
    after !== undefined && ON.test(after) && !(before !== undefined && ON.test(before)) ? { severity, what } : undefined;

export const switchedOff =
  (severity: Weakening["severity"], what: string): LooseSetting["judge"] =>
  ({ before, after }) =>
    after !== undefined && OFF.test(after) && !(before !== undefined && OFF.test(before)) ? { severity, what } : undefined;

/** Switched off, or on before and no longer said. */
export const noLongerOn =
  (severity: Weakening["severity"], what: string): LooseSetting["judge"] =>
  (change) => {
    const { before, after } = change;
    if (after === undefined) return before !== undefined && ON.test(before) ? { severity, what } : undefined;
    return switchedOff(severity, what)(change);
  };

const numberIn = (text: string | undefined): number | undefined => {
  const found = /^(-?\d+(?:\.\d+)?)\s*%?$/.exec(text ?? "");
  return found ? Number(found[1]) : undefined;
};

export const lowered: LooseSetting["judge"] = ({ before, after }) => {
  const [old, now] = [numberIn(before), numberIn(after)];
  if (old === undefined) return undefined;
  if (now === undefined) return after === undefined && old > 0 ? { severity: "medium", what: `was ${old} and is gone` } : undefined;
  return now < old ? { severity: "medium", what: `was lowered from ${old} to ${now}` } : undefined;
};

export const raised: LooseSetting["judge"] = ({ before, after }) => {
  const [old, now] = [numberIn(before), numberIn(after)];
  if (old === undefined || now === undefined || now <= old) return undefined;
  return { severity: "medium", what: `was raised from ${old} to ${now}` };
};

/** Places that hold no code of the project's own, or none that these checks are for. */
const HARMLESS =
  /(^|[/*\\^"'])(node_modules|bower_components|vendor|third[-_]?party|dist|build|lib|libs|esm|cjs|umd|compiled|out|output|target|coverage|htmlcov|\.?venv|env|site-packages|__pycache__|\.git|\.hg|\.tox|\.nox|\.next|\.nuxt|\.turbo|\.cache|\.yarn|\.eggs|\.?[\w-]*cache|docs?|documentation|website|examples?|samples?|demos?|playground|benchmarks?|bench|fixtures?|__fixtures__|testdata|test[-_]data|test[-_]output|snapshots?|helpers?|utils?|support|__mocks__|mocks?|generated|gen|migrations?|templates?|scripts?|tools?|e2e|cypress|playwright|storybook|stories|types?|typings|tmp|temp|public|static|assets|locales?|setup\.py|conftest\.py|noxfile\.py|manage\.py|wsgi\.py|asgi\.py|_?version(\.py)?|__main__(\.py)?|__init__(\.py)?|\.[a-z]+)([/*\\$"'.]|$)|\.(d\.ts|config\.[cm]?[jt]s|md|json|snap|css|html|pb\.go|pyi)\b|_pb2|\.gen\.|\.generated\.|\.stories\.|\.mock\.|<rootDir>$|^\/?$|\bconfigDefaults\b|\bdefaultExclude\b/i;
const TESTY = /(^|[^a-z])(tests?|specs?|__tests__|testing|unit|integration)([^a-z]|$)|test_|_test|Tests?\b|\.test\.|\.spec\.|IT\b/;

/** Something of the project's own joined a list of what is left out. */
export const leftOut =
  (severity: Weakening["severity"]): LooseSetting["judge"] =>
  ({ before, after, isItem }) => {
    const came = isItem || before === undefined ? [after ?? ""] : wordsIn(after ?? "").filter((word) => !wordsIn(before).includes(word));
    const grave = came.find((item) => item !== "" && !isHarmless(item));
    if (grave !== undefined) return { severity, what: `now leaves out ${grave}` };
    return came.some((item) => item !== "") ? { severity: "low", what: `now leaves out ${came.join(" ")}` } : undefined;
  };

const wordsIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((word) => word !== "");

export const isHarmless = (item: string): boolean => /^\.\.\.|^\$|^#|^\[|^\\$/.test(item) || (HARMLESS.test(item) && !isOneTest(item));

/** Tests need no coverage of their own. */
export const uncovered: LooseSetting["judge"] = (change) => {
  const weakening = leftOut("medium")(change);
  return weakening && TESTY.test(change.after ?? "") ? { ...weakening, severity: "low" } : weakening;
};

/** One file or folder of tests rather than a place where tools put things. */
const isOneTest = (item: string): boolean =>
  /(test_\w|_test\.|\.test\.|\.spec\.|\w(Test|Tests|Spec|IT)\.(java|kt|class|cs|php))/.test(item) &&
  !/^\*|\*\.(test|spec)\.|\*\*\/\*/.test(item);

/** The same, where the list is not only about tests. */
export const testsLeftOut: LooseSetting["judge"] = (change) => (TESTY.test(change.after ?? "") ? leftOut("medium")(change) : undefined);
