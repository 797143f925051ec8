// Detectors of budgets that do not hold, or that cannot be kept.
import { makersOf } from "../../contract/spec.ts";
import { fieldsOf, numberOf } from "../../dialects/values.ts";
import { type Path, quoted } from "../../spec/path.ts";
import { parseCount } from "../../std/count.ts";
import { formatDuration, parseDuration } from "../../std/duration.ts";
import { formatUsd, parseUsd } from "../../std/usd.ts";
import { type Detector, type Flaw, type Ours, ofLss, ofOurs } from "../detector.ts";

const DAY_MS = 86_400_000;
/** Nobody's clock is asked: a week of some year stands for all. */
const SOME_MONDAY = Date.UTC(2024, 0, 1);
const MOST_SLOTS = 200;

/** How close two of its times come at least, and how many there are in a day, of a trigger that names times. */
function paceOf({ spec: { trigger }, registries }: Ours): { readonly gapMs: number; readonly aDay: number } | undefined {
  const part = registries.triggers.find(({ name }) => name === trigger.use);
  const slots = part?.options.safeParse(trigger.with ?? {}).success ? part.configure(trigger.with).slots : undefined;
  if (!slots) return undefined;
  const { newest } = slots.due(SOME_MONDAY, SOME_MONDAY + 7 * DAY_MS, MOST_SLOTS);
  const gaps = newest.slice(1).map((at, index) => at - newest[index]!);
  if (gaps.length === 0) return undefined;
  const gapMs = gaps.reduce((least, gap) => Math.min(least, gap));
  const spanMs = newest[newest.length - 1]! - newest[0]!;
  return { gapMs, aDay: Math.max(1, Math.round((gaps.length * DAY_MS) / spanMs)) };
}

/** Whether somebody wrote it, or it is what holds where nothing is said. */
function isWritten(written: unknown, path: Path): boolean {
  let here: unknown = written;
  for (const step of path) here = typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined;
  return here !== undefined;
}

/** How long each part may take that says so itself. */
function timeouts({ spec, written }: Ours): readonly { readonly path: Path; readonly ms: number }[] {
  const parts = [
    ...makersOf(spec).map((part, index) => ({ path: Array.isArray(spec.maker) ? ["maker", index] : ["maker"], options: part.with })),
    ...spec.verifiers.map((part, index) => ({ path: ["verifiers", index], options: part.with })),
  ];
  return [
    ...parts.flatMap(({ path, options }) => {
      const at = [...path, "with", "timeout"];
      const ms = typeof options?.timeout === "string" && isWritten(written, at) ? parseDuration(options.timeout) : undefined;
      return ms === undefined ? [] : [{ path: at, ms }];
    }),
    ...Object.entries(spec.team?.workers ?? {}).flatMap(([name, { time }]) => {
      const ms = time === undefined ? undefined : parseDuration(time);
      return ms === undefined ? [] : [{ path: ["team", "workers", name, "time"], ms }];
    }),
  ];
}

const costs = (change: object) => ({
  lss: { cost_limits: { per_iteration_usd: 0.05, cumulative_usd: 0.5, on_exceed: { action: "halt" }, ...change } },
});
const worker = (budget: object) => ({
  role: "Write a page about it.",
  use: "shell",
  with: { run: "./write" },
  gives: { as: "markdown" },
  budget,
});
const team = (...budgets: readonly object[]) => ({
  ours: {
    maker: undefined,
    team: {
      workers: Object.fromEntries(budgets.map((budget, index) => [`writer${index + 1}`, worker(budget)])),
      proposes: budgets.map((_, index) => `writer${index + 1}`),
    },
    budget: { usd: "$1.00" },
  },
});

