// What the runs of a loop say about waking it again: one that is open, proposals that wait, caps that are used up.

import { type LoopSpec, makersOf } from "../../contract/spec.ts";
import type { Ending } from "../../contract/waking.ts";
import { capReached, capsOf, tellRefusal } from "../../guard/budget.ts";
import { lastOf } from "../../journal/journal.ts";
import { NEXT_WAKING } from "../../journal/loop-facts.ts";
import { backoffMs } from "../../schedule/backoff.ts";
import { isMetBy } from "../../schedule/expectations.ts";
import type { LoopFacts, LoopPlan, OpenRun } from "../../schedule/ports.ts";
import { dayIn } from "../../std/day.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";
import { isRunning } from "../records/views.ts";
import { loadLimits } from "../settings.ts";
import { writesTo } from "./loop-plan.ts";
import { type RememberedProposals, readSameWork } from "./same-work.ts";

type Reading = Pick<Records, "journal" | "locks" | "clock" | "home" | "texts"> & Pick<House, "registries" | "identityOf" | "refsOnDisk">;

/** How many runs are looked back at. */
const MOST = 200;

export type RunFacts = Pick<LoopFacts, "openRun" | "proposals" | "sameWork" | "caps" | "stopsInARow" | "lastExpected">;

/** The spec as it was made known, with where its file lies. */
export interface KnownSpec {
  readonly spec: LoopSpec;
  readonly path: string;
}

export async function readRunFacts(
  house: Reading,
  plan: LoopPlan | undefined,
  loop: string,
  known: KnownSpec | undefined,
  remembered: RememberedProposals,
): Promise<RunFacts> {
  const [openRun, runs, caps, stopsInARow, lastExpected] = await Promise.all([
    readOpenRun(house, plan, loop),
    whoWaits(house, loop),
    known && readCaps(house, known.spec),
    countStops(house, loop),
    plan?.expect ? readLastExpected(house, loop, plan.expect.ending) : undefined,
  ]);
  const sameWork = known && (await readSameWork(house, { loop, runs, ...known, remembered }));
  return { openRun, proposals: runs.length, sameWork, caps, stopsInARow, lastExpected };
}

/** Told by the newest records of each kind, not by the whole run, which may be long. */
async function readOpenRun(house: Reading, plan: LoopPlan | undefined, loop: string): Promise<OpenRun | undefined> {
  const { journal } = house;
  const opened = await lastOf(journal, loop, "run-opened");
  if (!opened || opened.record.referee) return undefined;
  const { run } = opened;
  const ofRun = <E extends { readonly run: string }>(entry: E | undefined): E | undefined => (entry?.run === run ? entry : undefined);
  const [rested, resumed, answered, stop] = await Promise.all([
    lastOf(journal, loop, "run-rested").then(ofRun),
    lastOf(journal, loop, "run-resumed").then(ofRun),
    lastOf(journal, loop, "answered").then(ofRun),
    lastOf(journal, loop, "stop-requested").then(ofRun),
  ]);
  if (rested && rested.seq > Math.max(resumed?.seq ?? 0, answered?.seq ?? 0)) return undefined;
  const since = Math.max(opened.seq, resumed?.seq ?? 0);
  const { repo, spec } = opened.record;
  return {
    run,
    needs: { target: await house.identityOf(repo), writes: writesTo(spec, house.registries), maker: makersOf(spec)[0]?.use ?? "none" },
    // The clock may have been set back since.
    openedAt: Math.min(Date.parse(opened.at), house.clock.now().getTime()),
    isWorkedOn: await isRunning(house, loop),
    notBefore: await notBefore(house, plan, loop, run),
    isAskedToStop: stop !== undefined && stop.seq > since,
  };
}

/** An outside failure that passes: until when it said, or by a back-off that grows with how often it was so in a row. */
async function notBefore({ journal }: Reading, plan: LoopPlan | undefined, loop: string, run: string): Promise<number | undefined> {
  const all = (await journal.newestOf(loop, "round-failed", { most: 50 })).filter((entry) => entry.run === run);
  // One that was stopped waits for nothing outside: whoever stopped it is gone, or has paused its loop.
  const failed = all[0]?.record.code === "interrupted" ? [] : all.filter(({ record }) => record.code !== "interrupted");
  const [last] = failed;
  if (!last || last.record.retry === "never") return undefined;
  const done = (await lastOf(journal, loop, "step-done"))?.seq ?? 0;
  if (done > last.seq) return undefined;
  if (last.record.until !== undefined) return Date.parse(last.record.until);
  return plan && Date.parse(last.at) + backoffMs(plan, failed.length);
}

