// Somebody wants a loop to run now: it is written down, and whoever wakes the loops of this home answers it.
import { LoopError } from "../../contract/errors.ts";
import { type Cause, handKey } from "../../contract/waking.ts";
import { readKnownLoop } from "../../journal/known-loops.ts";
import type { House } from "../open-house.ts";
import { clipped } from "./clip.ts";

/** Writes down what was heard, under a key that nobody has yet. */
export type Hear = (news: { readonly loop: string; readonly key: string; readonly cause: Cause }) => Promise<unknown>;

/** Whoever follows the journal reads it there, a moment later. */
export const hearInJournal =
  ({ journal }: Pick<House, "journal">): Hear =>
  ({ loop, key, cause }) =>
    journal.append([{ loop, run: key, record: { kind: "heard", cause } }]);

export async function hearHand(
  { journal, world }: Pick<House, "journal" | "world">,
  loop: string,
  by: string,
  hear: Hear,
): Promise<string> {
  const known = await readKnownLoop(journal, loop);
  if (known?.state === "wrong")
    throw new LoopError("bad-input", `the spec of ${clipped(loop, 80)} cannot be obeyed: ${clipped(known.problems[0] ?? "", 300)}`, {
      retry: "never",
      hint: `Mend ${known.path}, and it can be woken.`,
    });
  if (known?.state !== "known")
    throw new LoopError("bad-input", `this home does not look after ${clipped(loop, 80)}, so that nobody would wake it`, {
      retry: "never",
      hint: "Add its spec with `lw add`, or run it with `lw run`.",
    });
  await hear({ loop, key: handKey(loop, world.ids.token()), cause: { kind: "hand", by } });
  return "Heard. It wakes as soon as it may.";
}

/** Whether the home wakes it, and so goes on with what was interrupted. */
export const isLookedAfter = async ({ journal }: Pick<House, "journal">, loop: string): Promise<boolean> =>
  (await readKnownLoop(journal, loop))?.state === "known";
