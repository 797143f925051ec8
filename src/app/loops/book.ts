// The scheduler's book as the journal keeps it: facts of one loop by a few reads, and writes that are made only if nobody wrote first.

import type { Entry } from "../../contract/record.ts";
import type { Cause, Waking } from "../../contract/waking.ts";
import { limitRecords, openLimits } from "../../journal/accounts.ts";
import { entryOf, isOvertaken, type Kind, type Line, lastOf, type Newest, newestByLoop, type Only } from "../../journal/journal.ts";
import { HOME_PLACE, type KnownLoop, knownIn, readKnownLoop } from "../../journal/known-loops.ts";
import { readScheduleEntries, scheduleEntriesAfter } from "../../journal/schedule-entries.ts";
import { afterEntry, factsOf, foldSchedule, forgetBefore, type ScheduleState, VERSION_KINDS } from "../../schedule/facts.ts";
import { FIRST_LOOK_KINDS, firstLook, latestOf } from "../../schedule/first-look.ts";
import type { Absence, Book, HeardAnswer, LoopFacts, LoopPlan, Upcoming, Version, WakingLine } from "../../schedule/ports.ts";
import { alertNeeds } from "../decisions/alert.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";
import { planOf, slotsOf, specIn, timesOf } from "./loop-plan.ts";
import { readRunFacts } from "./run-facts.ts";
import type { RememberedProposals } from "./same-work.ts";
import { readTicks, ticksPath } from "./ticks.ts";

/** How far the clock may be set back and everything is still told right without reading anew. */
const REMEMBERED_MS = 7 * 86_400_000;

interface Remembered {
  readonly state: ScheduleState;
  /** The newest record of the loop, and of the home, that it was made of. */
  readonly own: number;
  readonly home: number;
}

/** What is needed to read the book, and no more. */
export type BookSource = Omit<Records, "close"> &
  Pick<House, "registries" | "identityOf" | "refsOnDisk"> & { readonly world: Pick<House["world"], "env" | "files" | "ids"> };

/** The half of the book that only reads. */
export type BookReader = Pick<Book, "loops" | "plan" | "facts" | "ticks">;

export function createBookReader(house: BookSource): BookReader {
  const { journal } = house;
  const remembered = new Map<string, Remembered>();
  const proposals: RememberedProposals = new Map();
  const plans = new Map<string, { readonly seq: number; readonly plan: LoopPlan | undefined }>();

  /** What came since is folded on; all of it is read anew where something came before what is folded already. */
  async function stateOf(loop: string): Promise<ScheduleState> {
    const before = remembered.get(loop);
    // Asked before: what comes meanwhile is among the entries, or makes whoever writes look again.
    const home = before?.home ?? (await lastOf(journal, HOME_PLACE.loop, "clock-set-back"))?.seq ?? 0;
    const entries = before ? await scheduleEntriesAfter(journal, loop, before) : await readScheduleEntries(journal, loop);
    const isLater = before !== undefined && entries.every(({ seq }) => seq > Math.max(before.own, before.home));
    if (before && !isLater && entries.length > 0) {
      remembered.delete(loop);
      return stateOf(loop);
    }
    const state = before ? entries.reduce(afterEntry, before.state) : foldSchedule(entries);
    const newest = (isHome: boolean): number => entries.findLast((entry) => isOfHome(entry) === isHome)?.seq ?? 0;
    const whole = { ...state, version: { own: state.version.own, home: Math.max(home, newest(true)) } };
    const kept = forgetBefore(whole, house.clock.now().getTime() - REMEMBERED_MS);
    remembered.set(loop, { state: kept, own: Math.max(before?.own ?? 0, newest(false)), home: whole.version.home });
    return whole;
  }

  async function planFor(loop: string): Promise<LoopPlan | undefined> {
    const known = await readKnownLoop(journal, loop);
    if (!known) return undefined;
    const before = plans.get(loop);
    if (before?.seq === known.good.seq) return before.plan;
    const plan = await planOf(house, known);
    plans.set(loop, { seq: known.good.seq, plan });
    return plan;
  }

  /** The times of triggers that were before are needed only as long as they are not closed. */
  async function factsFor(loop: string): Promise<LoopFacts | undefined> {
    const state = await stateOf(loop);
    const scheduled = factsOf(state, (trigger) => slotsOf(house.registries, trigger));
    if (!scheduled) return undefined;
    const plan = await planFor(loop).catch(() => undefined);
    const known = await lastOf(journal, loop, "loop-known");
    const spec = known && specIn(known.record);
    const runs = await readRunFacts(house, plan, loop, spec && { spec, path: known.record.path }, proposals);
    const isStopped = await house.killSwitch.isOn();
    const stopped = { reason: "all-stopped", says: `everything is stopped: ${house.killSwitch.path} is there`, since: 0 } as const;
    return {
      ...scheduled,
      barred: scheduled.barred ?? (isStopped ? stopped : undefined),
      ...runs,
      limit: plan && (await limitOf(plan)),
    };
  }

  /** The last to pass of those that keep it. A judge's counts while it is in force: whether it has passed is tried when the judge is asked. */
  async function limitOf({ account, judges }: LoopPlan): Promise<LoopFacts["limit"]> {
    if (account === undefined && judges.length === 0) return undefined;
    const now = house.clock.now().getTime();
    const seen = openLimits(await limitRecords(journal)).map((limit) => ({ account: limit.account, until: Date.parse(limit.until) }));
    const its = seen.filter((limit) => limit.account === account || (judges.includes(limit.account) && limit.until > now));
    return its.toSorted((a, b) => b.until - a.until)[0];
  }

  return { loops: () => waking(house), plan: planFor, facts: factsFor, ticks: () => readTicks(house) };
}

