// How a loop's instructions came to be what they are, over all its runs; and how a person goes back to some of them, or takes what was proposed.
import { LoopError } from "../../contract/errors.ts";
import { AS_WRITTEN } from "../../contract/improve.ts";
import type { RunOpened } from "../../contract/record.ts";
import { baseOf } from "../../engine/instructions.ts";
import { foldRun } from "../../journal/fold.ts";
import { isOvertaken } from "../../journal/journal.ts";
import { carriedOn, findVersion, type VersionView, versionsIn, type WentBack, waysBackIn } from "../../journal/lineage.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";

export interface LineageView {
  readonly loop: string;
  /** Whether changes last beyond their run. */
  readonly lasts: "run" | "loop";
  /** What the next run begins with. */
  readonly next: string;
  /** Oldest first, of the runs that were looked at. */
  readonly versions: readonly VersionView[];
  readonly wentBack: readonly WentBack[];
}

const KINDS = ["improved", "improvement-proposed", "undone"] as const;
const MOST_RUNS = 20;
const MOST_RECORDS = 500;

type Reading = Pick<Records, "journal">;

export async function viewLineage({ journal }: Reading, loop: string): Promise<LineageView> {
  const last = await lastOwn({ journal }, loop);
  const changes = (await Promise.all(KINDS.map((kind) => journal.newestOf(loop, kind, { most: MOST_RECORDS })))).flat();
  const runs = [...new Set(changes.toSorted((a, b) => b.seq - a.seq).map(({ run }) => run))].slice(0, MOST_RUNS).reverse();
  const stories = await Promise.all(runs.map(async (run) => ({ run, entries: (await journal.story(run)).entries })));
  const lasts = last.record.spec.improve?.lasts ?? "run";
  const carried = lasts === "loop" ? carriedOn((await journal.story(last.run)).entries) : undefined;
  return {
    loop,
    lasts,
    next: carried?.version ?? AS_WRITTEN,
    versions: stories.flatMap(({ run, entries }) => versionsIn(run, foldRun(entries))),
    wentBack: stories.flatMap(({ entries }) => waysBackIn(entries)),
  };
}

const MOST_REFEREES = 50;

/** Its newest run that was its own: a referee's changes nothing. */
async function lastOwn({ journal }: Reading, loop: string) {
  const runs = await journal.newestOf(loop, "run-opened", { most: MOST_REFEREES });
  const own = runs.find(({ record }) => !record.referee);
  if (!own) throw refusal(`${loop} has not run yet`, `Run it with \`lw run\`.`);
  return own;
}

/** A person says what the next runs begin with; their name is on record. Nothing moves by it, and nothing is earned. */
export async function goTo(
  house: Pick<House, "journal">,
  loop: string,
  asked: string,
  { by, why }: { readonly by: string; readonly why: string },
): Promise<LineageView> {
  const { journal } = house;
  const view = await viewLineage(house, loop);
  if (view.lasts !== "loop")
    throw refusal(
      `what ${loop} changes lasts for one run, and every run begins with the spec`,
      "Write `lasts: loop` under `improve`, or write the words into the spec.",
    );
  const to = findVersion(view.versions, asked);
  if (!to)
    throw refusal(
      `${loop} has no version ${asked}, or more than one begins so`,
      `\`lw evolve ${loop}\` shows them; \`${AS_WRITTEN}\` is the spec itself.`,
    );
  const last = await lastOwn(house, loop);
  if (to.version !== AS_WRITTEN) await mustBeOfThis(house, last.record, view.versions, to.version);
  const { entries } = await journal.story(last.run);
  const { rest, rounds, lineage } = foldRun(entries);
  if (!rest) throw refusal(`the run ${last.run} has not come to rest`, "`lw resume` goes on with it, `lw stop --abandon` ends it.");
  const newest = entries.findLast(({ record: { kind } }) => KINDS.some((one) => one === kind))?.seq ?? 0;
  const record = { kind: "undone", roundId: rounds.at(-1)?.round.id ?? "", version: view.next, to, why, by } as const;
  const written = await journal.append([{ loop, run: last.run, record }], { in: { loop, run: last.run }, kinds: KINDS, newest });
  if (isOvertaken(written))
    throw refusal(`somebody else changed it meanwhile (${lineage.length} change(s) before)`, `Look at \`lw evolve ${loop}\` again.`);
  return viewLineage(house, loop);
}

/** A version belongs to what the spec said when it was made. */
async function mustBeOfThis({ journal }: Reading, { spec }: RunOpened, versions: readonly VersionView[], version: string): Promise<void> {
  const runs = versions.filter((one) => one.version === version).map(({ run }) => run);
  const stories = await Promise.all(runs.map((run) => journal.story(run)));
  const specs = stories.flatMap(({ entries }) => foldRun(entries).opened?.spec ?? []);
  if (!specs.some((made) => baseOf(made) === baseOf(spec)))
    throw refusal(`${version} was made for other instructions than the spec has now`, "Write what you want of it into the spec.");
}

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
