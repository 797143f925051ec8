// The two tools that move something: a loop that the home looks after begins, and a question of such a run is answered.
import * as z from "zod";
import { answer } from "../../app/decisions/decide.ts";
import { mustRead } from "../../app/page/read-run.ts";
import { hearHand } from "../../app/page/run-now.ts";
import { tellDaemon, viewDaemon } from "../../app/records/daemon-view.ts";
import { LoopError } from "../../contract/errors.ts";
import { untrustedText } from "../../contract/text.ts";
import type { RunView } from "../../contract/views.ts";
import { admit } from "../../guard/text/admit.ts";
import { nameOnRecord, OVER_MCP } from "../desk.ts";
import { type Tool, tool } from "../tool.ts";
import { LoopName } from "./loops.ts";

const MOST_ANSWER = 20_000;

export const movingTools: readonly Tool[] = [
  tool({
    name: "start_loop",
    title: "Start a loop",
    about:
      "Asks for a loop to run now, as its spec says and within its budget. Only one that a person gave to this home with `lw add`; the daemon (`lw serve`) wakes it as soon as it may. list_runs tells of the run, and its resource can be subscribed to.",
    doing: "moves",
    asks: z.strictObject({ loop: LoopName }),
    async answer({ house, hear }, { loop }, asking) {
      const daemon = await viewDaemon(house, house.version);
      if (daemon.kind === "none")
        throw new LoopError("loop-held", tellDaemon(daemon, house.version), {
          retry: "later",
          hint: "A person starts it; then ask again.",
        });
      return { loop, says: await hearHand(house, loop, nameOnRecord(asking), hear) };
    },
  }),
  tool({
    name: "answer_question",
    title: "Answer a question of a run",
    about:
      "Answers what the maker of a run asked, where that run was started over this protocol: questions of other runs are for people. It is on record as said by you, and is no yes to anything.",
    doing: "moves",
    asks: z.strictObject({ run: z.string().min(1).max(300), text: z.string().trim().min(1).max(MOST_ANSWER) }),
    async answer({ house }, { run, text }, asking) {
      const { view } = await mustRead(house, run);
      if (!isPutToThem(view))
        throw new LoopError("loop-held", `the run ${run} was not started over this protocol, and what it asks is for a person`, {
          retry: "never",
          hint: "A person answers with `lw answer`, or in the dashboard.",
        });
      const admission = admit(untrustedText(text), { source: "an answer", trust: "outsider", mostChars: MOST_ANSWER });
      if (admission.kind === "refused")
        throw new LoopError("injection", `the answer is not taken: ${admission.why}`, { retry: "never", hint: "Say it in plain words." });
      const answered = await answer(house, run, text, nameOnRecord(asking), "what a program said over the Model Context Protocol");
      return { ...answered, says: "Answered. The run can go on." };
    },
  }),
];

const isPutToThem = ({ cause }: RunView): boolean =>
  (cause?.causes ?? []).some((each) => each.kind === "hand" && each.by.endsWith(OVER_MCP));
