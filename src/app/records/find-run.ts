// Finds the run that somebody means.
import { isCalledLoop } from "../../contract/calling.ts";
import { LoopError } from "../../contract/errors.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { readKnownLoop } from "../../journal/known-loops.ts";
import { shellWord } from "../../std/shell-word.ts";

type Readable = { readonly journal: Pick<JournalReader, "newestOf" | "runsLike" | "loops"> };

const MOST_ALIKE = 100;

/** By its id, the start of one, or a loop's name for its last run. */
export async function findRun({ journal }: Readable, asked: string): Promise<string> {
  const [ofLoop] = await journal.newestOf(asked, "run-opened", { most: 1 });
  if (ofLoop) return ofLoop.run;
  const found = await journal.runsLike(asked, MOST_ALIKE);
  // Runs that another one called begin with its id: who does not name one of them means that one.
  const own = found.filter(({ run, record }) => run === asked || !found.some((other) => record.parent?.run.startsWith(other.run)));
  const [first, second] = own.toSorted((one, other) => Number(other.run === asked) - Number(one.run === asked));
  if (first && (!second || first.run === asked)) return first.run;
  if (first && second) {
    throw new LoopError("bad-input", `${asked} fits more than one run: ${first.run}, ${second.run}, …`, {
      retry: "never",
      hint: "Write more of the run's id.",
    });
  }
  const known = await readKnownLoop(journal, asked);
  if (known && known.state !== "removed")
    throw new LoopError("bad-input", `the loop ${asked} has not run yet`, {
      retry: "never",
      hint: `Start it with \`lw run ${shellWord(known.path)}\`; \`lw schedule\` says when it wakes by itself.`,
    });
  const loops = (await journal.loops()).filter((loop) => !isCalledLoop(loop) && loop !== asked);
  throw new LoopError("bad-input", `no run or loop is called ${asked}`, {
    retry: "never",
    hint:
      loops.length > 0 ? `There are: ${loops.slice(0, 8).join(", ")}. \`lw status\` shows them.` : "No loop has run yet; try `lw demo`.",
  });
}
