import { describe, expect, it } from "vitest";
import type { ChildEnd } from "../contract/children.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import { createMemoryJournal } from "../journal/memory-journal.ts";
import type { Start } from "../schedule/ports.ts";
import { createHands, type HandsSight, whyNot } from "./hands.ts";

const NEEDS = { loop: "fix", target: "t", writes: true, maker: "shell", account: undefined, spare: false, priority: 0 };
const WAKING = { kind: "waking", fate: "ran", cause: { kind: "hand", by: "ada" }, dueAt: "", reason: "by-hand", says: "" } as const;
const START: Start = { ...NEEDS, key: "fix/hand/1", version: { own: 0, home: 0 }, waking: WAKING };
const END: ChildEnd = { code: 0, signal: null, printed: "", said: "" };

/** Hands whose children do what the test lets them do. */
function open() {
  const shelf: Entry[] = [];
  const journal = createMemoryJournal({ now: () => new Date(0) }, shelf);
  const sights: HandsSight[] = [];
  const did: string[] = [];
  const heard: unknown[] = [];
  const lines: ((line: string) => void)[] = [];
  const ends: ((end: ChildEnd) => void)[] = [];
  const hands = createHands({
    journal,
    children: {
      start: async ({ args, hear = () => {}, input }) => {
        did.push([...args, ...(input === undefined ? [] : [`< ${input}`])].join(" "));
        lines.push(hear);
        const ended = new Promise<ChildEnd>((resolve) => ends.push(resolve));
        return { pid: 7, ended, ask: () => did.push("ask"), end: () => did.push("end") };
      },
    },
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    wordsFor: (wish) =>
      wish.kind === "wake" ? ["run", wish.loop, wish.key] : wish.kind === "resume" ? ["resume", wish.run] : ["try", wish.path],
    cwd: "/",
    memoryMb: () => 512,
    tell: (sight) => sights.push(sight),
    hear: (place, told) => heard.push([place.run, told]),
  });
  const end = (about: Partial<ChildEnd> = {}): void => ends.shift()?.({ ...END, ...about });
  const say = (line: unknown): void => lines.at(-1)?.(typeof line === "string" ? line : JSON.stringify(line));
  return { hands, journal, shelf, sights, did, end, heard, say };
}

describe("a start", () => {
  it("has begun when it is on record that it ran, and not before", async () => {
    const { hands, journal, sights, did, end } = open();
    const starting = hands.start(START);
    await Promise.resolve();
    expect(hands.running()).toEqual([{ ...NEEDS, run: undefined }]);

    await journal.append([{ loop: "fix", run: "fix/hand/1", record: { ...WAKING, run: "fix-1" } }]);

    expect(await starting).toEqual({ kind: "started", run: "fix-1" });
    expect(hands.running()).toEqual([{ ...NEEDS, run: "fix-1" }]);
    end();
    await hands.rested();
    expect(hands.running()).toEqual([]);
    expect(sights.map(({ kind }) => kind)).toEqual(["began", "over"]);
    expect(did).toEqual(["run fix fix/hand/1"]);
  });

  it("is heard from when it is on record which run it is, with what it told before, and about no other run", async () => {
    const { hands, journal, heard, say } = open();
    const step = (id: string, name: string) => ({ kind: "step-began", id, step: name });
    const text = { kind: "maker-said", id: "fix-1.1", event: { kind: "text", text: "hello" } };
    const starting = hands.start(START);
    await Promise.resolve();
    await Promise.resolve();
    say(step("fix-1", "baseline"));
    say(step("fix-0.1", "act"));
    for (const nonsense of ["", "{", "null", { kind: "recorded", entry: {} }, { kind: "step-began", id: 1 }, "x".repeat(100_000)])
      say(nonsense);
    expect(heard).toEqual([]);

    await journal.append([{ loop: "fix", run: "fix/hand/1", record: { ...WAKING, run: "fix-1" } }]);
    await starting;
    say({ ...text, more: "unknown" });
    say(step("fix-10.1", "make"));

    expect(heard).toEqual([
      ["fix-1", step("fix-1", "baseline")],
      ["fix-1", text],
    ]);
  });

  it("that is over when it is looked at has begun all the same, and both are told in this order", async () => {
    const { hands, journal, sights, end } = open();
    const starting = hands.start(START);
    await Promise.resolve();
    await journal.append([{ loop: "fix", run: "fix/hand/1", record: { ...WAKING, run: "fix-1" } }]);
    end({ code: 1 });

    expect(await starting).toEqual({ kind: "started", run: "fix-1" });
    await hands.rested();
    expect(sights.map(({ kind, run }) => [kind, run])).toEqual([
      ["began", "fix-1"],
      ["over", "fix-1"],
    ]);
  });

  it("that found its key settled otherwise was overtaken", async () => {
    const { hands, journal } = open();
    const starting = hands.start(START);
    await journal.append([{ loop: "fix", run: "fix/hand/1", record: { ...WAKING, fate: "skipped" } }]);

    expect(await starting).toEqual({ kind: "overtaken" });
  });

  it("that opened nothing says why, or how it ended", async () => {
    const ends: readonly Partial<ChildEnd>[] = [
      { code: 75, printed: JSON.stringify({ started: { kind: "busy", with: "target", says: "somebody writes there" } }) },
      { code: 75, printed: JSON.stringify({ error: { code: "loop-busy", message: "it runs" } }) },
      { code: null, signal: "SIGABRT", said: "a\nheap out of memory\n" },
      { code: 64, said: "no such base" },
    ];

    const answers = await Promise.all(
      ends.map(async (about) => {
        const { hands, end } = open();
        const starting = hands.start(START);
        await Promise.resolve();
        end(about);
        return starting;
      }),
    );

    expect(answers).toEqual([
      { kind: "busy", with: "target", says: "somebody writes there" },
      { kind: "busy", with: "loop", says: "it runs" },
      { kind: "failed", retry: "later", says: "its process was ended by SIGABRT: a heap out of memory" },
      { kind: "failed", retry: "never", says: "its process ended with 64: no such base" },
    ]);
  });

  it("begins nothing any more once all were asked to stop", async () => {
    const { hands, did } = open();
    hands.askAll();

    expect([(await hands.start(START)).kind, did]).toEqual(["busy", []]);
  });
});

