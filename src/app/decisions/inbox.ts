// Everything that needs a human, of all loops: proposals that wait, questions of makers, loops that halted or cannot go on.
// Goes by the records alone: what somebody merged by hand leaves it once that is on record.

import { isCalledLoop } from "../../contract/calling.ts";
import { factsOf } from "../../contract/proposal.ts";
import type { Entry, LoopRecord } from "../../contract/record.ts";
import { isRefereeLoop } from "../../contract/referee.ts";
import { nameOfBest, type Rest } from "../../contract/verdict.ts";
import type { InboxItem, RunView } from "../../contract/views.ts";
import { lastOf } from "../../journal/journal.ts";
import { type KnownLoop, readHomePlaces, readKnownLoop } from "../../journal/known-loops.ts";
import { isClosed, stageOf } from "../../journal/proposals.ts";
import { restedView, viewRun } from "../../journal/views.ts";
import { isMetBy } from "../../schedule/expectations.ts";
import { tellShort } from "../../std/tell-tests.ts";
import { type CannotStart, cannotStart } from "../loops/cannot-start.ts";
import type { Records } from "../open-records.ts";
import { loopStanding } from "./standing.ts";

type Base = Pick<Records, "journal" | "clock" | "killSwitch">;

/** How far back proposals are looked for. */
const MOST_RUNS = 1_000;

/** What is deferred is shown only to who asks for it. */
export async function readInbox(records: Base, which: "due" | "all"): Promise<readonly InboxItem[]> {
  const loops = await records.journal.loops();
  const items = (await Promise.all(loops.map((loop) => itemsOf(records, loop)))).flat();
  const { wrong } = await readHomePlaces(records.journal);
  return [...items, ...wrong.map(({ path, problems, since }) => wrongItem({ id: path, loop: "-", since, problems }))]
    .filter(({ stage }) => which === "all" || stage !== "deferred")
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.since.localeCompare(other.since));
}

/** What is unclear or stands still comes first, then what was waiting longest. */
const rankOf = ({ stage, kind }: InboxItem): number =>
  stage === "unclear" ? 0 : kind === "halted" || kind === "absent" ? 1 : kind === "question" || kind === "review" ? 2 : 3;

export async function itemsOf(records: Base, loop: string): Promise<readonly InboxItem[]> {
  // Whoever asked a referee, or called a loop, has its answer; nothing of it waits.
  if (isRefereeLoop(loop) || isCalledLoop(loop)) return [];
  const newest = <K extends LoopRecord["kind"]>(kind: K) => records.journal.newestOf(loop, kind, { most: MOST_RUNS });
  const [rested, settled, decided, answered, standing, known] = await Promise.all([
    newest("run-rested"),
    newest("proposal-settled"),
    newest("decided"),
    newest("answered"),
    loopStanding(records, loop),
    readKnownLoop(records.journal, loop),
  ]);
  const over = new Set(settled.map(({ run }) => run));
  const answers = new Map(answered.toReversed().map(({ run, seq }) => [run, seq]));
  const dismissed = new Set(decided.filter(({ record }) => record.decision === "reject").map(({ run }) => run));
  const last = rested[0]?.run;
  const seen = new Set<string>();
  const items: InboxItem[] = [];
  for (const { run, at, seq, record } of rested) {
    // A run that was taken up again rests more than once; how it rested last is what counts.
    if (seen.has(run) || over.has(run)) continue;
    seen.add(run);
    // An answer is to what it asked before; what it came to afterwards waits like anything else.
    if ((answers.get(run) ?? 0) > seq) continue;
    const item = isProposal(record.rest)
      ? await proposalItem(records, { loop, run }, at)
      : isWaiting(record.rest, run === last) && !dismissed.has(run)
        ? waitingItem({ loop, run, at }, record.rest)
        : undefined;
    if (item) items.push(item);
  }
  const review = await reviewItem(records, loop, rested[0]);
  const absent = await absentItem(records, loop);
  const still = standing.state === "halted" ? [haltItem(loop, standing.since ?? "", standing.barred ?? "")] : [];
  const wrong = known?.state === "wrong" ? [wrongSpecItem(known)] : [];
  const failing = known?.state === "known" && standing.state === "free" ? await cannotStart(records, loop) : undefined;
  return [
    ...(review ? [review] : []),
    ...items,
    ...still,
    ...wrong,
    ...(failing ? [failingItem(loop, failing)] : []),
    ...(absent ? [absent] : []),
  ];
}

