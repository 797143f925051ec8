import fc from "fast-check";
import { expect, it } from "vitest";
import { createMemoryJournal } from "../../test/support/memory-journal.ts";
import { tries } from "../../test/support/tries.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { LoopRecord, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Rest, Verdict } from "../contract/verdict.ts";
import { foldRun } from "../journal/fold.ts";
import { viewRun } from "../journal/views.ts";
import { renderReport } from "./render-report.ts";

const openedOn = (ref: string): RunOpened => ({
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
  }),
  specHash: "",
  specPath: "",
  folder: "/s",
  repo: "/r",
  base: { ref, commit: "ba5eba5eba5eba5e" },
  cursors: {},
  version: "0",
});
const round: Round = {
  id: "keep-green-1-abcde.1",
  run: "keep-green-1-abcde",
  loop: "keep-green",
  number: 1,
  base: "ba5eba5eba5eba5e",
  openedAt: "",
  lessons: [],
};
const commit: Proposal = {
  kind: "commit",
  commit: "c0ffeec0ffeec0ffee",
  tree: "7ree",
  changes: [{ path: "a", before: undefined, after: { mode: "100644", blob: "b" } }],
  diff: { sha256: "d1ffd1ffd1ffd1ff", bytes: 1, truncated: false },
  talk: { ended: "finished", summary: untrustedText("trust me") },
};

function reportOf(
  proposal: Proposal,
  rest: Exclude<Verdict, { kind: "retry" }>,
  text = "as it should be",
  more: readonly LoopRecord[] = [],
): string {
  const verdict: Verdict = rest;
  const opened = openedOn(text === "as it should be" ? "main" : text);
  const journal = createMemoryJournal([
    { kind: "round-opened", round },
    { kind: "step-done", roundId: round.id, step: "make", result: null, tookMs: 1500 },
    ...more,
    {
      kind: "round-closed",
      roundId: round.id,
      evidence: {
        proposal,
        findings: [{ rule: "seal-touched", severity: "low", where: text, why: "w" }],
        proofs: [{ verifier: "command", kind: "proof", outcome: "holds", detail: text, output: undefined }],
      },
      verdict,
    },
  ]);
  return renderReport({ loop: journal.loop, run: journal.run, opened, state: foldRun(journal.entries), rest });
}

const textReport = (text: string): Proposal => ({
  kind: "report",
  items: [{ rank: "security", commit: text, ref: text, title: text, why: text }],
  refs: [
    { ref: text, tip: text, commits: 1, notes: [text] },
    { ref: text, tip: undefined, commits: 0, notes: [] },
  ],
  divergence: [
    { ref: text, from: text, ahead: 1, behind: 2 },
    { ref: text, from: text, ahead: undefined, behind: undefined },
  ],
  summary: text,
});

it("tells how a proven change came about, and what to do with it", () => {
  expect(
    reportOf(commit, { kind: "accept", action: "propose" }, "as it should be", [
      { kind: "spent", roundId: round.id, spend: { usd: 0.5, tokens: 12 } },
    ]),
  ).toBe(`# keep-green: proposed

> Keep main green.

- Run: keep-green-1-abcde, level L2, 1 round(s), 1.5s of work, cost $0.50 and 12 tokens as reported
- Base: main at ba5eba5eba5e
- Verdict: the change is proven and waits for you
- Branch: loopwright/keep-green-1-abcde.1
- Look: \`git diff ba5eba5eba5e loopwright/keep-green-1-abcde.1\`, then merge it or delete it

## What happened

### Round 1 (1.5s)

- proposed: 1 file(s) in c0ffeec0ffee; diff kept as d1ffd1ffd1ff
- finding: low seal-touched: as it should be
- proof: command holds: as it should be
- verdict: accepted, propose
`);
});

it("tells a hand-over by its reason, and a cost that nobody reported as unknown", () => {
  const report = reportOf(commit, { kind: "escalate", because: "check-failed", reason: "command: `npm test` exited 1\nand much more" });

  expect(report).toContain("# keep-green: handed over (check-failed)\n");
  expect(report).toContain("cost unknown: nothing was reported\n");
  expect(report).toContain("- Verdict: needs a human: `` command: `npm test` exited 1 ``\n");
  expect(report).not.toContain("much more");
});

it("tells a failure outside with what to do", () => {
  const failed: LoopRecord = {
    kind: "round-failed",
    roundId: round.id,
    code: "maker-rate-limited",
    message: "try at noon",
    hint: "Wait.",
    retry: "later",
    tookMs: 0,
  };

  expect(reportOf(commit, { kind: "accept", action: "propose" }, "as it should be", [failed])).toContain(
    "- failed outside: try at noon (Wait.)\n",
  );
});

