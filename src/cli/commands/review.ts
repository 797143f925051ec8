// lw review: what a person thinks of what a run asks about.
import { review } from "../../app/decisions/review.ts";
import { LoopError } from "../../contract/errors.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const reviewCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const [id, says] = call.args;
    if (says !== "yes" && says !== "no")
      throw new LoopError("bad-input", `${says ?? "nothing"} is neither yes nor no`, {
        retry: "never",
        hint: "Write e.g. lw review fix yes.",
      });
    const { run, loop, tree } = await review(house, id!, { says, ...deciderOf(call) });
    if (wantsJson(call)) printJson(call, { run, loop, tree, says });
    else call.io.out(`${says}  ${run}\n  Go on with: lw resume ${loop}\n`);
    return "done";
  });
