// Says what a person thinks of what a run asks about: bound to the tree that it asked about, once, and in time.
import { LoopError } from "../../contract/errors.ts";
import { standingOf } from "../../engine/ask-people.ts";
import { isOvertaken } from "../../journal/journal.ts";
import type { House } from "../open-house.ts";
import { findRun } from "../records/find-run.ts";

export interface Review {
  readonly says: "yes" | "no";
  readonly by: string;
  readonly why: string;
}

export async function review(
  house: House,
  asked: string,
  { says, by, why }: Review,
): Promise<{ readonly run: string; readonly loop: string; readonly tree: string }> {
  const run = await findRun(house, asked);
  const { entries } = await house.journal.story(run);
  const last = entries.findLast(({ record }) => record.kind === "review-asked");
  if (last?.record.kind !== "review-asked") throw refusal(`the run ${run} asks nobody`, "`lw inbox` shows what waits for a person.");
  const { loop, record } = last;
  const { tree, until, ask } = record;
  const standing = standingOf(entries, tree, ask);
  if (standing.kind === "said") throw refusal(`${standing.by} said ${standing.says} already`, `\`lw resume ${loop}\` goes on from it.`);
  if (house.world.clock.now().toISOString() > until)
    throw refusal(
      `the time to answer was over at ${until}, and silence is no yes`,
      `\`lw resume ${loop}\` ends the run; run the loop again.`,
    );
  const newest = entries.at(-1)?.seq ?? 0;
  const written = await house.journal.append([{ loop, run, record: { kind: "reviewed", tree, says, by, why } }], {
    in: { loop, run },
    kinds: ["reviewed", "review-asked"],
    newest: entries.findLast(({ record: { kind } }) => kind === "reviewed" || kind === "review-asked")?.seq ?? newest,
  });
  if (isOvertaken(written)) throw refusal(`somebody else answered ${run} meanwhile`, "`lw show` tells what they said.");
  return { run, loop, tree };
}

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
