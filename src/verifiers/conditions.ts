// Changes of a test run's surroundings that must make no difference to it. Pure.
import type { RoomShape } from "../contract/workshop.ts";
import { shellWord } from "../std/shell-word.ts";

export const CONDITIONS = [
  "again",
  "path",
  "home",
  "timezone",
  "locale",
  "hash-seed",
  "order",
  "parallel",
  "timestamps",
  "clock",
  "umask",
  "ci",
  "columns",
  "user",
  "arguments",
  "parent",
  "git",
] as const;
export type ConditionName = (typeof CONDITIONS)[number];

export interface Condition {
  readonly name: ConditionName;
  /** What is different, in words that follow "with". */
  readonly what: string;
  readonly room: RoomShape;
  /** Undefined takes a variable away. */
  readonly env: { readonly [name: string]: string | undefined };
  /** What the shell is given instead of the command. */
  readonly wrap: (run: string) => string;
}

/** What this machine can do. */
export interface Means {
  readonly hasFaketime: boolean;
  readonly hasGerman: boolean;
  readonly hasTimeout: boolean;
}

/** A shell line whose output says what `readMeans` wants to know. */
export const ASK_MEANS =
  "command -v faketime >/dev/null && echo means:faketime; locale -a 2>/dev/null | grep -iqx 'de_DE.utf-*8' && echo means:german; timeout --foreground 9 true 2>/dev/null && echo means:timeout; true";
export const readMeans = (said: string): Means => ({
  hasFaketime: /^means:faketime$/m.test(said),
  hasGerman: /^means:german$/m.test(said),
  hasTimeout: /^means:timeout$/m.test(said),
});

export interface Chosen {
  readonly conditions: readonly Condition[];
  /** What was asked for and cannot be tried, and why. */
  readonly leftOut: readonly string[];
}

/** What there is to change, and to change it with. */
export interface Choosing {
  readonly means: Means;
  /** The command, where its arguments may be changed. */
  readonly run: string | undefined;
  /** Variables that the spec sets. */
  readonly pinned: { readonly [name: string]: string };
  readonly goFlags: string | undefined;
}

/** The conditions asked for that can be tried here and that the spec has not settled by setting their variables itself. */
export function chooseConditions(asked: readonly ConditionName[], { means, run, pinned, goFlags }: Choosing): Chosen {
  const all = conditionsOf(goFlags).filter(({ name }) => asked.includes(name));
  const why = (condition: Condition): string | undefined => {
    if (condition.name === "clock" && !means.hasFaketime) return "faketime is not on PATH";
    if (condition.name === "parent" && !means.hasTimeout) return "there is no timeout that leaves its command in the foreground";
    if (condition.name === "arguments" && (run === undefined || condition.wrap(run) === run))
      return "no argument is known that changes nothing of what this command does";
    if (condition.env.LC_ALL === GERMAN && !means.hasGerman) return "the locale is not installed";
    const variables = Object.keys(condition.env);
    return variables.length > 0 && variables.every((name) => Object.hasOwn(pinned, name)) ? "the spec sets it in `env`" : undefined;
  };
  return {
    conditions: all.filter((condition) => why(condition) === undefined),
    leftOut: all.flatMap((condition) => {
      const reason = why(condition);
      return reason === undefined ? [] : [`${condition.what} (${reason})`];
    }),
  };
}

/** Several changes at once. Of those that set the same thing, the seed draws one. */
export function allAtOnce(conditions: readonly Condition[], seed: number): Omit<Condition, "name"> {
  const names = [...new Set(conditions.map(({ name }) => name))];
  const drawn = names.map((name) => {
    const same = conditions.filter((one) => one.name === name);
    return same[seed % same.length]!;
  });
  return together(drawn);
}

/** What several conditions are when they are one. */
export const together = (conditions: readonly Condition[]): Omit<Condition, "name"> => ({
  what: conditions.map(({ what }) => what).join(", "),
  room: Object.assign({}, ...conditions.map(({ room }) => room)),
  env: Object.assign({}, ...conditions.map(({ env }) => env)),
  wrap: conditions.reduce<Condition["wrap"]>((wrap, one) => (run) => one.wrap(wrap(run)), plain),
});

const GERMAN = "de_DE.UTF-8";
const AGE_MS = 400 * 24 * 60 * 60 * 1000;
/** Where temporary files go instead; the shell makes it, below a home that is new. */
const OTHER_TEMPORARY = "temporary files, elsewhere";

