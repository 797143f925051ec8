import fc from "fast-check";
import { expect, it } from "vitest";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { admit } from "../guard/text/admit.ts";
import { type BriefMatter, writeBrief } from "./brief.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const specOf = (more: object = {}): LoopSpec =>
  LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...more,
  });

const textOf = (matter: BriefMatter): string => writeBrief(matter).text;

function lesson(text: string) {
  const admission = admit(untrustedText(text), { source: "round 1", trust: "machine", mostChars: 6000 });
  if (admission.kind === "refused") throw new Error(admission.why);
  return admission.text;
}

it("tells the intent, the task, the checks and what is left, in the first round", () => {
  expect(textOf({ spec: specOf(), roundNumber: 1, lessons: [], timeLeft: "30m 00s" })).toBe(
    `# keep-green

Intent: Keep main green.

## Task

Keep main green.

## How far you may go

Level L2: edit files in this folder. What you leave here is committed for you, checked in a clean copy, and shown to a human. Do not push or merge.

## How it will be checked

- command: \`npm test\` must succeed

Do not delete, skip or weaken tests: such a change is refused, whatever the checks say.

## Budget

This is round 1 of 3; 30m 00s are left for the whole run.
`,
  );
});

it("adds the task, the sealed files and the lessons where there are any", () => {
  const brief = textOf({
    spec: specOf({ task: "Make it pass.", seal: ["test/**", "ci/**"], verifiers: [{ use: "review" }] }),
    roundNumber: 2,
    lessons: [lesson("1 failed")],
    timeLeft: "1m",
  });

  expect(brief).toContain("## Task\n\nMake it pass.\n");
  expect(brief).toContain("- review\n");
  expect(brief).toContain("Leave these files as they are: test/**, ci/**");
  expect(brief).toContain(`## What earlier rounds taught\n\nRound 1:\n${lesson("1 failed")}`);
});

it("holds a lesson only inside its fence, whatever it says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const admitted = lesson(text);
      const brief = textOf({ spec: specOf(), roundNumber: 2, lessons: [admitted], timeLeft: "1m" });
      const without = textOf({ spec: specOf(), roundNumber: 2, lessons: [], timeLeft: "1m" });
      expect(brief.replace(`## What earlier rounds taught\n\nRound 1:\n${admitted}\n\n`, () => "")).toBe(without);
    }),
  );
});

const note = (roundId: string, text: string) => ({ roundId, at: "2026-01-02T03:04:05.678Z", text: lesson(text) });
const agentsOf = (text: string) => (most: number) => lesson(text.slice(0, most));

it("sends nobody to a file whose tools refuse it: a maker with tools of ours notes with one of them", () => {
  const { text } = writeBrief({ spec: specOf(), roundNumber: 1, lessons: [], notesTo: { kind: "tool" }, timeLeft: "1m" });

  expect(text).toContain("write down with your tool `note`");
  expect(text).not.toContain("LOOPWRIGHT_NOTES");
});

it("adds what was gathered, AGENTS.md, notes and where to write some", () => {
  const { text, cut } = writeBrief({
    spec: specOf(),
    roundNumber: 1,
    context: [lesson("abc a commit")],
    lessons: [],
    agents: agentsOf("Run npm test."),
    notes: [note("keep-green-1-a.1", "clear the cache")],
    notesTo: { kind: "file", file: "/rounds/r/told/notes.md" },
    timeLeft: "1m",
  });

  expect(cut).toEqual([]);
  expect(text).toContain(`## What was gathered\n\n${lesson("abc a commit")}\n`);
  expect(text).toContain(`## What the repository says to agents\n\n${lesson("Run npm test.")}\n`);
  expect(text).toContain(
    `## What earlier makers wrote down\n\nkeep-green-1-a.1, 2026-01-02T03:04:05.678Z:\n${lesson("clear the cache")}\n`,
  );
  expect(text).toContain("into /rounds/r/told/notes.md (its path is also in $LOOPWRIGHT_NOTES)");
});

