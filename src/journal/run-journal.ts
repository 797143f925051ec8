// The journal as one run sees it: what happened so far, what that comes to, and a way to add to it.
import type { Entry, LoopRecord } from "../contract/record.ts";
import { foldRun, type RunState } from "./fold.ts";
import { type Answer, type Ask, isOvertaken, type Journal, type Kind, type Tallies } from "./journal.ts";

export interface RunJournal {
  readonly loop: string;
  readonly run: string;
  readonly entries: readonly Entry[];
  readonly state: RunState;
  append(record: LoopRecord): Promise<Entry>;
  /** The same, only if the newest record of these kinds in this run is still that one. */
  writeOnly(kinds: readonly Kind[], newest: number, record: LoopRecord): Promise<"written" | "overtaken">;
  reserve(ask: Ask): Promise<Answer>;
  /** Reads what others wrote about this run; gives back whether there was anything. */
  refresh(): Promise<boolean>;
  /** What is taken by now in each scope that a round of this run belongs to. */
  taken(round: string, day: string): Promise<Tallies>;
}

export async function openRunJournal(
  journal: Journal,
  { loop, run }: { readonly loop: string; readonly run: string },
): Promise<RunJournal> {
  const entries = [...(await journal.story(run)).entries];
  return {
    loop,
    run,
    entries,
    get state() {
      return foldRun(entries);
    },
    async append(record) {
      const [entry] = await journal.append([{ loop, run, record }]);
      entries.push(entry!);
      return entry!;
    },
    async writeOnly(kinds, newest, record) {
      const written = await journal.append([{ loop, run, record }], { in: { loop, run }, kinds, newest });
      if (isOvertaken(written)) return "overtaken";
      entries.push(...written);
      return "written";
    },
    async reserve(ask) {
      const answer = await journal.reserve({ loop, run }, ask);
      if (answer.kind === "reserved") entries.push(...answer.settled.filter((entry) => entry.run === run), answer.entry);
      return answer;
    },
    async refresh() {
      const before = entries.length;
      const { entries: now } = await journal.story(run);
      const known = new Set(entries.map(({ seq }) => seq));
      entries.push(...now.filter(({ seq }) => !known.has(seq)));
      entries.sort((one, other) => one.seq - other.seq);
      return entries.length > before;
    },
    taken: (round, day) => journal.taken({ loop, run, round, day }),
  };
}
