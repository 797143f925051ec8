// Safety constraints of a document as what enforces them here. What nothing enforces is lost, however near we come to it.
import { GUARD_MATRIX, type Guard } from "../../contract/guarding.ts";
import type { Path } from "../../spec/path.ts";
import { fieldsOf, numberOf, textsAt } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { guardName, workerName } from "./our-names.ts";
import { isTeam, type Translating, thenDo } from "./translating.ts";

type Constraint = LssDocument["safety_constraints"][number];

/** One constraint, and where it stands. */
interface Asked {
  readonly constraint: Constraint;
  readonly path: Path;
  readonly at: Translating;
}

const MOST_GUARDS = 40;

export function translateGuards(at: Translating): object {
  const guards = at.document.safety_constraints.flatMap((constraint, index) => {
    const asked = { constraint, path: ["safety_constraints", index], at };
    if (constraint.on_error === "warn")
      at.notes.tell("tightened", [...asked.path, "on_error"], "guards", "what cannot be looked at is not let through");
    return enforced(asked).map((guard) => ({ guard, path: asked.path }));
  });
  for (const { path } of guards.slice(MOST_GUARDS)) at.notes.tell("lost", path, "", `ours has at most ${MOST_GUARDS} guards`);
  const kept = guards.slice(0, MOST_GUARDS).map(({ guard }) => guard);
  return { ...(kept.length > 0 ? { guards: kept } : {}), ...box(at) };
}

/** The guards that it becomes; none where something else enforces it, or nothing. */
function enforced(asked: Asked): readonly object[] {
  const { constraint, path, at } = asked;
  const { notes } = at;
  switch (constraint.type) {
    case "injection_detect":
      return isTeam(at) || constraint.scope !== "pre_worker" ? watched("injection", asked) : aloneAgainstOrders(asked);
    case "secret_scan":
      return watched("secrets", asked);
    case "pii_detect":
      return watched("personal", asked);
    case "schema_enforce":
      return shaped(asked);
    case "output_bounds":
      return bounded(asked);
    case "tenant_isolation":
      notes.tell("inherent", path, "", "a run has copies of its own, and a loop a notebook of its own");
      return [];
    case "human_gate":
      if (constraint.scope === "pre_output") notes.tell("inherent", path, "gate", "at L2 a person decides about every proposal");
      else notes.tell("lost", path, "", "a person decides about what is proposed, once all have worked, and not before");
      return [];
    case "tool_allowlist":
      if (isTeam(at)) notes.tell("inherent", path, "team.workers", "a worker has the tools that it lists, and no others");
      else notes.tell("lost", path, "", "an agent cannot be kept to a list of tools");
      return [];
    case "egress_monitor":
      notes.tell("tightened", path, "box.maker.network", "only these hosts, for all commands; private networks stay shut");
      return [];
    case "rate_limit":
      if (callsOf(constraint) === undefined)
        notes.tell("lost", path, "", "ours counts calls of a round: config.max_calls_per_iteration says how many");
      else notes.tell("tightened", path, "budget.perRound.calls", "model calls of all workers together");
      return [];
  }
}

const SCOPES = {
  pre_worker: "brief",
  post_worker: "result",
  pre_output: "proposal",
  pre_memory_write: "note",
  pre_evaluator: "desk",
} as const;
const ACTIONS = { halt: "halt", quarantine: "withhold", escalate_human: "escalate", warn: "finding", strip: "redact" } as const;

