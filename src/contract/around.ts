// What a call may know of the process that makes it: handed in, so that two calls in one process need not know of each other.
import type { Environment } from "./clock.ts";

/** All variables, for those who must know what not to say. */
export interface Variables {
  readonly [name: string]: string | undefined;
}

export interface Around {
  readonly env: Variables;
  readonly platform: string;
  /** The words that start this program again, as it was started: the interpreter and its file. */
  readonly program: readonly string[];
}

export const environmentOf = (env: Variables): Environment => ({ get: (name) => (Object.hasOwn(env, name) ? env[name] : undefined) });

/** Standard input, or what stands in its place. */
export interface StandardInput {
  /** Whether somebody would have to type it. */
  readonly isTyped: () => boolean;
  /** Piece by piece, as it comes. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** What is read: a file, or what somebody pipes in. */
export type Input = { readonly kind: "stdin"; readonly stdin: StandardInput } | { readonly kind: "file"; readonly path: string };
