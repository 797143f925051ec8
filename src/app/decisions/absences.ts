// Notices that something did not come that is expected of a loop, and tells those who should know: once, and of all loops together.
import type { LoopSpec } from "../../contract/spec.ts";
import type { InboxItem } from "../../contract/views.ts";
import { createNotifierWorld } from "../../engine/worlds/telling-world.ts";
import { isOvertaken, lastOf } from "../../journal/journal.ts";
import { type Absence, type Attendance, absenceNow, deadlineOf, isMetBy } from "../../schedule/expectations.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { canonicalJson } from "../../std/hash.ts";
import { findPart } from "../crew.ts";
import { askWithPolicy } from "../hooks/ask-with-policy.ts";
import type { House } from "../open-house.ts";
import { policyFor } from "../runs/open-run.ts";
import { digestOf, heardOf, isQuiet, keyOf } from "./alert.ts";
import { absentItem } from "./inbox.ts";
import { loopStanding } from "./standing.ts";

/** A loop that something may be expected of, by its spec as it is now. */
export interface KnownLoop {
  readonly spec: LoopSpec;
  /** Where the spec lies. */
  readonly folder: string;
}

export interface Absences {
  /** What did not come and was put on record just now. */
  readonly noticed: readonly Absence[];
  /** Loops whose absence somebody was told of just now. */
  readonly told: readonly string[];
  /** When to look again, of each loop of which something is expected and has not failed to come. */
  readonly due: readonly { readonly loop: string; readonly at: string }[];
}

/** To be asked again and again: each absence is recorded and told once. What could not be told, or not at this hour, is told later. */
export async function watchAbsences(house: House, loops: readonly KnownLoop[]): Promise<Absences> {
  const noticed: Absence[] = [];
  const due: { readonly loop: string; readonly at: string }[] = [];
  for (const { spec } of loops) {
    const seen = await notice(house, spec);
    if (seen?.kind === "absent") noticed.push(seen.absence);
    if (seen?.kind === "due") due.push({ loop: spec.name, at: seen.at });
  }
  return { noticed, told: await tellTogether(house, loops), due };
}

/** The same for whoever has no scheduler at hand: by the specs of last runs. */
export async function watchByLastRuns(house: House): Promise<Absences> {
  const loops = await house.journal.loops();
  const opened = await Promise.all(loops.map((loop) => lastOf(house.journal, loop, "run-opened")));
  const known = opened.flatMap((entry): readonly KnownLoop[] => {
    const spec = entry && specSchemaFor(entry.record.spec, house.registries).safeParse(entry.record.spec).data;
    return entry && spec?.wake?.expect ? [{ spec, folder: entry.record.folder }] : [];
  });
  return watchAbsences(house, known);
}

type Noticed = { readonly kind: "absent"; readonly absence: Absence } | { readonly kind: "due"; readonly at: string };

async function notice(house: House, { name: loop, wake }: LoopSpec): Promise<Noticed | undefined> {
  const expectation = wake?.expect;
  if (!expectation) return undefined;
  const told = await lastOf(house.journal, loop, "absence-told");
  const attendance = await attendanceOf(house, loop, expectation.ending, told?.record.since);
  if (!attendance) return undefined;
  const now = house.clock.now();
  const absence = absenceNow(expectation, attendance, now);
  if (!absence) {
    const { deadline } = deadlineOf(expectation, attendance);
    return deadline > now && !attendance.isPaused ? { kind: "due", at: deadline.toISOString() } : undefined;
  }
  const { since, deadline, ending, says } = absence;
  const record = { kind: "absence-told", since, deadline, ending, says } as const;
  const only = { in: { loop }, kinds: ["absence-told"], newest: told?.seq ?? 0 } as const;
  const written = await house.journal.append([{ loop, run: `${loop}-standing`, record }], only);
  return isOvertaken(written) ? undefined : { kind: "absent", absence };
}

