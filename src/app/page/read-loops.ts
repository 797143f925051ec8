// What the page shows of loops: one line each, from the newest records of each loop and never from all of them.
import type { LoopRow, LoopsPage, Outcome } from "../../contract/api.ts";
import { isCalledLoop } from "../../contract/calling.ts";
import { isRefereeLoop } from "../../contract/referee.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { nextSlot, type Waker } from "../../contract/trigger.ts";
import { type EntryOf, type Kind, lastOf } from "../../journal/journal.ts";
import { readStanding } from "../../journal/loop-facts.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { dayIn } from "../../std/day.ts";
import { assembleCrew } from "../crew.ts";
import { isRunning } from "../records/views.ts";
import { loadLimits } from "../settings.ts";
import { clipped } from "./clip.ts";
import { tellTrigger } from "./graph.ts";
import { nothingThere } from "./nothing-there.ts";
import { type Fate, outcomeOfRest, outcomeOfWaking } from "./outcome.ts";
import type { PageRecords } from "./page-records.ts";
import { cardsOf } from "./read-inbox.ts";

const STRIP = 30;

/** By name, page by page. */
export async function readLoops(
  records: PageRecords,
  { after = "", most, q = "" }: { readonly after?: string | undefined; readonly most: number; readonly q?: string | undefined },
): Promise<LoopsPage> {
  const asOf = await records.memo.catchUp();
  const names = (await records.journal.loops()).filter((name) => name.includes(q) && !isCalledLoop(name));
  const page = names.filter((name) => name > after).slice(0, most);
  const items = await Promise.all(page.map((loop) => readLoopRow(records, loop)));
  const last = page.at(-1);
  return { items, next: last !== undefined && last !== names.at(-1) ? last : null, total: names.length, asOf };
}

/** As it is at this moment; whoever asks has caught up. */
export async function readLoopRow(records: PageRecords, loop: string): Promise<LoopRow> {
  const facts = await factsOf(records, loop);
  const { journal, killSwitch } = records;
  const { opened, rest, standing, outcomes } = facts;
  const limits = await loadLimits(records);
  const [tallies, cards, isStopped] = await Promise.all([
    journal.taken({ loop, run: opened?.run ?? "", round: "", day: dayIn(limits.zone, records.clock.now()) }),
    cardsOf(records, loop),
    killSwitch.isOn(),
  ]);
  const isOpen = opened !== undefined && rest?.run !== opened.run;
  const state = await stateOf();
  const { spec } = facts;
  return {
    loop,
    state,
    nextDue: await readNextDue(records, loop, facts),
    intent: spec?.intent ?? "",
    level: spec?.level ?? null,
    held: spec && standing.most < spec.level ? standing.most : null,
    barred: isStopped ? "everything is stopped" : (facts.wrong ?? standing.barred ?? null),
    trigger: spec ? tellTrigger(spec.trigger) : "not known",
    outcomes: isOpen && opened ? [...outcomes, openOutcome(opened, state === "running")].slice(-STRIP) : outcomes,
    lastAt: outcomes.at(-1)?.at ?? opened?.at ?? null,
    lastRun: opened?.run ?? null,
    microUsd: {
      last: tallies.run.microUsd ?? 0,
      today: tallies["loop-day"].microUsd ?? 0,
      month: tallies["loop-month"].microUsd ?? 0,
    },
    waiting: cards.filter(({ stage }) => stage !== "deferred").length,
    isReferee: isRefereeLoop(loop),
  };

  /** Only a run that is open can be running: nobody's lock is looked at for the others. */
  async function stateOf(): Promise<LoopRow["state"]> {
    if (isOpen) return (await isRunning(records, loop)) ? "running" : "interrupted";
    if (isStopped) return "all-stopped";
    if (standing.state !== "free") return standing.state;
    return facts.wrong !== undefined ? "wrong" : opened ? "rested" : "known";
  }
}

const openOutcome = ({ run, at, seq }: EntryOf<"run-opened">, isRunningNow: boolean): Outcome =>
  isRunningNow
    ? { kind: "running", at, says: "It is running.", run, because: null, seq }
    : { kind: "interrupted", at, says: "It was interrupted, and can be resumed.", run, because: null, seq };

