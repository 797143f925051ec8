// Composes several loops that change the same target into one: each becomes a worker of a team, and every check of every one of them holds for the whole. Pure.
import type { LoopSpec } from "../../contract/spec.ts";
import { parseCount } from "../../std/count.ts";
import { parseDuration } from "../../std/duration.ts";
import { canonicalJson } from "../../std/hash.ts";
import { formatUsd, parseUsd } from "../../std/usd.ts";

export interface Child {
  readonly file: string;
  readonly spec: LoopSpec;
}

/** `row`: each begins with what the one before it changed. `side`: all begin with base, and what they changed is brought together. */
export type Arrangement = "row" | "side";

export type Composed =
  | {
      readonly kind: "composed";
      readonly value: { readonly [key: string]: unknown };
      /** What the loops say and the whole does not: nothing of it made one of them stricter. */
      readonly left: readonly string[];
    }
  | { readonly kind: "refused"; readonly why: readonly string[] };

export function composeLoops(name: string, children: readonly Child[], arrangement: Arrangement): Composed {
  const why = [
    ...(children.length < 2 ? ["a composition is of two loops or more"] : []),
    ...twice(children),
    ...children.flatMap(whyNot),
    ...differing("target.base", children, ({ target }) => target.base ?? null),
    ...differing("prepare", children, ({ prepare }) => prepare ?? null),
    ...differing("workspace", children, ({ workspace }) => workspace),
    ...differing("box", children, ({ box }) => box),
  ];
  const [first] = children;
  if (why.length > 0 || !first) return { kind: "refused", why };
  const specs = children.map(({ spec }) => spec);
  const names = specs.map((spec) => spec.name);
  const value = {
    name,
    intent: `${specs.map(({ intent }) => intent.replace(/\.$/, "")).join("; then: ")}.`.slice(0, 300),
    level: "L2",
    target: first.spec.target,
    ...(first.spec.prepare ? { prepare: first.spec.prepare } : {}),
    workspace: first.spec.workspace,
    team: {
      workers: Object.fromEntries(
        specs.map((spec, index) => [spec.name, workerOf(spec, arrangement === "row" ? names[index - 1] : undefined)]),
      ),
      proposes: arrangement === "row" ? names.slice(-1) : names,
    },
    verifiers: once(
      specs.flatMap((spec) => spec.verifiers.map(({ use, with: options }) => ({ use, ...(options ? { with: options } : {}) }))),
    ),
    seal: once(specs.flatMap(({ seal }) => seal)),
    // Only what all of them leave open stays open.
    unseal: first.spec.unseal.filter((glob) => specs.every(({ unseal }) => unseal.includes(glob))),
    budget: budgetOf(specs),
    gate: {
      all: once(specs.flatMap(({ gate }) => gate.all)),
      tampering: specs.every(({ gate }) => gate.tampering === "retry") ? "retry" : "escalate",
    },
    outsiders: {
      level: specs.map(({ outsiders }) => outsiders.level).sort()[0],
      network: specs.every(({ outsiders }) => outsiders.network === "open") ? "open" : "closed",
    },
    box: first.spec.box,
  };
  return { kind: "composed", value, left: children.flatMap(leftOf) };
}

const twice = (children: readonly Child[]): readonly string[] => {
  const names = children.map(({ spec }) => spec.name);
  return [...new Set(names.filter((one, index) => names.indexOf(one) !== index))].map((one) => `two of them are called ${one}`);
};

/** What would be lost without a word. */
function whyNot({ file, spec }: Child): readonly string[] {
  const has = (isThere: boolean, what: string): readonly string[] => (isThere ? [`${file}: ${what}`] : []);
  return [
    ...has(spec.team !== undefined, "it is a team itself"),
    ...has(Array.isArray(spec.maker), "its maker is a list of those who take over, which a worker has not"),
    ...has(spec.level === "L1", "it only reports, and changes nothing"),
    ...has(spec.document !== undefined, "it makes a document"),
    ...has(spec.inputs !== undefined, "it has inputs"),
    ...has(spec.metrics !== undefined || spec.until !== undefined || spec.feedback !== undefined, "it measures when it is good enough"),
    ...has(
      spec.verifiers.some(({ use }) => use === "holdout"),
      "it has a check that its maker may not see",
    ),
    ...has(spec.name.length > 41, "its name is too long for a worker"),
  ];
}

function differing(what: string, children: readonly Child[], of: (spec: LoopSpec) => unknown): readonly string[] {
  const values = new Set(children.map(({ spec }) => canonicalJson(of(spec))));
  return values.size > 1 ? [`they differ in ${what}: make it the same in all of them`] : [];
}

function workerOf({ maker, task, intent, budget }: LoopSpec, before: string | undefined): object {
  if (!("use" in maker)) throw new TypeError("a list of makers was refused before");
  const usd = parseUsd(budget.usd);
  return {
    role: task ?? intent,
    use: maker.use,
    ...(maker.with ? { with: maker.with } : {}),
    gives: { as: "commit" },
    ...(before === undefined ? {} : { onto: [before] }),
    ...(usd === undefined
      ? {}
      : { budget: { usd: budget.usd, ...(parseCount(budget.tokens) === undefined ? {} : { tokens: budget.tokens }) } }),
  };
}

/** Together they may use what each of them may; where one is unlimited, the whole has what is usual. */
function budgetOf(specs: readonly LoopSpec[]): object {
  const sum = (read: (budget: LoopSpec["budget"]) => number | undefined): number | undefined =>
    specs.reduce<number | undefined>((total, { budget }) => {
      const one = read(budget);
      return total === undefined || one === undefined ? undefined : total + one;
    }, 0);
  const usd = sum((budget) => parseUsd(budget.usd));
  const tokens = sum((budget) => parseCount(budget.tokens));
  const time = sum((budget) => parseDuration(budget.time));
  return {
    rounds: Math.min(...specs.map(({ budget }) => budget.rounds)),
    ...(usd === undefined ? {} : { usd: formatUsd(usd) }),
    ...(tokens === undefined ? {} : { tokens: String(tokens) }),
    ...(time === undefined ? {} : { time: `${Math.ceil(time / 60_000)}m` }),
  };
}

const leftOf = ({ file, spec }: Child): readonly string[] => [
  ...(spec.act.length > 0 ? [`${file}: its actions; write \`act\` for the whole`] : []),
  ...(spec.level === "L3" ? [`${file}: L3; a composition begins with L2`] : []),
  ...(spec.trigger.use === "manual" ? [] : [`${file}: its trigger; the whole is woken by hand until you write one`]),
  ...(spec.baseline.want === "any" ? [] : [`${file}: what it wants of base (${spec.baseline.want})`]),
  ...(spec.notify.length + spec.alert.to.length > 0 ? [`${file}: whom it tells`] : []),
];

const once = <T>(values: readonly T[]): readonly T[] => [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