/** Undefined for a loop that the home does not look after: nobody knows since when it could be expected. */
async function attendanceOf(
  house: House,
  loop: string,
  ending: Absence["ending"],
  told: string | undefined,
): Promise<Attendance | undefined> {
  const [known, removed, freed, { state }] = await Promise.all([
    lastOf(house.journal, loop, "loop-known"),
    lastOf(house.journal, loop, "loop-removed"),
    lastOf(house.journal, loop, "loop-resumed"),
    loopStanding(house, loop),
  ]);
  if (!known || (removed && removed.seq > known.seq)) return undefined;
  const rested = await lastRest(house, loop, ending);
  return { loop, rested, known: known.at, freed: freed?.at, isPaused: state === "paused" || state === "all-stopped", told };
}

const PAGE = 50;

async function lastRest({ journal }: House, loop: string, ending: Absence["ending"]): Promise<string | undefined> {
  let before: number | undefined;
  for (;;) {
    const page = await journal.newestOf(loop, "run-rested", {
      most: ending === "any" ? 1 : PAGE,
      ...(before === undefined ? {} : { before }),
    });
    const met = page.find(({ record }) => isMetBy(ending, record.rest));
    if (met) return met.at;
    before = page.at(-1)?.seq;
    if (before === undefined) return undefined;
  }
}

interface Untold extends KnownLoop {
  readonly item: InboxItem;
}

/** One message for each who is to be told, whatever the number of loops. */
async function tellTogether(house: House, loops: readonly KnownLoop[]): Promise<readonly string[]> {
  const untold = (await Promise.all(loops.map((known) => untoldOf(house, known)))).flat();
  const channels = new Map<string, { readonly ref: LoopSpec["notify"][number]; readonly of: Untold[] }>();
  for (const one of untold)
    for (const ref of one.spec.alert.to) {
      // A path that a notifier writes to starts where the spec lies.
      const key = canonicalJson({ ref: JSON.parse(JSON.stringify(ref)), folder: one.folder });
      const channel = channels.get(key) ?? { ref, of: [] };
      channel.of.push(one);
      channels.set(key, channel);
    }
  const told = new Set<Untold>();
  for (const { ref, of } of channels.values()) if (await isTold(house, ref, of)) for (const one of of) told.add(one);
  for (const { spec, item } of told) {
    const heard = [...(await heardOf(house.journal, spec.name)), keyOf(item)];
    await house.journal.append([{ loop: spec.name, run: `${spec.name}-standing`, record: { kind: "alerted", heard } }]);
  }
  return [...told].map(({ spec }) => spec.name);
}

async function untoldOf(house: House, known: KnownLoop): Promise<readonly Untold[]> {
  const { alert, name } = known.spec;
  if (alert.to.length === 0 || !known.spec.wake?.expect) return [];
  const item = await absentItem(house, name);
  if (!item || (await heardOf(house.journal, name)).includes(keyOf(item))) return [];
  return alert.quiet && isQuiet(alert.quiet, house.clock.now()) ? [] : [{ ...known, item }];
}

/** Who cannot be told now is told the next time. */
async function isTold(house: House, ref: LoopSpec["notify"][number], of: readonly Untold[]): Promise<boolean> {
  const [first] = of;
  if (!first) return false;
  const { spec, folder } = first;
  const policy = await policyFor(house, { folder });
  const world = createNotifierWorld(`${spec.name}-alert`, {
    world: house.world,
    guard: (command, at) => askWithPolicy(command, at, policy),
  });
  const report = digestOf(of.map(({ item }) => item));
  const telling = { loop: spec.name, run: `${spec.name}-standing`, repo: spec.target.repo, folder, report };
  try {
    await findPart(house.registries.notifiers, ref).configure(ref.with)(telling, world);
    return true;
  } catch {
    return false; // it stays in the inbox, and nobody has heard of it yet
  }
}