/** What the run that is not over asks a person; nothing once somebody said it, or its time is over. */
async function reviewItem(
  { journal, clock }: Base,
  loop: string,
  rested: Pick<Entry, "run" | "seq"> | undefined,
): Promise<InboxItem | undefined> {
  const asked = await lastOf(journal, loop, "review-asked");
  if (!asked || (rested?.run === asked.run && rested.seq > asked.seq)) return undefined;
  const { tree, ask, until, of, shows } = asked.record;
  const said = await journal.newestOf(loop, "reviewed", { after: asked.seq, most: MOST_RUNS });
  if (said.some(({ run, record }) => run === asked.run && record.tree === tree) || clock.now().toISOString() > until) return undefined;
  return {
    ...blank(loop, asked.at),
    id: asked.run,
    kind: "review",
    tree,
    why: `${of ? `about ${of.join(", ")}: ` : ""}${ask} (until ${until})`,
    next: `lw show ${asked.run}${shows ? " --diff" : ""}, then lw review ${asked.run} yes or no`,
  };
}

/** What is expected of the loop and has not come yet; nothing once it came, or the loop was changed, freed, paused or removed. */
export async function absentItem({ journal }: Pick<Base, "journal">, loop: string): Promise<InboxItem | undefined> {
  const told = await lastOf(journal, loop, "absence-told");
  if (!told) return undefined;
  const kinds = ["loop-known", "loop-removed", "loop-resumed", "loop-paused"] as const;
  const later = await Promise.all(kinds.map((kind) => journal.newestOf(loop, kind, { after: told.seq, most: 1 })));
  const rests = await journal.newestOf(loop, "run-rested", { after: told.seq, most: MOST_RUNS });
  const { ending = "any", says } = told.record;
  if (later.flat().length > 0 || rests.some(({ record }) => isMetBy(ending, record.rest))) return undefined;
  return { ...blank(loop, told.at), kind: "absent", why: says, next: `lw schedule ${loop} --why` };
}

const wrongSpecItem = ({ loop, since, problems }: KnownLoop): InboxItem => wrongItem({ id: loop, loop, since, problems });

/** A spec that cannot be obeyed: its loop does not wake until it is right. */
const wrongItem = ({
  id,
  loop,
  since,
  problems,
}: Pick<InboxItem, "id" | "loop" | "since"> & { readonly problems: readonly string[] }): InboxItem => ({
  id,
  loop,
  kind: "needs-you",
  stage: "open",
  since,
  why: `its spec is not obeyed: ${problems.join("\n")}`,
  branch: null,
  tree: null,
  approvedBy: [],
  next: "put it right; lw loops shows it",
});

/** It leaves the inbox with the next run, or with another spec. */
const failingItem = (loop: string, { since, says }: CannotStart): InboxItem => ({
  ...blank(loop, since),
  kind: "needs-you",
  why: says,
  next: `put it right; lw schedule ${loop} shows its wakings`,
});

const isProposal = (rest: Rest): boolean => rest.kind === "accept" && rest.action === "propose";

/** A question waits for its answer; other ends matter until the loop has ended another way. */
const isWaiting = (rest: Rest, isLast: boolean): boolean =>
  rest.kind === "escalate" ? rest.because === "question" || isLast : rest.kind === "halt" && isLast && rest.because !== "stopped";

async function proposalItem({ journal, clock }: Base, place: Pick<Entry, "loop" | "run">, since: string): Promise<InboxItem | undefined> {
  const view = viewRun(place, await journal.story(place.run));
  return view && itemOf(view, since, clock.now());
}

function itemOf(view: RunView, since: string, now: Date): InboxItem | undefined {
  const { run, loop, proposal: state, branch, base, intent, rest } = view;
  const evidence = restedView(view)?.evidence;
  if (!state || !evidence || isClosed(state)) return undefined;
  const stage = stageOf(state, now);
  const findings = evidence.findings.length > 0 ? `, ${evidence.findings.length} finding(s)` : "";
  const opinion = rest?.kind === "accept" && rest.on ? `, ${tellShort(rest.on, rest.stillRed)}` : "";
  const best =
    rest?.kind === "accept" && rest.best ? `, ${nameOfBest(rest.best)} of its rounds and below its target (${rest.best.because})` : "";
  const about = `${factsOf(evidence.proposal).says} on ${base.ref}${findings}${opinion}${best}: ${intent}`;
  return {
    id: run,
    loop,
    kind: "proposal",
    stage,
    ...(stage === "deferred" && state.deferredUntil !== undefined ? { until: state.deferredUntil } : {}),
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
  ...blank(loop, since),
  kind: "halted",
  why,
  next: `lw resume ${loop}`,
});

/** Of a loop as a whole, and of none of its runs. */
const blank = (loop: string, since: string) =>
  ({ id: loop, loop, stage: "open", since, branch: null, tree: null, approvedBy: [] }) satisfies Partial<InboxItem>;
