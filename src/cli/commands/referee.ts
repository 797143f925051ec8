// lw referee: judges a change that somebody else made, by a loop's spec.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { viewOf } from "../../app/records/views.ts";
import { beginReferee, type Refereed, referee } from "../../app/runs/referee.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { RunView } from "../../contract/views.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { refereeSarif, tellReferee } from "../print/tell-referee.ts";
import { describeEnding, watched } from "../print/tell-run.ts";
import { whoever } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const refereeCommand: Command = async (call) => {
  const { io, options } = call;
  const asked = (name: string): string | undefined => (options[name] === undefined ? undefined : String(options[name]));
  const order = {
    folder: resolve(io.cwd, asked("repo") ?? "."),
    cwd: io.cwd,
    base: asked("base"),
    loop: asked("loop"),
    head: asked("head"),
    by: whoever(call),
    ...(options.session === undefined ? {} : { session: String(options.session) }),
  };
  if (options.begin === true && (order.base !== undefined || order.head !== undefined))
    throw new LoopError("bad-input", "--begin takes the commit that is checked out, and neither --base nor --head", {
      retry: "never",
      hint: "Check out what the work starts from, then begin.",
    });
  return withHouse(call, async (house) => {
    if (options.begin === true) {
      const { commit, hidden, at } = await beginReferee(house, order);
      if (wantsJson(call)) printJson(call, { begun: { at, commit, files: hidden.map(({ path }) => path) } });
      else io.out(`begun at ${commit.slice(0, 12)}; ${hidden.length} ignored file(s) that are protected are known by their hashes\n`);
      return "done";
    }
    const result = await watched(call, house, (watch) => referee(house, order, watch));
    if (result.kind === "nothing") return tellNothing(call, result);
    const view = await viewOf(house, result.run);
    if (options.sarif !== undefined)
      writeFileSync(resolve(io.cwd, String(options.sarif)), `${JSON.stringify(refereeSarif(view, call.version), null, 2)}\n`);
    return tellJudged(call, view, await describeEnding(house, { kind: "ran", run: result.run, outcome: result.outcome }));
  });
};

function tellNothing(call: Call, { since }: Extract<Refereed, { kind: "nothing" }>): ExitName {
  const message = `nothing changed since ${since}, so there is nothing to judge`;
  const hint = "A change of nothing proves nothing. Name another base with --base if there should be one.";
  if (wantsJson(call)) printJson(call, { error: { code: "cannot-judge", message, hint } });
  if (call.options.sarif !== undefined)
    writeFileSync(resolve(call.io.cwd, String(call.options.sarif)), `${JSON.stringify(refereeSarif(undefined, call.version), null, 2)}\n`);
  call.io.err(`lw: ${message}\n    ${hint}\n`);
  return "cannotVerify";
}

function tellJudged(call: Call, view: RunView, { exit, document }: { readonly exit: ExitName; readonly document: object }): ExitName {
  if (wantsJson(call)) printJson(call, document);
  else call.io.out(tellReferee(view, createPaint(call.io.outColor)));
  return exit;
}
