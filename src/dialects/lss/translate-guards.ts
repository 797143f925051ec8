// Safety constraints of a document as guards of ours. What is always on is never turned down by asking for it.
import type { Path } from "../../spec/path.ts";
import type { LssDocument } from "./document.ts";
import { fieldsOf, numberOf, textsAt } from "./sketch.ts";
import { type Translating, thenDo } from "./translating.ts";

type Constraint = LssDocument["safety_constraints"][number];

export function translateGuards(at: Translating): object {
  const { document, native, notes } = at;
  const guards = document.safety_constraints.flatMap((constraint, index) => {
    const path = ["safety_constraints", index];
    if (settled(constraint, path, at)) return [];
    if (!native.has("guards")) {
      notes.tell("lost", path, "", `no counterpart yet: nothing of ours looks for this (${constraint.type})`);
      return [];
    }
    if (constraint.on_error === "warn") notes.tell("tightened", [...path, "on_error"], "guards", "what cannot be looked at is withheld");
    notes.tell("translated", path, "guards");
    return [guardOf(constraint)];
  });
  return { ...(guards.length > 0 ? { guards } : {}), ...box(at) };
}

/** Those that every loop of ours has, or that something else of ours does. */
function settled({ type, scope, action }: Constraint, path: Path, { document, native, notes }: Translating): boolean {
  switch (type) {
    case "injection_detect":
      if (native.has("guards")) return false;
      notes.tell(
        "inherent",
        path,
        "",
        "strangers' text is scanned and fenced before anybody is told it, and refused when it reads like an injection",
      );
      return true;
    case "secret_scan":
      if (native.has("guards")) return false;
      notes.tell(
        "inherent",
        path,
        "",
        `secrets are cut out of everything that is written or shown, and a change that adds one is stopped${action === "halt" ? "" : " (tightened)"}`,
      );
      return true;
    case "tenant_isolation":
      notes.tell("inherent", path, "", "a run has copies and a home of its own");
      return true;
    case "human_gate":
      notes.tell(
        "inherent",
        path,
        "gate",
        `at L2 a person decides about every proposal${scope === "pre_output" ? "" : ", after all workers"}`,
      );
      return true;
    case "tool_allowlist":
      if (document.workers.length === 1 || !native.has("team")) return false;
      notes.tell("inherent", path, "team.workers", "a worker has the tools that it lists, and no others");
      return true;
    case "egress_monitor":
      notes.tell("tightened", path, "box.maker.network", "only these hosts, for all commands; private networks stay shut");
      return true;
    case "pii_detect":
    case "schema_enforce":
    case "output_bounds":
    case "rate_limit":
      return false;
  }
}

const RULES: { readonly [type in Constraint["type"]]?: string } = {
  injection_detect: "injection",
  secret_scan: "secrets",
  pii_detect: "personal",
  tool_allowlist: "tools",
  schema_enforce: "schema",
  output_bounds: "size",
  rate_limit: "calls",
};
const SCOPES = {
  pre_worker: "brief",
  post_worker: "result",
  pre_output: "proposal",
  pre_memory_write: "note",
  pre_evaluator: "desk",
} as const;
const ACTIONS = { halt: "halt", quarantine: "withhold", escalate_human: "escalate", warn: "finding", strip: "redact" } as const;

function guardOf({ id, type, scope, action, applies_to, config }: Constraint): object {
  const of = (applies_to ?? []).filter((name) => name !== "*");
  const most = numberOf(fieldsOf(config).max_risk_score);
  return {
    id,
    rule: RULES[type] ?? type,
    at: SCOPES[scope],
    ...thenDo(ACTIONS[action]),
    ...(of.length > 0 ? { of } : {}),
    ...(most === undefined ? {} : { most }),
  };
}

/** Hosts that a constraint allows; without any, nothing is reached but what the model needs. */
function box({ document }: Translating): { readonly box?: object } {
  const monitors = document.safety_constraints.filter(({ type }) => type === "egress_monitor");
  if (monitors.length === 0) return {};
  const hosts = monitors.flatMap(({ config }) => textsAt(fieldsOf(config).allowed_domains, []).map(({ text }) => text));
  const allow = [...new Set(hosts)].filter((host) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i.test(host)).slice(0, 100);
  return { box: { maker: { when: "required", network: { allow } } } };
}