/** Runs whose proposals wait for a person, newest first. */
async function whoWaits({ journal }: Reading, loop: string): Promise<readonly string[]> {
  const [rested, settled, decided] = await Promise.all([
    journal.newestOf(loop, "run-rested", { most: MOST }),
    journal.newestOf(loop, "proposal-settled", { most: MOST }),
    journal.newestOf(loop, "decided", { most: MOST }),
  ]);
  const over = new Set([
    ...settled.map(({ run }) => run),
    ...decided.filter(({ record }) => record.decision === "reject").map(({ run }) => run),
  ]);
  const newest = new Map(rested.toReversed().map(({ run, record }) => [run, record.rest]));
  return [...newest]
    .flatMap(([run, rest]) => (rest.kind === "accept" && rest.action === "propose" && !over.has(run) ? [run] : []))
    .toReversed();
}

/** Of the loop's own day and month, and of the machine's. */
async function readCaps(house: Reading, spec: LoopSpec): Promise<LoopFacts["caps"]> {
  const limits = await loadLimits(house);
  const now = house.clock.now();
  const day = dayIn(limits.zone, now);
  const taken = await house.journal.taken({ loop: spec.name, run: "", round: "", day });
  const caps = capsOf(spec, limits).filter(({ scope }) => scope.startsWith("loop-") || scope.startsWith("machine-"));
  const refusal = capReached(caps, (scope) => taken[scope]);
  if (!refusal) return undefined;
  const isRenewed = refusal.cap.scope.endsWith("day") ? (at: Date) => dayIn(limits.zone, at) !== day : monthOf(limits.zone, day);
  return { says: tellRefusal(refusal), until: firstHour(now, isRenewed) };
}

const monthOf =
  (zone: string, day: string) =>
  (at: Date): boolean =>
    dayIn(zone, at).slice(0, 7) !== day.slice(0, 7);

const QUARTER_MS = 900_000;
const MOST_QUARTERS = 4 * 24 * 32;

/** The first quarter of an hour from now on that is so: zones are apart by no less. */
function firstHour(now: Date, isSo: (at: Date) => boolean): number | undefined {
  const start = Math.ceil(now.getTime() / QUARTER_MS) * QUARTER_MS;
  let [least, most] = [0, MOST_QUARTERS];
  if (!isSo(new Date(start + most * QUARTER_MS))) return undefined;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (isSo(new Date(start + middle * QUARTER_MS))) most = middle;
    else least = middle + 1;
  }
  return start + least * QUARTER_MS;
}

/** Runs in a row, the last that is over first, that were stopped because it was time for the next; since somebody last saw to the loop. */
async function countStops({ journal }: Reading, loop: string): Promise<number> {
  const [known, resumed] = [await lastOf(journal, loop, "loop-known"), await lastOf(journal, loop, "loop-resumed")];
  const after = Math.max(known?.seq ?? 0, resumed?.seq ?? 0);
  const stops = await journal.newestOf(loop, "stop-requested", { after, most: 20 });
  const asked = new Set(stops.filter(({ record }) => record.by === NEXT_WAKING).map(({ run }) => run));
  if (asked.size === 0) return 0;
  const rests = await journal.newestOf(loop, "run-rested", { after, most: 20 });
  // One that came to its end before it heard of it was not stopped.
  const first = rests.findIndex(({ run, record: { rest } }) => !asked.has(run) || rest.kind !== "halt" || rest.because !== "stopped");
  return first === -1 ? rests.length : first;
}

async function readLastExpected({ journal }: Reading, loop: string, ending: Ending | "any"): Promise<number | undefined> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await journal.newestOf(loop, "run-rested", { before, most: MOST });
    const found = page.find(({ record }) => isMetBy(ending, record.rest));
    if (found) return Date.parse(found.at);
    if (page.length < MOST) return undefined;
    before = page.at(-1)?.seq ?? 0;
  }
}
