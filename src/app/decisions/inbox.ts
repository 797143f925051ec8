// Everything that needs a human, of all loops: proposals that wait, questions of makers, loops that halted or cannot go on.
// Goes by the records alone: what somebody merged by hand leaves it once that is on record.
import type { Entry, LoopRecord } from "../../contract/record.ts";
import { isRefereeLoop } from "../../contract/referee.ts";
import type { Rest } from "../../contract/verdict.ts";
import type { InboxItem, RunView } from "../../contract/views.ts";
import { isClosed, stageOf } from "../../journal/proposals.ts";
import { viewRun } from "../../journal/views.ts";
import type { Records } from "../open-records.ts";
import { loopStanding } from "./standing.ts";

type Base = Pick<Records, "journal" | "clock" | "killSwitch">;

/** How far back proposals are looked for. */
const MOST_RUNS = 1_000;

/** What is deferred is shown only to who asks for it. */
export async function readInbox(records: Base, which: "due" | "all"): Promise<readonly InboxItem[]> {
  const loops = await records.journal.loops();
  const items = (await Promise.all(loops.map((loop) => itemsOf(records, loop)))).flat();
  return items
    .filter(({ stage }) => which === "all" || stage !== "deferred")
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.since.localeCompare(other.since));
}

/** What is unclear or stands still comes first, then what was waiting longest. */
const rankOf = ({ stage, kind }: InboxItem): number => (stage === "unclear" ? 0 : kind === "halted" ? 1 : kind === "question" ? 2 : 3);

export async function itemsOf(records: Base, loop: string): Promise<readonly InboxItem[]> {
  // Whoever asked a referee has its answer; nothing of it waits.
  if (isRefereeLoop(loop)) return [];
  const newest = <K extends LoopRecord["kind"]>(kind: K) => records.journal.newestOf(loop, kind, { most: MOST_RUNS });
  const [rested, settled, decided, answered, standing] = await Promise.all([
    newest("run-rested"),
    newest("proposal-settled"),
    newest("decided"),
    newest("answered"),
    loopStanding(records, loop),
  ]);
  const over = new Set([...settled.map(({ run }) => run), ...answered.map(({ run }) => run)]);
  const dismissed = new Set(decided.filter(({ record }) => record.decision === "reject").map(({ run }) => run));
  const last = rested[0]?.run;
  const seen = new Set<string>();
  const items: InboxItem[] = [];
  for (const { run, at, record } of rested) {
    // A run that was taken up again rests more than once; how it rested last is what counts.
    if (seen.has(run) || over.has(run)) continue;
    seen.add(run);
    const item = isProposal(record.rest)
      ? await proposalItem(records, { loop, run }, at)
      : isWaiting(record.rest, run === last) && !dismissed.has(run)
        ? waitingItem({ loop, run, at }, record.rest)
        : undefined;
    if (item) items.push(item);
  }
  return standing.state === "halted" ? [...items, haltItem(loop, standing.since ?? "", standing.barred ?? "")] : items;
}

const isProposal = (rest: Rest): boolean => rest.kind === "accept" && rest.action === "propose";

/** A question waits for its answer; other ends matter until the loop has ended another way. */
const isWaiting = (rest: Rest, isLast: boolean): boolean =>
  rest.kind === "escalate" ? rest.because === "question" || isLast : rest.kind === "halt" && isLast && rest.because !== "stopped";

async function proposalItem({ journal, clock }: Base, place: Pick<Entry, "loop" | "run">, since: string): Promise<InboxItem | undefined> {
  const view = viewRun(place, await journal.story(place.run));
  return view && itemOf(view, since, clock.now());
}

function itemOf({ run, loop, proposal: state, branch, base, intent, rounds }: RunView, since: string, now: Date): InboxItem | undefined {
  const evidence = rounds.at(-1)?.evidence;
  if (!state || !evidence || isClosed(state)) return undefined;
  const stage = stageOf(state, now);
  const files = evidence.proposal.kind === "commit" ? evidence.proposal.changes.length : 0;
  const findings = evidence.findings.length > 0 ? `, ${evidence.findings.length} finding(s)` : "";
  const about = `${files} file(s) on ${base.ref}${findings}: ${intent}`;
  return {
    id: run,
    loop,
    kind: "proposal",
    stage,
    since,
    why: state.unclear ?? (state.failed ? `${state.failed.why} ${state.failed.hint}` : about),
    branch,
    tree: state.tree,
    approvedBy: state.approvals.map(({ by }) => by),
    next:
      stage === "acting"
        ? `lw approve ${run} finds out how it ended`
        : stage === "unclear"
          ? `look whether it happened, then lw approve ${run} or lw reject ${run}`
          : `lw show ${run} --diff, then lw approve ${run}`,
  };
}

function waitingItem({ loop, run, at }: Pick<Entry, "loop" | "run" | "at">, rest: Rest): InboxItem | undefined {
  if (rest.kind === "accept" || rest.kind === "nothing-to-do") return undefined;
  const isQuestion = rest.because === "question";
  return {
    id: run,
    loop,
    kind: isQuestion ? "question" : "needs-you",
    stage: "open",
    since: at,
    why: isQuestion ? rest.reason : `${rest.because}: ${rest.reason}`,
    branch: null,
    tree: null,
    approvedBy: [],
    next: isQuestion ? `lw answer ${run} "…"` : `lw show ${run}; lw reject ${run} takes it from here`,
  };
}

const haltItem = (loop: string, since: string, why: string): InboxItem => ({
  id: loop,
  loop,
  kind: "halted",
  stage: "open",
  since,
  why,
  branch: null,
  tree: null,
  approvedBy: [],
  next: `lw resume ${loop}`,
});