function watched(rule: Guard["rule"], asked: Asked, most?: number): readonly object[] {
  const { constraint, path, at } = asked;
  const place = placeOf(asked);
  if (place === undefined) {
    at.notes.tell("lost", path, "", "what one maker alone is told is looked at for orders only");
    return [];
  }
  const can = GUARD_MATRIX[place][rule];
  if (can === undefined) {
    at.notes.tell("lost", path, "", `nothing of ours looks for this at ${constraint.scope}`);
    return [];
  }
  const isCommit = place === "result" && at.bindings.commits;
  const wanted = ACTIONS[constraint.action];
  const isDone = can.includes(wanted) && !(isCommit && wanted === "redact");
  if (isDone) at.notes.tell("translated", path, "guards", place === SCOPES[constraint.scope] ? "" : "one maker's result is its proposal");
  else if (wanted === "halt" || wanted === "escalate")
    at.notes.tell("lost", [...path, "action"], "guards", "it is held back there, and the run goes on without it");
  else at.notes.tell("tightened", [...path, "action"], "guards", "it is held back");
  configOf(rule, asked);
  const bound = most ?? (rule === "injection" ? riskOf(constraint) : undefined);
  return [
    {
      id: guardName(constraint.id),
      rule,
      at: place,
      ...ofWorkers(place, asked),
      ...thenDo(isDone ? wanted : "withhold"),
      ...(bound === undefined ? {} : { most: bound }),
    },
  ];
}

/** One maker alone hands over nothing but its proposal, and is told nothing that guards of a spec could look at. */
function placeOf({ constraint: { scope }, at }: Asked): Guard["at"] | undefined {
  if (isTeam(at)) return SCOPES[scope];
  if (scope === "pre_worker") return undefined;
  return scope === "post_worker" ? "proposal" : SCOPES[scope];
}

const MOST_NAMED = 50;

function ofWorkers(place: Guard["at"], { constraint: { applies_to = [] }, path, at }: Asked): { readonly of?: readonly string[] } {
  if (applies_to.length === 0 || applies_to.includes("*")) return {};
  if (!isTeam(at)) return {};
  if (place !== "proposal" && place !== "desk" && applies_to.length <= MOST_NAMED) return { of: applies_to.map(workerName) };
  at.notes.tell("tightened", [...path, "applies_to"], "guards", "whoever made it");
  return {};
}

/** How much a text may read like an order; 1 is what is refused of anybody. */
const riskOf = ({ config }: Constraint): number | undefined => {
  const said = numberOf(fieldsOf(config).max_risk_score);
  return said === undefined ? undefined : Math.min(Math.max(said, 0), 1);
};

const PERSONAL: readonly string[] = ["email", "mail", "phone", "phone_number", "ssn", "credit_card", "card", "iban", "account"];

/** What a constraint says about how it is to be looked for. The standard leaves that open, and ours looks by its own rules. */
function configOf(rule: Guard["rule"], { constraint: { config }, path, at }: Asked): void {
  const isEnforced = (key: string): boolean =>
    (rule === "injection" && key === "max_risk_score") || (rule === "size" && MOST_BYTES.includes(key));
  for (const key of Object.keys(config ?? {})) {
    const here = [...path, "config", key];
    if (isEnforced(key)) continue;
    if (rule !== "personal" || key !== "categories") {
      if (key !== "reject_unknown_fields")
        at.notes.tell("inert", here, "", "how it is looked for is ours: by fixed rules, without a model");
      continue;
    }
    for (const { text, path: where } of textsAt(config?.categories, here))
      if (!PERSONAL.includes(text))
        at.notes.tell("lost", where, "", "ours finds mail addresses, phone, card, account and social security numbers");
  }
}

/** Who makes alone is shown no strangers' text that reads like orders; by how much is not asked. */
function aloneAgainstOrders({ constraint, path, at }: Asked): readonly object[] {
  at.notes.tell("inherent", path, "", "strangers' text is fenced for whoever makes, and left out where it reads like an injection");
  if ((riskOf(constraint) ?? 1) < 1)
    at.notes.tell("lost", [...path, "config", "max_risk_score"], "", "a bound of its own is for workers of a team");
  if (constraint.action === "halt" || constraint.action === "escalate_human")
    at.notes.tell("lost", [...path, "action"], "", "what is left out does not always end the run");
  return [];
}

