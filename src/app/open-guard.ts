// The guard's rules that people of this machine added.
import type { PolicyReading } from "../guard/command/policy.ts";
import { texts } from "../world/files/spec-files.ts";
import { loadPolicy } from "./hooks/load-policy.ts";

export const policyIn = (places: Parameters<typeof loadPolicy>[1]): Promise<PolicyReading> => loadPolicy(texts, places);
