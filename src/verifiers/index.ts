import type { Verifier } from "../contract/parts.ts";
import { command } from "./command.ts";
import { grounded } from "./grounded.ts";

export const verifiers: readonly Verifier[] = [command, grounded];
