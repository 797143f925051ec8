// The scheduler's hands: each run is a process of its own, which takes the locks, decides anew and writes its opening down by itself.
import type { Child, ChildEnd, Children } from "../contract/children.ts";
import type { Entry } from "../contract/record.ts";
import { isAbout, readTold, type Told } from "../contract/telling.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import { NEXT_WAKING } from "../journal/loop-facts.ts";
import { needsOf } from "../schedule/candidate.ts";
import type { Hands, Needs, Resume, Running, Start, Started } from "../schedule/ports.ts";

export interface HandsWorld {
  readonly journal: Pick<JournalReader, "story" | "newestOf"> & Pick<Journal, "append">;
  readonly children: Children;
  readonly sleep: (ms: number) => Promise<void>;
  /** The words that a child is started with. */
  readonly wordsFor: (order: ChildWish) => readonly string[];
  readonly cwd: string;
  readonly memoryMb: () => number;
  /** Told of what began and what is over. */
  readonly tell: (sight: HandsSight) => void;
  /** Told of what is heard of a run on the way, from when it is on record that it began. */
  readonly hear: (place: { readonly loop: string; readonly run: string }, told: Told) => void;
}

export type ChildWish =
  | { readonly kind: "wake"; readonly loop: string; readonly key: string }
  | { readonly kind: "resume"; readonly loop: string; readonly run: string }
  /** The spec's text is what it reads, and where it would lie. */
  | { readonly kind: "try"; readonly path: string; readonly text: string };

export type HandsSight =
  | { readonly kind: "began"; readonly loop: string; readonly run: string; readonly key: string | undefined; readonly pid: number }
  | { readonly kind: "over"; readonly loop: string; readonly run: string | undefined; readonly end: ChildEnd };

/** What a child prints where it opened no run: why. */
export type ChildWord = Exclude<Started, { kind: "started" }>;

export interface DaemonHands extends Hands {
  /** One round of a spec that nobody added yet. */
  tryOut(trial: { readonly needs: Needs; readonly path: string; readonly text: string }): Promise<Started>;
  /** Asks all to stop, in a way that they can be resumed. */
  askAll(): void;
  /** Ends all at once, like a crash. */
  endAll(): void;
  /** Resolves when none is left. */
  rested(): Promise<void>;
}

const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 250;
/** How much is kept of what is heard before the record says which run it is about. */
const MOST_EARLY = 100;

interface Held {
  readonly needs: Needs;
  run: string | undefined;
  child: Child | undefined;
}

