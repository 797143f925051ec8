// What a command lost when it became another: the power to fail, the tests it ran, the limits it held.
import { callsRunner, type Purpose, partsOf, purposeOf, purposeOfPart, speaksOfTests, withoutComment } from "./commands.ts";

/** How a line makes a failure look like success; undefined when it does not. */
export function forgivenessOf(command: string): string | undefined {
  const text = withoutComment(command).trim();
  const fallback =
    /\|\|\s*[({]?\s*(true|:|\/(usr\/)?bin\/true|exit(\s+\/b)?\s+0|exit\s*$|return\s+0|echo|printf|ver|cd \.|write-host|write-output|continue)(?=$|[\s"'`);}>])/i.exec(
      text,
    );
  if (fallback && !FAILS_AFTER_ALL.test(text.slice(fallback.index))) return `"${fallback[0].trim()}" hides a failure`;
  if (/;\s*[({]?\s*(true|:|\/(usr\/)?bin\/true|exit(\s+\/b)?\s+0|return\s+0)\s*[)}]?\s*["'`]?$/i.test(text))
    return "it ends in success whatever happened";
  if (/[^&>]&\s*$/.test(text)) return "it runs in the background and nobody waits for how it ends";
  if (/;\s*(echo|printf)\b[^;&|]*$/.test(text) && !/\$\?|^\s*(if|for|while|case)\b/.test(text))
    return "what it prints last always succeeds";
  if (/[^|]\|\s*(true|:|cat|head|tail)(\s[^|&;]*)?$/.test(text) && !/pipefail/.test(text)) return "its result is piped away";
  if (/^!\s/.test(text)) return "its result is turned around";
  if (/\bset\s+\+[a-z]*e|\bset\s+\+o\s+errexit/.test(text)) return "errors no longer stop it";
  if (/\$ErrorActionPreference\s*=\s*["'](silently)?continue|-ErrorAction\s+(silently)?continue/i.test(text))
    return "errors no longer stop it";
  if (/\bmake\s+(\S+\s+)*(-[a-z]*i[a-z]*|--ignore-errors)(\s|$)/.test(text)) return "make is told to ignore errors";
  if (
    /(^|\s)(--continue-on-error|--ignore-failures?|--allow-failures?|--soft-fail|--exit-zero|--exit-code[= ]0|--fail-never|-fn|--no-fail|--exit-0|--suite-exit-zero)(?=$|[\s"'])/.test(
      text,
    )
  )
    return "it is told not to fail";
  return undefined;
}

const FAILS_AFTER_ALL = /\bexit\s+(\/b\s+)?([1-9]|\$)|\breturn\s+[1-9]|\bfalse\b/i;

/** Flags with which a runner starts and runs no test, or passes when there is none. */
const RUNS_NONE =
  /(^|\s)(--no-run|--collect-only|--co|--listTests|--list-tests|--list|--dry-?run|--passWithNoTests|--pass-with-no-tests|--allow-no-tests|--no-tests[= ]pass|-DskipTests(=true)?|-Dmaven\.test\.skip(=true)?|-DskipITs|-DskipUnitTests|-Dmaven\.test\.failure\.ignore(=true)?|-x\s+:?\S*(test|check)\S*|--exclude-task\s+:?\S*test\S*|--skip-?tests?|--no-tests?|--no-verify|--if-present|-PskipTests|-count[= ]0|--setup-only|--setup-plan|--fixtures|--version|--help|-list[= ]\S+|(?<=vitest\s)list|(?<=(playwright|cypress)\s)(info|verify|install)|-run[= ]["']?(none|\^?\$|xxx|\^none\$|nothing|\$\^|-|_)["']?)(?=$|[\s"'])/i;
/** Flags that leave some tests out. */
const LEAVES_OUT =
  /(^|\s)(--ignore(-glob)?[= ]\S+|--deselect[= ]\S+|-k[= ]["']?\(?\s*not\s|-m[= ]["']?\(?\s*not\s|--testPathIgnorePatterns[= ]\S+|--exclude(-dir|-tag|-group|-pattern|-tags)?[= ]\S+|--skip[= ]\S+|-skip[= ]\S+|--invert|-Dtest=!?\S+|--ignore-path[= ]\S+|-p\s+no:\w+|--grep-invert[= ]\S+|--exclude-path[= ]\S+|--filter[= ]["']?\S*!=\S*)/;
const LIMITS: readonly { readonly flag: RegExp; readonly looser: "lower" | "higher" }[] = [
  { flag: /--(?:cov-)?fail[-_]under[= ](\d+(?:\.\d+)?)/, looser: "lower" },
  {
    flag: /--(?:lines|branches|functions|statements|coverage-threshold|threshold|min-coverage|fail-under-lines)[= ](\d+(?:\.\d+)?)/,
    looser: "lower",
  },
  { flag: /--max-warnings[= ](-?\d+)/, looser: "higher" },
  { flag: /--(?:retries|reruns|retry|flaky)[= ](\d+)/, looser: "higher" },
];

export interface Weakening {
  readonly severity: "high" | "medium" | "low";
  readonly what: string;
}

/** What a command that ran checks lost when it became another; undefined when it still does its work. */
export function weakeningOf(before: string, after: string, purpose: Purpose): Weakening | undefined {
  if (purpose === "nothing" || purpose === "setup") return undefined;
  const grave = purpose === "tests" ? "high" : "medium";
  if (purposeOf(after) === "nothing")
    return purpose === "other" ? undefined : { severity: grave, what: "was replaced by something that always succeeds" };
  const [old, now] = [withoutComment(before), withoutComment(after)];
  const forgiveness = forgivenessOf(now);
  if (forgiveness && !forgivenessOf(old))
    return { severity: purpose === "other" && BESIDE_THE_WORK.test(now) ? "low" : grave, what: `can no longer fail: ${forgiveness}` };
  if (purpose === "other") return undefined;
  const none = RUNS_NONE.exec(now);
  if (none && matchCount(RUNS_NONE, now) > matchCount(RUNS_NONE, old))
    return {
      severity: /pass-?with|allow-no|no-tests|if-present/i.test(none[0]) ? "medium" : grave,
      what: `no longer runs tests (${none[0].trim()})`,
    };
  // The same flag with other words is a change of what is left out, and a longer list is more left out.
  if (matchCount(LEAVES_OUT, now) > matchCount(LEAVES_OUT, old))
    return { severity: "medium", what: `leaves something out (${LEAVES_OUT.exec(now)![0].trim()})` };
  const is = purposeOf(now);
  if (purpose === "tests" && (is === "other" || is === "setup") && HAS_FIXED_GOALS.test(old) && HAS_FIXED_GOALS.test(now))
    return { severity: "medium", what: `became "${now.trim()}", which runs no tests` };
  if (matchCount(SELECTS, now) > matchCount(SELECTS, old))
    return { severity: "medium", what: `runs only some (${SELECTS.exec(now)![0].trim()})` };
  if (matchCount(REWRITES, now) > matchCount(REWRITES, old))
    return { severity: "medium", what: `rewrites what it should compare with (${REWRITES.exec(now)![0].trim()})` };
  const limit = loosenedLimit(old, now);
  if (limit) return { severity: "medium", what: limit };
  if (callsRunner(old) && !speaksOfTests(now) && RUNS_A_FILE.test(now))
    return { severity: "medium", what: `became "${now.trim()}", which runs no test runner` };
  return narrowed(old, now);
}

/** Tools whose own words say what they do, unlike those that run what a project named. */
const HAS_FIXED_GOALS = /(^|[\s/])(gradlew?|mvnw?|dotnet|cargo|go|sbt|mix|swift|flutter|dart|bazel|lein|stack|cabal|zig|deno)\s/;

/** Work whose failure says nothing about the code. */
const BESIDE_THE_WORK =
  /docker|podman|codecov|coveralls|curl|wget|upload|notify|slack|cache|clean|stop|kill|shutdown|report|deploy|release|publish|docs?\b|size|bench|badge|label|comment|preview|sentry|git\s|gh\s|rm\s/i;
const RUNS_A_FILE = /(^|[\s"'])(node|deno run|bun|python3?|ruby|php|perl|sh|bash|tsx|ts-node)\s+[\w./-]+\.\w+/;
/** Flags that choose a few tests out of all. */
const SELECTS =
  /(^|\s)(--testNamePattern[= ]\S+|--test-name-pattern[= ]\S+|--grep[= ]\S+|--fgrep[= ]\S+|-k[= ](?!["']?\(?\s*not\b)["']?\w+|-run[= ](?!["']?(none|\^?\$))["']?\w+|--tests[= ]\S+|-Dtest=(?!!)\S+|--gtest_filter=\S+|--only[= ]\S+|--test[= ]\w+|--lib|--doc|--bins?|--last-failed|--lf|--onlyChanged|--changedSince\S*|-short)(?=$|[\s"'])/;
/** Flags with which a runner takes what it got for what it should get. */
const REWRITES =
  /(^|\s)(-u|--updateSnapshots?|--update-snapshots?|--snapshot-update|--update-golden|--ci=false|--force-regen|--accept|--inline-snapshot=fix|INSTA_UPDATE=(always|unseen)|UPDATE_\w*=1)(?=$|[\s"'])/;

const matchCount = (pattern: RegExp, text: string): number => text.match(new RegExp(pattern, `g${pattern.flags}`))?.length ?? 0;

function loosenedLimit(before: string, after: string): string | undefined {
  for (const { flag, looser } of LIMITS) {
    const [old, now] = [flag.exec(before)?.[1], flag.exec(after)?.[1]];
    if (old === undefined) continue;
    if (now === undefined && looser === "lower") return `no longer has its limit (${flag.exec(before)![0]})`;
    if (now === undefined) continue;
    const isLooser = looser === "lower" ? Number(now) < Number(old) : Number(now) > Number(old) || Number(now) < 0;
    if (isLooser) return `has a looser limit (${old} became ${now})`;
  }
  return undefined;
}

/** Whole folders or patterns of tests that became single files, and steps of a chain that are gone. */
function narrowed(before: string, after: string): Weakening | undefined {
  const [old, now] = [partsOf(before), partsOf(after)];
  const lost = old.filter((part) => !now.includes(part) && purposeOfPart(part) === "tests");
  const fresh = now.filter((part) => !old.includes(part));
  if (lost.length > 0 && fresh.length === 0 && now.length > 0) return { severity: "medium", what: `no longer runs "${lost[0]}"` };
  const [gone, came] = [missingFrom(after, before), missingFrom(before, after)];
  const single = came.find(isOneFile);
  const wide = gone.find((word) => /[*]|\/$|^\.\/\.\.\.$|^(?:tests?|specs?|__tests__)\/?$/.test(word));
  const isSmall = gone.length <= 2 && came.length <= 2;
  if (single && wide && isSmall) return { severity: "medium", what: `runs ${single} where it ran ${wide}` };
  if (single && gone.length === 0 && came.length === 1 && callsRunner(before) && !/[\w-]\/|\.\w+(\s|$)/.test(before))
    return { severity: "medium", what: `runs only ${single}` };
  const inside = wide === "./..." ? came.find((word) => /^\.\/[\w/-]+$/.test(word)) : undefined;
  return inside && isSmall ? { severity: "medium", what: `runs ${inside} where it ran everything` } : undefined;
}

const missingFrom = (text: string, from: string): readonly string[] => {
  const there = new Set(text.split(/\s+/));
  return from.split(/\s+/).filter((word) => word !== "" && !there.has(word));
};

const isOneFile = (word: string): boolean =>
  /[\w-]\.(?:[cm]?[jt]sx?|py|rb|php|go|rs|java)(?:::\S+)?["']?$/.test(word) && !/[*{?]/.test(word) && !/^-|config|setup|=/.test(word);

/** How alike two command lines are, by the words they share: from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [left, right] = [new Set(a.split(/[\s"'=,;|&]+/)), new Set(b.split(/[\s"'=,;|&]+/))];
  const shared = [...left].filter((word) => word !== "" && right.has(word)).length;
  return (2 * shared) / (left.size + right.size);
}