it("leaves out notes first, then old lessons, then the end of AGENTS.md, and says so", () => {
  const matter = (tokens: string): BriefMatter => ({
    spec: specOf({ brief: { tokens }, seal: ["test/**"] }),
    roundNumber: 4,
    lessons: ["first", "second", "third"].map((word) => lesson(`${word} ${"x".repeat(600)}`)),
    agents: agentsOf(`${"Run npm test. ".repeat(200)}last words`),
    notes: [note("r.3", `newest ${"n".repeat(600)}`), note("r.1", `oldest ${"n".repeat(600)}`)],
    timeLeft: "1m",
  });
  const has = (text: string) =>
    ["first x", "second x", "third x", "last words", "newest n", "oldest n", "test/**"].filter((word) => text.includes(word));

  const told = ["4k", "2300", "2k", "1800", "1200", "600"].map((tokens) => writeBrief(matter(tokens)));

  expect(told.map(({ text }) => has(text))).toEqual([
    ["first x", "second x", "third x", "last words", "newest n", "oldest n", "test/**"],
    ["first x", "second x", "third x", "last words", "newest n", "test/**"],
    ["first x", "second x", "third x", "last words", "test/**"],
    ["second x", "third x", "last words", "test/**"],
    ["third x", "test/**"],
    ["third x", "test/**"],
  ]);
  expect(told.map(({ cut }) => cut)).toEqual([
    [],
    ["1 note(s)"],
    ["2 note(s)"],
    ["1 lesson(s)", "2 note(s)"],
    ["the end of AGENTS.md", "2 lesson(s)", "2 note(s)"],
    ["AGENTS.md", "2 lesson(s)", "2 note(s)"],
  ]);
  expect(told[1]!.text).toContain("Left out for lack of room: 1 note(s).");
});

it("cuts a task that is too long at its end, and never the intent, the seal or the checks", () => {
  const { text, cut } = writeBrief({
    spec: specOf({ task: `Begin. ${"word ".repeat(3000)}`, brief: { tokens: "1k" }, seal: ["test/**"] }),
    roundNumber: 1,
    lessons: [],
    timeLeft: "1m",
  });

  expect(text).toMatch(/## Task\n\nBegin\. word[\s\S]*\[… the rest is left out …\]/);
  expect(["Intent: Keep main green.", "test/**", "`npm test` must succeed"].filter((part) => !text.includes(part))).toEqual([]);
  expect(cut).toEqual(["the end of the task"]);
});

it("is refused where not even the intent, the seal and the checks fit", () => {
  const spec = specOf({ seal: ["x".repeat(5000)], brief: { tokens: "1k" } });

  expect(() => writeBrief({ spec, roundNumber: 1, lessons: [], timeLeft: "1m" })).toThrow(
    /alone need \d+ tokens, and the brief may have 1k/,
  );
});

it("is never over its budget, and always has the intent, whatever there is to tell", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 3000 });
  fc.assert(
    fc.property(
      fc.record({
        tokens: fc.integer({ min: 500, max: 6000 }),
        task: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8000 }).filter((task) => task.trim() !== "")),
        lessons: fc.array(text, { maxLength: 6 }),
        notes: fc.array(text, { maxLength: 6 }),
        agents: fc.option(text),
        context: fc.array(text, { maxLength: 2 }),
        lines: fc.array(fc.string({ maxLength: 100 }), { maxLength: 5 }),
      }),
      ({ tokens, task, lessons, notes, agents, context, lines }) => {
        const brief = writeBrief({
          spec: specOf({ brief: { tokens: `${tokens}` }, seal: ["test/**"], ...(task === null ? {} : { task }) }),
          roundNumber: 2,
          lessons: lessons.map(lesson),
          notes: notes.map((each, index) => note(`r.${index}`, each)),
          ...(agents === null ? {} : { agents: agentsOf(agents) }),
          context: context.map(lesson),
          base: { lines, names: undefined },
          timeLeft: "1m",
        });
        expect(brief.tokens).toBe(estimateTokens(brief.text));
        expect(brief.tokens).toBeLessThanOrEqual(tokens);
        expect(brief.text).toContain("Intent: Keep main green.");
        expect(brief.text).toContain("Leave these files as they are: test/**");
      },
    ),
    { numRuns: 40 },
  );
});
