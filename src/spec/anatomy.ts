// The anatomy of a spec of ours: its parts, what goes from where to where, and which of its checks could ever say no.
import {
  type Anatomy,
  type AnatomyEdge,
  type AnatomyNode,
  type CheckNode,
  callsARun,
  type EndNode,
  type GuardNode,
  type MakerNode,
} from "../contract/anatomy.ts";
import type { Registries } from "../contract/crew.ts";
import { type LoopSpec, makersOf, type PartRef, type Team } from "../contract/spec.ts";
import { calledSpec } from "../contract/team-graph.ts";
import { canFail } from "../guard/command/can-fail.ts";
import { parseUsd } from "../std/usd.ts";

/** What an improver changes: `propose` may be about anything that its loop is told, and leaves it to a person. */
const CHANGES: ReadonlyMap<string, Anatomy["changes"]> = new Map([
  ["refine", "prompts"],
  ["search", "parameters"],
  ["notebook", "memory"],
  ["propose", "structure"],
]);

export function anatomyOf(spec: LoopSpec, registries: Pick<Registries, "verifiers">): Anatomy {
  const makers = spec.team ? workersOf(spec.team, registries) : makersOf(spec).map(makerNode);
  const models = new Set(makers.flatMap(({ model }) => model ?? []));
  const trigger: AnatomyNode = { ...named("trigger", 0, spec.trigger), kind: "trigger", isByHand: spec.trigger.use === "manual" };
  const inputs = Object.entries(spec.inputs ?? {}).map(
    ([name, { about = "" }], index): AnatomyNode => ({ id: `input-${index + 1}`, kind: "input", name, says: about }),
  );
  const gather = spec.gather.map((part, index): AnatomyNode => ({ ...named("gather", index, part), kind: "gather" }));
  const memory = memoryOf(spec);
  const verifiers = spec.verifiers.map((part, index) => checkNode(part, index, registries, models));
  const gates = spec.level === "L1" ? [] : gatesOf(spec);
  const actions =
    spec.level === "L1" ? [] : spec.act.map((part, index): AnatomyNode => ({ ...named("action", index, part), kind: "action" }));
  const guards = guardsOf(spec);
  const ends = endsOf(spec);
  const [first] = makers;
  const toMakers = (from: AnatomyNode, kind: AnatomyEdge["kind"], says = ""): readonly AnatomyEdge[] =>
    makers.map(({ id: to }) => ({ from: from.id, to, kind, says }));
  const woken = gather.length > 0 ? gather : makers.slice(0, 1);
  const last = [actions, gates, verifiers].find((column) => column.length > 0) ?? [];
  const edges: readonly AnatomyEdge[] = [
    ...woken.map(({ id: to }): AnatomyEdge => ({ from: trigger.id, to, kind: "wakes", says: "" })),
    ...[...gather, ...inputs, memory].flatMap((node) => toMakers(node, "reads")),
    ...makers.map(({ id: from }): AnatomyEdge => ({ from, to: memory.id, kind: "writes", says: "notes" })),
    ...(spec.team ? readsOf(spec.team, makers) : takeovers(makers)),
    ...guards.flatMap((node) => toMakers(node, "guards")),
    ...verifiers.flatMap(({ id: to }) => makers.map(({ id: from }): AnatomyEdge => ({ from, to, kind: "checks", says: "" }))),
    ...(spec.budget.rounds > 1 && first
      ? verifiers.map(({ id: from }): AnatomyEdge => ({ from, to: first.id, kind: "feedback", says: "lesson" }))
      : []),
    ...gates.flatMap(({ id: to }) => verifiers.map(({ id: from }): AnatomyEdge => ({ from, to, kind: "decides", says: "proven" }))),
    ...actions.flatMap(({ id: to }) => gates.map(({ id: from }): AnatomyEdge => ({ from, to, kind: "moves", says: "yes" }))),
    ...ends.flatMap(({ id: to, family, name }) =>
      (family === "success" ? last : makers.slice(0, 1)).map(({ id: from }): AnatomyEdge => ({ from, to, kind: "ends", says: name })),
    ),
  ];
  const usd = parseUsd(spec.budget.usd);
  return {
    name: spec.name,
    goal: spec.intent,
    dialect: "loopwright",
    nodes: [trigger, ...inputs, ...gather, memory, ...guards, ...makers, ...verifiers, ...gates, ...actions, ...ends],
    edges,
    bounds: { rounds: spec.budget.rounds, usd, usdStops: usd !== undefined },
    changes: CHANGES.get(spec.improve?.use ?? "") ?? "nothing",
    composition: "none",
    claims: [],
  };
}

