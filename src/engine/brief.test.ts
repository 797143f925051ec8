import fc from "fast-check";
import { expect, it } from "vitest";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { admit } from "../guard/text/admit.ts";
import { writeBrief } from "./brief.ts";

const specOf = (more: object = {}): LoopSpec =>
  LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...more,
  });

function lesson(text: string) {
  const admission = admit(untrustedText(text), { source: "round 1", trust: "machine", mostChars: 6000 });
  if (admission.kind === "refused") throw new Error(admission.why);
  return admission.text;
}

it("tells the intent, the task, the checks and what is left, in the first round", () => {
  expect(writeBrief({ spec: specOf(), roundNumber: 1, lessons: [], timeLeft: "30m 00s" })).toBe(
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
  const brief = writeBrief({
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
      const brief = writeBrief({ spec: specOf(), roundNumber: 2, lessons: [admitted], timeLeft: "1m" });
      const without = writeBrief({ spec: specOf(), roundNumber: 2, lessons: [], timeLeft: "1m" });
      expect(brief.replace(`## What earlier rounds taught\n\nRound 1:\n${admitted}\n\n`, () => "")).toBe(without);
    }),
  );
});
