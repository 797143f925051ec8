// lw status: where every loop stands.
import { tellDaemon, viewDaemon } from "../../app/records/daemon-view.ts";
import { viewLoops } from "../../app/records/views.ts";
import type { LoopView, RunView } from "../../contract/views.ts";
import { accountsUsedUp, limitRecords } from "../../journal/accounts.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { isGoodRest, tellAgo, tellCost, tellIn, tellStanding, whyStanding } from "../print/words.ts";

export const status: Command = (call) =>
  withRecords(call, async (records) => {
    const loops = await viewLoops(records);
    const daemon = await viewDaemon(records, call.version);
    const usedUp = accountsUsedUp(await limitRecords(records.journal), records.clock.now());
    if (wantsJson(call)) {
      const accounts = usedUp.map(({ account, until }) => ({ account, until }));
      printJson(call, { home: records.home.folder, daemon, loops, accounts });
      return "done";
    }
    if (loops.length === 0) {
      call.io.err("lw: no loop has run yet. See one with `lw demo`, or run your own with `lw run FILE`.\n");
      return "done";
    }
    if (daemon.kind === "alive") call.io.err(`lw: ${tellDaemon(daemon, call.version)}\n`);
    const paint = createPaint(call.io.outColor);
    const now = records.clock.now();
    const head = ["LOOP", "LEVEL", "STATE", "LAST RUN", "ROUNDS", "COST", "NEXT", "WHY"].map((title) => paint("dim", title));
    call.io.out(`${columns([head, ...loops.map((loop) => row(loop, now, paint))]).join("\n")}\n`);
    for (const { account, until } of usedUp)
      call.io.out(`${paint("yellow", `the account ${account} has reached a limit until ${until}`)}\n`);
    return "done";
  });

function row({ loop, state, last, nextDue, known, alone }: LoopView, now: Date, paint: Paint): readonly string[] {
  const next = nextDue ? tellIn(nextDue, now) : "";
  const kept = known?.why ? firstLine(known.why, 60) : undefined;
  if (!last && known)
    return [
      loop,
      "",
      paint(known.isRight ? "cyan" : "red", state === "known" ? "not run yet" : state),
      "",
      "",
      "",
      next,
      kept ?? known.trigger,
    ];
  if (!last) return [loop, "", paint("red", state), "", "", "", "", "its records are damaged; see lw doctor"];
  const { rest } = last;
  const isHeld = state === "paused" || state === "halted" || state === "all-stopped" || state === "wrong";
  const told = rest && !isHeld ? tellStanding({ ...last, rest }, now) : state;
  const isRefused = last.dismissed !== undefined || last.proposal?.rejected !== undefined || last.proposal?.unclear !== undefined;
  const color = isHeld || isRefused ? "yellow" : rest && isGoodRest(rest) ? "green" : state === "running" ? "cyan" : "red";
  // What keeps it from waking matters more than how it went the last time.
  const unearned = alone?.kind === "not" ? firstLine(alone.why, 200) : undefined;
  const why = kept ?? unearned ?? whyOf(last) ?? (state === "interrupted" ? `lw resume ${loop}` : "");
  return [
    loop,
    unearned === undefined ? last.level : paint("yellow", `${last.level}, as L2`),
    paint(color, told),
    tellAgo(last.restedAt ?? last.lastAt, now),
    String(last.rounds.length),
    tellCost(last.cost),
    next,
    why,
  ];
}

function whyOf({ rest, proposal, branch, dismissed }: RunView): string | undefined {
  if (dismissed) return firstLine(`by ${dismissed.by}${dismissed.why === "" ? "" : `: ${dismissed.why}`}`, 60);
  if (rest && rest.kind !== "accept") return firstLine(rest.reason, 60);
  const became = proposal && whyStanding(proposal);
  return became ? firstLine(became, 60) : (branch ?? undefined);
}
