// Tells people what needs them and nothing else: each thing once until it changes, together, and not at night.

import type { InboxItem } from "../../contract/views.ts";
import { createNotifierWorld } from "../../engine/worlds/telling-world.ts";
import { lastOf } from "../../journal/journal.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { sha256 } from "../../std/hash.ts";
import { parseMinute, weekTimeIn } from "../../std/week-time.ts";
import { findPart } from "../crew.ts";
import { judgeCommand } from "../hooks/judge-command.ts";
import type { House } from "../open-house.ts";
import { policyFor } from "../runs/open-run.ts";
import { settleGone } from "./carry-out.ts";
import { itemsOf } from "./inbox.ts";

export interface Alerted {
  readonly loop: string;
  readonly told: readonly string[];
  /** Why nobody was told, where somebody should have been. */
  readonly kept: string | undefined;
}

/** Of one loop, by the spec of its last run. What could not be told to anybody is told the next time. */
export async function alertNeeds(house: House, loop: string): Promise<Alerted> {
  const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  const spec = last && specSchemaFor(last.record.spec, house.registries).safeParse(last.record.spec).data;
  if (!last || !spec || spec.alert.to.length === 0) return { loop, told: [], kept: undefined };
  await settleGone(house, loop);
  const items = (await itemsOf(house, loop)).filter(({ stage }) => stage !== "deferred" && stage !== "approved");
  const known = new Set((await lastOf(house.journal, loop, "alerted"))?.record.heard ?? []);
  const keys = items.map(keyOf);
  const fresh = items.filter((item) => !known.has(keyOf(item)));
  const isStale = [...known].some((key) => !keys.includes(key));
  const remember = () => house.journal.append([{ loop, run: `${loop}-standing`, record: { kind: "alerted", heard: keys } }]);
  if (fresh.length === 0) {
    // What went away and comes back is told again.
    if (isStale) await remember();
    return { loop, told: [], kept: undefined };
  }
  if (spec.alert.quiet && isQuiet(spec.alert.quiet, house.world.clock.now())) return { loop, told: [], kept: "it is a quiet hour" };
  const policy = await policyFor(house, last.record);
  const world = createNotifierWorld(`${loop}-alert`, { world: house.world, guard: (command, at) => judgeCommand(command, at, policy) });
  const telling = { loop, run: last.run, repo: last.record.repo, folder: last.record.folder, report: digestOf(fresh) };
  const outcomes = await Promise.allSettled(
    spec.alert.to.map((ref) => findPart(house.registries.notifiers, ref).configure(ref.with)(telling, world)),
  );
  if (outcomes.every(({ status }) => status === "rejected")) return { loop, told: [], kept: "nobody could be told" };
  await remember();
  return { loop, told: fresh.map(({ id }) => id), kept: undefined };
}

const keyOf = ({ id, kind, stage, why }: InboxItem): string => sha256(`${id}\0${kind}\0${stage}\0${why}`).slice(0, 16);

/** One message for everything. */
const digestOf = (items: readonly InboxItem[]): string =>
  `${items.map(({ id, kind, why, next }) => `${kind} ${id}\n  ${why.split("\n")[0]}\n  ${next}`).join("\n\n")}\n`;

interface Quiet {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** A zone that nobody knows is no reason to keep still. */
function isQuiet({ from, to, zone }: Quiet, now: Date): boolean {
  const here = weekTimeIn(zone, now);
  const [begins, ends] = [parseMinute(from), parseMinute(to)];
  if (!here || begins === undefined || ends === undefined) return false;
  return begins <= ends ? here.minute >= begins && here.minute < ends : here.minute >= begins || here.minute < ends;
}
