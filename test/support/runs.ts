// Runs in tests: put together like real ones, from a crew whose maker and verifiers are whatever a test says.
import type { Crew, CrewOf } from "../../src/contract/crew.ts";
import type { Make } from "../../src/contract/maker.ts";
import type { KindName } from "../../src/contract/proposal.ts";
import type { RunOpened } from "../../src/contract/record.ts";
import type { Verify } from "../../src/contract/verifier.ts";
import type { World } from "../../src/contract/world.ts";
import { commitKind } from "../../src/engine/kinds/commit.ts";
import { reportKind } from "../../src/engine/kinds/report.ts";
import type { Outcome } from "../../src/engine/outcome.ts";
import type { Run } from "../../src/engine/run.ts";
import { runLoop } from "../../src/engine/run-loop.ts";
import { setOut } from "../../src/engine/set-out.ts";
import { decideCommand } from "../../src/guard/command/decide.ts";
import type { RunJournal } from "../../src/journal/run-journal.ts";
import { plainPurse } from "./purses.ts";

/** A crew as tests write it down: its maker says what it proposes. */
export interface AnyCrew extends Omit<CrewOf<KindName>, "proposes" | "make" | "verifiers"> {
  readonly make: Make;
  readonly verifiers: readonly Verify[];
}

export interface RunParts extends Partial<Pick<Run, "records" | "purse" | "watch" | "guard" | "stop">> {
  readonly opened: RunOpened;
  readonly crew: AnyCrew;
  readonly journal: RunJournal;
  readonly world: World;
}

/** Nothing is on record but what the run itself wrote. */
export const noRecords: Run["records"] = { newestOf: async () => [] };

export function runOf({ crew, ...parts }: RunParts): Run<"commit"> | Run<"report"> {
  const shared = { records: noRecords, purse: plainPurse, watch: () => {}, guard: decideCommand, stop: stopOf(), ...parts };
  const fitting = crewOf(crew);
  return fitting.proposes === "commit"
    ? setOut({ ...shared, crew: fitting, kind: commitKind })
    : setOut({ ...shared, crew: fitting, kind: reportKind });
}

/** A stop that is asked for when a test says so. */
export const stopOf = (asked: () => boolean = () => false): Run["stop"] => ({ asked, onAsk: () => () => {}, ask: () => {} });

export function runToRest(parts: RunParts): Promise<Outcome> {
  const run = runOf(parts);
  return isAboutCommits(run) ? runLoop(run) : runLoop(run);
}

const isAboutCommits = (run: Run<"commit"> | Run<"report">): run is Run<"commit"> => run.kind.name === "commit";

export function crewOf({ make, verifiers, ...others }: AnyCrew): Crew {
  const about = <K extends KindName>(kind: K) =>
    verifiers.filter((verify): verify is Extract<Verify, { proves: K }> => verify.proves === kind);
  return make.proposes === "commit"
    ? { ...others, proposes: "commit", make, verifiers: about("commit") }
    : { ...others, proposes: "report", make, verifiers: about("report") };
}