describe("a run that was interrupted", () => {
  it("is taken up when somebody wrote that, which a wish to stop is not", async () => {
    const { hands, journal } = open();
    await journal.append([{ loop: "fix", run: "fix-1", record: { kind: "run-resumed" } }]);
    let answer: unknown;
    const resuming = hands.resume({ ...NEEDS, run: "fix-1" }).then((started) => {
      answer = started;
    });
    await journal.append([{ loop: "fix", run: "fix-1", record: { kind: "stop-requested", by: "ada" } }]);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(answer).toBeUndefined();

    await journal.append([{ loop: "fix", run: "fix-1", record: { kind: "run-resumed" } }]);
    await resuming;

    expect(answer).toEqual({ kind: "started", run: "fix-1" });
  });
});

describe("a stop", () => {
  it("is asked of the process where it may be resumed, and of the run by its record where it should rest", async () => {
    const { hands, journal, did, shelf } = open();
    const starting = hands.start(START);
    await journal.append([{ loop: "fix", run: "fix/hand/1", record: { ...WAKING, run: "fix-1" } }]);
    await starting;

    await hands.stop("fix", "fix-1", "spare");
    await hands.stop("fix", "fix-1", "overlap");

    expect(did.slice(1)).toEqual(["ask"]);
    expect(shelf.at(-1)?.record).toEqual({ kind: "stop-requested", by: "its next waking" });
  });
});

it("takes a bug of ours for one, and anything else that a child prints for nothing", () => {
  expect(
    [whyNot({ ...END, code: 70, printed: "not json" }), whyNot({ ...END, code: 4, printed: "[]" })].map(
      (word) => word.kind === "failed" && word.retry,
    ),
  ).toEqual(["never", "later"]);
});

describe("a trial", () => {
  it("reads its spec, and has begun when a run of it is on record that was not there before", async () => {
    const { hands, journal, did, end, sights } = open();
    const opened = { kind: "run-opened", number: 1 } as unknown as LoopRecord; // what it holds is not looked at
    await journal.append([{ loop: "fix", run: "fix-1", record: opened }]);
    const trying = hands.tryOut({ needs: NEEDS, path: "/repo/.loopwright/fix.loop.yaml", text: "name: fix" });
    await new Promise((resolve) => setImmediate(resolve));
    await journal.append([{ loop: "fix", run: "fix-2", record: opened }]);

    expect(await trying).toEqual({ kind: "started", run: "fix-2" });
    expect(did).toEqual(["try /repo/.loopwright/fix.loop.yaml < name: fix"]);
    expect(hands.running()).toEqual([{ ...NEEDS, run: "fix-2" }]);
    end();
    await hands.rested();
    expect(sights.map(({ kind, run }) => [kind, run])).toEqual([
      ["began", "fix-2"],
      ["over", "fix-2"],
    ]);
  });
});
