// lw pause: lets a loop neither run nor move anything until it is resumed.
import { loopStanding, pauseLoop } from "../../app/decisions/standing.ts";
import { findLoop } from "../../app/records/views.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const pause: Command = (call) =>
  withHouse(call, async (house) => {
    const loop = await findLoop(house, call.args[0]!);
    const { by, why } = deciderOf(call);
    await pauseLoop(house, loop, by, why);
    const standing = await loopStanding(house, loop);
    if (wantsJson(call)) printJson(call, { loop, ...standing });
    else call.io.out(`paused  ${loop}\n  Go on with: lw resume ${loop}\n`);
    return "done";
  });
