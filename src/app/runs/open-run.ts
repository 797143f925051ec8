// Puts runs together: the only place that builds one, whoever asks for it; and closes one that cannot go on.
import type { Crew, CrewOf } from "../../contract/crew.ts";
import type { RunOpened } from "../../contract/record.ts";
import { anyStop, createStop } from "../../contract/stop.ts";
import type { Watch } from "../../contract/watch.ts";
import { commitKind } from "../../engine/kinds/commit.ts";
import { type ForeignChange, foreignKind } from "../../engine/kinds/foreign.ts";
import { reportKind } from "../../engine/kinds/report.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { restRun } from "../../engine/rest-run.ts";
import type { Run } from "../../engine/run.ts";
import { setOut } from "../../engine/set-out.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { openRunJournal, type RunJournal, type Told } from "../../journal/run-journal.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";
import { userFolder } from "../home.ts";
import { judgeCommand } from "../hooks/judge-command.ts";
import { loadPolicy } from "../hooks/load-policy.ts";
import type { House } from "../open-house.ts";
import { loadLimits } from "../read-limits.ts";
import { openPurse } from "./open-purse.ts";
import type { GivenUp } from "./plan-waking.ts";

interface Opening {
  readonly opened: RunOpened;
  readonly journal: RunJournal;
  /** The rules that a person added to the guard, as they are when the run opens. */
  readonly policy: PolicyReading;
  readonly watch: Watch;
}

/** The policies beside the spec and of the user. Neither lies where a maker works. */
export const policyFor = (house: House, { folder }: Pick<RunOpened, "folder">): Promise<PolicyReading> =>
  loadPolicy({ project: folder, user: userFolder(house.world.env) });

/** Of everything besides the spec that a run goes by: the rules for commands, and the caps on spending. */
export async function policyHash({ home }: Pick<House, "home">, policy: PolicyReading): Promise<string> {
  const limits = await loadLimits(home.folder);
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ policy, limits }))));
}

/** Whoever watches hears of what is on record. */
export const telling =
  (watch: Watch): Told =>
  (entry) =>
    watch({ kind: "recorded", entry });

/** A run of the loop itself. */
export async function openRun(house: House, crew: CrewOf<"commit">, opening: Opening): Promise<Run<"commit">>;
export async function openRun(house: House, crew: Crew, opening: Opening): Promise<Run<"commit"> | Run<"report">>;
export async function openRun(house: House, crew: Crew, opening: Opening): Promise<Run<"commit"> | Run<"report">> {
  const shared = await atHand(house, opening);
  switch (crew.proposes) {
    case "commit":
      return setOut({ ...shared, crew, kind: commitKind });
    case "report":
      return setOut({ ...shared, crew, kind: reportKind });
  }
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

async function atHand(house: House, { opened, journal, policy, watch }: Opening) {
  const own = createStop();
  const stop = anyStop(house.stop, own);
  return {
    opened,
    journal,
    world: house.worldFor(stop),
    stop: { ...stop, ask: own.ask },
    guard: ((command, at) => judgeCommand(command, at, policy)) satisfies Run["guard"],
    purse: await openPurse(house, journal),
    records: house.journal,
    watch,
  };
}

/** Closes a run that cannot or shall not go on; what it left is removed, what it recorded stays. */
export async function giveUp(house: House, { last, rest }: GivenUp, watch: Watch): Promise<Outcome> {
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last, telling(watch));
  const policy = await policyFor(house, last.opened);
  const guard: Run["guard"] = (command, at) => judgeCommand(command, at, policy);
  return restRun({ opened: last.opened, journal, world: house.world, watch, guard }, [], rest);
}
