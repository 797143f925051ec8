// Puts runs together: the only place that builds one, whoever asks for it; and closes one that cannot go on.
import type { Stop } from "../../contract/clock.ts";
import type { Crew, CrewOf } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { KindName } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import { type LoopSpec, makersOf } from "../../contract/spec.ts";
import { anyStop, createStop } from "../../contract/stop.ts";
import type { Watch } from "../../contract/watch.ts";
import { calledKind } from "../../engine/kinds/called.ts";
import { type ForeignChange, foreignKind } from "../../engine/kinds/foreign.ts";
import { kinds } from "../../engine/kinds/index.ts";
import type { LimitWish, Run } from "../../engine/run.ts";
import { setOut } from "../../engine/set-out.ts";
import type { Above, Purse } from "../../engine/spending/spending.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { createAccounts } from "../../journal/accounts.ts";
import type { RunJournal, Told } from "../../journal/run-journal.ts";
import { dayIn } from "../../std/day.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";
import { userFolder } from "../home.ts";
import { askWithPolicy } from "../hooks/ask-with-policy.ts";
import { loadPolicy } from "../hooks/load-policy.ts";
import type { House } from "../open-house.ts";
import { loadLimits, loadPrices } from "../settings.ts";

interface Opening {
  readonly opened: RunOpened;
  readonly journal: RunJournal;
  /** The rules that a person added to the guard, as they are when the run opens. */
  readonly policy: PolicyReading;
  readonly watch: Watch;
  /** Default: they are waited for. */
  readonly limits?: LimitWish;
}

/** The policies beside the spec and of the user. Neither lies where a maker works. */
export const policyFor = (house: House, { folder }: Pick<RunOpened, "folder">): Promise<PolicyReading> =>
  loadPolicy(house.texts, { project: folder, user: userFolder(house.world.env) });

/** Of everything besides the spec that a run goes by: the rules for commands, the caps on spending, and parts of one's own. */
export async function policyHash(house: Pick<House, "home" | "texts" | "trustedHashes">, policy: PolicyReading): Promise<string> {
  const limits = await loadLimits(house);
  const parts = await house.trustedHashes();
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ policy, limits, ...(parts.length > 0 ? { parts } : {}) }))));
}

/** Whoever watches hears of what is on record. */
export const telling =
  (watch: Watch): Told =>
  (entry) =>
    watch({ kind: "recorded", entry });

/** A run of the loop itself. */
export async function openRun<K extends KindName>(house: House, crew: CrewOf<K>, opening: Opening): Promise<Run<K>> {
  return setOut({ ...(await atHand(house, opening)), crew, kind: kinds[crew.proposes] });
}

/** Where it was called from, and the runs above it. */
export interface CalledBy {
  readonly caller: Pick<Run, "stop" | "guard">;
  readonly above: readonly Above[];
}

/** A run that another one called: it stops with it, is held to its rules for commands as well, tells nobody and moves nothing. */
export async function openCalledRun<K extends KindName>(
  house: House,
  crew: CrewOf<K>,
  opening: Opening,
  { caller, above }: CalledBy,
): Promise<Run<K>> {
  const hands = await atHand(house, opening, caller.stop);
  const silent = { ...crew, notify: [], gates: [], act: [] };
  const guard: Run["guard"] = (command, at) => {
    const answer = caller.guard(command, at);
    return answer.decision === "allow" ? hands.guard(command, at) : answer;
  };
  return setOut({ ...hands, guard, purse: { ...hands.purse, above }, crew: silent, kind: calledKind(kinds[crew.proposes]) });
}

/** A run that judges somebody else's change: nothing is gathered, nobody is told, and nothing moves. */
export async function openRefereeRun(
  house: House,
  crew: CrewOf<"commit">,
  change: ForeignChange,
  opening: Opening,
): Promise<Run<"commit">> {
  const looking = { ...crew, gather: [], notify: [], gates: [], act: [] };
  return setOut({ ...(await atHand(house, opening)), crew: looking, kind: foreignKind(change) });
}

async function atHand(house: House, { opened, journal, policy, watch, limits = "wait" }: Opening, outer: Stop = house.stop) {
  const own = createStop();
  const stop = anyStop(outer, own);
  return {
    opened,
    journal,
    world: house.worldFor(stop),
    stop: { ...stop, ask: own.ask },
    guard: ((command, at) => askWithPolicy(command, at, policy)) satisfies Run["guard"],
    rules: () => policyHash(house, policy),
    purse: await openPurse(house, journal),
    records: house.journal,
    limits,
    accounts: createAccounts(house.journal, house.locks),
    watch,
  };
}

/** How many earlier runs say what is usual for a loop. */
const HISTORY = 10;

/** What the run's spending goes by besides its spec: the limits and prices of this home, and how fast the loop has spent so far. */
async function openPurse(house: House, { loop, run: current }: { readonly loop: string; readonly run: string }): Promise<Purse> {
  const limits = await loadLimits(house);
  const day = dayIn(limits.zone, house.world.clock.now());
  const runs = (await house.journal.newestOf(loop, "run-opened", { most: HISTORY + 1 }))
    .filter((entry) => entry.run !== current)
    .slice(0, HISTORY);
  const tallies = await Promise.all(runs.map(({ run }) => house.journal.taken({ loop, run, round: "", day })));
  const history = tallies.map(({ run: used }) => ({ used, workedMs: used.timeMs ?? 0 }));
  return { limits, prices: await loadPrices(house), history };
}

/** Said before anything is spent: what the checks bring, the box that is required, and what its proxy would have to put in. */
export async function mustHaveAll(house: House, { spec, folder, repo }: RunOpened, { verifiers }: Crew): Promise<void> {
  const { world, box } = house;
  const untrusted = await house.whyUntrusted(spec, folder);
  if (untrusted) throw untrusted;
  await mustFindAgents(house, spec);
  for (const { brings = [] } of verifiers) for (const path of brings) await world.workshop.findBrought({ path, specFolder: folder, repo });
  if (spec.box.maker.when === "required" || spec.box.verifiers.when === "required") await box.mustBeThere();
  const { network } = spec.box.maker;
  const credentials = typeof network === "string" ? [] : network.credentials;
  const missing = credentials.find(({ variable }) => (world.env.get(variable) ?? "") === "");
  if (missing)
    throw new LoopError("bad-input", `the variable ${missing.variable}, which holds the credential for ${missing.to}, is not set`, {
      retry: "never",
      hint: "Set it where you start `lw`, or leave it out of `box.maker.network.credentials`.",
    });
}

/** The agents that will be called; of a list, those that only take over are not missed before they must. */
async function mustFindAgents({ registries, findProgram }: House, spec: LoopSpec): Promise<void> {
  const [first] = makersOf(spec);
  const names = [...(first ? [first.use] : []), ...Object.values(spec.team?.workers ?? {}).map(({ use }) => use)];
  for (const name of new Set(names)) {
    const program = registries.makers.find((part) => part.name === name)?.program;
    if (program && (await findProgram(program.name)) === undefined)
      throw new LoopError("maker-failed", `the maker ${name} needs the program ${program.name}, which is not on the PATH`, {
        retry: "never",
        hint: "Install it, or put it on the PATH; `lw doctor` says which agents are there. Nothing was run, and nothing spent.",
      });
  }
}
