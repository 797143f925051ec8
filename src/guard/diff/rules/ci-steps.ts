// Steps and jobs of a pipeline that may fail unnoticed, never run, or have their result decided beforehand.
import { endingOf } from "../languages.ts";
import type { Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { bareLine, blockAround, purposeOfBlock } from "./ci-blocks.ts";
import { commandIn } from "./ci-commands.ts";
import { changedWithBlock, pipelines } from "./ci-files.ts";
import { weakeningOf } from "./command-weakening.ts";
import { purposeOf } from "./commands.ts";
import type { SideLine } from "./side-lines.ts";

/** Keys that let a step, a job or a whole pipeline fail unnoticed. */
const FORGIVING_KEY =
  /^[\s-]*["']?(continue-on-error|continueOnError|allow[-_]?failures?|allowFailures?|soft_fail|ignore[-_]?(failures?|errors?)|skip_on_failure)["']?\s*:\s*["']?(true|yes|on|1|\$\{\{\s*(true|always\(\))\s*\}\})?["']?\s*(#.*)?$/i;
const UNFAILING_KEY =
  /^[\s-]*["']?(fail_ci_if_error|fail[-_]on[-_](error|failure|failed[-_]tests)|failOn(Error|Failure|Stderr)|failTaskOnFailedTests|fail-on-empty|require_tests)["']?\s*:\s*["']?(false|no|off|0)["']?\s*(#.*)?$/i;
const IGNORED_FAILURE = /^[\s-]*(failure:\s*["']?ignore|exit[-_]code:\s*["']?0["']?\s*$|informational:\s*true)/i;
const JENKINS = /\bcatchError\s*(\(|\{)|\bwarnError\s*\(|\breturnStatus\s*:\s*true|\bpropagate\s*:\s*false|\bunstable\s*\(/;

export function forgivenFailures(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) =>
    changedWithBlock(file).flatMap(({ lines, index, removed }) => {
      const { text, line } = lines[index]!;
      if (!FORGIVING_KEY.test(text) && !UNFAILING_KEY.test(text) && !IGNORED_FAILURE.test(text) && !JENKINS.test(text)) return [];
      if (removed.has(bareLine(text))) return [];
      const block = blockAround(lines, index);
      const isList = /allow_?failures\s*:\s*$/i.test(text);
      // A step of a Jenkinsfile is a line of its own: it was there if its command was.
      const own = commandIn(text).filter((command) => file.removed.some((old) => commandIn(old.text).includes(command)));
      const purpose = own.some((command) => purposeOf(command) === "tests") ? "tests" : purposeOfBlock(block, removed, file.scope);
      const isMinor = UNFAILING_KEY.test(text) && !/test/i.test(text);
      return [
        {
          file: file.path,
          line,
          severity: isList ? ("medium" as const) : severityFor(purpose, isMinor),
          confidence: purpose === "tests" ? ("high" as const) : ("medium" as const),
          what: `a failure is let pass by "${text.trim()}"`,
          after: text,
        },
      ];
    }),
  );
}

function severityFor(purpose: ReturnType<typeof purposeOfBlock>, isMinor: boolean): "high" | "medium" | "low" {
  if (isMinor || purpose === "other" || purpose === "new" || purpose === "nothing") return "low";
  return purpose === "tests" ? "high" : "medium";
}

/** Conditions that are never met, whatever the change is about. */
const NEVER =
  /^[\s-]*["']?(if|condition|when|enabled|skip)["']?\s*:\s*["']?(\$\{\{\s*)?(false|0|never|never\(\)|"false"|'false'|manual|false\s*&&.*|.*&&\s*false|failure\(\)\s*&&\s*success\(\))(\s*\}\})?["']?\s*(#.*)?$/i;
/** Conditions that leave out the very runs that proposals start. */
const NOT_FOR_PROPOSALS =
  /^[\s-]*if\s*:.*event_name\s*(!=\s*["']pull_request|==\s*["'](schedule|workflow_dispatch|release|repository_dispatch))/;
const NEVER_IN_GROOVY = /\bexpression\s*\{\s*(return\s+)?false\s*;?\s*\}|^\s*when\s*\{\s*(never|false)/;
/** Options that runners take from the environment. */
const OPTIONS_VARIABLE =
  /^[\s-]*(?:export\s+)?["']?(?:PYTEST_ADDOPTS|MAVEN_(?:OPTS|ARGS|CLI_OPTS)|GRADLE_OPTS|GOFLAGS|CARGO_TEST_ARGS|TOX_ARGS|JEST_ARGS|TEST_ARGS|TESTFLAGS)["']?\s*[:=]\s*["']?(.*)$/;
const ALWAYS_SKIPPED = /^[\s-]*["']?skip["']?\s*:\s*["']?(true|yes)["']?\s*$/i;
const SKIP_VARIABLE =
  /^[\s-]*["']?(export\s+)?(SKIP_?(ALL_?)?(UNIT_?|INTEGRATION_?)?TESTS?|NO_?TESTS?|DISABLE_?TESTS?|TESTS?_?(DISABLED|SKIP))["']?\s*[:=]\s*["']?(1|true|yes|on)\b/i;

export function skippedSteps(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) =>
    changedWithBlock(file).flatMap(({ lines, index, removed }): readonly Sighting[] => {
      const { text, line } = lines[index]!;
      if (removed.has(bareLine(text))) return [];
      const sighting = (severity: "high" | "medium" | "low"): readonly Sighting[] => [
        { file: file.path, line, severity, confidence: "medium", what: `checks are skipped by "${text.trim()}"`, after: text },
      ];
      const options = OPTIONS_VARIABLE.exec(text)?.[1];
      const weakening = options === undefined ? undefined : weakeningOf("pytest", `pytest ${options.replace(/["']\s*$/, "")}`, "tests");
      if (weakening) return sighting(weakening.severity);
      if (SKIP_VARIABLE.test(text)) return sighting("high");
      const isNever = NEVER.test(text) || ALWAYS_SKIPPED.test(text) || NEVER_IN_GROOVY.test(text);
      const isPartly = NOT_FOR_PROPOSALS.test(text);
      if ((!isNever && !isPartly) || /^[\s-]*["']?skip["']?\s*:\s*["']?(false|0)/i.test(text)) return [];
      const purpose = purposeOfBlock(blockAround(lines, index), removed, file.scope);
      if (isPartly) return purpose === "tests" ? sighting("medium") : [];
      return sighting(/manual/i.test(text) && purpose === "tests" ? "medium" : severityFor(purpose, false));
    }),
  );
}

/** A line of a script that decides its end before or after the checks beside it have run. */
const DECIDED_END =
  /^[\s-]*(exit\s+0|exit|return\s+0|set\s+\+e\S*|set\s+\+o\s+errexit|\|\|\s*(true|:|exit\s+0|echo\b.*)|;\s*true|true|trap\s+["']?exit 0["']?\s+(EXIT|ERR)|\$ErrorActionPreference\s*=\s*["'](Silently)?Continue["'])\s*;?$/i;
const SHELL_UNSTRICT = /^\s*shell\s*:\s*["']?\S*(bash|sh)\S*\s+(\+e|.*\+e\b|\{0\})|^\s*shell\s*:\s*["']?\S*(cat|echo|true)\b/;

export function decidedEnds(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) =>
    changedWithBlock(file).flatMap(({ lines, index, removed }) => {
      const { text, line } = lines[index]!;
      if ((!DECIDED_END.test(text) && !SHELL_UNSTRICT.test(text)) || removed.has(bareLine(text))) return [];
      const beside =
        endingOf(file.path) === "yml" || endingOf(file.path) === "yaml"
          ? blockAround(lines, index)
          : lines.slice(Math.max(0, index - 12), index + 13);
      const old = beside.filter((other) => !other.isChanged || removed.has(bareLine(other.text)));
      const isGuarded = /^\s*(exit\s+0|exit|return\s+0)/.test(text) && isInsideCondition(beside, line);
      const isOverTests = old.some((other) => commandIn(other.text).some((command) => purposeOf(command) === "tests"));
      if (!isOverTests) return [];
      return [
        {
          file: file.path,
          line,
          severity: isGuarded ? ("low" as const) : ("high" as const),
          confidence: "medium" as const,
          what: `"${text.trim()}" decides the result beside the tests`,
          after: text,
        },
      ];
    }),
  );
}

function isInsideCondition(lines: readonly SideLine[], line: number): boolean {
  const above = lines.filter((other) => other.line < line).map(({ text }) => text.trim());
  const opened = above.filter((text) => /^(if|case|for|while)\b|\{$/.test(text)).length;
  const closed = above.filter((text) => /^(fi|esac|done|\})/.test(text)).length;
  return opened > closed;
}

/** Where tests, coverage and strictness of shells were asked for and no longer are. */
export function lostStrictness(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) => {
    const strict = /^[\s-]*set\s+-(?:[a-z]*e|o\s+(?:errexit|pipefail))/;
    const lost = file.removed.find(({ text }) => strict.test(text));
    if (!lost || !file.after || file.added.some(({ text }) => strict.test(text) || /^#!.*\s-\w*e/.test(text))) return [];
    return [
      { file: file.path, line: lost.after, confidence: "medium" as const, what: "errors no longer stop the script", before: lost.text },
    ];
  });
}