it("lists the findings of a report by what they weigh, small ones together, and every ref", () => {
  const proposal: Proposal = {
    kind: "report",
    items: [
      { rank: "ordinary", commit: "0".repeat(40), ref: "main", title: "tidy up", why: "nothing special" },
      { rank: "bump", commit: "2".repeat(40), ref: "main", title: "hbs 4.2.1", why: "only another version", weight: 0 },
      {
        ...{ rank: "change", commit: "3".repeat(40), ref: "main", title: "close it", why: "takes away open", weight: 30, area: "src" },
        ...{
          at: "2026-11-02T10:00:00.000Z",
          author: "Ada",
          size: "3 lines, 1 file",
          link: `https://github.com/a/b/commit/${"3".repeat(40)}`,
        },
      },
      { rank: "security", commit: "1".repeat(40), ref: "main", title: "fix(auth)!: [click](http://x)", why: "says XSS" },
    ],
    refs: [{ ref: "main", tip: "1".repeat(40), commits: 2, notes: ["history is shallow"] }],
    divergence: [{ ref: "side", from: "main", ahead: 1, behind: 2 }],
    summary: "2 new commits on main: 1 security, 1 ordinary.",
  };

  expect(reportOf(proposal, { kind: "accept", action: "report" })).toContain(`## Findings

2 new commits on main: 1 security, 1 ordinary.

### To look at

- security \`111111111111\` \`fix(auth)!: [click](http://x)\`: says XSS (main)
- change \`333333333333\` close it: takes away open (Ada, 2026-11-02, 3 lines, 1 file, in src, main; <https://github.com/a/b/commit/${"3".repeat(40)}>)

Besides: \`000000000000\` tidy up

Other versions (1): \`222222222222\` hbs 4.2.1

## Refs

- main: at \`111111111111\`, 2 new commit(s); history is shallow
- side is 1 ahead of and 2 behind main
`);
});

/** What Markdown would read on a line when code spans, matched as CommonMark says, are set aside. */
function outsideCode(line: string): string {
  const opening = /`+/.exec(line);
  if (!opening) return line;
  const after = line.slice(opening.index + opening[0].length);
  const closing = new RegExp(`(?<!\`)\`{${opening[0].length}}(?!\`)`).exec(after);
  if (!closing) return `${line.slice(0, opening.index)}UNMATCHED`;
  return `${line.slice(0, opening.index)}${outsideCode(after.slice(closing.index + closing[0].length))}`;
}

it("lets no stranger's text out of its place on its line, whatever it says", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          "`",
          "``",
          "```",
          "\n",
          "\r",
          "\u2028",
          "# ",
          "- ",
          "> ",
          "[x](y)",
          "![x](y)",
          "<img src=x>",
          "&lt;",
          "*",
          "_",
          "|",
          "~~",
          "@ada",
          "#1",
          "https://evil.test",
          "www.evil.test",
          "\\",
          " ",
          "\u001b[2J",
          "\u202e",
          "a",
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(nasty, fc.constantFrom("commit", "report"), (text, kind) => {
      const failed: LoopRecord = {
        kind: "round-failed",
        roundId: round.id,
        code: "maker-rate-limited",
        message: text,
        hint: "Wait.",
        retry: "later",
        tookMs: 0,
      };
      const rest: Rest = { kind: "escalate", because: "check-failed", reason: text };
      const render = (said: string) => reportOf(kind === "commit" ? commit : textReport(said), rest, said, [{ ...failed, message: said }]);

      const lines = render(text).split("\n");

      expect(lines.length).toBe(render("plain words").split("\n").length);
      for (const line of lines) {
        expect(line.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/.test(line)).toBe(true);
        const read = outsideCode(line.replace(/^(#{1,3} |> |- )/, ""));
        expect(read).not.toMatch(/[`*[\]<>|#!~&\\@]|:\/\/|www\.|UNMATCHED/);
      }
    }),
    tries(250),
  );
});

it("says in which box commands ran, and where the level was held for want of one", () => {
  const opened = openedOn("main");
  const box = { kind: "bubblewrap", network: "open", writes: ["/home/ada/.agent"], hides: ["/home/ada/.ssh"] } as const;
  const journal = createMemoryJournal([
    { kind: "round-opened", round },
    {
      kind: "round-closed",
      roundId: round.id,
      evidence: {
        proposal: { ...commit, box },
        findings: [],
        proofs: [
          {
            verifier: "command",
            kind: "proof",
            outcome: "holds",
            detail: "",
            output: undefined,
            box: { kind: "none", why: "bwrap is not there" },
          },
          { verifier: "scope", kind: "proof", outcome: "holds", detail: "", output: undefined, box: { kind: "unused" } },
        ],
      },
      verdict: { kind: "accept", action: "propose" },
    },
  ]);
  const matter = {
    loop: journal.loop,
    run: journal.run,
    state: foldRun(journal.entries),
    rest: { kind: "accept", action: "propose" },
  } as const;

  const lines = renderReport({ ...matter, opened: { ...opened, spec: { ...opened.spec, level: "L3" } } }).split("\n");

  expect(lines).toEqual(
    expect.arrayContaining([
      "- Level: held at L2: not every command was in a box",
      "- box of the maker: bubblewrap, network open, writes in its own room and /home/ada/.agent, 1 place(s) hidden",
      "- box of command: no box: bwrap is not there",
      "- box of scope: no commands",
    ]),
  );
  expect(renderReport({ ...matter, opened })).not.toContain("held at");
});

it("says which cap was passed by what was reported only afterwards", () => {
  const opened = openedOn("main");
  const spec = LoopSpec.parse({ ...opened.spec, budget: { usd: "$0.50" } });
  const journal = createMemoryJournal([
    { ...opened, spec },
    { kind: "round-opened", round },
    {
      kind: "spent",
      roundId: round.id,
      spend: { usd: 0.8, tokens: 0 },
      amounts: { microUsd: 800_000 },
      basis: "reported",
      day: "2026-01-02",
    },
  ]);
  const rest = { kind: "accept", action: "propose" } as const;
  const report = renderReport({ loop: journal.loop, run: journal.run, opened: { ...opened, spec }, state: foldRun(journal.entries), rest });

  expect(report).toContain("- Past its budget: $0.80 used of $0.50 (budget.usd); it was reported only afterwards");
  expect(viewRun(journal, { entries: journal.entries, damaged: [] })?.passedCaps).toEqual(["$0.80 used of $0.50 (budget.usd)"]);
});