export const spendingDetectors: readonly Detector[] = [
  {
    id: "limit-only-warns",
    failure: "F8",
    weight: "error",
    why: "A limit that says so and lets it go on is none.",
    find: ofLss(({ root }) => {
      const action = fieldsOf(fieldsOf(root.cost_limits).on_exceed).action;
      if (action !== "warn" && action !== "throttle") return [];
      const path = ["cost_limits", "on_exceed", "action"];
      return [
        { path, problem: `${quoted(action)} lets it spend on above its limit`, instead: "Write halt.", fix: { path, value: "halt" } },
      ];
    }),
    examples: { flags: [costs({ on_exceed: { action: "warn" } }), costs({ on_exceed: { action: "throttle" } })], passes: [costs({})] },
  },
  {
    id: "unlimited",
    failure: "F8",
    weight: "error",
    why: "Nothing holds what a run may use.",
    find: ofOurs(({ spec: { budget } }) => {
      const free = (["usd", "tokens", "time"] as const).filter((measure) => budget[measure] === "unlimited");
      const held = budget.loop.day.usd !== undefined && budget.loop.day.usd !== "unlimited";
      return free.map(
        (measure): Flaw => ({
          path: ["budget", measure],
          problem: `one run may use ${MEASURES[measure]} without end${held ? ", up to what its loop has for a day" : ""}`,
          instead: `Write an amount, e.g. ${EXAMPLES[measure]}.`,
          ...(measure !== "time" && free.length < 3 && held ? { weight: "warning" } : {}),
        }),
      );
    }),
    examples: { flags: [{ ours: { budget: { usd: "unlimited" } } }, { ours: { budget: { time: "unlimited" } } }], passes: [{ ours: {} }] },
  },
  {
    id: "part-above-whole",
    failure: "F8",
    weight: "warning",
    why: "What a part may use is more than what the whole has, so that one of them is not meant.",
    find: (subject) => [
      ...(subject.ours ? capsAboveOthers(subject.ours) : []),
      ...(subject.lss ? iterationAboveAll(subject.lss.root) : []),
    ],
    examples: {
      flags: [
        { ours: { budget: { usd: "$2.00", perRound: { usd: "$3.00" } } } },
        { ours: { budget: { usd: "$30.00", loop: { day: { usd: "$10.00" } } } } },
        { ours: { budget: { tokens: "100k", perCall: { tokens: "200k" } } } },
        costs({ per_iteration_usd: 2 }),
      ],
      passes: [{ ours: { budget: { usd: "$2.00", perRound: { usd: "$1.00" }, loop: { day: { usd: "$10.00" } } } } }, costs({})],
    },
  },
  {
    id: "shares-above-whole",
    failure: "F8",
    weight: "error",
    why: "The workers' shares add up to more than the run has: the last of them gets nothing.",
    find: ofOurs(({ spec: { team: workers, budget } }) => {
      const shares = Object.values(workers?.workers ?? {}).map((one) => one.budget ?? {});
      const whole = { usd: parseUsd(budget.usd), tokens: parseCount(budget.tokens) };
      const sums = {
        usd: shares.reduce((sum, { usd }) => sum + (usd === undefined ? 0 : (parseUsd(usd) ?? 0)), 0),
        tokens: shares.reduce((sum, { tokens }) => sum + (tokens === undefined ? 0 : (parseCount(tokens) ?? 0)), 0),
      };
      return (["usd", "tokens"] as const).flatMap((measure): readonly Flaw[] => {
        const most = whole[measure];
        if (most === undefined || sums[measure] <= most + 1e-9) return [];
        const tell = (amount: number): string => (measure === "usd" ? formatUsd(amount) : `${amount} tokens`);
        return [
          {
            path: ["team", "workers"],
            problem: `the workers' shares add up to ${tell(sums[measure])}, and the run has ${tell(most)}`,
            instead: "Give the workers less, or the run more.",
          },
        ];
      });
    }),
    examples: { flags: [team({ usd: "$0.80" }, { usd: "$0.80" })], passes: [team({ usd: "$0.40" }, { usd: "$0.40" })] },
  },
  {
    id: "timeout-above-run",
    failure: "F8",
    weight: "warning",
    why: "It may take longer than the whole run, so that its own limit never holds.",
    find: ofOurs((ours) => {
      const whole = parseDuration(ours.spec.budget.time);
      if (whole === undefined) return [];
      return timeouts(ours)
        .filter(({ ms }) => ms > whole)
        .map(({ path, ms }) => ({
          path,
          problem: `may take ${formatDuration(ms)}, and the whole run has ${formatDuration(whole)}`,
          instead: "Give it less, or `budget.time` more.",
        }));
    }),
    examples: {
      flags: [{ ours: { verifiers: [{ use: "command", with: { run: "npm test", timeout: "2h" } }], budget: { time: "1h" } } }],
      passes: [{ ours: { verifiers: [{ use: "command", with: { run: "npm test", timeout: "20m" } }], budget: { time: "1h" } } }],
    },
  },
  {
    id: "wakes-too-often",
    failure: "F8",
    weight: "warning",
    why: "It is woken again before a run may be over.",
    find: ofOurs((ours) => {
      const pace = paceOf(ours);
      const most = parseDuration(ours.spec.budget.time);
      if (!pace || most === undefined || pace.gapMs >= most) return [];
      const become = { skip: "are skipped", queue: "pile up", stop: "stop the run before it is done" }[ours.spec.wake?.overlap ?? "skip"];
      return [
        {
          path: ["trigger"],
          problem: `wakes every ${formatDuration(pace.gapMs)}, and a run may take ${formatDuration(most)}: wakings meanwhile ${become}`,
          instead: "Wake it less often, or give `budget.time` less.",
          ...(ours.spec.wake?.overlap === "queue" || ours.spec.wake?.overlap === "stop" ? { weight: "error" as const } : {}),
        },
      ];
    }),
    examples: {
      flags: [
        { ours: { trigger: { use: "every", with: { interval: "5m" } } } },
        { ours: { trigger: { use: "cron", with: { schedule: "*/10 * * * *" } } } },
      ],
      passes: [
        { ours: { trigger: { use: "every", with: { interval: "1h" } } } },
        { ours: { trigger: { use: "daily", with: { at: "05:00" } } } },
        { ours: {} },
      ],
    },
  },
  {
    id: "day-runs-out",
    failure: "F8",
    weight: "note",
    why: "As often as it wakes, the day's cap may end it before the day does.",
    find: ofOurs((ours) => {
      const pace = paceOf(ours);
      const { budget } = ours.spec;
      const [run, day] = [parseUsd(budget.usd), budget.loop.day.usd === undefined ? undefined : parseUsd(budget.loop.day.usd)];
      if (!pace || run === undefined || day === undefined || pace.aDay * run <= day) return [];
      return [
        {
          path: ["budget"],
          problem: `${pace.aDay} runs a day of up to ${formatUsd(run)} each are more than the ${formatUsd(day)} that the loop has for a day`,
          instead: "That may be what you want: `lw cost` says what a day usually comes to.",
        },
      ];
    }),
    examples: {
      flags: [{ ours: { trigger: { use: "every", with: { interval: "1h" } } } }],
      passes: [{ ours: { trigger: { use: "daily", with: { at: "05:00" } } } }],
    },
  },
  {
    id: "rounds-above-limit",
    failure: "F8",
    weight: "note",
    why: "The limit ends it before all of its rounds could be used.",
    find: (subject) => {
      const { per_iteration_usd: each, cumulative_usd: all } = fieldsOf(subject.lss?.root.cost_limits);
      const [one, most, rounds] = [numberOf(each), numberOf(all), subject.anatomy.bounds.rounds];
      if (one === undefined || most === undefined || rounds === undefined || one > most || one * rounds <= most + 1e-9) return [];
      return [
        {
          path: ["cost_limits", "cumulative_usd"],
          problem: `${rounds} iterations of up to $${one} each are more than the $${most} that there is`,
          instead: "That may be what you want; else give it fewer iterations.",
        },
      ];
    },
    examples: { flags: [costs({ per_iteration_usd: 0.15 })], passes: [costs({})] },
  },
];

