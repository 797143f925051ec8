import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeWorld } from "../../test/support/fake-world.ts";
import { createMemoryJournal, type MemoryJournal } from "../../test/support/memory-journal.ts";
import { type AnyCrew, runToRest } from "../../test/support/runs.ts";
import { tries } from "../../test/support/tries.ts";
import { LoopError } from "../contract/errors.ts";
import type { Proof } from "../contract/evidence.ts";
import type { Change } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verify } from "../contract/verifier.ts";
import { type JudgedAgain, judgeAgain } from "./judge-again.ts";
import type { Outcome } from "./outcome.ts";

const SPEC = {
  name: "keep-green",
  intent: "Keep main green.",
  level: "L2",
  maker: { use: "shell" },
  verifiers: [
    { use: "command", with: { run: "npm test" } },
    { use: "judge", with: { model: "qwen3" } },
  ],
  budget: { rounds: 2, time: "10m", usd: "$1.00", tokens: "1k" },
};
const specOf = (more: object = {}): LoopSpec => LoopSpec.parse({ ...SPEC, ...more });

const openedOf = (spec: LoopSpec): RunOpened => ({
  kind: "run-opened",
  number: 1,
  spec,
  specHash: "",
  specPath: "/s/keep-green.loop.yaml",
  folder: "/s",
  repo: "/r",
  base: { ref: "main", commit: "ba5eba5eba5eba5e" },
  cursors: {},
  version: "0",
});

const changed = (path: string): Change => ({ path, before: { mode: "100644", blob: "a1" }, after: { mode: "100644", blob: "b2" } });

/** What happens in one round of a scripted run. */
interface Play {
  readonly ends: "finished" | "gave-up";
  readonly outcomes: readonly [Proof["outcome"], Proof["outcome"]];
  readonly tokens: number;
  readonly failure: "none" | "later" | "never" | "budget";
}
const good: Play = { ends: "finished", outcomes: ["holds", "holds"], tokens: 10, failure: "none" };

interface Recorded {
  readonly opened: RunOpened;
  readonly journal: MemoryJournal;
  readonly outcome: Outcome;
}

/** A run with a maker and two verifiers that do as the plays say; after a failure that passes it is taken up again once. */
async function record(
  plays: readonly Play[],
  about: { readonly spec?: LoopSpec; readonly paths?: readonly string[]; readonly trees?: readonly string[] } = {},
): Promise<Recorded> {
  const opened = openedOf(about.spec ?? specOf());
  const journal = createMemoryJournal();
  const { world } = createFakeWorld({
    changes: (about.paths ?? ["src/a.ts"]).map(changed),
    ...(about.trees ? { tree: (number) => about.trees![number - 1] ?? `tree-${number}` } : {}),
  });
  const failed = new Set<string>();
  let current = { play: good, id: "" };
  const verifier = (name: string, kind: Proof["kind"], index: 0 | 1): Verify => ({
    name,
    kind,
    proves: "commit",
    verify: async () => {
      const { failure, outcomes } = current.play;
      if (failure !== "none" && !failed.has(current.id)) {
        failed.add(current.id);
        const code = failure === "budget" ? "budget-spent" : "git-failed";
        throw new LoopError(code, "it failed", { retry: failure === "later" ? "later" : "never", hint: "Look." });
      }
      return { outcome: outcomes[index], detail: `${name} says ${outcomes[index]}`, output: undefined };
    },
  });
  const crew: AnyCrew = {
    gather: [],
    make: {
      proposes: "commit",
      async edit({ round }, { meter }) {
        current = { play: plays[round.number - 1] ?? plays.at(-1)!, id: round.id };
        if (current.play.tokens > 0) await meter.charge({ usd: 0, tokens: current.play.tokens });
        return { ended: current.play.ends, summary: untrustedText("done") };
      },
    },
    verifiers: [verifier("command", "proof", 0), verifier("judge", "opinion", 1)],
    waker: { hears: [] },
    notify: [],
    gates: [],
    act: [],
  };
  const go = () => runToRest({ opened, crew, journal, world });
  let outcome = await go();
  for (let wakings = 0; outcome.kind === "paused" && wakings < 5; wakings++) {
    await journal.write({ kind: "run-resumed" });
    outcome = await go();
  }
  return { opened, journal, outcome };
}

const again = ({ opened, journal }: Recorded, spec: LoopSpec): JudgedAgain =>
  judgeAgain({ loop: journal.loop, run: journal.run, opened, entries: journal.entries, spec });

const endOf = async (recorded: Promise<Recorded>, more: object): Promise<JudgedAgain["end"]> => again(await recorded, specOf(more)).end;