/** As its last run wrote it down, or the next of its times after now; null where it has none. */
export async function readNextDue(records: PageRecords, loop: string, { opened, spec, isRemoved }: LoopFacts): Promise<string | null> {
  if (!spec || isRemoved || opened?.record.referee || spec.trigger.use === "manual") return null;
  const now = records.clock.now();
  const written = spec === opened?.record.spec ? opened.record.nextDue : undefined;
  if (written && Date.parse(written) > now.getTime()) return written;
  const waker = await records.memo.get(loop, "waker", async () => ({ value: wakerOf(spec, records.registries) }));
  return (waker && nextSlot(waker, now)?.toISOString()) ?? null;
}

/** A spec of another version may name parts we do not have: then it is not said when it is due. */
function wakerOf(spec: unknown, registries: PageRecords["registries"]): Waker | undefined {
  const parsed = specSchemaFor(spec, registries).safeParse(spec);
  return parsed.success ? assembleCrew(parsed.data, registries).waker : undefined;
}

export interface LoopFacts {
  readonly opened: EntryOf<"run-opened"> | undefined;
  readonly rest: EntryOf<"run-rested"> | undefined;
  /** The one that it goes by: as it ran last, or as the home came to know it since. */
  readonly spec: LoopSpec | undefined;
  readonly standing: Awaited<ReturnType<typeof readStanding>>;
  readonly outcomes: readonly Outcome[];
  /** Why its spec cannot be obeyed, where that is on record. */
  readonly wrong: string | undefined;
  readonly isRemoved: boolean;
}

export const factsOf = (records: PageRecords, loop: string): Promise<LoopFacts> =>
  records.memo.get(loop, "facts", async () => ({ value: await readFacts(records, loop) }));

/** What only its records say. */
async function readFacts({ journal, registries }: PageRecords, loop: string): Promise<LoopFacts> {
  const newest = <K extends Kind>(kind: K, most: number) => journal.newestOf(loop, kind, { most });
  const [[opened], rested, settled, decided, wakings, standing, known, wrong, removed] = await Promise.all([
    newest("run-opened", 1),
    newest("run-rested", STRIP),
    newest("proposal-settled", STRIP * 2),
    newest("decided", STRIP * 2),
    newest("waking", STRIP),
    readStanding(journal, loop),
    lastOf(journal, loop, "loop-known"),
    lastOf(journal, loop, "loop-wrong"),
    lastOf(journal, loop, "loop-removed"),
  ]);
  const over = new Set(settled.map(({ run }) => run));
  const no = new Set(decided.filter(({ record }) => record.decision === "reject").map(({ run }) => run));
  const fateOf = (run: string): Fate => (over.has(run) ? "settled" : no.has(run) ? "rejected" : "waits");
  // A run that was taken up again rests more than once; how it rested last is what counts.
  const lastRests = [...new Map(rested.toReversed().map((entry) => [entry.run, entry])).values()];
  const outcomes = [
    ...lastRests.map((entry) => outcomeOfRest(entry, fateOf(entry.run))),
    ...wakings.flatMap((entry) => outcomeOfWaking(entry) ?? []),
  ];
  const freed = known?.seq ?? 0;
  return {
    opened,
    rest: rested[0],
    spec: (known && known.seq > (opened?.seq ?? 0) ? knownSpec(known, registries) : undefined) ?? opened?.record.spec,
    standing,
    outcomes: outcomes.toSorted((one, other) => one.seq - other.seq).slice(-STRIP),
    wrong: wrong && wrong.seq > freed ? `its spec cannot be obeyed: ${clipped(wrong.record.problems[0] ?? "", 300)}` : undefined,
    isRemoved: removed !== undefined && removed.seq > freed,
  };
}

/** What another version wrote may not be readable by ours. */
const knownSpec = ({ record: { spec } }: EntryOf<"loop-known">, registries: PageRecords["registries"]): LoopSpec | undefined =>
  spec === undefined ? undefined : specSchemaFor(spec, registries).safeParse(spec).data;

/** Refuses names that no record is about. */
export async function mustBeLoop({ journal }: Pick<PageRecords, "journal">, loop: string): Promise<void> {
  if ((await journal.loops()).includes(loop)) return;
  throw nothingThere(`no loop is called ${clipped(loop, 80)}`, "The list of loops has those that there are.");
}