const MEASURES = { usd: "money", tokens: "tokens", time: "time" };
const EXAMPLES = { usd: "$2.50", tokens: "500k", time: "1h" };

const READ: { readonly [measure in "usd" | "tokens"]: (text: string) => number | undefined } = { usd: parseUsd, tokens: parseCount };

function capsAboveOthers({ spec: { budget }, written }: Ours): readonly Flaw[] {
  const scopes = [
    { path: ["budget", "perCall"], caps: budget.perCall, above: budget, of: "the run" },
    { path: ["budget", "perRound"], caps: budget.perRound, above: budget, of: "the run" },
    { path: ["budget"], caps: budget, above: budget.loop.day, of: "the loop for a day" },
    { path: ["budget", "loop", "day"], caps: budget.loop.day, above: budget.loop.month, of: "the loop for a month" },
  ];
  return scopes.flatMap(({ path, caps, above, of }) =>
    (["usd", "tokens"] as const).flatMap((measure): readonly Flaw[] => {
      const [part, whole] = [caps[measure], above[measure]];
      if (part === undefined || whole === undefined || !isWritten(written, [...path, measure])) return [];
      const [least, most] = [READ[measure](part), READ[measure](whole)];
      if (least === undefined || most === undefined || least <= most) return [];
      return [
        { path: [...path, measure], problem: `is ${part}, and ${of} has ${whole}`, instead: `Write ${whole} or less, or more there.` },
      ];
    }),
  );
}

function iterationAboveAll(root: object): readonly Flaw[] {
  const { per_iteration_usd: each, cumulative_usd: all } = fieldsOf(fieldsOf(root).cost_limits);
  const [one, most] = [numberOf(each), numberOf(all)];
  if (one === undefined || most === undefined || one <= most) return [];
  const path = ["cost_limits", "per_iteration_usd"];
  return [{ path, problem: `one iteration may cost $${one}, and all of them $${most}`, instead: `Write ${most} or less.` }];
}
