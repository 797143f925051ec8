// Every rule of the command guard.
import type { CommandRule } from "../rule.ts";
import { containerRules } from "./containers.ts";
import { dataRules } from "./data.ts";
import { fileRules } from "./files.ts";
import { gitRules } from "./git.ts";
import { inlineRules } from "./inline.ts";
import { networkRules } from "./network.ts";
import { protectedRules } from "./protected.ts";
import { publishRules } from "./publish.ts";
import { remoteRules } from "./remote.ts";
import { secretRules } from "./secrets.ts";
import { systemRules } from "./system.ts";
import { unknownRules } from "./unknown.ts";
import { windowsRules } from "./windows.ts";

/** Order does not matter: every rule is asked, and the strictest answer wins. */
export const commandRules: readonly CommandRule[] = [
  ...fileRules,
  ...gitRules,
  ...protectedRules,
  ...secretRules,
  ...networkRules,
  ...systemRules,
  ...publishRules,
  ...dataRules,
  ...remoteRules,
  ...containerRules,
  ...windowsRules,
  ...inlineRules,
  ...unknownRules,
];
