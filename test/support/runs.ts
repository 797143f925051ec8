// Runs in tests: put together like real ones, from a crew whose maker and verifiers are whatever a test says.
import type { Crew, CrewMaker, CrewOf } from "../../src/contract/crew.ts";
import type { Make } from "../../src/contract/maker.ts";
import type { KindName } from "../../src/contract/proposal.ts";
import type { RunOpened } from "../../src/contract/record.ts";
import { makersOf, type PartRef } from "../../src/contract/spec.ts";
import type { Verify } from "../../src/contract/verifier.ts";
import type { World } from "../../src/contract/world.ts";
import { kinds } from "../../src/engine/kinds/index.ts";
import type { Outcome } from "../../src/engine/outcome.ts";
import type { Run } from "../../src/engine/run.ts";
import { runLoop } from "../../src/engine/run-loop.ts";
import { setOut } from "../../src/engine/set-out.ts";
import { askGuard } from "../../src/guard/command/ask-guard.ts";
import type { RunJournal } from "../../src/journal/run-journal.ts";
import { plainPurse } from "./purses.ts";

/** A crew as tests write it down: its maker says what it proposes. */
export interface AnyCrew extends Omit<CrewOf<KindName>, "proposes" | "makers" | "verifiers" | "team"> {
  readonly make: Make;
  /** Those that take over from it, by name. */
  readonly others?: readonly (readonly [name: string, make: Make])[];
  readonly verifiers: readonly Verify[];
  /** The same maker with other options. */
  readonly remake?: (options: PartRef["with"]) => Make;
}

export interface RunParts extends Partial<Pick<Run, "records" | "accounts" | "limits" | "purse" | "watch" | "guard" | "stop">> {
  readonly opened: RunOpened;
  readonly crew: AnyCrew;
  readonly journal: RunJournal;
  readonly world: World;
}

/** Nothing is on record but what the run itself wrote. */
export const noRecords: Run["records"] = { newestOf: async () => [] };

/** Nobody has ever reached a limit, and nobody tells of one. */
const noAccounts: Run["accounts"] = {
  limitOn: async () => undefined,
  sawLimit: async () => {},
  sawGood: async () => {},
  holdToTry: async () => ({ release: async () => {} }),
};

export function runOf({ crew, ...parts }: RunParts): Run {
  return fittedRun(crewOf(crew, makersOf(parts.opened.spec)[0]), parts);
}

function fittedRun<K extends KindName>(crew: CrewOf<K>, parts: Omit<RunParts, "crew">): Run<K> {
  const shared = {
    records: noRecords,
    accounts: noAccounts,
    limits: "wait" as const,
    purse: plainPurse,
    watch: () => {},
    guard: askGuard,
    rules: async () => "",
    stop: stopOf(),
    ...parts,
  };
  return setOut({ ...shared, crew, kind: kinds[crew.proposes] });
}

/** A stop that is asked for when a test says so. */
export const stopOf = (asked: () => boolean = () => false): Run["stop"] => ({ asked, onAsk: () => () => {}, ask: () => {} });

export const runToRest = (parts: RunParts): Promise<Outcome> => runLoop(runOf(parts));

export function crewOf({ make, remake, others: standIns = [], verifiers, ...others }: AnyCrew, ref: PartRef = { use: "shell" }): Crew {
  const called = [{ ref, make, ...(remake ? { remake } : {}) }, ...standIns.map(([use, other]) => ({ ref: { use }, make: other }))];
  const proposing = <K extends KindName>(kind: K): CrewOf<K>["makers"] => {
    const [first, ...more] = called.filter((maker): maker is CrewMaker<K> => maker.make.proposes === kind);
    return [first!, ...more];
  };
  const about = <K extends KindName>(kind: K) =>
    verifiers.filter((verify): verify is Extract<Verify, { proves: K }> => verify.proves === kind);
  switch (make.proposes) {
    case "commit":
      return { ...others, proposes: "commit", makers: proposing("commit"), verifiers: about("commit") };
    case "document":
      return { ...others, proposes: "document", makers: proposing("document"), verifiers: about("document") };
    case "report":
      return { ...others, proposes: "report", makers: proposing("report"), verifiers: about("report") };
  }
}
