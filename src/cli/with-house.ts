// Opens the house for one command, stops it on signals, and closes it again.
import { type House, openHouse } from "../app/open-house.ts";
import type { ExitName } from "../contract/exit.ts";
import type { Call } from "./call.ts";
import { homeOf } from "./home-of.ts";
import { tellMended } from "./open.ts";

export async function withHouse({ options, io, version }: Call, work: (house: House) => Promise<ExitName>): Promise<ExitName> {
  const house = await openHouse(homeOf({ options, io }), version);
  if (house.journal.mended) io.err(tellMended(house.journal.mended));
  const stop = onSignals(house, io);
  try {
    return await work(house);
  } finally {
    stop();
    house.close();
  }
}

/** The first signal stops the run and leaves it resumable; the second gives up waiting. */
function onSignals(house: House, io: Call["io"]): () => void {
  let asked = 0;
  const onSignal = (): void => {
    asked++;
    if (asked > 1) process.exit(75);
    io.err("\nlw: stopping; the run can be resumed with `lw resume`\n");
    house.stop();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
}
