// What keeps a loop from waking although it is known and free: in the words of who tried to start it, of its trigger, or of the daemon.

import { lastOf } from "../../journal/journal.ts";
import { type KnownLoop, readKnownLoop, readKnownLoops } from "../../journal/known-loops.ts";
import { GRACE_MS } from "../../schedule/due.ts";
import type { WaitsForRoom } from "../../schedule/ports.ts";
import { closest } from "../../std/closest.ts";
import { builtIn, wakerOf } from "../crew.ts";
import type { Records } from "../open-records.ts";
import { readTroubles, type Trouble } from "../records/troubles.ts";
import { unreadableMachine } from "../settings.ts";
import { cannotStart } from "./cannot-start.ts";
import { readTicks } from "./ticks.ts";

type Reading = Pick<Records, "journal" | "clock" | "home" | "texts">;

/** What the daemon saw last, of all loops. */
export interface DaemonSees {
  readonly troubles: readonly Trouble[];
  readonly waiting: readonly WaitsForRoom[];
  /** Why nothing is woken at all. */
  readonly machine: string | undefined;
}

export async function readDaemonSees(records: Reading): Promise<DaemonSees> {
  const ticks = await readTicks(records);
  const isFresh = ticks !== undefined && Math.abs(records.clock.now().getTime() - ticks.last) <= GRACE_MS;
  return {
    troubles: await readTroubles(records),
    waiting: isFresh ? (ticks.waiting ?? []) : [],
    machine: await unreadableMachine(records),
  };
}

/** Undefined where nothing does, as far as anybody knows. */
export async function whatKeeps(records: Reading, known: KnownLoop, sees: DaemonSees): Promise<string | undefined> {
  if (known.state !== "known") return undefined;
  if (sees.machine !== undefined) return sees.machine;
  const { loop } = known;
  const failing = await cannotStart(records, loop);
  if (failing) return failing.says;
  const nobody = await waitsForNobody(records, known);
  if (nobody !== undefined) return nobody;
  const its = sees.troubles.filter((trouble) => trouble.loop === loop);
  if (its.length > 0) return its.map(({ says }) => says).join("\n");
  const wait = sees.waiting.find((one) => one.loop === loop);
  return wait && `it is due and waits: ${wait.says}`;
}

/** A loop that waits for another which nobody knows would never wake, and nothing would ever say so. */
export async function waitsForNobody({ journal }: Pick<Reading, "journal">, { good }: KnownLoop): Promise<string | undefined> {
  for (const other of loopsIn(good.record.trigger)) {
    const state = (await readKnownLoop(journal, other))?.state;
    if (state === "known" || state === "wrong") continue;
    // One that people run by hand wakes others too.
    if (state === undefined && (await lastOf(journal, other, "run-opened"))) continue;
    const names = (await readKnownLoops(journal)).filter((one) => one.state !== "removed").map((one) => one.loop);
    const meant = closest(other, names);
    const hint = meant === undefined ? "add its spec with `lw add`, or name another" : `did you mean ${meant}?`;
    return `it waits for the loop ${other}, which this home ${state === "removed" ? "does not look after any more" : "does not know"}: ${hint}`;
  }
  return undefined;
}

/** A part of another version, or with a bug, waits for nobody that we know of. */
function loopsIn(trigger: KnownLoop["good"]["record"]["trigger"]): readonly string[] {
  try {
    return trigger ? wakerOf(builtIn, trigger).hears.flatMap((hearing) => (hearing.kind === "loop" ? [hearing.loop] : [])) : [];
  } catch {
    return [];
  }
}
