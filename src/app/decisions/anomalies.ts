// What the runs of a loop came to, as marks in which anomalies over many of them can be seen.
import { factsOf, type Proposal } from "../../contract/proposal.ts";
import type { Rest } from "../../contract/verdict.ts";
import { anomalyIn, FEWEST_PROVEN, RUNS_THAT_MATTER, type RunMark } from "../../guard/loop-anomaly.ts";
import type { EntryOf, JournalReader } from "../../journal/journal.ts";
import { sha256 } from "../../std/hash.ts";

type Reading = Pick<JournalReader, "newestOf" | "taken">;

/** Why the loop should not be woken again before a human has looked, by its runs since that record; and how it then goes on. */
export async function findAnomaly(journal: Reading, loop: string, after: number): Promise<string | undefined> {
  const rested = onePerRun(await journal.newestOf(loop, "run-rested", { after, most: RUNS_THAT_MATTER })).filter(
    ({ record: { rest } }) => !isStopped(rest),
  );
  const why = anomalyIn(await marksOf(journal, loop, rested));
  return (
    why &&
    `${why}. \`lw show ${loop}\` tells of the last run; when it may go on, \`lw resume ${loop}\` lets it, and it is judged anew from then.`
  );
}

type Rested = EntryOf<"run-rested">;

/** A run that was taken up again rests more than once; how it rested last is what counts. */
const onePerRun = (rested: readonly Rested[]): readonly Rested[] =>
  rested.filter(({ run }, index) => rested.findIndex((other) => other.run === run) === index);

const isStopped = (rest: Rest): boolean => rest.kind === "halt" && rest.because === "stopped";

async function marksOf(journal: Reading, loop: string, rested: readonly Rested[]): Promise<readonly RunMark[]> {
  const proven = rested.filter(({ record: { rest } }) => rest.kind === "accept").map(({ run }) => run);
  const isProven = rested[0]?.record.rest.kind === "accept";
  // What was changed matters only after a change, and what it cost only once there is enough to compare it with.
  const changes = isProven ? await changesOf(journal, loop, proven) : new Map<string, string>();
  const refused = new Set(
    (isProven ? await journal.newestOf(loop, "decided", { most: RUNS_THAT_MATTER }) : [])
      .filter(({ record }) => record.decision === "reject")
      .map(({ run }) => run),
  );
  const isCosted = isProven && proven.length >= FEWEST_PROVEN;
  const usedBy = async ({ run, at }: Rested) => (isCosted ? (await journal.taken({ loop, run, round: "", day: at.slice(0, 10) })).run : {});
  return Promise.all(
    rested.map(async (entry): Promise<RunMark> => {
      const { run, record } = entry;
      const { rest } = record;
      switch (rest.kind) {
        case "nothing-to-do":
          return { kind: "idle" };
        case "accept":
          return { kind: "proven", change: changes.get(run), isRefused: refused.has(run), used: await usedBy(entry) };
        case "escalate":
        case "halt":
          return { kind: "unproven", because: rest.because, reason: rest.reason, used: await usedBy(entry) };
      }
    }),
  );
}

/** How many changes in turn are looked at; evidence is long. */
const MOST_CHANGES = 4;
/** A run may have closed several rounds before the one that was proven. */
const MOST_ROUNDS = 24;

async function changesOf(journal: Reading, loop: string, proven: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const asked = new Set(proven.slice(0, MOST_CHANGES));
  if (asked.size < MOST_CHANGES) return new Map();
  const closed = await journal.newestOf(loop, "round-closed", { most: MOST_ROUNDS });
  const changes = new Map<string, string>();
  for (const { run, record } of closed) {
    const change = record.verdict.kind === "accept" && asked.has(run) && !changes.has(run) ? changeIn(record.evidence.proposal) : undefined;
    if (change !== undefined) changes.set(run, change);
  }
  return changes;
}

/** What was changed from what to what: the same on any base, and another one for its opposite. */
function changeIn(proposal: Proposal): string | undefined {
  const { changes } = factsOf(proposal);
  if (changes.length === 0) return undefined;
  const told = changes.map(({ path, before, after }) => JSON.stringify([path, before?.blob, before?.mode, after?.blob, after?.mode]));
  return sha256(told.toSorted().join("\n"));
}
