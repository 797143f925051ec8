// Every rule of the diff scanner.
import type { DiffRule } from "../rule.ts";
import { assertionRules } from "./assertions.ts";
import { caseRules } from "./cases.ts";
import { ciRules } from "./ci.ts";
import { dependencyRules } from "./dependencies.ts";
import { harnessRules } from "./harness.ts";
import { plantedRules } from "./planted.ts";
import { quietingRules } from "./quieting.ts";
import { settingsRules } from "./settings.ts";
import { snapshotRules } from "./snapshots.ts";
import { admissionRules } from "./special-casing-admitted.ts";
import { answerRules } from "./special-casing-answers.ts";
import { constantRules } from "./special-casing-constants.ts";
import { equalityRules } from "./special-casing-equality.ts";
import { exitRules } from "./special-casing-exits.ts";
import { runRules } from "./special-casing-runs.ts";
import { surroundingsRules } from "./special-casing-surroundings.ts";
import { suppressionRules } from "./suppressions.ts";
import { testRules } from "./tests.ts";

/** Order does not matter: every rule is asked. */
export const diffRules: readonly DiffRule[] = [
  ...testRules,
  ...assertionRules,
  ...caseRules,
  ...quietingRules,
  ...snapshotRules,
  ...harnessRules,
  ...admissionRules,
  ...answerRules,
  ...constantRules,
  ...equalityRules,
  ...exitRules,
  ...runRules,
  ...surroundingsRules,
  ...ciRules,
  ...settingsRules,
  ...suppressionRules,
  ...dependencyRules,
  ...plantedRules,
];
