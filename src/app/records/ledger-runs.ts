// Runs of ours as they are counted: from a journal, or from the lines of an exported chain, with few of their records in memory.
import { factsOf } from "../../contract/proposal.ts";
import type { LedgerRun, LedgerSource } from "../../contract/receipt.ts";
import type { Entry, RunOpened } from "../../contract/record.ts";
import { makersOf } from "../../contract/spec.ts";
import { foldEntry, foldRun, type RunState } from "../../journal/fold.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { readCheckpointLog } from "../../receipts/checkpoint-log.ts";
import { resultOf } from "../../receipts/receipt.ts";
import type { PublicKey } from "../../std/ed25519.ts";

const MOST_RUNS = 100_000;
const MOST_TOLD = 4;

export interface Problem {
  /** The number of the record. */
  readonly at: number;
  readonly why: string;
}

/** What was signed of a journal, as it lies beside it, and the keys that count for it. */
export interface Signed {
  readonly log: string;
  readonly keys: readonly PublicKey[];
}

/** One run's records in memory at a time. */
export async function journalSource(journal: JournalReader, label: string, signed: Signed): Promise<LedgerSource> {
  const { entries, damage } = await journal.inspect();
  const runs: LedgerRun[] = [];
  const problems: Problem[] = [
    ...damage.map(({ from, to, problem }) => ({
      at: from,
      why: `${from === to ? `record ${from}` : `records ${from} to ${to}`}: ${problem}`,
    })),
    // What is left of it may be whole; it was not whole when it was found.
    ...(journal.mended !== undefined && damage.length === 0
      ? [{ at: 1, why: "its file was found damaged, and nobody knows what is missing" }]
      : []),
  ];
  for (const loop of await journal.loops()) {
    const opened = await journal.newestOf(loop, "run-opened", { most: MOST_RUNS });
    if (opened.length === MOST_RUNS)
      problems.push({ at: opened.at(-1)!.seq, why: `of the loop ${loop} only the newest ${MOST_RUNS} runs were read` });
    for (const entry of opened) {
      const story = await journal.story(entry.run);
      const folded = orWhy(entry, () => foldRun(story.entries));
      if ("why" in folded) problems.push(folded);
      runs.push(ledgerRun(entry, "why" in folded ? undefined : folded.state));
    }
  }
  const { upTo, problem } = await compareSigned(journal, signed);
  return { label, system: "loopwright", runs, chain: chainOf(entries, problem ? [...problems, problem] : problems, upTo) };
}

/** The newest checkpoint must be of these records: whoever cut the end off, or put another journal here, is at odds with it. */
async function compareSigned(
  journal: JournalReader,
  { log, keys }: Signed,
): Promise<{ readonly upTo: number; readonly problem?: Problem }> {
  const { checkpoints, problem } = readCheckpointLog(log, keys);
  const last = checkpoints.at(-1);
  const upTo = last?.seq ?? 0;
  if (problem !== undefined) return { upTo, problem: { at: upTo + 1, why: `its signed checkpoints cannot be believed from ${problem}` } };
  if (!last) return { upTo };
  const isSame = (await journal.head())?.chain === last.chain && (await journal.hashesAt([last.seq])).get(last.seq) === last.hash;
  return isSame ? { upTo } : { upTo, problem: { at: last.seq, why: `record ${last.seq} is not the one that was signed, or is missing` } };
}

function chainOf(entries: number, problems: readonly Problem[], signedUpTo: number): LedgerSource["chain"] {
  const [first] = problems;
  if (first) {
    const told = problems.slice(0, MOST_TOLD).map(({ why }) => why);
    const more = problems.length > MOST_TOLD ? [`and ${problems.length - MOST_TOLD} more`] : [];
    return { kind: "broken", entries, at: first.at, why: [...told, ...more].join("; ") };
  }
  if (entries === 0) return { kind: "unreadable", why: "it holds no record, which is also how a deleted journal looks" };
  const note =
    signedUpTo === 0
      ? "nothing of it is signed yet: an end that was cut off shows only in the marks beside it"
      : `signed up to record ${signedUpTo} with its own key; \`lw ledger verify\` there also looks at receipts and at what lies elsewhere`;
  return { kind: "whole", entries, note };
}