describe("judging again", () => {
  it("comes to what the run came to, whatever happened in it, when the spec is the same", async () => {
    const outcomes = fc.constantFrom<Proof["outcome"]>("holds", "refuted", "fabricated", "gap", "unknown");
    const play: fc.Arbitrary<Play> = fc.record({
      ends: fc.constantFrom("finished", "gave-up"),
      outcomes: fc.tuple(outcomes, outcomes),
      tokens: fc.constantFrom(0, 10, 600, 2000),
      failure: fc.constantFrom("none", "none", "none", "later", "never", "budget"),
    });
    const about = fc.record({
      spec: fc
        .record({
          level: fc.constantFrom("L1", "L2", "L3"),
          seal: fc.constantFrom([], ["src/**"]),
          unseal: fc.constantFrom([], ["test/**"]),
          gate: fc.constantFrom({}, { tampering: "retry" }),
          rounds: fc.integer({ min: 1, max: 4 }),
        })
        .map(({ rounds, ...more }) => specOf({ ...more, budget: { ...SPEC.budget, rounds } })),
      paths: fc.constantFrom(["src/a.ts"], ["src/a.ts", "test/a.test.ts"], ["package.json"], []),
      trees: fc.constantFrom(undefined, ["same", "same", "same", "same"]).map((trees) => trees ?? ["1", "2", "3", "4"]),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(play, { minLength: 1, maxLength: 4 }), about, async (plays, setting) => {
        const recorded = await record(plays, setting);
        fc.pre(recorded.outcome.kind === "rested");

        const { rounds, end } = again(recorded, recorded.opened.spec);

        expect(end).toEqual({ kind: "rest", rest: recorded.outcome.kind === "rested" && recorded.outcome.rest });
        expect(rounds.map(({ after }) => after)).toEqual(rounds.map(({ before }) => before));
        expect(rounds.flatMap(({ missing }) => missing)).toEqual([]);
      }),
      tries(100),
    );
  });

  it("never makes a pass of what was not looked at", async () => {
    const verifiers = fc.subarray(
      [...SPEC.verifiers, { use: "witness", with: { run: "npm test" } }, { use: "command", with: { run: "npm run lint" } }],
      { minLength: 1 },
    );
    const recorded = await record([good], { paths: ["src/a.ts", "src/b.ts"] });
    fc.assert(
      fc.property(verifiers, fc.constantFrom<readonly string[]>([], ["src/b.ts"], ["docs/**"]), (asked, seal) => {
        const { end, rounds } = again(recorded, specOf({ verifiers: asked, seal }));

        const isKnown = asked.every((ref) => SPEC.verifiers.includes(ref as never)) && !seal.includes("src/b.ts");
        const isProven = asked.some(({ use, with: options }) => use === "command" && "run" in options && options.run === "npm test");
        expect(end.kind === "rest" && end.rest.kind === "accept").toBe(isKnown && isProven);
        expect(rounds[0]!.missing.length > 0).toBe(!isKnown);
      }),
    );
  });

  it("refuses what a looser spec let through, and the other way round", async () => {
    const sunk: Play = { ...good, outcomes: ["holds", "refuted"] };
    const proposed = { kind: "rest", rest: { kind: "accept", action: "propose" } };

    expect(await endOf(record([sunk]), { verifiers: [SPEC.verifiers[0]] })).toEqual(proposed);
    expect(await endOf(record([good]), { level: "L1" })).toMatchObject({ rest: { because: "outside-level" } });
    expect(await endOf(record([good]), {})).toEqual(proposed);
  });

  it("takes the proposal's own look where nothing would be sealed, and cannot tell where something else would", async () => {
    const paths = ["src/a.ts", "test/a.test.ts"];

    expect(await endOf(record([good], { paths }), { unseal: ["test/**"] })).toEqual({
      kind: "rest",
      rest: { kind: "accept", action: "propose" },
    });
    expect(await endOf(record([good], { paths }), { seal: ["src/a.ts"] })).toMatchObject({
      rest: { because: "cannot-verify", reason: expect.stringContaining("src/a.ts would be sealed") },
    });
  });

  it("stops where the new budget would have stopped, and does not reach later rounds", async () => {
    const recorded = await record([{ ...good, outcomes: ["refuted", "holds"], tokens: 600 }, good]);

    const { rounds, end } = again(recorded, specOf({ budget: { ...SPEC.budget, tokens: "500" } }));

    expect(rounds.map(({ isReached }) => isReached)).toEqual([true, false]);
    expect(end).toMatchObject({ kind: "rest", rest: { kind: "halt", because: "budget" } });
  });

  it("hands over where the new budget has no round left, and cannot tell what another round would have brought", async () => {
    const bad: Play = { ...good, outcomes: ["refuted", "holds"] };

    expect(await endOf(record([bad, good]), { budget: { rounds: 1 } })).toMatchObject({
      rest: { kind: "escalate", because: "check-failed" },
    });
    expect(await endOf(record([bad, bad]), { budget: { rounds: 5 } })).toMatchObject({ kind: "cannot-tell" });
    expect(await endOf(record([{ ...good, failure: "budget" }]), { budget: { time: "20m" } })).toMatchObject({ kind: "cannot-tell" });
  });
});
