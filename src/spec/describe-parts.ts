// Every part with its options, told from the parts themselves: `lw parts` and the reference print it.
import * as z from "zod";
import type { Registries } from "../contract/crew.ts";
import type { Part } from "../contract/part.ts";

export interface PartDescription {
  readonly registry: string;
  readonly name: string;
  readonly summary: string;
  /** What else is known: what a maker proposes, whether a verifier proves. */
  readonly facts: readonly string[];
  readonly options: readonly OptionDescription[];
}

export interface OptionDescription {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly description: string;
  readonly examples: readonly unknown[];
}

export function describeParts({
  makers,
  verifiers,
  connectors,
  triggers,
  gates,
  actions,
  notifiers,
  improvers,
}: Registries): readonly PartDescription[] {
  return [
    ...makers.map((part) => describe("maker", part, [`proposes a ${part.proposes}`])),
    ...verifiers.map((part) =>
      describe("verifier", part, [part.kind, `of a ${part.proves}${part.provesDocuments ? " or a document" : ""}`]),
    ),
    ...connectors.map((part) => describe("gather", part, [])),
    ...triggers.map((part) => describe("trigger", part, [])),
    ...gates.map((part) => describe("gate", part, [])),
    ...actions.map((part) => describe("act", part, [])),
    ...notifiers.map((part) => describe("notify", part, [])),
    ...improvers.map((part) => describe("improve", part, part.needsPerson ? ["a person says yes first"] : [])),
  ];
}

function describe(registry: string, { name, summary, options }: Part, facts: readonly string[]): PartDescription {
  const schema = z.toJSONSchema(options, { io: "input", unrepresentable: "any" }) as JsonSchema; // zod's own output
  const required = new Set(schema.required ?? []);
  return {
    registry,
    name,
    summary,
    facts,
    options: Object.entries(schema.properties ?? {}).map(([option, about]) => ({
      name: option,
      type: typeOf(about),
      required: required.has(option),
      ...(about.default === undefined ? {} : { default: about.default }),
      description: about.description ?? "",
      examples: about.examples ?? [],
    })),
  };
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

function typeOf({ type, items, enum: choices, anyOf, oneOf }: JsonSchema): string {
  if (choices) return choices.join(" | ");
  const forms = anyOf ?? oneOf;
  if (forms) return [...new Set(forms.map(typeOf))].join(", or ");
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  return type === "object" ? "map" : type === "string" ? "text" : (type ?? "anything");
}