/** A shape is kept to by those who have one. Bounds on a change are a verifier's. */
function shaped(asked: Asked): readonly object[] {
  const { constraint, path, at } = asked;
  const { document, bindings, shelf, notes } = at;
  if (scopeOf(constraint, at) !== undefined) {
    notes.tell("translated", path, "verifiers", "scope: how much a change may touch; what is more refuses the round");
    if (constraint.action === "halt" || constraint.action === "escalate_human")
      notes.tell("lost", [...path, "action"], "verifiers", "the round is refused, and the run goes on");
    if (fieldsOf(constraint.config).schema_ref !== undefined)
      notes.tell("inherent", [...path, "config", "schema_ref"], "", "a commit is its own shape");
    return [];
  }
  const named = constraint.applies_to?.includes("*") === false ? constraint.applies_to : document.workers.map(({ id }) => id);
  const shapeless = named.filter((id) => {
    const ref = document.workers.find((worker) => worker.id === id)?.outputs;
    const isAny = ref?.schema_ref === undefined || ref.format !== "json" || bindings.set.get(`${id}.schema`) === "any";
    return isAny || shelf.find(ref.schema_ref!).kind !== "found";
  });
  if (!isTeam(at) || shapeless.length > 0) {
    notes.tell("lost", path, "", `there is no schema that ${isTeam(at) ? shapeless.join(", ") : "one maker alone"} could be held to`);
    return [];
  }
  return watched("schema", asked);
}

/** Bounds on the files and lines of a change, where what is made is one. */
function scopeOf({ type, scope, config }: Constraint, { bindings }: Translating): object | undefined {
  const { max_files_changed, max_lines_changed } = fieldsOf(config);
  const [files, lines] = [numberOf(max_files_changed), numberOf(max_lines_changed)];
  const isAboutResults = scope === "post_worker" || scope === "pre_output";
  if (type !== "schema_enforce" || !bindings.commits || !isAboutResults || (files === undefined && lines === undefined)) return undefined;
  return {
    ...(files === undefined ? {} : { maxFiles: Math.max(1, Math.floor(files)) }),
    ...(lines === undefined ? {} : { maxLines: Math.max(1, Math.floor(lines)) }),
  };
}

/** Verifiers that constraints become. */
export const constraintChecks = (at: Translating): readonly object[] =>
  at.document.safety_constraints.flatMap((constraint) => {
    const bounds = scopeOf(constraint, at);
    return bounds === undefined ? [] : [{ use: "scope", with: bounds }];
  });

const MOST_BYTES: readonly string[] = ["max_bytes", "max_chars", "max_characters", "max_length"];

function bounded(asked: Asked): readonly object[] {
  const config = fieldsOf(asked.constraint.config);
  const bounds = MOST_BYTES.flatMap((key) => numberOf(config[key]) ?? []).filter((bound) => bound >= 1);
  if (bounds.length === 0) {
    asked.at.notes.tell("lost", asked.path, "", "it says no bound that ours counts by: config.max_bytes says how much");
    return [];
  }
  return watched("size", asked, Math.min(Math.floor(Math.min(...bounds)), 1_000_000_000));
}

const callsOf = ({ config }: Constraint): number | undefined => {
  const calls = numberOf(fieldsOf(config).max_calls_per_iteration);
  return calls === undefined || calls < 1 ? undefined : Math.min(Math.floor(calls), 1_000_000_000);
};

/** How many calls a round may make, where a constraint says so. */
export const callsARound = ({ document }: Translating): { readonly calls?: number } => {
  const limits = document.safety_constraints.filter(({ type }) => type === "rate_limit").flatMap((one) => callsOf(one) ?? []);
  return limits.length === 0 ? {} : { calls: Math.min(...limits) };
};

/** Hosts that a constraint allows; without any, nothing is reached but what the model needs. */
function box({ document }: Translating): { readonly box?: object } {
  const monitors = document.safety_constraints.filter(({ type }) => type === "egress_monitor");
  if (monitors.length === 0) return {};
  const hosts = monitors.flatMap(({ config }) => textsAt(fieldsOf(config).allowed_domains, []).map(({ text }) => text));
  const allow = [...new Set(hosts)].filter((host) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i.test(host)).slice(0, 100);
  return { box: { maker: { when: "required", network: { allow } } } };
}
