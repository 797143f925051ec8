// The commands that decide about a proposal, or answer a question.
import { rehearse } from "../../app/decisions/carry-out.ts";
import { amend, answer, approve, type Decided, defer, reject } from "../../app/decisions/decide.ts";
import { type Refreshed, refreshProposal } from "../../app/decisions/refresh.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { exitOfStandstill, tellStandstill } from "../print/tell-decided.ts";
import { watched } from "../print/tell-run.ts";
import { deciderOf, timeFrom } from "../who.ts";
import { withHouse } from "../with-house.ts";

const treeOf = ({ options }: Call): string | undefined => (options.tree === undefined ? undefined : String(options.tree));

export const approveCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const id = call.args[0]!;
    if (call.options.dryRun) {
      const plan = await rehearse(house, id);
      if (wantsJson(call)) printJson(call, { dryRun: true, plan });
      else
        call.io.out(
          plan.length === 0
            ? "nothing would move: the spec has no `act`\n"
            : plan.map(({ action, says }) => `${action}: ${says}\n`).join(""),
        );
      return "done";
    }
    const until = timeFrom(house.world.clock.now(), "--expires", call.options.expires);
    const decided = await watched(call, house, (watch) => approve(house, id, { ...deciderOf(call), tree: treeOf(call), until }, watch));
    return tellDecided(call, "approved", decided);
  });

export const rejectCommand: Command = (call) =>
  withHouse(call, async (house) => {
    return tellDecided(call, "rejected", await reject(house, call.args[0]!, { ...deciderOf(call), tree: treeOf(call) }));
  });

export const amendCommand: Command = (call) =>
  withHouse(call, async (house) => tellDecided(call, "amended", await amend(house, call.args[0]!, deciderOf(call))));

export const refreshCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const came = await watched(call, house, (watch) => refreshProposal(house, call.args[0]!, deciderOf(call).by, watch));
    if (wantsJson(call)) printJson(call, came);
    else call.io.out(tellRefreshed(came));
    return EXIT_OF_REFRESH[came.outcome];
  });

const EXIT_OF_REFRESH = { fresh: "done", stands: "done", refuted: "checkFailed", stuck: "waiting" } as const;

function tellRefreshed({ run, loop, outcome, why, now, approvedBy, carriedOut }: Refreshed): string {
  const lines = {
    fresh: [`${why}: nothing to do`],
    stuck: [`not refreshed  ${run}`, `  ${why}`, `  Have it made again from where base is now: lw run ${loop}`],
    stands: [`refreshed  ${run}`, `  ${why}`],
    refuted: [`refreshed  ${run}`, `  ${why}`],
  }[outcome];
  const stands = now
    ? [
        `  on ${now.base.slice(0, 12)} now, as the tree ${now.tree}`,
        ...(now.isSameChange ? [] : ["  Others changed the same files: look at it again before you say yes."]),
        ...(approvedBy.length > 0 ? [`  still approved by ${approvedBy.join(", ")}`] : []),
      ]
    : [];
  const came = carriedOut.map((one) => `  ${one.kind === "failed" ? `failed: ${one.error.message}` : one.standstill.why}`);
  return [...lines, ...stands, ...came].map((line) => `${line}\n`).join("");
}

export const deferCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const until = timeFrom(house.world.clock.now(), "--for", call.options.for ?? "1d")!;
    return tellDecided(call, "deferred", await defer(house, call.args[0]!, { ...deciderOf(call), until }));
  });

export const answerCommand: Command = (call) =>
  withHouse(call, async (house) => {
    const [id, ...words] = call.args;
    const text = words.join(" ").trim();
    if (text === "")
      throw new LoopError("bad-input", "there is no answer", { retry: "never", hint: 'Write e.g. lw answer fix "Use the second one."' });
    const { run, loop } = await answer(house, id!, text.slice(0, 20_000), deciderOf(call).by);
    if (wantsJson(call)) printJson(call, { run, loop, state: "answered" });
    else call.io.out(`answered  ${run}\n  Go on with: lw resume ${loop}\n`);
    return "done";
  });

/** Nothing but what is settled is told as done. */
function tellDecided(call: Call, what: string, { run, loop, standstill }: Decided): ExitName {
  const { io } = call;
  if (wantsJson(call)) printJson(call, { run, loop, decision: what, outcome: standstill ?? null });
  else {
    io.out(`${what}  ${run}\n`);
    if (standstill) tellStandstill(io, standstill);
  }
  if (what !== "approved") return "done";
  if (standstill) return exitOfStandstill(standstill);
  // No human is waited for any more.
  if (!wantsJson(call)) io.err(`lw: another process works on the loop ${loop}; it is carried out when that rests\n`);
  return "later";
}
