// What every part has: a name, a sentence, and options that are checked once.
import type { z } from "zod";

/** What every pluggable part tells about itself; `lw parts`, the schema and the reference are made from it. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType;
}

/** A part of one registry with its options checked: it cannot be handed bad ones. */
export type Configured<P, Ready> = P & { readonly configure: (options: unknown) => Ready };

export const described = ({ name, summary, options }: Part): Part => ({ name, summary, options });

/** Checks the options of a part once, where the spec hands them over. */
export function withOptions<Options extends z.ZodType, Ready>(
  part: { readonly options: Options },
  raw: unknown,
  ready: (options: z.infer<Options>) => Ready,
): Ready {
  return ready(part.options.parse(raw ?? {}));
}
