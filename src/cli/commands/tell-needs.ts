// `lw inbox --tell`: what people did by hand is put on record, and those who should know are told of what is left.
import { watchByLastRuns } from "../../app/decisions/absences.ts";
import { alertNeeds } from "../../app/decisions/alert.ts";
import { settleGone } from "../../app/decisions/carry-out.ts";
import type { Command } from "../call.ts";
import { withHouse } from "../with-house.ts";

export const tellNeeds: Command = (call) =>
  withHouse(call, async (house) => {
    await watchByLastRuns(house);
    for (const loop of await house.journal.loops()) {
      await settleGone(house, loop);
      await alertNeeds(house, loop);
    }
    return "done";
  });
