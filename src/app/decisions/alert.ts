// Tells people what needs them and nothing else: each thing once until it changes, together, and not at night.

import { dirname, resolve } from "node:path";
import type { InboxItem } from "../../contract/views.ts";
import { createNotifierWorld } from "../../engine/worlds/telling-world.ts";
import { lastOf } from "../../journal/journal.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { sha256 } from "../../std/hash.ts";
import { parseMinute, weekTimeIn } from "../../std/week-time.ts";
import { findPart } from "../crew.ts";
import { askWithPolicy } from "../hooks/ask-with-policy.ts";
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

/** Of one loop, by the last spec of it that was read. What could not be told to anybody is told the next time. */
export async function alertNeeds(house: House, loop: string): Promise<Alerted> {
  const last = await lastSpec(house, loop);
  const spec = last && specSchemaFor(last.spec, house.registries).safeParse(last.spec).data;
  if (!last || !spec || spec.alert.to.length === 0) return { loop, told: [], kept: undefined };
  await settleGone(house, loop);
  const items = (await itemsOf(house, loop)).filter(({ stage }) => stage !== "deferred" && stage !== "approved");
  const known = new Set(await heardOf(house.journal, loop));
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
  const policy = await policyFor(house, last);
  const world = createNotifierWorld(`${loop}-alert`, { world: house.world, guard: (command, at) => askWithPolicy(command, at, policy) });
  const telling = { loop, run: last.run, repo: resolve(last.folder, spec.target.repo), folder: last.folder, report: digestOf(fresh) };
  const outcomes = await Promise.allSettled(
    spec.alert.to.map((ref) => findPart(house.registries.notifiers, ref).configure(ref.with)(telling, world)),
  );
  if (outcomes.every(({ status }) => status === "rejected")) return { loop, told: [], kept: "nobody could be told" };
  await remember();
  return { loop, told: fresh.map(({ id }) => id), kept: undefined };
}

/** As it was made known, or as its last run had it, whichever is newer. */
async function lastSpec({ journal }: Pick<House, "journal">, loop: string) {
  const [opened, known] = await Promise.all([lastOf(journal, loop, "run-opened"), lastOf(journal, loop, "loop-known")]);
  const run = opened?.run ?? `${loop}-standing`;
  if (known?.record.spec !== undefined && known.seq > (opened?.seq ?? 0))
    return { run, spec: known.record.spec, folder: dirname(known.record.path) };
  return opened && { run, spec: opened.record.spec, folder: opened.record.folder };
}

/** What people have been told of, as far as it still waits for them. */
export const heardOf = async (journal: Pick<House["journal"], "newestOf">, loop: string): Promise<readonly string[]> =>
  (await lastOf(journal, loop, "alerted"))?.record.heard ?? [];

/** What is told once goes by this. */
export const keyOf = ({ id, kind, stage, why }: InboxItem): string => sha256(`${id}\0${kind}\0${stage}\0${why}`).slice(0, 16);

/** One message for everything. */
export const digestOf = (items: readonly InboxItem[]): string =>
  `${items.map(({ id, kind, why, next }) => `${kind} ${id}\n  ${why.split("\n")[0]}\n  ${next}`).join("\n\n")}\n`;

interface Quiet {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** A zone that nobody knows is no reason to keep still. */
export function isQuiet({ from, to, zone }: Quiet, now: Date): boolean {
  const here = weekTimeIn(zone, now);
  const [begins, ends] = [parseMinute(from), parseMinute(to)];
  if (!here || begins === undefined || ends === undefined) return false;
  return begins <= ends ? here.minute >= begins && here.minute < ends : here.minute >= begins || here.minute < ends;
}
