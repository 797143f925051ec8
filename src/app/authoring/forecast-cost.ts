// What a loop may cost before it runs: from its own history where there is one, else from rounds such as its maker usually takes, beside its caps.
import type { Registries } from "../../contract/crew.ts";
import type { Amounts, Price } from "../../contract/ledger.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { capsOf } from "../../guard/budget.ts";
import { priceFor } from "../../guard/price.ts";
import { type CheckTimes, checkTimesOf, type Measured } from "../../scoring/check-times.ts";
import {
  type Ceilings,
  type Forecast,
  forecastDay,
  forecastOf,
  type PlayedRun,
  playRuns,
  type RunModel,
  type Spread,
} from "../../scoring/forecast.ts";
import { dayIn } from "../../std/day.ts";
import { parseDuration } from "../../std/duration.ts";
import { assembleCrew } from "../crew.ts";
import type { Records } from "../open-records.ts";
import { loadLimits, loadPrices } from "../settings.ts";

export interface CostForecast {
  readonly loop: string;
  readonly basis: "history" | "simulation";
  /** What it rests on, in sentences. */
  readonly because: readonly string[];
  readonly run: Forecast["run"];
  readonly cappedPercent: number;
  /** Undefined where nothing says how often it wakes. */
  readonly day: { readonly runs: number; readonly spent: Forecast["run"] } | undefined;
  readonly wakes: string;
  /** What its checks take beside one run of the tests; undefined where none runs tests. */
  readonly checks: CheckTimes | undefined;
  /** As they are written. */
  readonly caps: readonly { readonly cap: string; readonly most: string }[];
}

/** With fewer runs than this its own history says too little. */
const LEAST_HISTORY = 3;
const MOST_HISTORY = 20;
const DAYS = 28;
const DAY_MS = 86_400_000;

export async function forecastCost(
  records: Pick<Records, "journal" | "clock" | "home" | "texts">,
  spec: LoopSpec,
  registries: Registries,
): Promise<CostForecast> {
  const limits = await loadLimits(records);
  const caps = capsOf(spec, limits);
  const ceilings = (...scopes: readonly string[]): Ceilings =>
    Object.fromEntries(
      ["microUsd", "tokens", "timeMs"].flatMap((measure) => {
        const most = caps.filter((cap) => cap.measure === measure && scopes.includes(cap.scope)).map((cap) => cap.most);
        return most.length > 0 ? [[measure, Math.min(...most)]] : [];
      }),
    );
  const history = await readHistory(records, spec.name, dayIn(limits.zone, records.clock.now()));
  const isKnown = history.length >= LEAST_HISTORY;
  const { model, because } = await modelOf(records, spec);
  const runs = isKnown ? history : playRuns(model, ceilings("run"));
  const wakes = wakesOf(spec, registries, records.clock.now().getTime());
  return {
    loop: spec.name,
    basis: isKnown ? "history" : "simulation",
    because: isKnown
      ? [`Its last ${history.length} runs, as they are in the ledger.`]
      : [...because, ...(history.length > 0 ? [`Only ${history.length} of its runs are in the ledger: too few to go by.`] : [])],
    ...forecastOf(runs, ceilings("run")),
    day:
      wakes.aDay === undefined
        ? undefined
        : { runs: wakes.aDay, spent: forecastDay(runs, wakes.aDay, ceilings("loop-day", "machine-day")) },
    wakes: wakes.told,
    checks: checkTimesOf(spec.verifiers, await measureChecks(records, spec.name)),
    caps: caps
      .filter(
        ({ measure, scope }) =>
          (measure === "microUsd" || measure === "tokens" || measure === "timeMs") && scope !== "call" && !scope.endsWith("month"),
      )
      .map(({ from, written }) => ({ cap: from, most: written })),
  };
}

async function readHistory({ journal }: Pick<Records, "journal">, loop: string, day: string): Promise<readonly PlayedRun[]> {
  const opened = await journal.newestOf(loop, "run-opened", { most: MOST_HISTORY });
  const tallies = await Promise.all(opened.map(({ run }) => journal.taken({ loop, run, round: "", day })));
  return tallies
    .map(({ run }) => run)
    .filter((amounts) => Object.keys(amounts).length > 0)
    .map(playedOf);
}

const MOST_STEPS = 200;

/** What its records say of looks at base, and of the checks of its rounds. */
async function measureChecks({ journal }: Pick<Records, "journal">, loop: string): Promise<Measured> {
  const [looks, steps] = await Promise.all([
    journal.newestOf(loop, "baseline-taken", { most: MOST_HISTORY }),
    journal.newestOf(loop, "step-done", { most: MOST_STEPS }),
  ]);
  const rounds = new Map<string, number>();
  for (const { record } of steps)
    if (/^verify-\d/.test(record.step)) rounds.set(record.roundId, (rounds.get(record.roundId) ?? 0) + record.tookMs);
  return {
    looks: looks.flatMap(({ run, record: { baseline, tookMs } }) => {
      const runs = baseline.checks.filter(({ lookedBy }) => lookedBy === run).reduce((sum, check) => sum + check.runs, 0);
      return runs === 0 ? [] : [{ tookMs, runs }];
    }),
    roundsMs: [...rounds.values()],
  };
}

