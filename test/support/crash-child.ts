// A run that kills itself before or after its n-th append. Arguments: home, spec, n, when. With n = 0 it lives, and says how many
// there were. With n = `new` it takes up what was interrupted, and dies before and after the first append at which none of its kind died
// before; with n = `turn` before one, after the next, and so on. `when` is then the file that remembers them.
import { appendFileSync, readFileSync } from "node:fs";
import { builtIn } from "../../src/app/crew.ts";
import { findHome } from "../../src/app/home.ts";
import { openHouse } from "../../src/app/open-house.ts";
import { loadSpec } from "../../src/app/open-specs.ts";
import { signLoop } from "../../src/app/records/sign.ts";
import { resumeRun, runSpec } from "../../src/app/runs/wake.ts";
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { Line, Only, Overtaken } from "../../src/journal/journal.ts";

const [home = "", spec = "", fatal = "", when = ""] = process.argv.slice(2);
const house = await openHouse(findHome(home, { get: () => undefined }, process.platform, "/"), "crash-test");
const isTakenUp = fatal === "new" || fatal === "turn";
const died = new Set(isTakenUp ? readFileSync(when, "utf8").split("\n").filter(Boolean) : []);
let appends = 0;

const loading = await loadSpec(spec, "/", builtIn);
if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));

/** A reservation is an append too. */
async function deadlyWrite<T>(name: string, write: () => Promise<T>): Promise<T> {
  appends++;
  dieIfItIsTime(name, "before");
  const written = await write();
  dieIfItIsTime(name, "after");
  return written;
}

function dieIfItIsTime(name: string, side: "before" | "after"): void {
  const isNew = isTakenUp && isItsTurn(name, side) && !died.has(`${name} ${side}`);
  if (isNew) appendFileSync(when, `${name} ${side}\n`);
  if (isNew || (appends === Number(fatal) && when === side)) process.kill(process.pid, "SIGKILL");
}

function isItsTurn(name: string, side: "before" | "after"): boolean {
  if (fatal === "new") return true;
  return !died.has(`${name} before`) && !died.has(`${name} after`) && side === (died.size % 2 === 0 ? "after" : "before");
}

/** What is appended, without what is another one each time. */
const nameOf = (record: LoopRecord): string =>
  [record.kind, "roundId" in record ? record.roundId : "", "step" in record ? record.step : ""].join(" ");

function append(lines: readonly Line[]): Promise<readonly Entry[]>;
function append(lines: readonly Line[], only: Only | undefined): Promise<readonly Entry[] | Overtaken>;
function append(lines: readonly Line[], only?: Only): Promise<readonly Entry[] | Overtaken> {
  return deadlyWrite(lines.map(({ record }) => nameOf(record)).join(", "), () => house.journal.append(lines, only));
}

const deadly: typeof house.journal = {
  ...house.journal,
  append,
  reserve: (place, ask, before) => deadlyWrite(`reserve ${ask.roundId} ${ask.purpose}`, () => house.journal.reserve(place, ask, before)),
};
const dying = { ...house, journal: deadly };
const [last] = await house.journal.newestOf(loading.loaded.spec.name, "run-opened", { most: 1 });
const isRested = last && (await house.journal.story(last.run)).entries.some(({ record }) => record.kind === "run-rested");
// As `lw resume` does it: what came to rest may still lack its receipt.
if (isTakenUp && isRested) await signLoop(dying, loading.loaded.spec.name, () => {});
else if (isTakenUp && last) await resumeRun(dying, loading.loaded.spec.name, () => {});
else await runSpec(dying, loading.loaded, { onlyIfDue: false, again: false }, () => {});
house.close();
process.stdout.write(String(appends));
