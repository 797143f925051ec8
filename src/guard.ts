// The guard as a library: `import { askGuard, scanText } from "loopwright/guard"`. `decideCommand` is what `askGuard` was called first.

export { askGuard, askGuard as decideCommand } from "./guard/command/ask-guard.ts";
export type { CommandDecision, CommandFinding, Decision } from "./guard/command/decision.ts";
export type { CommandPolicy, PolicyEntry } from "./guard/command/policy.ts";
export type { Surroundings } from "./guard/command/rule.ts";
export { commandRules } from "./guard/command/rules/index.ts";
export { secretValuesOf } from "./guard/secrets/environment.ts";
export type { Chance, Sample, SecretKind } from "./guard/secrets/kind.ts";
export { secretKinds } from "./guard/secrets/kinds/index.ts";
export type { KnownSecret } from "./guard/secrets/known.ts";
export {
  type Carry,
  createRedactor,
  NOTHING_YET,
  type Redacted,
  type Redaction,
  type Redactor,
  redactPart,
  redactText,
  redactValue,
} from "./guard/secrets/redact.ts";
export { scanText, type TextScan, type TextSeverity, type TextSignal } from "./guard/text/scan-text.ts";
export { signals as textSignals } from "./guard/text/signals/index.ts";
