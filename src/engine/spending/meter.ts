// The meter of a run: everything that may spend takes it from here, and the journal has it before anybody goes on.
import type { Finished } from "../../contract/commands.ts";
import type { Amounts, Cap, Spender } from "../../contract/ledger.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Round } from "../../contract/round.ts";
import { capsOf } from "../../guard/budget.ts";
import { whole } from "../../guard/price.ts";
import { plus } from "../../journal/ledger.ts";
import { dayIn } from "../../std/day.ts";
import { spentAbove } from "./above.ts";
import { overrun } from "./amounts.ts";
import { type Calls, openCalls } from "./calls.ts";
import { type Launch, type Launched, openLaunch } from "./launch.ts";
import { asking, type Spending } from "./spending.ts";

type At = Pick<Round, "id">;

export interface RunMeter {
  /** Every cap that the run is under. */
  readonly caps: readonly Cap[];
  /** Sets something aside for a maker, or says which cap is in the way. */
  launch(round: At, launched: Launched): Promise<Launch>;
  /** A round that starts no maker counts all the same. */
  round(round: At, maker: string): Promise<void>;
  /** Model calls of somebody who has no launch to take them out of. */
  calls(round: At, who: Spender): Calls;
  /** Commands that are no maker's. */
  commands(round: At): Tally;
}

/** What commands came to; on record once it is settled. */
export interface Tally {
  add(finished: Finished): void;
  settle(): Promise<void>;
}

export function openMeter({ opened, ...rest }: Omit<Spending, "spec" | "roundId"> & { readonly opened: RunOpened }): RunMeter {
  const at = ({ id }: At): Spending => ({ spec: opened.spec, roundId: id, ...rest });
  return {
    caps: capsOf(opened.spec, rest.purse.limits),
    launch: (round, launched) => openLaunch(at(round), launched),
    round: (round, maker) => countRound(at(round), maker),
    calls: (round, who) => openCalls(at(round), who),
    commands: (round) => countCommands(at(round)),
  };
}

async function countRound(spending: Spending, maker: string): Promise<void> {
  const { spec, roundId, journal } = spending;
  if (journal.entries.some(({ record }) => record.kind === "reserved" && record.roundId === roundId)) return;
  const caps = capsOf(spec, spending.purse.limits).filter(({ scope }) => scope !== "call");
  const answer = await journal.reserve({
    ...asking(spending),
    purpose: `report by ${maker}`,
    who: { maker },
    wanted: { rounds: 1 },
    caps,
  });
  if (answer.kind === "refused") throw overrun(answer.refusal);
  const reservation = answer.entry.seq;
  journal.hold({ kind: "settled", roundId, reservation, amounts: { rounds: 1 }, basis: "reported" });
}

/** What commands use that are no maker's is on record too. They spend no money, and what the system does not tell about them is not known. */
function countCommands({ roundId, journal, world, purse }: Spending): Tally {
  let amounts: Amounts = {};
  return {
    add({ tookMs, used = {} }) {
      amounts = plus(amounts, whole({ timeMs: tookMs, ...used }));
    },
    async settle() {
      if (Object.keys(amounts).length === 0) return;
      const day = dayIn(purse.limits.zone, world.clock.now());
      const above = spentAbove(purse, world.clock.monotonicMs() - (amounts.timeMs ?? 0));
      journal.hold({ kind: "spent", roundId, spend: { usd: 0, tokens: 0 }, amounts, basis: "reported", day, ...above });
    },
  };
}
