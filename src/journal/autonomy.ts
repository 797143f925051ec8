// What a loop's record says about how far it may go: what people thought of its work, and what had to be taken back. Pure.

import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Level } from "../contract/spec.ts";
import { isWhole } from "../contract/verdict.ts";
import type { Advice, AutonomyRecord } from "../contract/views.ts";

/** How many of the newest runs count. */
export const RUNS_THAT_COUNT = 30;

type Of<K extends LoopRecord["kind"]> = Entry<Extract<LoopRecord, { kind: K }>>;

export interface Deeds {
  readonly rested: readonly Of<"run-rested">[];
  readonly decided: readonly Of<"decided">[];
  readonly amended: readonly Of<"amended">[];
  readonly settled: readonly Of<"proposal-settled">[];
  readonly reverted: readonly Of<"reverted">[];
}

export function readRecord({ rested, decided, amended, settled, reverted }: Deeds): AutonomyRecord {
  const runs = new Set(rested.map(({ run }) => run));
  const runsWhere = <E extends Entry>(entries: readonly E[], isSuch: (entry: E) => boolean = () => true): ReadonlySet<string> =>
    new Set(entries.filter((entry) => runs.has(entry.run) && isSuch(entry)).map(({ run }) => run));
  const yes = runsWhere(decided, ({ record }) => record.decision === "approve");
  const no = runsWhere(decided, ({ record }) => record.decision === "reject" && record.tree !== "");
  const changed = runsWhere(amended);
  const acted = runsWhere(settled, ({ record }) => record.how === "acted");
  const taken = runsWhere(settled, ({ record }) => ["acted", "released", "landed"].includes(record.how));
  return {
    accepted: runsWhere(rested, ({ record: { rest } }) => rest.kind === "accept" && isWhole(rest)).size,
    // What the loop did alone is no opinion of anybody.
    approved: [...taken].filter((run) => !changed.has(run) && !no.has(run) && (yes.has(run) || !acted.has(run))).length,
    amended: [...taken].filter((run) => changed.has(run)).length,
    rejected: no.size,
    acted: acted.size,
    alone: [...acted].filter((run) => !yes.has(run)).length,
    reverted: runsWhere(reverted).size,
    escalated: runsWhere(rested, ({ record }) => record.rest.kind === "escalate").size,
    tampering: runsWhere(rested, ({ record }) => record.rest.kind === "escalate" && record.rest.because === "tampering").size,
  };
}

/** Whether the record is good enough for a level, with everything that speaks against it. */
export function adviseOn(level: Level, record: AutonomyRecord): Advice {
  const { accepted, approved, amended, rejected, reverted, tampering } = record;
  const decided = approved + amended + rejected;
  const reasons =
    level === "L1"
      ? []
      : [
          ...(reverted > 0 ? [`${reverted} of its actions had to be taken back`] : []),
          ...(tampering > 0 ? [`${tampering} of its proposals tried to fake their own success`] : []),
          ...(level === "L2" && accepted < FEWEST_FOR_L2
            ? [`only ${accepted} of its runs were proven, and ${FEWEST_FOR_L2} are needed`]
            : []),
          ...(level === "L3" && decided < FEWEST_FOR_L3
            ? [`people decided about only ${decided} of its proposals, and ${FEWEST_FOR_L3} are needed`]
            : []),
          ...(level === "L3" && decided > 0 && approved / decided < SHARE_FOR_L3
            ? [`people took ${approved} of ${decided} proposals as they were, and ${SHARE_FOR_L3 * 100}% are needed`]
            : []),
        ];
  return { supports: reasons.length === 0, reasons };
}

const FEWEST_FOR_L2 = 5;
const FEWEST_FOR_L3 = 10;
const SHARE_FOR_L3 = 0.9;

export const levelAbove = (level: Level): Level => (level === "L1" ? "L2" : "L3");
export const levelBelow = (level: Level): Level => (level === "L3" ? "L2" : "L1");