export function createBook(house: House): Book {
  const { journal } = house;
  return {
    ...createBookReader(house),
    async write(loop, version, lines) {
      const answer = await journal.append(lines.map(lineIn(loop)), onlyIf(loop, version, lines));
      if (isOvertaken(answer)) return "overtaken";
      // Nobody looks at the records of a loop that never runs.
      if (lines.some(({ waking: { fate } }) => fate === "failed")) await alertNeeds(house, loop);
      return "written";
    },
    hear: (loop, key, cause) => hear(house, loop, key, cause),
    keepTicks: (ticks) => house.plainFiles.writeText(ticksPath(house), `${JSON.stringify(ticks)}\n`),
    async setBack(from, to) {
      const record = { kind: "clock-set-back", from: new Date(from).toISOString(), to: new Date(to).toISOString() } as const;
      await journal.append([{ ...HOME_PLACE, record }]);
    },
    async pause(loop, version, why) {
      // Halted, as by everything else that its own record shows: so it is before people, and says how to go on.
      const line: Line = { loop, run: `${loop}-standing`, record: { kind: "loop-halted", because: "overlap", reason: why } };
      if (isOvertaken(await journal.append([line], onlyIf(loop, version, [])))) return "overtaken";
      await alertNeeds(house, loop);
      return "written";
    },
    tellAbsence: (loop, absence) => tellAbsence(house, loop, absence),
  };
}

const isOfHome = ({ loop }: Entry): boolean => loop === HOME_PLACE.loop;

export const lineIn =
  (loop: string) =>
  ({ key, waking: record }: WakingLine): Line => ({ loop, run: key, record });

/** Every key is free, or its record was withdrawn; and the loop and the clock are as they were read. */
export const onlyIf = (loop: string, { own, home }: Version, lines: readonly Pick<WakingLine, "key" | "instead">[]): readonly Only[] => [
  { in: { loop }, kinds: VERSION_KINDS, newest: own },
  { in: HOME_PLACE, kinds: ["clock-set-back"], newest: home },
  ...lines.map(({ key, instead }): Only => ({ in: { loop, run: key }, kinds: ["waking"], newest: instead ?? 0 })),
];

/** Those that are looked after, and of those that were removed, those whose last times or happenings may have no record yet. */
async function waking({ journal, registries }: Pick<BookSource, "journal" | "registries">): Promise<readonly Upcoming[]> {
  const setBack = (await lastOf(journal, HOME_PLACE.loop, "clock-set-back"))?.seq ?? 0;
  return [...(await newestByLoop(journal, FIRST_LOOK_KINDS))].flatMap(([loop, newest]): readonly Upcoming[] => {
    const known = knownIn(newest);
    const waking = entryOf(newest, "waking");
    const isAnswered = (entryOf(newest, "heard")?.seq ?? 0) <= (waking?.record.answered ?? 0);
    if (!known || (known.state === "removed" && known.seq <= (waking?.seq ?? 0) && isAnswered)) return [];
    return [{ loop, moment: momentOf(registries, known, newest, setBack), latest: latestOf(newest, setBack) }];
  });
}

/** Whatever cannot be made of its spec is told when it is looked at, and so at once. */
function momentOf(registries: House["registries"], { good }: KnownLoop, newest: readonly Newest[], setBack: number): number {
  const spec = specIn(good.record);
  try {
    return spec ? firstLook({ newest, setBack, ...timesOf(registries, spec) }) : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

const HEARING: readonly Kind[] = ["heard", "waking"];

async function hear({ journal }: Pick<House, "journal">, loop: string, key: string, cause: Cause): Promise<HeardAnswer> {
  const line: Line = { loop, run: key, record: { kind: "heard", cause } };
  const answer = await journal.append([line], { in: { loop, run: key }, kinds: HEARING, newest: 0 });
  if (!isOvertaken(answer)) return { kind: "heard" };
  const { entries } = await journal.story(key);
  return { kind: "known", waking: entries.flatMap(({ record }): readonly Waking[] => (record.kind === "waking" ? [record] : [])).at(-1) };
}

/** Once for each instant that the deadline is counted from, whoever asks how often. */
async function tellAbsence(house: House, loop: string, { base, deadline, ending, says }: Absence): Promise<void> {
  const last = await lastOf(house.journal, loop, "absence-told");
  const since = new Date(base).toISOString();
  if (last?.record.since === since) return;
  const record = { kind: "absence-told", since, deadline: new Date(deadline).toISOString(), ending, says } as const;
  const only: Only = { in: { loop }, kinds: ["absence-told"], newest: last?.seq ?? 0 };
  if (isOvertaken(await house.journal.append([{ loop, run: `${loop}-standing`, record }], only))) return;
  await alertNeeds(house, loop);
}