const takeovers = (makers: readonly MakerNode[]): readonly AnatomyEdge[] =>
  makers.slice(1).map(({ id: to }, index) => ({ from: makers[index]!.id, to, kind: "hands", says: "takes over" }));

const workersOf = ({ workers }: Team, registries: Pick<Registries, "verifiers">): readonly MakerNode[] =>
  Object.entries(workers).map(([name, { role, use, with: options, tries = 1, loop, spec }], index) => ({
    ...makerNode({ use, ...(options === undefined ? {} : { with: options }) }, index),
    name,
    says: role,
    retries: tries - 1,
    isSpare: false,
    ...(loop === undefined ? {} : { inside: callsInside(calledSpec({ spec }), registries) }),
  }));

/** What the loop keeps for its makers, and not what is on record of it. */
function memoryOf({ notebook }: LoopSpec): AnatomyNode {
  const memory = { id: "memory-1", kind: "memory" } as const;
  switch (notebook?.keep ?? "loop") {
    case "loop":
      return { ...memory, name: "journal", says: "records, lessons of rounds and notes", lasts: "runs" };
    case "run":
      return { ...memory, name: "notebook", says: "lessons of rounds and notes of this run", lasts: "run" };
    case "none":
      return { ...memory, name: "lessons", says: "of the rounds of this run; no notes are kept", lasts: "run" };
  }
}

const callsInside = (spec: LoopSpec | undefined, registries: Pick<Registries, "verifiers">): number | null =>
  spec === undefined ? null : callsARun(anatomyOf(spec, registries));

/** Who reads a join reads whoever comes together there. */
function readsOf({ workers, joins = {} }: Team, makers: readonly MakerNode[]): readonly AnatomyEdge[] {
  const ids = new Map(makers.map(({ name, id }) => [name, id]));
  return Object.entries(workers).flatMap(([name, { reads = [], after = [] }]) => {
    const from = [...reads, ...after].flatMap((read) => (Object.hasOwn(joins, read) ? (joins[read]?.of ?? []) : [read]));
    return [...new Set(from)].flatMap((other): readonly AnatomyEdge[] => {
      const [before, to] = [ids.get(other), ids.get(name)];
      return before === undefined || to === undefined ? [] : [{ from: before, to, kind: "reads", says: "" }];
    });
  });
}

const named = (kind: string, index: number, part: PartRef): { readonly id: string; readonly name: string; readonly says: string } => ({
  id: `${kind}-${index + 1}`,
  name: part.use,
  says: tellPart(part),
});

/** What a part is told: its first plain option. */
function tellPart({ with: options = {} }: PartRef): string {
  const plain = Object.values(options).find((value) => typeof value === "string" || typeof value === "number");
  return plain === undefined ? "" : String(plain);
}

function makerNode(part: PartRef, index: number): MakerNode {
  const { model } = part.with ?? {};
  return {
    ...named("maker", index, part),
    kind: "maker",
    model: typeof model === "string" ? model : undefined,
    idle: whyIdle(part),
    retries: 0,
    isSpare: index > 0,
  };
}

