// A run that kills itself before or after its n-th append. Arguments: home, spec, n, when. With n = 0 it lives, and says how many there were.
import { openHouse } from "../../src/app/compose.ts";
import { findHome } from "../../src/app/home.ts";
import { loadSpec } from "../../src/app/load-spec.ts";
import { builtIn } from "../../src/app/registries.ts";
import { runSpec } from "../../src/app/run-spec.ts";

const [home = "", spec = "", fatal = "", when = ""] = process.argv.slice(2);
const house = await openHouse(findHome(home, { get: () => undefined }, process.platform, "/"), "crash-test");
let appends = 0;

const loading = await loadSpec(spec, "/", builtIn);
if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));
/** A reservation is an append too. */
async function deadlyWrite<T>(write: () => Promise<T>): Promise<T> {
  appends++;
  const isFatal = appends === Number(fatal);
  if (isFatal && when === "before") process.kill(process.pid, "SIGKILL");
  const written = await write();
  if (isFatal && when === "after") process.kill(process.pid, "SIGKILL");
  return written;
}
const deadly: typeof house.journal = {
  ...house.journal,
  append: (place, record) => deadlyWrite(() => house.journal.append(place, record)),
  reserve: (place, ask) => deadlyWrite(() => house.journal.reserve(place, ask)),
};
await runSpec({ ...house, journal: deadly }, loading.loaded, { onlyIfDue: false, again: false }, () => {});
house.close();
process.stdout.write(String(appends));
