// A spec of ours in words of systems that only start things: a workflow of GitHub Actions, a skill of Claude Code, cron, systemd.
import type { LoopSpec } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { fieldsOf, listOf, textOf } from "./values.ts";

/** What of a spec has no words there. */
export interface Left {
  readonly path: string;
  readonly why: string;
}

export interface Written {
  readonly text: string;
  readonly left: readonly Left[];
}

/** A moment of the clock, by the five fields of cron. */
export interface CronTime {
  readonly cron: string;
  readonly zone: string;
}

export interface Waking {
  readonly times: readonly CronTime[];
  /** Branches on which a push wakes it. */
  readonly branches: readonly string[];
  readonly left: readonly Left[];
}

/** When a spec wakes, as far as cron and pushes can say it. */
export function wakingOf({ trigger, wake }: Pick<LoopSpec, "trigger" | "wake">): Waking {
  const own = oneOf(trigger.use, trigger.with ?? {}, "trigger");
  return wake === undefined
    ? own
    : { ...own, left: [...own.left, { path: "wake", why: "windows, what was missed and overlaps are kept by `lw serve` only" }] };
}

function oneOf(use: string, options: { readonly [option: string]: unknown }, path: string): Waking {
  const zone = textOf(options.zone) ?? "UTC";
  const at = (times: readonly string[]): Waking => ({ times: times.map((cron) => ({ cron, zone })), branches: [], left: [] });
  switch (use) {
    case "manual":
      return at([]);
    case "cron": {
      const schedule = textOf(options.schedule) ?? "";
      return /^[\d*/,\-\sa-z]+$/i.test(schedule) && schedule.trim().split(/\s+/).length === 5
        ? at([schedule.trim()])
        : gone(path, "this schedule has more than the five fields of cron can say");
    }
    case "daily":
      return at(clockTimes(options.at).map(([hour, minute]) => `${minute} ${hour} * * *`));
    case "weekly": {
      const days = [options.on].flat().join(",");
      return at(clockTimes(options.at).map(([hour, minute]) => `${minute} ${hour} * * ${days}`));
    }
    case "every": {
      const cron = everyCron(parseDuration(textOf(options.interval) ?? "") ?? 0);
      return cron === undefined ? gone(path, "cron has no words for this interval") : at([cron]);
    }
    case "git":
      return options.remote === undefined || options.remote === "origin"
        ? { times: [], branches: [(textOf(options.ref) ?? "main").replace(/^refs\/heads\//, "")], left: [] }
        : gone(path, "another remote is not watched there");
    case "any": {
      const parts = listOf(options.of).map((part, index) =>
        oneOf(textOf(fieldsOf(part).use) ?? "", fieldsOf(fieldsOf(part).with), `${path}.with.of[${index}]`),
      );
      return {
        times: parts.flatMap(({ times }) => times),
        branches: parts.flatMap(({ branches }) => branches),
        left: parts.flatMap(({ left }) => left),
      };
    }
    default:
      return gone(path, `nothing there wakes by \`${use}\`: \`lw serve\` does`);
  }
}

const gone = (path: string, why: string): Waking => ({ times: [], branches: [], left: [{ path, why }] });

const clockTimes = (at: unknown): readonly (readonly [hour: number, minute: number])[] =>
  [at].flat().flatMap((time) => {
    const [hour, minute] = (textOf(time) ?? "").split(":").map(Number);
    return hour === undefined || minute === undefined ? [] : [[hour, minute] as const];
  });

const MINUTE = 60_000;

/** Only what divides an hour or a day comes at even times. */
function everyCron(ms: number): string | undefined {
  const minutes = ms / MINUTE;
  if (!Number.isInteger(minutes) || minutes < 1) return undefined;
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : undefined;
  const hours = minutes / 60;
  if (!Number.isInteger(hours)) return undefined;
  if (hours < 24) return 24 % hours === 0 ? `0 */${hours} * * *` : undefined;
  return hours === 24 ? "0 0 * * *" : undefined;
}

/** A path of a shell, in quotes where it needs them. */
const inShell = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A word in YAML that nothing in it can end: JSON is YAML. */
const inYaml = (word: string): string => JSON.stringify(word);

/** On one line, as a comment. */
const remark = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 300);

/**
 * Runs the loop on GitHub's machines, which are thrown away: what it proposes leaves only by its own `act`. Pinned by commits, as
 * the example beside our own action is.
 */
export function githubActions(spec: LoopSpec, file: string): Written {
  const { times, branches, left } = wakingOf(spec);
  const zoned = times.filter(({ zone }) => !/^(UTC|Etc\/UTC)$/.test(zone));
  const makers = "use" in spec.maker ? [spec.maker] : spec.maker;
  const secrets = [...new Set([...makers, ...spec.act].flatMap(variablesOf))].toSorted();
  const events = [
    ...(times.length > 0 ? ["  schedule:", ...times.map(({ cron }) => `    - cron: ${inYaml(cron)}`)] : []),
    ...(branches.length > 0 ? ["  push:", `    branches: [${branches.map(inYaml).join(", ")}]`] : []),
    "  workflow_dispatch:",
  ];
  const lines = [
    `# Runs the loop ${spec.name}: ${remark(spec.intent)}`,
    "# Write the full commit of the loopwright release that you looked at in place of the zeros: a tag can be moved.",
    `name: ${inYaml(spec.name)}`,
    "on:",
    ...events,
    "permissions:",
    "  contents: read",
    "concurrency:",
    `  group: ${inYaml(`loopwright-${spec.name}`)}`,
    "jobs:",
    "  loop:",
    "    runs-on: ubuntu-latest",
    `    timeout-minutes: ${minutesOf(spec)}`,
    "    steps:",
    "      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
    "        with:",
    "          fetch-depth: 0",
    "          persist-credentials: false",
    "      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
    "        with:",
    "          repository: OWNER/loopwright",
    `          ref: ${inYaml("0".repeat(40))}`,
    "          path: .loopwright-program",
    "          persist-credentials: false",
    "      - run: npm ci --ignore-scripts && npm run build",
    "        working-directory: .loopwright-program",
    `      - run: node .loopwright-program/dist/lw.cjs run ${inShell(file)} --home "$RUNNER_TEMP/loopwright"`,
    ...(secrets.length > 0 ? ["        env:", ...secrets.map((name) => `          ${name}: \${{ secrets.${name} }}`)] : []),
  ];
  return {
    text: `${lines.join("\n")}\n`,
    left: [
      ...left,
      ...zoned.map(({ zone }) => ({
        path: "trigger",
        why: `GitHub reads times as UTC, and these are in ${zone}: move them by hand, twice a year`,
      })),
      ...(spec.act.length === 0
        ? [{ path: "act", why: "it is empty, and the machine is thrown away: add `push` and `github`, or nothing is left of a proposal" }]
        : []),
      { path: "budget.loop", why: "what a day and a month may cost is counted in a home, which is new in every job" },
      { path: "gate", why: "nobody can decide there: at L2 a proposal goes no further than its branch" },
    ],
  };
}

/** Variables that a part names, whose values are secrets of the repository. */
const variablesOf = ({ with: options = {} }: LoopSpec["act"][number]): readonly string[] =>
  [...listOf(options.inherit), options.keyVariable, options.token].flatMap((name) =>
    typeof name === "string" && /^[A-Z][A-Z0-9_]*$/.test(name) ? [name] : [],
  );

const MOST_MINUTES = 360;

function minutesOf({ budget }: LoopSpec): number {
  const ms = parseDuration(textOf(budget.time) ?? "");
  return ms === undefined ? MOST_MINUTES : Math.min(MOST_MINUTES, Math.ceil(ms / MINUTE) + 15);
}

/** A skill by which Claude Code does the task itself, and is judged by the referee and not by itself. */
/** Claude Code runs what stands in backticks behind `!` and reads the file behind `@` before a model sees them: a space makes them words again. */
const inSkill = (text: string): string =>
  text
    .replaceAll(/!(?=`)/g, "! ")
    .replaceAll(/`(?=!)/g, "` ")
    .replaceAll(/(?<![\p{L}\p{N}])@(?=\S)/gu, "@ ");

export function claudeSkill(spec: LoopSpec, file: string): Written {
  const protectedNames = [...spec.seal, ...spec.referee.deny].map(
    (glob) => `- \`${inSkill(glob.replaceAll("`", "").replace(/!$/, "! "))}\``,
  );
  const text = [
    "---",
    `name: ${inYaml(spec.name)}`,
    `description: ${inYaml(spec.intent)}`,
    "---",
    "",
    inSkill(spec.task ?? spec.intent),
    "",
    ...(protectedNames.length > 0 ? ["Leave these as they are:", "", ...protectedNames, ""] : []),
    `Before you begin, run \`lw referee --begin\`. When you are done, commit, and run \`lw referee --loop ${inShell(file)}\`.`,
    "It judges the change in a clean copy, by the loop as it is on base. Exit 0 is the only yes: otherwise read what it says, mend it, and ask it again.",
    "Never change the loop, its checks or the tests that they run so that it says yes.",
    "",
  ].join("\n");
  const { times } = wakingOf(spec);
  return {
    text,
    left: [
      ...(times.length > 0 || spec.trigger.use !== "manual"
        ? [{ path: "trigger", why: "a skill has no times: make a scheduled task of it in the app, or let `lw serve` wake the loop itself" }]
        : []),
      { path: "budget", why: "what Claude Code spends by a skill is bounded by nobody here: `lw run` bounds it" },
      ...(spec.document !== undefined || spec.level === "L1"
        ? [{ path: "verifiers", why: "the referee judges changes of a repository, and nothing else" }]
        : []),
      { path: "box", why: "a skill works in your checkout, and not in a copy in a box" },
      ...(spec.gate.all.length > 0 ? [{ path: "gate", why: "who decides is not asked: the referee judges, and moves nothing" }] : []),
      ...(spec.act.length > 0 ? [{ path: "act", why: "the referee moves nothing" }] : []),
    ],
  };
}

const ONLY_SERVE = { path: "budget.patience", why: "a run that must wait for a limit is woken again at the next time only" } as const;

/** Lines for `crontab -e`, by the zone that each is in. */
export function crontab(spec: LoopSpec, file: string): Written {
  const { times, branches, left } = wakingOf(spec);
  const lines = times.flatMap(({ cron, zone }) => [`CRON_TZ=${zone}`, `${cron} lw run ${inShell(file).replaceAll("%", "\\%")}`]);
  return {
    text: [`# ${spec.name}: ${remark(spec.intent)}`, ...lines, ""].join("\n"),
    left: [
      ...left,
      ...branches.map((branch) => ({ path: "trigger", why: `cron hears no push to ${branch}` })),
      ...nothingWakes(times),
      ONLY_SERVE,
    ],
  };
}

/** A timer and its service, one after the other, each under the name of its file. */
export function systemdUnits(spec: LoopSpec, file: string): Written {
  const { times, branches, left } = wakingOf(spec);
  const calendars = times.map(({ cron, zone }) => ({ on: calendarOf(cron, zone), cron }));
  const text = [
    `# ~/.config/systemd/user/loopwright-${spec.name}.service`,
    "[Unit]",
    `Description=${remark(spec.intent).replaceAll("%", "%%")}`,
    "",
    "[Service]",
    "Type=oneshot",
    `ExecStart=lw run ${unitWord(file)}`,
    "",
    `# ~/.config/systemd/user/loopwright-${spec.name}.timer`,
    "[Timer]",
    ...calendars.flatMap(({ on }) => (on === undefined ? [] : [`OnCalendar=${on}`])),
    "Persistent=true",
    "",
    "[Install]",
    "WantedBy=timers.target",
    "",
  ].join("\n");
  return {
    text,
    left: [
      ...left,
      ...branches.map((branch) => ({ path: "trigger", why: `a timer hears no push to ${branch}` })),
      ...calendars.flatMap(({ on, cron }) => (on === undefined ? [{ path: "trigger", why: `a timer has no words for ${cron}` }] : [])),
      ...nothingWakes(times),
      ONLY_SERVE,
    ],
  };
}

const nothingWakes = (times: readonly CronTime[]): readonly Left[] =>
  times.length > 0 ? [] : [{ path: "trigger", why: "there is no time in it: nothing wakes it until you write one" }];

/** In quotes, with what a unit would put something else for. */
const unitWord = (word: string): string =>
  `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** Minute, hour and days of the week; other fields have no words of their own here. */
function calendarOf(cron: string, zone: string): string | undefined {
  const [minute = "", hour = "", day, month, week = "*"] = cron.split(/\s+/);
  if (day !== "*" || month !== "*") return undefined;
  const days = weekOf(week);
  const clock = [hour, minute].map((field) =>
    /^\*\/\d+$/.test(field) ? `0/${field.slice(2)}` : /^(\*|\d+)$/.test(field) ? field.padStart(field === "*" ? 1 : 2, "0") : undefined,
  );
  if (days === undefined || clock.includes(undefined)) return undefined;
  return `${days}*-*-* ${clock.join(":")}:00 ${zone}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** With a space behind, or nothing for every day. */
function weekOf(week: string): string | undefined {
  if (week === "*") return "";
  const named = week.split(",").map((part) => {
    const ends = part
      .split("-")
      .map((day) => (/^[0-7]$/.test(day) ? DAYS[Number(day)] : DAYS.find((name) => name.toLowerCase() === day.toLowerCase())));
    return ends.includes(undefined) || ends.length > 2 ? undefined : ends.join("..");
  });
  return named.includes(undefined) ? undefined : `${named.join(",")} `;
}