const plain = (run: string): string => run;
const condition = (name: ConditionName, what: string, about: Partial<Omit<Condition, "name" | "what">> = {}): Condition => ({
  name,
  what,
  room: {},
  env: {},
  wrap: plain,
  ...about,
});

const conditionsOf = (goFlags: string | undefined): readonly Condition[] => [
  condition("again", "nothing changed"),
  condition("path", "another checkout path", { room: { path: "unusual" } }),
  condition("home", "another home and temporary folder", {
    room: { path: "unusual" },
    wrap: (run) => `export TMPDIR="$HOME/${OTHER_TEMPORARY}"; mkdir -p "$TMPDIR"\n${run}`,
  }),
  condition("timezone", "TZ=Pacific/Kiritimati", { env: { TZ: "Pacific/Kiritimati" } }),
  condition("timezone", "TZ=America/St_Johns", { env: { TZ: "America/St_Johns" } }),
  ...["C", "C.UTF-8", GERMAN].map((locale) => condition("locale", `LC_ALL=${locale}`, { env: { LANG: locale, LC_ALL: locale } })),
  ...["0", "4242"].map((seed) => condition("hash-seed", `PYTHONHASHSEED=${seed}`, { env: { PYTHONHASHSEED: seed, PERL_HASH_SEED: seed } })),
  condition("order", "another order of tests, for the runners that take one from the environment", {
    env: {
      GOFLAGS: `${goFlags ?? ""} -shuffle=on`.trim(),
      RUST_TEST_SHUFFLE: "1",
      RUST_TEST_SHUFFLE_SEED: "4242",
      SPEC_OPTS: "--order rand:4242",
      SEED: "4242",
    },
  }),
  condition("parallel", "one test at a time, for the runners that take this from the environment", {
    env: { RUST_TEST_THREADS: "1", GOMAXPROCS: "1", UV_THREADPOOL_SIZE: "1", PYTEST_XDIST_AUTO_NUM_WORKERS: "1", VITEST_MAX_WORKERS: "1" },
  }),
  condition("timestamps", "files that are 400 days older", { room: { olderByMs: AGE_MS } }),
  condition("clock", "a clock that is 400 days ahead", { wrap: (run) => `faketime -f +400d /bin/sh -c ${shellWord(run)}` }),
  condition("umask", "umask 077", { wrap: (run) => `umask 077\n${run}` }),
  condition("ci", "CI not set", { env: { CI: undefined } }),
  condition("columns", "COLUMNS=40", { env: { COLUMNS: "40", LINES: "10" } }),
  condition("user", "another USER and LOGNAME", { env: { USER: "somebody", LOGNAME: "somebody", USERNAME: "somebody" } }),
  condition("arguments", "one argument more, which changes nothing", { wrap: withOneArgumentMore }),
  condition("parent", "another parent process", { wrap: underTimeout }),
  condition("git", "a .git that is a file and names a folder elsewhere, as in a worktree", { room: { git: "elsewhere" } }),
];

/** More than one command, or one that the shell puts together, is left alone. */
const IS_PLAIN = /^[^;&|<>$`()\n\\]+$/;

/** Behind which words a runner takes an argument that makes no difference to any test. */
const HARMLESS: readonly (readonly [RegExp, string])[] = [
  [/^(?:python3? -m )?pytest(?= |$)/, "--color=no"],
  [/^node(?= (?:.* )?--test(?: |$))/, "--title=tests"],
  [/^(?:npx )?jest(?= |$)/, "--no-colors"],
  [/^(?:npx )?mocha(?= |$)/, "--no-color"],
  [/^go test(?= |$)/, "-count=1"],
];

const PROGRAM = /^(?:sh|bash|node|npm|npx|pnpm|yarn|python3?|pytest|go|cargo|make|jest|vitest|mocha|\.\/[\w./-]+)(?= |$)/;

/** One program has it for its parent; of several it is the shell's. */
const underTimeout = (run: string): string =>
  `timeout --foreground 86400 ${IS_PLAIN.test(run) && PROGRAM.test(run) ? run : `/bin/sh -c ${shellWord(run)}`}`;

function withOneArgumentMore(run: string): string {
  const found = IS_PLAIN.test(run) ? HARMLESS.find(([runner]) => runner.test(run)) : undefined;
  return found ? run.replace(found[0], (words) => `${words} ${found[1]}`) : run;
}
