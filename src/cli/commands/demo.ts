// lw demo: lets one loop go all the way through, in a repository that is thrown away.
import { resolve } from "node:path";
import { builtIn } from "../../app/crew.ts";
import { type DemoPlace, howToCall, makeDemo } from "../../app/demo.ts";
import { findHome } from "../../app/home.ts";
import { openDemo } from "../../app/open-demo.ts";
import { loadSpec } from "../../app/open-specs.ts";
import { viewOf } from "../../app/records/views.ts";
import { runSpec } from "../../app/runs/wake.ts";
import { environmentOf } from "../../contract/around.ts";
import { type ExitName, exitOf } from "../../contract/exit.ts";
import type { RunView } from "../../contract/views.ts";
import { formatDuration } from "../../std/duration.ts";
import { shellWord } from "../../std/shell-word.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

export const demo: Command = async (call) => {
  const { io, options } = call;
  const env = environmentOf(call.env);
  const world = openDemo(env);
  const place = await makeDemo(typeof options.dir === "string" ? resolve(io.cwd, options.dir) : undefined, world);
  const paint = createPaint(io.errColor);
  io.err(`A shop with a failing test: ${paint("dim", place.repo)}\nA maker that will cheat first. No model, no network.\n\n`);
  const loading = await loadSpec(place.spec, place.folder, builtIn);
  if (loading.kind === "refused") throw new Error(`the demo's own spec is refused: ${JSON.stringify(loading.problems)}`);
  return withHouse({ ...call, home: findHome(place.home, env, call.platform, io.cwd) }, async (house): Promise<ExitName> => {
    const result = await watched(call, house, (watch) => runSpec(house, loading.loaded, { onlyIfDue: false, again: false }, watch));
    if (result.kind !== "ran" || result.outcome.kind !== "rested")
      throw new Error(`the demo did not come to rest: ${JSON.stringify(result)}`);
    const view = await viewOf(house, result.run);
    if (wantsJson(call)) printJson(call, { folder: place.folder, ...view });
    else tellStory(call, view, place, await howToCall(call.program[1] ?? "lw", world));
    return exitOf(result.outcome.rest);
  });
};

function tellStory({ io }: Call, view: RunView, place: DemoPlace, ourselves: string): void {
  const paint = createPaint(io.outColor);
  const cheat = view.rounds.find(({ evidence }) => (evidence?.findings.length ?? 0) > 0)?.evidence?.findings[0];
  const proof = view.rounds.at(-1)?.evidence?.proofs.find(({ outcome }) => outcome === "holds");
  const look = (command: string): string => `LOOPWRIGHT_HOME=${shellWord(place.home)} ${ourselves} ${command}`;
  io.out(
    [
      "",
      paint("bold", "What happened"),
      `  Round 1: the maker said "All tests pass now." And so they did: it had deleted the failing one.${cheat ? ` Caught: ${cheat.rule}, ${cheat.where}.` : ""}`,
      "  Round 2: told why, it mended the bug instead.",
      paint("bold", "What was proven"),
      `  ${proof ? proof.detail.split("\n")[0] : "nothing"}, in a clean copy of the commit that the maker never touched.`,
      `  ${view.rest?.kind === "accept" ? paint("green", "Proposed") : paint("red", "Not proposed")} on the branch ${view.branch ?? "(none)"} in ${formatDuration(view.workedMs)}; your checkout was not touched.`,
      paint("bold", "Look further"),
      `  git -C ${shellWord(place.repo)} diff main ${view.branch ?? ""}`,
      `  ${look(`show ${view.loop}`)}`,
      `  ${look(`show ${view.loop} --report`)}`,
      `  ${look("status")}`,
      `  rm -rf ${shellWord(place.folder)}   # removes every trace`,
      "",
    ].join("\n"),
  );
}
