// The journal as one run sees it: what happened so far, where the run stands by it, and ways to add to it.
import type { Entry, LoopRecord } from "../contract/record.ts";
import { foldEntry, foldRun, type RunState } from "./fold.ts";
import { type Answer, type Ask, type Draft, isOvertaken, type Journal, type Kind, type Place, type Tallies } from "./journal.ts";
import { movesLedger } from "./ledger.ts";

export type StepDone = Extract<LoopRecord, { kind: "step-done" }>;

export interface RunJournal extends Place {
  /** What is on record, oldest first. What is only held is not among it. */
  readonly entries: readonly Entry[];
  /** Where the run stands, as if what is held were on record already. */
  readonly state: RunState;
  /** What a step came to, held or on record; undefined where it is not done. */
  result(id: string, step: string): StepDone | undefined;
  /** Keeps records back until something else is written, which they then stand before. A crash until then loses them. */
  hold(...records: readonly LoopRecord[]): void;
  /** Writes what is held and then these, all or none of it; gives back all of it. */
  write(...records: readonly LoopRecord[]): Promise<readonly Entry[]>;
  /** Writes it only if the newest record of these kinds about this run is still that one, whoever wrote it. */
  writeOnly(kinds: readonly Kind[], newest: number, record: LoopRecord): Promise<"written" | "overtaken">;
  /** What is held is written with it, whatever the answer. */
  reserve(ask: Ask): Promise<Answer>;
  /** Reads what others recorded about the run since; gives back whether there was anything. */
  refresh(): Promise<boolean>;
  /** What is taken by now in each scope that a round of this run belongs to. */
  taken(round: string, day: string): Promise<Tallies>;
  /** The same of another run, such as one above this. */
  takenAt(place: Place & { readonly round: string; readonly day: string }): Promise<Tallies>;
  /** How much of that is only set aside, for what still goes on. */
  heldAt(place: Place & { readonly round: string; readonly day: string }): Promise<Tallies>;
  /** Another view of the same run that knows only these of its records; what it writes is on the same record. */
  apart(isKnown: (entry: Entry) => boolean): RunJournal;
}

type Port = Pick<Journal, "append" | "draft" | "reserve" | "entriesAfter" | "taken" | "held">;

const PAGE = 256;

/** Whoever watches a run hears of each of its records once it is written, in their order. */
export type Told = (entry: Entry) => void;

export const openRunJournal = async (journal: Port & Pick<Journal, "story">, place: Place, told?: Told): Promise<RunJournal> =>
  createRunJournal(journal, place, (await journal.story(place.run)).entries, told);

/** `before` is what was read of the run, and `read` how far that was. */
export function createRunJournal(
  journal: Port,
  { loop, run }: Place,
  before: readonly Entry[],
  told: Told = () => {},
  read: number = before.at(-1)?.seq ?? 0,
): RunJournal {
  const view = createView(before);
  let upTo = read;
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other, so that records stand in the order in which they were given, and what is held before what it is held for. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  const write = (...records: readonly LoopRecord[]): Promise<readonly Entry[]> =>
    inTurn(async () => {
      const held = [...view.held];
      const lines = [...held, ...records.map((record) => ({ loop, run, record }))];
      const entries = lines.length === 0 ? [] : await journal.append(lines);
      view.add(entries, held.length);
      entries.forEach(told);
      return entries;
    });

  return {
    loop,
    run,
    entries: view.entries,
    get state() {
      return view.state();
    },
    result: view.result,
    hold: (...records) => view.hold(records.map((record) => journal.draft({ loop, run, record }))),
    write,
    writeOnly: (kinds, newest, record) =>
      inTurn(async () => {
        const held = [...view.held];
        const written = await journal.append([...held, { loop, run, record }], { in: { loop, run }, kinds, newest });
        if (isOvertaken(written)) return "overtaken";
        view.add(written, held.length);
        written.forEach(told);
        return "written";
      }),
    reserve: (ask) =>
      inTurn(async () => {
        const held = [...view.held];
        const answer = await journal.reserve({ loop, run }, ask, held);
        const taken = answer.kind === "reserved" ? [...answer.settled.filter((entry) => entry.run === run), answer.entry] : [];
        const written = [...(answer.before ?? []), ...taken];
        view.add(written, held.length);
        written.forEach(told);
        return answer;
      }),
    refresh: () =>
      inTurn(async () => {
        const before = view.entries.length;
        for (;;) {
          const found = await journal.entriesAfter(upTo, PAGE, { run });
          view.addMissing(found);
          upTo = found.at(-1)?.seq ?? upTo;
          if (found.length === 0) return view.entries.length > before;
        }
      }),
    async taken(round, day) {
      // The ledger knows what is on record, and nothing else.
      if (view.held.some(({ record }) => movesLedger(record.kind))) await write();
      return journal.taken({ loop, run, round, day });
    },
    takenAt: (place) => journal.taken(place),
    heldAt: (place) => journal.held(place),
    apart: (isKnown) => createRunJournal(journal, { loop, run }, view.entries.filter(isKnown), told, view.entries.at(-1)?.seq ?? 0),
  };
}

interface View {
  readonly entries: readonly Entry[];
  readonly held: readonly Draft[];
  state(): RunState;
  result(id: string, step: string): StepDone | undefined;
  hold(drafts: readonly Draft[]): void;
  /** Those that were just written, the first of which were held. */
  add(written: readonly Entry[], held: number): void;
  /** Those of others may stand between ours. */
  addMissing(found: readonly Entry[]): void;
}

/** What is known of the run. No record is folded twice, but where one turns up before another that was. */
function createView(before: readonly Entry[]): View {
  const entries: Entry[] = [];
  const held: Draft[] = [];
  /** What stands on record comes before what is held, whoever wrote it and when. */
  const results = new Map<string, StepDone>();
  const heldResults = new Map<string, StepDone>();
  let folded = 0;
  let state = foldRun([]);

  function push(added: readonly Entry[]): void {
    entries.push(...added);
    index(results, added);
  }

  push(before);
  return {
    entries,
    held,
    // Folded when somebody asks: a record of a kind that this version does not know is for them to hear of.
    state() {
      for (; folded < entries.length; folded++) state = foldEntry(state, entries[folded]!);
      return held.reduce<RunState>(foldEntry, state);
    },
    result: (id, step) => results.get(keyOf(id, step)) ?? heldResults.get(keyOf(id, step)),
    hold(drafts) {
      held.push(...drafts);
      index(heldResults, drafts);
    },
    add(written, ofHeld) {
      push(written);
      held.splice(0, ofHeld);
      heldResults.clear();
      index(heldResults, held);
    },
    addMissing(found) {
      const last = entries.at(-1)?.seq ?? 0;
      const known = new Set(entries.map(({ seq }) => seq));
      const missing = found.filter(({ seq }) => !known.has(seq));
      if (missing.every(({ seq }) => seq > last)) return push(missing);
      const all = [...entries, ...missing].toSorted((a, b) => a.seq - b.seq);
      entries.length = 0;
      results.clear();
      [folded, state] = [0, foldRun([])];
      push(all);
    },
  };
}

/** The first of each step is the one that counts. */
function index(results: Map<string, StepDone>, added: readonly { readonly record: LoopRecord }[]): void {
  for (const { record } of added) {
    if (record.kind !== "step-done") continue;
    const key = keyOf(record.roundId, record.step);
    if (!results.has(key)) results.set(key, record);
  }
}

const keyOf = (id: string, step: string): string => JSON.stringify([id, step]);
