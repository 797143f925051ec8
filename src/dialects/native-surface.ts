// What our own specs have room for, so that a translation uses what there is and says what there is not.
import type { Registries } from "../contract/crew.ts";
import { keysOf, schemaAt } from "../spec/hints.ts";
import { specJsonSchema } from "../spec/schema.ts";

export interface NativeSurface {
  /** Keys of a spec that are there and may be written, such as `inputs`; of an entry of a list as `verifiers.id`. */
  has(key: string): boolean;
  /** Whether there is such a part, and one that takes such an option. */
  part(name: string, option?: string): boolean;
}

/**
 * Newer keys of a spec that translations have been held against. One that is not here yet counts as not there, so that a key that
 * lands in another shape than a translation supposes makes no unsound specs: what it would say is told as lost.
 */
const TRIED: ReadonlySet<string> = new Set([
  "inputs",
  "document",
  "metrics",
  "until",
  "feedback",
  "feedback.to",
  "verifiers.id",
  "verifiers.of",
  "team",
  "improve",
]);

export function nativeSurface(registries: Registries): NativeSurface {
  const schema = specJsonSchema(registries);
  const inside = (key: string, path: readonly (string | number)[]) => keysOf(schemaAt(schema, path, {})).map((inner) => `${key}.${inner}`);
  const keys = new Set([...keysOf(schema), ...inside("verifiers", ["verifiers", 0]), ...inside("feedback", ["feedback", 0])]);
  const parts = [...registries.makers, ...registries.verifiers, ...registries.gates];
  const options = (name: string): readonly string[] => {
    const part = parts.find((one) => one.name === name);
    return part === undefined
      ? []
      : keysOf(schemaAt(schema, optionsAt(name, registries), { use: name, maker: { use: name }, verifiers: [{ use: name }] }));
  };
  return {
    has: (key) => TRIED.has(key) && keys.has(key),
    part: (name, option) => parts.some((one) => one.name === name) && (option === undefined || options(name).includes(option)),
  };
}

const optionsAt = (name: string, { makers }: Registries): readonly (string | number)[] =>
  makers.some((maker) => maker.name === name) ? ["maker", "with"] : ["verifiers", 0, "with"];
