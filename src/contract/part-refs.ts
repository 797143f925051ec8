// References to parts, narrowed to parts that exist: told apart by name, each with its own options.
import * as z from "zod";
import type { Part } from "./part.ts";
import type { PartRef } from "./spec.ts";

/** A reference to one of these parts, told apart by `use`. When there are none, nothing fits. */
export function partOf(parts: readonly Part[], besides: z.ZodRawShape = {}): z.ZodType<PartRef> {
  const [first, ...others] = parts.map((part) => refTo(part, besides));
  return first === undefined ? z.never() : z.discriminatedUnion("use", [first, ...others]);
}

const refTo = (part: Part, besides: z.ZodRawShape) =>
  z.strictObject({
    ...besides,
    use: z.literal(part.name).meta({ description: part.summary }),
    with: optionsOf(part).meta({ description: optionsOf(part).description ?? `Options of ${part.name}.` }),
  });

/** May be left out where the part can do with nothing; its defaults are then filled in, and so part of the hash. */
function optionsOf(part: Part): z.ZodType<PartRef["with"]> {
  // A registry holds parts of many options, so their type is lost; that options are a map is what `with` in the contract says.
  const options = part.options as z.ZodType<PartRef["with"], PartRef["with"]>;
  return options.safeParse({}).success ? options.prefault({}) : options;
}