/** Programs that leave everything as it is, where nothing is piped or written by the shell. */
const IDLE = /^\s*(true|false|:|echo|printf|cat|sleep|pwd|ls|exit|yes)\b[^|;&<>`$]*$/;

function whyIdle({ use, with: options = {} }: PartRef): string | undefined {
  if (use === "shell" && typeof options.run === "string" && IDLE.test(options.run)) return "its command changes nothing";
  if (use !== "scripted" || !Array.isArray(options.scenes)) return undefined;
  const does = options.scenes.some(
    (scene: { readonly write?: object; readonly remove?: readonly string[]; readonly run?: string }) =>
      Object.keys(scene.write ?? {}).length > 0 || (scene.remove ?? []).length > 0 || scene.run !== undefined,
  );
  return does ? undefined : "none of its scenes changes anything";
}

/** These look at how large or where a change is, and not at whether it is right. */
const ABOUT_FORM = new Set(["scope", "measure"]);

function checkNode(
  part: LoopSpec["verifiers"][number],
  index: number,
  { verifiers }: Pick<Registries, "verifiers">,
  makers: ReadonlySet<string>,
): CheckNode {
  const kind = verifiers.find(({ name }) => name === part.use)?.kind;
  const run = part.with?.run;
  const isEmpty = typeof run === "string" && !canFail(run);
  const models = modelsAsked(part);
  const isSelfGraded = models.length > 0 && models.every((model) => makers.has(model));
  return {
    ...named("verifier", index, part),
    ...(part.id === undefined ? {} : { name: part.id, says: `${part.use} ${tellPart(part)}`.trim() }),
    kind: "verifier",
    is: part.use === "human" ? "human" : (kind ?? "opinion"),
    refuses: kind === undefined ? "unknown" : isEmpty ? "no" : "yes",
    doubt: isEmpty ? "its command cannot fail" : isSelfGraded ? "the model that made it judges it" : "",
    about: ABOUT_FORM.has(part.use) ? "form" : "result",
    model: models[0],
    isSelfGraded,
  };
}

/** The models that a verifier asks. */
function modelsAsked({ with: options = {} }: PartRef): readonly string[] {
  const judges: readonly unknown[] = Array.isArray(options.judges) ? options.judges : [options];
  return judges.flatMap((judge) =>
    typeof judge === "object" && judge !== null && "model" in judge && typeof judge.model === "string" ? [judge.model] : [],
  );
}

const HUMAN_GATES = new Set(["ask", "quorum"]);

/** Below L3 a person decides, whatever gates there are besides. */
function gatesOf({ gate, level }: LoopSpec): readonly (AnatomyNode & { readonly kind: "gate" })[] {
  const written = gate.all.map((part, index) => ({
    ...named("gate", index, part),
    kind: "gate" as const,
    asks: HUMAN_GATES.has(part.use) ? ("human" as const) : ("machine" as const),
  }));
  if (level === "L3" || written.some(({ asks }) => asks === "human")) return written;
  return [...written, { id: `gate-${written.length + 1}`, kind: "gate", name: "ask", says: "below L3 a person decides", asks: "human" }];
}

/** What holds for every loop of ours, whatever its spec says, and the box unless somebody put it off. */
function guardsOf({ box, guards: written = [] }: LoopSpec): readonly GuardNode[] {
  const guards: readonly (readonly [name: string, says: string])[] = [
    ["command guard", "what a maker may run"],
    ["diff scanner", "changes that fake their own success"],
    ["sealed files", "checks are run as they are on base"],
    ["admission", "strangers' text is scanned and fenced"],
    ...(box.maker.when === "off" ? [] : [["box", "what commands may read, write and reach"] as const]),
  ];
  const own = written.map(
    ({ id, rule, at, of, then }) => [id, `${rule} in ${at}${of === undefined ? "" : ` of ${of.join(", ")}`}: ${then}`, DOES[then]] as const,
  );
  return [...guards.map(([name, says]) => [name, says, "stops"] as const), ...own].map(([name, says, does], index) => ({
    id: `guard-${index + 1}`,
    kind: "guard",
    name,
    says,
    does,
  }));
}

const DOES = { halt: "stops", withhold: "stops", redact: "stops", escalate: "asks", finding: "tells" } as const;

/** What must be true besides: what is written, else the target of the primary metric. */
function enoughOf({ until, metrics = {} }: LoopSpec): string {
  const primary = Object.entries(metrics).find(([, metric]) => metric.primary === true && metric.target !== undefined);
  const target = primary === undefined ? [] : [`${primary[0]} at its target, ${primary[1].target}`];
  const written = until?.success?.map(({ when, times }) => `${when}${inARow(times)}`) ?? target;
  return written.map((one) => `${one}; `).join("");
}

const inARow = (times = 1): string => (times === 1 ? "" : `, ${times} rounds in a row`);

function endsOf(spec: LoopSpec): readonly EndNode[] {
  const { budget, until } = spec;
  const ends: readonly (readonly [name: string, family: EndNode["family"], says: string, holds: boolean])[] = [
    ["proven", "success", `${enoughOf(spec)}every check holds, and a proof is among them`, true],
    ["rounds", "bound", `at most ${budget.rounds} rounds`, true],
    ["time", "bound", `at most ${budget.time}`, budget.time !== "unlimited"],
    ["budget", "cost", `at most ${budget.usd}`, budget.usd !== "unlimited"],
    ...(until?.fail ?? []).map(
      (fail) =>
        ["failure", "failure", `${"on" in fail ? fail.on : fail.when}${inARow(fail.times)}: ${fail.then ?? "escalate"}`, true] as const,
    ),
    ...(until?.stall ?? []).map(({ metric, rounds }) => ["stall", "stall", `${metric} over ${rounds} rounds`, true] as const),
  ];
  return ends.map(([name, family, says, holds], index) => ({ id: `end-${index + 1}`, kind: "end", name, family, says, holds }));
}
