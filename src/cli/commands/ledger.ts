import { LoopError } from "../../contract/errors.ts";
import type { Command } from "../call.ts";

/** What can be done with a ledger; each is loaded only when it is asked for. */
const ACTIONS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["summary", async () => (await import("./ledger-summary.ts")).summaryCommand],
  ["aggregate", async () => (await import("./ledger-summary.ts")).aggregateCommand],
]);

export const ledger: Command = async (call) => {
  const [what = "", ...args] = call.args;
  const load = ACTIONS.get(what);
  if (load) return (await load())({ ...call, args });
  throw new LoopError("bad-input", `lw ledger ${what} is not there`, {
    retry: "never",
    hint: `Write lw ledger ${[...ACTIONS.keys()].join(", or lw ledger ")}.`,
  });
};
