// Opens the house for one command, stops it on signals, and closes it again.
import { type House, openHouse } from "../app/open-house.ts";
import { partsOf } from "../app/open-parts.ts";
import type { ExitName } from "../contract/exit.ts";
import type { Call } from "./call.ts";
import { tellMended } from "./open.ts";

const STOPPING = "\nlw: stopping; the run can be resumed with `lw resume`\n";

/** `stopping` is said when a signal comes; nothing by who tells of it in its own words. */
export async function withHouse(call: Call, work: (house: House) => Promise<ExitName>, stopping = STOPPING): Promise<ExitName> {
  const { io, version, onSignal } = call;
  const house = await openHouse(call.home, version, await partsOf(call.home), call);
  if (house.journal.mended) io.err(tellMended(house.journal.mended));
  // The run stays resumable.
  const deafen = onSignal(() => {
    // Where nothing is to be said, nothing is loaded for it either: a daemon is stopped when its program was replaced by a newer one.
    if (stopping !== "") io.err(stopping);
    house.stop.ask();
  });
  try {
    return await work(house);
  } finally {
    deafen();
    house.close();
  }
}
