import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compact, summaryOf } from "./compact.ts";
import {
  type Called,
  type Fact,
  messagesOf,
  sizeOf,
  sizeOfTurn,
  type Transcript,
  type Turn,
  tellSummary,
  tokensIn,
} from "./model-transcript.ts";

let ids = 0;
const call = (tool: string, result: string, ...facts: readonly Fact[]): Called => ({ id: `c${++ids}`, tool, input: {}, result, facts });
const turn = (text: string, ...calls: readonly Called[]): Turn => ({ text, calls, told: calls.length === 0 ? "Call a tool." : "" });
const read = (path: string, result: string, from = 1, to = 10): Called => call("read", result, { kind: "read", path, from, to });
const wrote = (path: string): Called => call("write", "Written.", { kind: "changed", path, how: "written, 9 bytes" });
const ran = (command: string, isGood: boolean): Called =>
  call("run", "output", { kind: "ran", command, end: isGood ? "exit 0" : "exit 1", isGood });
const transcript = (...turns: readonly Turn[]): Transcript => ({ opening: "# Task", summary: undefined, turns });

const factArbitrary: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({ kind: fc.constant("read" as const), path: fc.constantFrom("a", "b", "c"), from: fc.nat(9), to: fc.nat(99) }),
  fc.record({ kind: fc.constant("looked" as const), what: fc.constantFrom("list", "search x") }),
  fc.record({
    kind: fc.constant("changed" as const),
    path: fc.constantFrom("a", "b", "c", "d"),
    how: fc.constantFrom("written", "deleted"),
  }),
  fc.record({
    kind: fc.constant("ran" as const),
    command: fc.constantFrom("npm test", "ls"),
    end: fc.constant("exit 1"),
    isGood: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("refused" as const), what: fc.constantFrom("write .git", "run rm"), why: fc.string({ maxLength: 50 }) }),
);
const callArbitrary: fc.Arbitrary<Called> = fc.record({
  id: fc.uuid(),
  tool: fc.constantFrom("read", "run"),
  input: fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 500 }), { maxKeys: 2 }),
  result: fc.string({ maxLength: 2000 }),
  facts: fc.array(factArbitrary, { maxLength: 2 }),
});
const turnArbitrary: fc.Arbitrary<Turn> = fc.record({
  text: fc.string({ maxLength: 600 }),
  calls: fc.array(callArbitrary, { maxLength: 3 }),
  told: fc.string({ maxLength: 100 }),
});
const transcriptArbitrary: fc.Arbitrary<Transcript> = fc
  .record({
    opening: fc.string({ maxLength: 500 }),
    before: fc.array(turnArbitrary, { maxLength: 5 }),
    turns: fc.array(turnArbitrary, { maxLength: 12 }),
  })
  .map(({ opening, before, turns }) => ({ opening, summary: before.length > 0 ? summaryOf(before, undefined) : undefined, turns }));

