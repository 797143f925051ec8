// The tool that asks the referee about what lies in the checkout. By which loop, and from which base, is for the person to say who opened the server.
import * as z from "zod";
import { referee } from "../../app/runs/referee.ts";
import { stopLoop } from "../../app/runs/stop-run.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Sighting } from "../../contract/watch.ts";
import { type Asking, type Desk, nameOnRecord } from "../desk.ts";
import { tool } from "../tool.ts";
import { evidenceOf, runStatusOf } from "./runs.ts";

export const refereeTool = tool({
  name: "ask_referee",
  title: "Ask the referee about this checkout",
  about:
    "Judges what lies in the checkout that this server was opened for, by the checks of its loop as they are on base. It takes as long as the checks; nothing is merged, and what is proven still waits for whoever decides.",
  doing: "asks",
  asks: z.strictObject({}),
  answer: (desk, _asked, asking) => askReferee(desk, asking),
});

async function askReferee(desk: Desk, asking: Asking): Promise<object> {
  const { house, folder, referee: by } = desk;
  if (!by)
    throw new LoopError("bad-input", "no checkout is judged here", {
      retry: "never",
      hint: "A person opens a server for a checkout with `lw mcp serve`.",
    });
  let opened: { readonly loop: string } | undefined;
  const stopIt = (): void => {
    // What it was asked for is wanted no more: where it is over already, that is as well.
    if (opened) stopLoop(house, opened.loop, 0, nameOnRecord(asking)).catch(() => {});
  };
  const watch = (sighting: Sighting): void => {
    if (sighting.kind === "step-began") asking.tell(sighting.step);
    if (sighting.kind !== "recorded" || sighting.entry.record.kind !== "run-opened") return;
    opened = sighting.entry;
    asking.tell(`the run ${sighting.entry.run} is open`);
    if (asking.signal.aborted) stopIt();
  };
  asking.signal.addEventListener("abort", stopIt, { once: true });
  try {
    const order = { folder, cwd: folder, base: by.base, loop: by.loop, head: undefined, by: nameOnRecord(asking) };
    const result = await referee(house, order, watch);
    if (result.kind === "nothing")
      return { judged: false, says: `Nothing changed since ${result.since}, so there is nothing to judge, and nothing is proven.` };
    if (result.outcome.kind === "paused") throw result.outcome.failure;
    return { judged: true, status: await runStatusOf(desk, result.run), evidence: await evidenceOf(desk, result.run, 0) };
  } catch (error) {
    if (asking.signal.aborted)
      throw new LoopError("interrupted", "it was taken back before it was judged", { retry: "later", hint: "Ask again." });
    throw error;
  } finally {
    asking.signal.removeEventListener("abort", stopIt);
  }
}
