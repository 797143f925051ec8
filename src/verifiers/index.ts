// Every verifier that is built in.
import type { Verifier } from "../contract/verifier.ts";
import { check } from "./check.ts";
import { command } from "./command.ts";
import { grounded } from "./grounded.ts";
import { holdout } from "./holdout.ts";
import { human } from "./human.ts";
import { isomorphic } from "./isomorphic.ts";
import { judge } from "./judge.ts";
import { measure } from "./measure.ts";
import { mutation } from "./mutation.ts";
import { quorum } from "./quorum.ts";
import { replay } from "./replay.ts";
import { rubric } from "./rubric.ts";
import { scope } from "./scope.ts";
import { twins } from "./twins.ts";
import { witness } from "./witness.ts";

export const verifiers: readonly Verifier[] = [
  command,
  witness,
  twins,
  replay,
  isomorphic,
  grounded,
  holdout,
  mutation,
  scope,
  check,
  measure,
  judge,
  quorum,
  rubric,
  human,
];
