// What runs in tests spend by: the defaults of a machine, and a price table of two.

import type { Charged, Meter, Usage } from "../../src/contract/ledger.ts";
import { Limits } from "../../src/contract/spec.ts";
import type { Launch } from "../../src/engine/spending/launch.ts";
import type { Purse } from "../../src/engine/spending/spending.ts";

export const plainPurse: Purse = {
  limits: Limits.parse({}),
  prices: { asOf: "2026-01-01", models: { cheap: { input: 1, output: 2, cached: 0.1 }, dear: { input: 100, output: 500 } } },
  history: [],
};

/** A meter that remembers what was charged, and answers what it is told to. */
export function createFakeMeter(answer: Charged = "go-on"): Meter & { readonly charged: Usage[]; readonly isFree: () => boolean } {
  const charged: Usage[] = [];
  let free = false;
  const charge = async (usage: Usage): Promise<Charged> => {
    charged.push(usage);
    return answer;
  };
  return {
    charged,
    isFree: () => free,
    charge,
    total: charge,
    free: () => {
      free = true;
    },
    reserve: async () => ({ kind: "reserved", reservation: 1, output: 4000 }),
    settle: async (_, actual) => (typeof actual === "object" ? charge(actual) : answer),
  };
}

/** A launch that nothing ends. */
export const endlessLaunch: Launch = {
  meter: createFakeMeter(),
  timeLeftMs: Number.MAX_SAFE_INTEGER,
  taken: { round: {}, run: {}, "loop-day": {}, "loop-month": {}, "machine-day": {}, "machine-month": {} },
  add: () => {},
  over: () => undefined,
  settle: async () => {},
};
