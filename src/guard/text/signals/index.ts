// Every signal of the text scanner.
import type { Signal } from "../signal.ts";
import { addressSignals } from "./address.ts";
import { authoritySignals } from "./authority.ts";
import { concealmentSignals } from "./concealment.ts";
import { disclosureSignals } from "./disclosure.ts";
import { exfiltrationSignals } from "./exfiltration.ts";
import { overrideSignals } from "./override.ts";
import { persistenceSignals } from "./persistence.ts";
import { personaSignals } from "./persona.ts";
import { spoofingSignals } from "./spoofing.ts";
import { steeringSignals } from "./steering.ts";
import { tamperingSignals } from "./tampering.ts";
import { toolUseSignals } from "./tool-use.ts";

/** Order does not matter: every signal is asked, and what they weigh adds up. */
export const signals: readonly Signal[] = [
  ...overrideSignals,
  ...spoofingSignals,
  ...personaSignals,
  ...disclosureSignals,
  ...exfiltrationSignals,
  ...toolUseSignals,
  ...tamperingSignals,
  ...persistenceSignals,
  ...authoritySignals,
  ...concealmentSignals,
  ...addressSignals,
  ...steeringSignals,
];