export interface RunCounter {
  /** One sound entry, as it stands in an exported chain. */
  line(text: string): void;
  end(): { readonly runs: readonly LedgerRun[]; readonly problems: readonly Problem[] };
}

/** Keeps what happened in a run until it came to a rest that nothing follows, and from then on only how it is counted. */
export function createRunCounter(): RunCounter {
  const open = new Map<string, { readonly opened: Entry<RunOpened>; readonly state: RunState | undefined }>();
  const done = new Map<string, LedgerRun>();
  const problems: Problem[] = [];
  return {
    line(text) {
      const entry = JSON.parse(text) as Entry; // its hash holds, so it is what a version of ours wrote
      const { run, record } = entry;
      const known =
        open.get(run) ??
        (record.kind === "run-opened" && !done.has(run) ? { opened: entry as Entry<RunOpened>, state: undefined } : undefined);
      if (!known) return;
      const folded = orWhy(entry, () => foldEntry(known.state, entry));
      const state = "why" in folded ? undefined : folded.state;
      if ("why" in folded) problems.push(folded);
      if (!("why" in folded) && !isOver(state)) {
        open.set(run, { opened: known.opened, state });
        return;
      }
      open.delete(run);
      done.set(run, ledgerRun(known.opened, state));
    },
    end: () => ({ runs: [...done.values(), ...[...open.values()].map(({ opened, state }) => ledgerRun(opened, state))], problems }),
  };
}

/** A question may be answered and a budget raised: then the run goes on. */
const isOver = (state: RunState | undefined): boolean => {
  const rest = state?.rest?.verdict;
  if (!rest) return false;
  return rest.kind === "accept" || rest.kind === "nothing-to-do" || (rest.because !== "question" && rest.because !== "budget");
};

/** A record of a kind that this version does not know stops the fold; whose it is, is told. */
function orWhy({ seq, run }: Entry, fold: () => RunState): { readonly state: RunState } | Problem {
  try {
    return { state: fold() };
  } catch (error) {
    return { at: seq, why: `the run ${run} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Who worked last; before anybody did, who would have been the first. */
const makerOf = (spec: RunOpened["spec"], state: RunState | undefined): string => {
  const last = state?.rounds.findLast(({ evidence }) => evidence)?.evidence?.proposal;
  return (last && factsOf(last).maker?.name) ?? makersOf(spec)[0]?.use ?? "unknown";
};

/** Of a run that has not come to rest, or that cannot be read, nobody knows how it ends. */
function ledgerRun({ run, loop, hash, at, record: { spec } }: Entry<RunOpened>, state: RunState | undefined): LedgerRun {
  const counted = { id: `loopwright:${run}:${hash}`, system: "loopwright", loop, maker: makerOf(spec, state) } as const;
  if (!state) return { ...counted, at, result: "unknown" };
  const { rounds, rest, basis, spent, lastAt } = state;
  const last = rounds.findLast(({ evidence }) => evidence)?.evidence?.proposal;
  const { commit, tree } = last ? factsOf(last) : {};
  return {
    ...counted,
    at: rest?.at ?? lastAt ?? at,
    // A chain that nobody signed may say anything.
    result: (rest && resultOf({ rest: rest.verdict })) ?? "unknown",
    ...(commit === undefined ? {} : { commit }),
    ...(tree === undefined ? {} : { tree }),
    rounds: rounds.length,
    ...((basis === "reported" || basis === "estimated") && Number.isFinite(spent.usd) ? { usd: spent.usd } : {}),
    findings: rounds.flatMap(({ evidence }) => evidence?.findings ?? []).length,
  };
}
