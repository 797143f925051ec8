// lw ledger: the journal as proof, and what it all came to.
import { LoopError } from "../../contract/errors.ts";
import type { Command } from "../call.ts";

/** Each part of `lw ledger` in a file of its own, loaded when it is asked for. */
const PARTS: { readonly [name: string]: () => Promise<Command> } = {
  verify: async () => (await import("./ledger-chain.ts")).verifyLedger,
  export: async () => (await import("./ledger-chain.ts")).exportLedger,
  checkpoint: async () => (await import("./ledger-chain.ts")).checkpointLedger,
  check: async () => (await import("./ledger-check.ts")).checkLedger,
  summary: async () => (await import("./ledger-summary.ts")).summaryCommand,
  aggregate: async () => (await import("./ledger-summary.ts")).aggregateCommand,
};

export const ledger: Command = async (call) => {
  const [name = "", ...args] = call.args;
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!part)
    throw new LoopError("bad-input", `lw ledger ${name} is not a command`, {
      retry: "never",
      hint: `Write lw ledger and one of ${Object.keys(PARTS).join(", ")}.`,
    });
  return (await part())({ ...call, args });
};
