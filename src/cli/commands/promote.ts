// lw promote: what a loop's record says about the next level, and who lets it go there.
import { promote, viewAutonomy } from "../../app/decisions/autonomy.ts";
import { findLoop } from "../../app/records/views.ts";
import type { AutonomyView } from "../../contract/views.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const promoteCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const loop = await findLoop(house, call.args[0]!);
    const view = call.options.yes
      ? await promote(house, loop, { ...deciderOf(call), anyway: call.options.anyway === true })
      : await viewAutonomy(house, loop);
    if (wantsJson(call)) printJson(call, view);
    else call.io.out(tell(view, createPaint(call.io.outColor)));
    return view.next.supports || call.options.yes ? "done" : "waiting";
  });

const tell = ({ loop, level, held, record, next }: AutonomyView, paint: Paint): string =>
  [
    `${paint("bold", loop)}  ${level}${held < level ? `, held at ${held}` : ""}`,
    `  proven     ${record.accepted}`,
    `  people     took ${record.approved} as they were, changed ${record.amended}, rejected ${record.rejected}`,
    `  acted      ${record.acted}, ${record.alone} of them alone, ${record.reverted} taken back`,
    `  escalated  ${record.escalated}, ${record.tampering} for tampering`,
    next.supports
      ? paint("green", `The record supports ${next.level}.`)
      : paint("yellow", `The record does not support ${next.level}: ${next.reasons.join("; ")}.`),
    held < level
      ? `  Let it go further with: lw promote ${loop} --yes --as YOU --why …`
      : `  How far it may go at most is what its spec says (${level}).`,
    "",
  ].join("\n");