const playedOf = ({ microUsd = 0, tokens = 0, timeMs = 0, rounds = 0 }: Amounts): PlayedRun => ({ microUsd, tokens, timeMs, rounds });

/** What a round of a coding agent takes, from what such agents report: most of its tokens are read from a cache. */
const AGENT_ROUND: Pick<RunModel, "tokens" | "timeMs"> = {
  tokens: { low: 80_000, usual: 300_000, high: 1_200_000 },
  timeMs: { low: 90_000, usual: 360_000, high: 1_200_000 },
};
const MIX = { cached: 0.86, input: 0.11, output: 0.03 };
const OPINION: Spread = { low: 8_000, usual: 25_000, high: 80_000 };
const ENDS_PERCENT = 60;
const NOTHING: Spread = { low: 0, usual: 0, high: 0 };

/** Which model an agent often uses where nobody names one. */
const USUAL_MODEL: { readonly [maker: string]: string } = {
  "claude-code": "claude-sonnet-4-5",
  codex: "gpt-5",
  "gemini-cli": "gemini-2.5-pro",
};

async function modelOf(
  records: Pick<Records, "home" | "texts">,
  spec: LoopSpec,
): Promise<{ readonly model: RunModel; readonly because: readonly string[] }> {
  const maker = [spec.maker].flat()[0];
  const use = maker?.use ?? "";
  const rounds = spec.budget.rounds;
  if (FREE.has(use))
    return {
      model: { rounds: 1, tokens: NOTHING, timeMs: { low: 500, usual: 2_000, high: 20_000 }, microUsdPerToken: 0, endsPercent: 100 },
      because: [`The maker ${use} asks no model.`],
    };
  const named = maker?.with?.model;
  const asked = typeof named === "string" ? named : USUAL_MODEL[use];
  const { price, note } = priceFor(asked, await loadPrices(records));
  const opinions = spec.verifiers.reduce((sum, { use: verifier, with: options }) => sum + opinionsIn(verifier, options), 0);
  const more = (part: keyof Spread): number => AGENT_ROUND.tokens[part] + opinions * OPINION[part];
  const timeout = parseDuration(typeof maker?.with?.timeout === "string" ? maker.with.timeout : "") ?? Infinity;
  const kept = (ms: number): number => Math.min(ms, timeout);
  const { low, usual, high } = AGENT_ROUND.timeMs;
  return {
    model: {
      rounds,
      tokens: { low: more("low"), usual: more("usual"), high: more("high") },
      timeMs: { low: kept(low), usual: kept(usual), high: kept(high) },
      microUsdPerToken: pricePerToken(price),
      endsPercent: ENDS_PERCENT,
    },
    because: [
      `No history: 2,000 runs were played of at most ${rounds} rounds, of which ${ENDS_PERCENT} in 100 end the run.`,
      `A round takes ${tell(more("low"))} to ${tell(more("high"))} tokens, ${tell(more("usual"))} usually, ${MIX.cached * 100} % of them from a cache${opinions > 0 ? `, ${opinions} opinions of models included` : ""}.`,
      `${typeof named === "string" ? "" : asked === undefined ? "The spec names no model. " : `The spec names no model; ${use} often uses ${asked}. `}${note[0]!.toUpperCase()}${note.slice(1)}.`,
      ...(use === "shell" ? ["What a shell command spends is its own: if it calls no model, this is far too much."] : []),
      ...(spec.baseline.want === "red" ? ["Where no check is red on base, a run calls nobody and costs nothing."] : []),
    ],
  };
}

const FREE: ReadonlySet<string> = new Set(["triage", "scripted"]);

const tell = (tokens: number): string => (tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1)}M` : `${Math.round(tokens / 1000)}k`);

const pricePerToken = ({ input, output, cached }: Price): number =>
  MIX.input * input + MIX.output * output + MIX.cached * (cached ?? input);

/** How many models give an opinion in a round. */
function opinionsIn(use: string, options: { readonly [name: string]: unknown } | undefined): number {
  if (use === "judge") return 1;
  const judges: unknown = options?.judges;
  return use === "quorum" ? (Array.isArray(judges) ? judges.length : 3) : 0;
}

function wakesOf(spec: LoopSpec, registries: Registries, nowMs: number): { readonly aDay: number | undefined; readonly told: string } {
  const { slots, hears } = assembleCrew(spec, registries).waker;
  const heard = hears.map(({ kind }) => kind).join(", ");
  if (!slots)
    return {
      aDay: undefined,
      told:
        hears.length === 0
          ? "It runs only when somebody asks for it."
          : `It wakes whenever something happens (${heard}): each time is one run.`,
    };
  const { newest, older } = slots.due(nowMs, nowMs + DAYS * DAY_MS, 10_000);
  const aDay = (newest.length + (older?.count ?? 0)) / DAYS;
  return {
    aDay,
    told: `By its trigger it wakes ${aDay >= 1 ? `${tellTimes(aDay)} a day` : `${tellTimes(aDay * 7)} a week`}${hears.length === 0 ? "." : `, and whenever something happens (${heard}), which is not counted.`}`,
  };
}

function tellTimes(times: number): string {
  const told = Number(times.toFixed(1));
  return told === 1 ? "once" : `${told} times`;
}
