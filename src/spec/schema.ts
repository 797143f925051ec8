// The full schema of a spec: the contract's, narrowed to the parts that exist and to their own options.
import * as z from "zod";
import type { Registries } from "../contract/crew.ts";
import { IMPROVE_TERMS } from "../contract/improve.ts";
import type { Part } from "../contract/part.ts";
import { partOf } from "../contract/part-refs.ts";
import { Alert, Gate, LoopSpec, type PartRef, type VerifierRef } from "../contract/spec.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Accepts what `LoopSpec` accepts, of parts that exist, with options they take. */
export const specSchema = oncePerRegistries((registries): z.ZodType<LoopSpec> => {
  const { trigger, gather, maker, verifiers, notify, gate, act, alert, improve } = LoopSpec.shape;
  const { all } = Gate.shape;
  return LoopSpec.extend({
    trigger: asDescribed(trigger, partOf(registries.triggers).prefault(trigger.def.defaultValue)),
    gather: asDescribed(gather, listOf(gather.unwrap(), registries.connectors).default([])),
    maker: asDescribed(maker, z.union([partOf(registries.makers), listOf(maker.options[1], registries.makers)])),
    verifiers: asDescribed(verifiers, listOf(verifiers, registries.verifiers, verifiers.element.shape)),
    notify: asDescribed(notify, listOf(notify.unwrap(), registries.notifiers).default([])),
    alert: asDescribed(
      alert,
      Alert.extend({ to: asDescribed(Alert.shape.to, listOf(Alert.shape.to.unwrap(), registries.notifiers).default([])) }).prefault({}),
    ),
    act: asDescribed(act, listOf(act.unwrap(), registries.actions).default([])),
    improve: asDescribed(improve.unwrap(), partOf(registries.improvers, IMPROVE_TERMS)).optional(),
    gate: asDescribed(
      gate,
      Gate.extend({ all: asDescribed(all, listOf(all.unwrap(), registries.gates).prefault(all.def.defaultValue)) }).prefault({}),
    ),
  });
});

/**
 * The same for one value, with only those parts that it names: to it they give the same answer, in a fraction of the time. What
 * else could have been written is asked of the full schema, by whoever complains.
 */
export function specSchemaFor(value: unknown, registries: Registries): z.ZodType<LoopSpec> {
  const asked = new Set([...BY_DEFAULT, ...namedIn(value)]);
  const names = new Set(
    Object.values(registries)
      .flat()
      .map(({ name }) => name)
      .filter((name) => asked.has(name)),
  );
  const key = [...names].sort().join(" ");
  const known = narrowings(registries);
  const few = known.get(key) ?? onlyNamed(names, registries);
  known.set(key, few);
  return specSchema(few);
}

/** As many as there are specs of different parts. */
const narrowings = oncePerRegistries((_registries) => new Map<string, Registries>());

function onlyNamed(names: ReadonlySet<string>, registries: Registries): Registries {
  const named = <P extends Part>(parts: readonly P[]): readonly P[] => parts.filter(({ name }) => names.has(name));
  return {
    makers: named(registries.makers),
    verifiers: named(registries.verifiers),
    connectors: named(registries.connectors),
    triggers: named(registries.triggers),
    gates: named(registries.gates),
    actions: named(registries.actions),
    notifiers: named(registries.notifiers),
    improvers: named(registries.improvers),
  };
}

/** Parts of a spec that names none of their kind. */
const BY_DEFAULT = [LoopSpec.shape.trigger.def.defaultValue, ...Gate.shape.all.def.defaultValue].map(({ use }) => use);

function namedIn(value: unknown): readonly string[] {
  const { trigger, gather, maker, verifiers, notify, gate, act, alert, improve } = fieldsOf(value);
  const refs = [trigger, maker, gather, verifiers, notify, act, fieldsOf(gate).all, fieldsOf(alert).to, improve].flat();
  return refs.flatMap((ref) => {
    const { use } = fieldsOf(ref);
    return typeof use === "string" ? [use] : [];
  });
}

const fieldsOf = (value: unknown): { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** The same for editors, as JSON Schema 2020-12 of what a person may write. */
export const specJsonSchema = oncePerRegistries((registries): JsonSchema => {
  const { $schema, ...schema } = z.toJSONSchema(specSchema(registries), { target: "draft-2020-12", io: "input" });
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: "Loopwright spec",
    description: "One loop: what it is for, who makes, who verifies, what it may use and how far it may go.",
    ...schema,
  };
});

/** What editors take: a team stands in the place of a maker, and a loop in that of a worker, which only `lw validate` can tell. */
export const editorJsonSchema = (registries: Registries): JsonSchema => {
  const { required = [], ...schema } = structuredClone(specJsonSchema(registries));
  const team = schema.properties?.team;
  const workers = typeof team === "object" ? team.properties?.workers : undefined;
  const worker = typeof workers === "object" ? workers.additionalProperties : undefined;
  // A worker that is a loop says none of these.
  if (typeof worker === "object") delete worker.required;
  return { ...schema, required: required.filter((key) => key !== "maker") };
};

/** Registries do not change, and making a schema takes longer than reading a spec. */
function oncePerRegistries<Made>(make: (registries: Registries) => Made): (registries: Registries) => Made {
  const known = new WeakMap<Registries, Made>();
  return (registries) => {
    const made = known.get(registries) ?? make(registries);
    known.set(registries, made);
    return made;
  };
}

/** The contract's list with its limits, of these parts only. */
function listOf(
  list: z.ZodArray<typeof PartRef | typeof VerifierRef>,
  parts: readonly Part[],
  besides: z.ZodRawShape = {},
): z.ZodArray<z.ZodType<PartRef>> {
  // The constructor forgets the type of the element it is given.
  return new z.ZodArray({ ...list.def, element: partOf(parts, besides) }) as z.ZodArray<z.ZodType<PartRef>>;
}

const asDescribed = <Narrow extends z.ZodType>(wide: z.ZodType, narrow: Narrow): Narrow => narrow.meta(wide.meta() ?? {});
