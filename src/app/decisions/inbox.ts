// Everything that needs a human, of all loops: proposals that wait, questions of makers, loops that halted or cannot go on.
import { LoopError } from "../../contract/errors.ts";
import type { Entry, LoopRecord } from "../../contract/record.ts";
import { isRefereeLoop } from "../../contract/referee.ts";
import type { Rest } from "../../contract/verdict.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import { isClosed, type Stage, stageOf } from "../../journal/proposals.ts";
import { standingOf } from "../../journal/standing.ts";
import type { House } from "../open-house.ts";

type Base = Pick<House, "journal" | "world" | "home">;

export interface InboxItem {
  /** The run that it is about; `lw show` and every decision take it. */
  readonly id: string;
  readonly loop: string;
  readonly kind: "proposal" | "question" | "needs-you" | "halted";
  readonly stage: Stage;
  readonly since: string;
  /** What to look at first. */
  readonly why: string;
  readonly branch: string | null;
  readonly tree: string | null;
  readonly approvedBy: readonly string[];
  readonly next: string;
}

/** How far back proposals are looked for. */
const MOST_RUNS = 1_000;

/** What is deferred is shown only to who asks for it. */
export async function readInbox(house: Base, which: "due" | "all"): Promise<readonly InboxItem[]> {
  const loops = await house.journal.loops();
  const items = (await Promise.all(loops.map((loop) => itemsOf(house, loop)))).flat();
  return items
    .filter(({ stage }) => which === "all" || stage !== "deferred")
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.since.localeCompare(other.since));
}

/** What is unclear or stands still comes first, then what was waiting longest. */
const rankOf = ({ stage, kind }: InboxItem): number => (stage === "unclear" ? 0 : kind === "halted" ? 1 : kind === "question" ? 2 : 3);

export async function itemsOf(house: Base, loop: string): Promise<readonly InboxItem[]> {
  // Whoever asked a referee has its answer; nothing of it waits.
  if (isRefereeLoop(loop)) return [];
  const newest = <K extends LoopRecord["kind"]>(kind: K) => house.journal.newestOf(loop, kind, { most: MOST_RUNS });
  const [rested, settled, decided, answered, standing] = await Promise.all([
    newest("run-rested"),
    newest("proposal-settled"),
    newest("decided"),
    newest("answered"),
    standingOf(house.journal, house.world.killSwitch, loop),
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
      ? await proposalItem(house, run, at)
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

async function proposalItem(house: Base, run: string, since: string): Promise<InboxItem | undefined> {
  const proposed = proposedIn((await house.journal.story(run)).entries);
  if (!proposed || isClosed(proposed.state) || (await isGone(house, proposed))) return undefined;
  const { state, branch, round, opened, proposal, evidence } = proposed;
  const stage = stageOf(state, house.world.clock.now());
  const findings = evidence.findings.length > 0 ? `, ${evidence.findings.length} finding(s)` : "";
  const about = `${proposal.changes.length} file(s) on ${opened.base.ref}${findings}: ${opened.spec.intent}`;
  return {
    id: run,
    loop: round.loop,
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

/** Somebody merged it, or threw its branch away: that is a decision too. It is put on record when the loop is woken next. */
async function isGone({ world }: Base, { opened, branch, state }: Proposed): Promise<boolean> {
  if (state.acting || state.receipts.length > 0) return false;
  const { repo, base } = opened;
  try {
    if ((await world.mover.branchTip(repo, branch)) === undefined) return true;
    const tip = await world.git.resolve(repo, base.ref);
    return tip !== undefined && (await world.mover.contains(repo, tip, state.commit));
  } catch (error) {
    // A repository that cannot be read takes nothing out of the inbox.
    if (error instanceof LoopError) return false;
    throw error;
  }
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
