// Judges a run again by another spec: reads the records and the spec, and writes nothing.
import { resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { EXIT, type ExitName, exitOf } from "../../contract/exit.ts";
import type { Range } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Rest, Verdict } from "../../contract/verdict.ts";
import { judgeAgain } from "../../engine/judge-again.ts";
import { foldRun } from "../../journal/fold.ts";
import { lostOf } from "../../journal/lost.ts";
import { readChangedSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import type { House } from "../open-house.ts";

export type RunJudging =
  | { readonly kind: "judged"; readonly again: RunAgain }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

/** As people and programs are shown it. */
export interface RunAgain {
  readonly run: string;
  readonly policy: string;
  readonly rounds: readonly {
    readonly id: string;
    readonly number: number;
    readonly before: Verdict | null;
    readonly after: Verdict | null;
    readonly reached: boolean;
    readonly missing: readonly string[];
  }[];
  readonly before: Rest | null;
  readonly after: Rest | null;
  /** Why nobody can tell how the run would have ended; null where it can be told. */
  readonly cannotTell: string | null;
  readonly exitName: ExitName;
  readonly exit: { readonly code: number; readonly means: string };
}

const MOST_BYTES = 256 * 1024;

export async function judgeRun(house: House, run: string, policy: string, cwd: string): Promise<RunJudging> {
  const { entries, damaged } = await house.journal.story(run);
  const { opened, rest } = foldRun(entries);
  if (!opened) throw unreadable(run);
  const recorded = inTodaysWords(opened.spec, house);
  const reading = readChangedSpec(policy, await house.texts.readWhole(resolve(cwd, policy), MOST_BYTES), recorded, house.registries);
  if (reading.kind === "refused") return reading;
  const { rounds, end } = judgeAgain({ loop: opened.spec.name, run, opened: { ...opened, spec: recorded }, entries, spec: reading.spec });
  const broken = whyBroken(damaged, await lostOf(house.journal, entries));
  const cannotTell = broken ?? (end.kind === "cannot-tell" ? end.why : null);
  const after = cannotTell === null && end.kind === "rest" ? end.rest : null;
  const exitName = after ? exitOf(after) : "cannotVerify";
  return {
    kind: "judged",
    again: {
      run,
      policy,
      rounds: rounds.map((round) => ({
        id: round.id,
        number: round.number,
        before: round.before ?? null,
        after: round.after ?? null,
        reached: round.isReached,
        missing: round.missing,
      })),
      before: rest?.verdict ?? null,
      after,
      cannotTell: cannotTell ?? missingAtEnd(rounds),
      exitName,
      exit: EXIT[exitName],
    },
  };
}

/** What was decided then may have been decided by what is not there now. */
function whyBroken(damaged: readonly number[], lost: readonly Range[]): string | undefined {
  if (damaged.length > 0) return `records ${damaged.join(", ")} of the run are damaged`;
  if (lost.length === 0) return undefined;
  const gaps = lost.slice(0, MOST_GAPS).map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  const more = lost.length > MOST_GAPS ? ` and ${lost.length - MOST_GAPS} more gaps` : "";
  return `records ${gaps.join(", ")}${more} of the journal are missing or are not what was written, and may have been of this run; \`lw doctor\` tells more`;
}

const MOST_GAPS = 5;

/** An older record may lack options that parts have got since; they are filled in as they would be today. */
function inTodaysWords(spec: LoopSpec, { registries }: House): LoopSpec {
  const parsed = specSchemaFor(spec, registries).safeParse(spec);
  return parsed.success ? parsed.data : spec;
}

/** A run that ends because something was never looked at ends in "cannot tell", however it is called. */
function missingAtEnd(rounds: ReturnType<typeof judgeAgain>["rounds"]): string | null {
  const last = rounds.findLast(({ isReached }) => isReached);
  if (!last?.after || last.after.kind === "accept" || last.after.because !== "cannot-verify") return null;
  return last.missing.length > 0 ? last.missing.join("; ") : null;
}

const unreadable = (run: string): LoopError =>
  new LoopError("journal-damaged", `the first record of the run ${run} cannot be read`, {
    retry: "never",
    hint: "`lw doctor` says what is damaged.",
  });