export function createHands(world: HandsWorld): DaemonHands {
  const held = new Set<Held>();
  const overs = new Set<Promise<void>>();
  let isStopping = false;

  return {
    start: (order: Start) =>
      begin(order, { kind: "wake", loop: order.loop, key: order.key }, order.key, async () => {
        const { entries } = await world.journal.story(order.key);
        return openedBy(entries);
      }),
    async resume(order: Resume) {
      const before = (await world.journal.story(order.run)).entries.at(-1)?.seq ?? 0;
      return begin(order, { kind: "resume", loop: order.loop, run: order.run }, undefined, async () => {
        const { entries } = await world.journal.story(order.run);
        // Whoever takes it up writes that down, with the first that follows.
        const isTaken = entries.some(({ seq, record }) => seq > before && record.kind !== "stop-requested");
        return isTaken ? { kind: "started", run: order.run } : undefined;
      });
    },
    async tryOut({ needs, path, text }) {
      const { loop } = needs;
      const before = (await world.journal.newestOf(loop, "run-opened", { most: 1 }))[0]?.seq ?? 0;
      return begin(needs, { kind: "try", path, text }, undefined, async () => {
        const [opened] = await world.journal.newestOf(loop, "run-opened", { after: before, most: 1 });
        return opened && { kind: "started", run: opened.run };
      });
    },
    async stop(loop, run, why) {
      const mine = [...held].find((one) => one.run === run);
      if (why === "spare" && mine?.child) return mine.child.ask();
      await world.journal.append([
        { loop, run, record: { kind: "stop-requested", by: why === "overlap" ? NEXT_WAKING : "the scheduler" } },
      ]);
    },
    running: () => [...held].map(({ needs, run }): Running => ({ ...needs, run })),
    askAll() {
      isStopping = true;
      for (const { child } of held) child?.ask();
    },
    endAll() {
      isStopping = true;
      for (const { child } of held) child?.end();
    },
    async rested() {
      while (overs.size > 0) await Promise.all(overs);
    },
  };

  async function begin(needs: Needs, wish: ChildWish, key: string | undefined, look: () => Promise<Started | undefined>): Promise<Started> {
    if (isStopping) return { kind: "busy", with: "machine", says: "the daemon stops" };
    const one: Held = { needs: needsOf(needs), run: undefined, child: undefined };
    held.add(one);
    const ear = earFor(one);
    try {
      const input = wish.kind === "try" ? { input: wish.text } : {};
      const order = { args: world.wordsFor(wish), cwd: world.cwd, memoryMb: world.memoryMb(), hear: ear.hear, ...input };
      const child = await world.children.start(order);
      one.child = child;
      if (isStopping) child.ask();
      const beginning = watchBeginning(child, look).then((started) => {
        if (started.kind !== "started") return started;
        one.run = started.run;
        world.tell({ kind: "began", loop: needs.loop, run: started.run, key, pid: child.pid });
        ear.begin(started.run);
        return started;
      });
      // A short run may be over before anybody looked whether it began: that is told first all the same.
      const over = Promise.allSettled([child.ended, beginning]).then(async () => {
        held.delete(one);
        world.tell({ kind: "over", loop: needs.loop, run: one.run, end: await child.ended });
      });
      overs.add(over);
      over.finally(() => overs.delete(over));
      return await beginning;
    } catch (error) {
      if (!one.child) held.delete(one);
      throw error;
    }
  }

  /** A child says what it likes; which run it works on, the record says. */
  function earFor({ needs: { loop } }: Held): { hear(line: string): void; begin(run: string): void } {
    let begun: string | undefined;
    let early: readonly Told[] = [];
    const pass = (run: string, told: Told): void => {
      if (isAbout(told, run)) world.hear({ loop, run }, told);
    };
    return {
      hear(line) {
        const told = readTold(line);
        if (!told) return;
        if (begun !== undefined) pass(begun, told);
        else if (early.length < MOST_EARLY) early = [...early, told];
      },
      begin(run) {
        begun = run;
        for (const told of early) pass(run, told);
        early = [];
      },
    };
  }

  /** The record says that it began, and nothing else does. A child that ended without one says why. */
  async function watchBeginning(child: Child, look: () => Promise<Started | undefined>): Promise<Started> {
    let end: ChildEnd | undefined;
    child.ended.then((its) => {
      end = its;
    });
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LONGEST_LOOK_MS, waitMs * 2)) {
      // Asked first: what it wrote before its end is seen in the look that follows.
      const itsEnd = end;
      const begun = await look();
      if (begun) return begun;
      if (itsEnd) return whyNot(itsEnd);
      await Promise.race([world.sleep(waitMs), child.ended]);
    }
  }
}

/** What a key came to; undefined while it has no waking. */
function openedBy(entries: readonly Entry[]): Started | undefined {
  const waking = entries.flatMap(({ record }) => (record.kind === "waking" ? [record] : [])).at(-1);
  if (!waking) return undefined;
  return waking.fate === "ran" && waking.run !== undefined ? { kind: "started", run: waking.run } : { kind: "overtaken" };
}

/** By its own words, and where it has none, by how it ended: only what it says will be so every time is not tried again. */
export function whyNot({ code, signal, printed, said }: ChildEnd): ChildWord {
  const word = wordIn(printed);
  if (word) return word;
  const last = said.trim().split("\n").slice(-3).join(" ").slice(0, 500);
  const how = signal ? `was ended by ${signal}` : `ended with ${code ?? "nothing"}`;
  return {
    kind: "failed",
    retry: code === 64 || code === 70 ? "never" : "later",
    says: `its process ${how}${last === "" ? "" : `: ${last}`}`,
  };
}

function wordIn(printed: string): ChildWord | undefined {
  try {
    const { started, error } = JSON.parse(printed) as {
      readonly started?: ChildWord;
      readonly error?: { readonly code: string; readonly message: string };
    }; // our own program's words
    if (started) return started;
    return error?.code === "loop-busy" ? { kind: "busy", with: "loop", says: error.message } : undefined;
  } catch {
    return undefined;
  }
}
