// A loop as a row: where it stands now, when it last ran, what that cost, and why it stands there.
import type { LoopView, RunView } from "../../contract/views.ts";
import { stageOf } from "../../journal/proposals.ts";
import { firstLine } from "../../std/display-text.ts";
import type { Paint } from "./paint.ts";
import { isGoodRest, tellAgo, tellCost, tellIn, tellStanding, whyStanding } from "./words.ts";

export const headOf = (paint: Paint): readonly string[] =>
  ["LOOP", "LEVEL", "STATE", "LAST RUN", "ROUNDS", "COST", "NEXT", "WHY"].map((title) => paint("dim", title));

export function statusRow({ loop, state, last, nextDue, known, alone }: LoopView, now: Date, paint: Paint): readonly string[] {
  const next = nextDue ? tellIn(nextDue, now) : "";
  const kept = known?.why ? firstLine(known.why, MOST_WHY) : undefined;
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
  const why = kept ?? unearned ?? whyOf(last, now) ?? (state === "interrupted" ? `lw resume ${loop}` : "");
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

/** In a terminal cells wrap, so that a sentence is seen whole. */
const MOST_WHY = 200;

function whyOf({ loop, rest, proposal, branch, dismissed }: RunView, now: Date): string | undefined {
  if (dismissed) return firstLine(`by ${dismissed.by}${dismissed.why === "" ? "" : `: ${dismissed.why}`}`, MOST_WHY);
  if (rest && rest.kind !== "accept") return firstLine(rest.reason, MOST_WHY);
  const became = proposal && whyStanding(proposal);
  if (became) return firstLine(became, MOST_WHY);
  return proposal && stageOf(proposal, now) === "open" ? `waits for a yes: lw approve ${loop}` : (branch ?? undefined);
}