describe("any transcript", () => {
  it("is never larger afterwards, and untouched while it fits", () => {
    fc.assert(
      fc.property(transcriptArbitrary, fc.nat(3000), (before, most) => {
        const { transcript: after } = compact(before, most);

        expect(sizeOf(after) <= sizeOf(before)).toBe(true);
        if (tokensIn(sizeOf(before)) <= most) expect(after).toBe(before);
      }),
    );
  });

  it("keeps its task, and its latest turns word for word", () => {
    fc.assert(
      fc.property(transcriptArbitrary, fc.nat(3000), (before, most) => {
        const { transcript: after, folded } = compact(before, most);
        const latest = before.turns.slice(-1 - Math.floor(before.turns.length / 2));
        const size = latest.reduce((sum, one) => sum + sizeOfTurn(one), 0);

        expect(after.opening).toBe(before.opening);
        expect(after.turns.length + folded.length).toBe(before.turns.length);
        expect(after.turns.at(-1)).toBe(before.turns.at(-1));
        if (tokensIn(size) <= most / 2) expect(after.turns.slice(-latest.length)).toEqual(latest);
      }),
    );
  });

  it("has a result for every call and a call for every result, in turns that alternate", () => {
    fc.assert(
      fc.property(transcriptArbitrary, fc.nat(3000), (before, most) => {
        const messages = messagesOf(compact(before, most).transcript);

        for (const [index, message] of messages.entries()) {
          expect(message.from === "model").toBe(index % 2 === 1);
          if (message.from !== "model" || message.calls.length === 0) continue;
          const next = messages[index + 1];
          expect(next?.from === "tools" && next.results.map(({ id }) => id)).toEqual(message.calls.map(({ id }) => id));
        }
      }),
    );
  });

  it("has one summary at most, which takes in the one before, and counts every turn once", () => {
    fc.assert(
      fc.property(transcriptArbitrary, fc.nat(2000), fc.nat(2000), (before, most, less) => {
        const once = compact(before, most).transcript;
        const twice = compact(once, Math.min(most, less)).transcript;

        const count = (one: Transcript): number => (one.summary?.turns ?? 0) + one.turns.length;
        expect(count(twice)).toBe(count(before));
        expect(JSON.stringify(messagesOf(twice)).split("# What happened so far").length - 1).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("still names every file that was changed, while there is room for them", () => {
    fc.assert(
      fc.property(transcriptArbitrary, (before) => {
        const { transcript: after, folded } = compact(before, 1000);
        const changed = folded.flatMap(({ calls }) =>
          calls.flatMap(({ facts }) => facts.flatMap((fact) => (fact.kind === "changed" ? [fact.path] : []))),
        );

        expect(changed.filter((path) => !after.summary?.files.some((file) => file.path === path && file.changed !== ""))).toEqual([]);
      }),
    );
  });
});

describe("what was overtaken", () => {
  const long = "x".repeat(3000);

  it.each<readonly [string, Called, Called]>([
    ["a file that was read again", read("a", long), read("a", "y")],
    ["a part of what was read later", read("a", long, 3, 5), read("a", "y", 1, 10)],
    ["a file that was changed since", read("a", long), wrote("a")],
    [
      "a list that was made again",
      call("list", long, { kind: "looked", what: "list" }),
      call("list", "a", { kind: "looked", what: "list" }),
    ],
    ["a command that was run again", { ...ran("npm test", false), result: long }, ran("npm test", true)],
  ])("is dropped: %s", (_, older, newer) => {
    const { transcript: after, folded } = compact(transcript(turn("One", older), turn("Two", newer)), 900);

    expect(after.turns[0]?.calls[0]?.result).toMatch(/^\[left out/);
    expect([folded, after.turns[1]?.calls[0]]).toEqual([[], newer]);
  });

  it.each<readonly [string, Called, Called]>([
    ["another part of the file", read("a", long, 1, 10), read("a", "y", 11, 20)],
    ["another file", read("a", long), wrote("b")],
  ])("is not %s", (_, older, newer) => {
    const { transcript: after } = compact(transcript(turn("One", older), turn("Two", newer)), 900);

    expect(JSON.stringify(after.turns)).not.toContain("left out");
  });
});

describe("the summary", () => {
  const turns = [
    turn("I look at the total first.", read("src/other.js", "x".repeat(4000))),
    turn("I begin with 0.", wrote("src/total.js"), ran("npm test", false)),
    turn("Now the rounding.", call("write", "no", { kind: "refused", what: "write test/a.js", why: "it is sealed" })),
    turn("Latest.", { ...ran("node x.js", true), result: "x".repeat(1600) }),
  ];

  it("keeps what was meant, what is not solved, and what is known of files", () => {
    const { transcript: after } = compact(transcript(...turns), 1000);
    const told = tellSummary(after.summary!);

    for (const words of ["I begin with 0.", "`npm test`: exit 1", "write test/a.js: it is sealed", "src/total.js: written, 9 bytes"])
      expect(told).toContain(words);
    expect(after.turns).toEqual(turns.slice(3));
  });

  it("forgets a problem that was solved later", () => {
    const summary = summaryOf([turn("Again.", ran("npm test", true))], summaryOf(turns, undefined));

    expect(tellSummary(summary)).not.toContain("npm test");
  });

  it("stays within its share however long it goes on", () => {
    let now: Transcript = transcript();
    for (let number = 0; number < 400; number++) {
      const next = turn(`Step ${number}: ${"because ".repeat(30)}`, wrote(`src/file-${number}.js`), ran(`check ${number}`, false));
      now = compact({ ...now, turns: [...now.turns, next] }, 4000).transcript;
      expect(tokensIn(sizeOf(now))).toBeLessThanOrEqual(4000);
    }
    expect(now.summary?.turns).toBeGreaterThan(300);
    expect(now.turns.length).toBeGreaterThan(5);
  });
});
