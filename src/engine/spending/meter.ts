// What a launch spends through: the reservation it was started on, and everything it reports on the way. The journal has it
// before the maker hears an answer; a cap that is reached ends the launch.

import type { Finished } from "../../contract/commands.ts";
import type { Amounts } from "../../contract/ledger.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Round } from "../../contract/round.ts";
import type { Limits, LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { World } from "../../contract/world.ts";
import type { Pace } from "../../guard/anomaly.ts";
import { capsOf } from "../../guard/budget.ts";
import { type PriceTable, whole } from "../../guard/price.ts";
import type { RunJournal } from "../../journal/journal.ts";
import { plus } from "../../journal/ledger.ts";
import { dayIn } from "../../std/day.ts";
import { overrun } from "./amounts.ts";

/** What all spending of a run goes by, besides its spec. */
export interface Purse {
  readonly limits: Limits;
  readonly prices: PriceTable;
  /** Earlier runs of the loop. */
  readonly history: readonly Pace[];
}

/** What a launch, or a check, spends with. */
export interface Spending {
  readonly spec: LoopSpec;
  readonly roundId: string;
  readonly journal: RunJournal;
  readonly world: Pick<World, "clock" | "census">;
  readonly purse: Purse;
  readonly watch: Watch;
}

export const spendingOf = (
  { id }: Pick<Round, "id">,
  { opened, journal, world, purse, watch }: Omit<Spending, "spec" | "roundId"> & { readonly opened: RunOpened },
): Spending => ({ spec: opened.spec, roundId: id, journal, world, purse, watch });

/** A round that starts no maker counts all the same. */
export async function countRound(spending: Spending): Promise<void> {
  const { spec, roundId, journal, watch } = spending;
  if (journal.entries.some(({ record }) => record.kind === "reserved" && record.roundId === roundId)) return;
  const caps = capsOf(spec, spending.purse.limits).filter(({ scope }) => scope !== "call");
  const answer = await journal.reserve({
    ...asking(spending),
    purpose: `report by ${spec.maker.use}`,
    who: { maker: spec.maker.use },
    wanted: { rounds: 1 },
    caps,
  });
  if (answer.kind === "refused") throw overrun(answer.refusal);
  const reservation = answer.entry.seq;
  const entry = await journal.append({ kind: "settled", roundId, reservation, amounts: { rounds: 1 }, basis: "reported" });
  watch({ kind: "recorded", entry });
}

export const asking = ({ roundId, world, purse }: Spending) => ({
  roundId,
  today: dayIn(purse.limits.zone, world.clock.now()),
  owner: world.census.self(),
  isGone: world.census.isGone,
});

/** What commands use that are no maker's is on record too. They spend no money, and what the system does not tell about them is not known. */
export function countCommands({ roundId, journal, world, purse, watch }: Spending): {
  readonly add: (finished: Finished) => void;
  readonly settle: () => Promise<void>;
} {
  let amounts: Amounts = {};
  return {
    add({ tookMs, used = {} }) {
      amounts = plus(amounts, whole({ timeMs: tookMs, ...used }));
    },
    async settle() {
      if (Object.keys(amounts).length === 0) return;
      const day = dayIn(purse.limits.zone, world.clock.now());
      const entry = await journal.append({ kind: "spent", roundId, spend: { usd: 0, tokens: 0 }, amounts, basis: "reported", day });
      watch({ kind: "recorded", entry });
    },
  };
}
