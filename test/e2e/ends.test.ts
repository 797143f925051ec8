// Loops that measure: what is enough, what is in vain, and the best of what there was; by the built program on real git.
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { type Script, startModelServer } from "../support/model-server.ts";

/** A key that the language has its own idea of. */
const HALT: object = JSON.parse('{ "then": "halt" }');

/** A check that reads its score from a file of the proposal, with whatever else stands there. */
const SCORED = {
  id: "scored",
  use: "check",
  with: {
    run: 'test -s score.txt && printf \'{"score": %s, "values": {"size": 3}}\' "$(cat score.txt)" > out.json',
    answers: "score",
    file: "out.json",
  },
};

const loopIn = (place: Place, scores: readonly string[], about: object): string => {
  place.repo.commit("start", { files: { "readme.md": "start\n" } });
  return place.write(
    "tune.loop.json",
    JSON.stringify({
      name: "tune",
      intent: "Make the score high.",
      level: "L2",
      baseline: { when: "off" },
      target: { repo: place.repo.dir },
      maker: {
        use: "scripted",
        with: { scenes: scores.map((score, index) => ({ write: { "score.txt": score, "try.txt": `${index}` } })) },
      },
      verifiers: [SCORED],
      metrics: { quality: { from: "scored", primary: true }, cost: { from: "run.usd", better: "lower" } },
      budget: { rounds: 5 },
      ...about,
    }),
  );
};

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
const figures = (said: any): readonly (number | null)[] => said.metrics.rounds.map(({ values }: any) => values.quality);

describe("a loop that measures", () => {
  it("goes on after its checks hold until its goal is reached, and then proposes", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.5", "0.9"], { until: { success: [{ when: "quality >= 0.8" }] } });

      const { exit, said } = await place.json(["run", loop]);

      expect([exit, said.rest, figures(said)]).toEqual([0, { kind: "accept", action: "propose" }, [0.5, 0.9]]);
      expect(said.rounds[0].verdict.because).toBe("below-target");
      expect(said.rounds[1].evidence.proofs[0]).toMatchObject({ id: "scored", measured: { score: 0.9, values: { size: 3 } } });
    }));

  it("asks for its goal as often in a row as the spec says", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.9", "0.5", "0.85", "0.85"], { until: { success: [{ when: "quality >= 0.8", times: 2 }] } });

      const { exit, said } = await place.json(["run", loop]);

      expect([exit, figures(said)]).toEqual([0, [0.9, 0.5, 0.85, 0.85]]);
    }));

  it("ends where the spec says that it has failed", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.5", "0.2", "0.9"], {
        until: { success: [{ when: "quality >= 0.8" }], fail: [{ when: "quality < 0.3 and round > 1", ...HALT }] },
      });

      const { exit, said } = await place.json(["run", loop]);

      expect([exit, said.rounds.length, said.rest.best]).toEqual([12, 2, expect.objectContaining({ number: 1, because: "check-failed" })]);
    }));

  it("proposes the best of its rounds when it stalls, with an exit of its own, and a person may take it", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.4", '0.95, "passed": false', "0.7", "0.65", "0.9"], {
        until: { success: [{ when: "quality >= 0.8" }], stall: [{ metric: "quality", rounds: 2, gain: 0.01 }] },
        act: [{ use: "merge" }],
      });

      const { exit, said } = await place.json(["run", loop]);
      const shown = await place.lw(["show", said.run]);
      const report = await place.lw(["show", said.run, "--report"]);
      const inbox = await place.json(["inbox"]);

      expect([exit, said.rounds.length]).toEqual([12, 4]);
      expect(said.rest).toEqual({
        kind: "accept",
        action: "propose",
        best: {
          roundId: said.rounds[2].id,
          number: 3,
          metric: "quality",
          value: 0.7,
          because: "stalled",
          reason: expect.stringContaining("quality"),
        },
      });
      expect(place.repo.git("show", `${said.branch}:score.txt`)).toBe("0.7");
      expect(place.repo.git("for-each-ref", "refs/loopwright/kept").trim()).toBe("");
      expect(shown.stdout).toContain("best, proposed");
      expect(report.stdout).toContain("| 3 (best) | 0.7 |");
      expect(inbox.said.items[0]).toMatchObject({ kind: "proposal", why: expect.stringContaining("below its target") });

      place.repo.git("checkout", "--quiet", "--detach");
      const approved = await place.lw(["approve", said.run, "--as", "ada", "--why", "good enough"]);

      expect([approved.exit, place.repo.git("show", "main:score.txt")]).toEqual([0, "0.7"]);
    }));

  it("says what was below when its rounds are used up, and the budget counts before success", () =>
    inPlace(async (place) => {
      const scenes = [{ write: { "score.txt": "0.6" } }, { write: { "score.txt": "0.9" }, spend: { usd: 2, tokens: 1 } }];
      const until = { success: [{ when: "quality >= 0.8" }] };
      const poor = loopIn(place, ["0.6", "0.5"], { until, budget: { rounds: 2 } });
      const used = await place.json(["run", poor]);
      place.write(
        "dear.loop.json",
        JSON.stringify({
          ...JSON.parse(place.read("tune.loop.json")),
          name: "dear",
          maker: { use: "scripted", with: { scenes } },
          budget: { usd: "$2.00" },
        }),
      );
      const dear = await place.json(["run", "dear.loop.json"]);

      expect([used.exit, used.said.rest.best]).toEqual([12, expect.objectContaining({ number: 1, because: "below-target" })]);
      expect([dear.exit, dear.said.rest.best]).toEqual([12, expect.objectContaining({ number: 2, because: "budget", value: 0.9 })]);
    }));

  it("tries again where a check could not be made, as often as the spec says", () =>
    inPlace(async (place) => {
      const until = { fail: [{ on: "cannot-verify", times: 2, ...HALT }] };
      const twice = await place.json([
        "run",
        loopIn(place, ["", "0.9"], { until, verifiers: [{ ...SCORED, with: { ...SCORED.with, run: "cp score.txt out.json" } }] }),
      ]);

      expect([twice.exit, twice.said.rounds.length, twice.said.rest.because]).toEqual([4, 2, "cannot-verify"]);
    }));

  it("refuses conditions and metrics that speak of nothing, with the nearest name", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["1"], {
        metrics: { quality: { from: "scroed" } },
        until: { success: [{ when: "qualty >= 0.8" }], stall: [{ metric: "speed", rounds: 1, gain: 0 }] },
      });

      const { exit, stdout } = await place.lw(["validate", loop]);

      expect(exit).toBe(64);
      expect(stdout).toContain("at character 1 of the condition, there is no `qualty` here. Did you mean `quality`?");
      expect(stdout).toContain("called `scroed`. Did you mean `scored`?");
      expect(stdout).toContain("there is no metric called `speed`");
    }));
});

describe("feedback", () => {
  it("tells the next round what the spec chose of a verifier, and not what it printed", () =>
    inPlace(async (place) => {
      const run = `printf '{"score": %s, "codes": ["vague"], "hints": ["Name the file."]}' "$(cat score.txt)" | tee out.json; echo PRINTED-$((40 + 2))`;
      const loop = loopIn(place, ["0.5", "0.9"], {
        verifiers: [{ ...SCORED, with: { ...SCORED.with, run, least: 0.8 } }],
        metrics: { quality: { from: "scored" } },
        feedback: [
          { from: "scored", tell: ["codes", "hints"], when: "score < threshold" },
          { from: "scored", tell: ["raw"], when: "score >= threshold" },
        ],
      });

      const { exit, said } = await place.json(["run", loop]);
      const brief = (await place.lw(["show", said.run, "--brief"])).stdout;
      const records = (await place.json(["show", said.run, "--records"])).said.records;
      const opened = records.filter((entry: { record: { kind: string } }) => entry.record.kind === "round-opened");

      expect([exit, said.rounds.length]).toEqual([0, 2]);
      expect(opened.at(-1).record.round).toMatchObject({
        lessons: [],
        told: [{ from: "scored", to: "maker", text: "scored:\n- vague\n- Name the file." }],
      });
      expect(brief).toContain("Name the file.");
      expect(brief).not.toContain("PRINTED-42");
    }));
});

/** Marks for the question that was asked, or for another. */
const marks =
  (given: (n: number) => number, about: object = {}): Script =>
  ({ words }, n) => ({
    kind: "text",
    text: JSON.stringify({
      question: /question is ([0-9a-f]{24})/.exec(words)?.[1],
      marks: { clear: given(n) },
      hints: [`Mark ${n}: be clearer.`],
      ...about,
    }),
  });

const judgedBy = async <T>(
  script: Script,
  work: (place: Place, rubric: (judges: readonly object[], more?: object) => object) => Promise<T>,
): Promise<T> => {
  const server = await startModelServer(script);
  try {
    return await inPlace((place) =>
      work(place, (judges, more = {}) => ({
        id: "clarity",
        use: "rubric",
        with: {
          judges: judges.map((judge) => ({ baseUrl: `${server.url}/v1`, ...judge })),
          dimensions: { clear: { scale: [1, 5], criteria: "A stranger understands it." } },
          threshold: 0.7,
          ...more,
        },
      })),
    );
  } finally {
    await server.close();
  }
};

describe("a rubric", () => {
  it.each(["anthropic", "openai-compatible"] as const)(
    "of %s takes the median of its judges, and its hints are what is told next",
    (provider) =>
      // 1 is 0, 5 is 1: the first round has 0.25, 0.5 and 0.75, the second 1 three times.
      judgedBy(
        marks((n) => (n <= 3 ? 1 + n : 5)),
        async (place, rubric) => {
          const judges = ["a", "b", "c"].map((model) => ({ provider, model, keyVariable: "JUDGE_KEY" }));
          const loop = loopIn(place, ["0.9"], {
            maker: { use: "scripted", with: { scenes: [{ write: { "score.txt": "0.9" } }, { write: { "score.txt": "0.95" } }] } },
            verifiers: [SCORED, rubric(judges)],
            metrics: { quality: { from: "clarity", primary: true }, apart: { from: "clarity.disagreement" } },
            feedback: [{ from: "clarity", tell: ["scores", "hints"] }],
          });

          const { exit, said } = await place.json(["run", loop], { env: { JUDGE_KEY: "k" } });
          const brief = (await place.lw(["show", said.run, "--brief"])).stdout;

          expect([exit, figures(said), said.metrics.rounds[0].values.apart]).toEqual([0, [0.5, 1], 0.5]);
          expect(said.rounds[0].evidence.proofs[1]).toMatchObject({
            kind: "opinion",
            outcome: "refuted",
            measured: { threshold: 0.7, codes: ["clear"] },
          });
          expect(brief).toContain("Mark 2: be clearer.");
        },
      ),
  );

  it("takes an answer to another question, or one that is more than was asked for, for none", () =>
    judgedBy(
      marks(() => 5, { question: "0".repeat(24) }),
      async (place, rubric) => {
        const loop = loopIn(place, ["0.9"], {
          verifiers: [SCORED, rubric([{ provider: "anthropic", model: "a", keyVariable: "JUDGE_KEY" }])],
        });

        const { exit, said } = await place.json(["run", loop], { env: { JUDGE_KEY: "k" } });

        expect([exit, said.rest.because]).toEqual([4, "cannot-verify"]);
        expect(said.rest.reason).toContain("another question");
      },
    ));

  it("is not the maker's own model unless that is meant, and then every report says so", () =>
    judgedBy(
      marks(() => 5),
      async (place, rubric) => {
        const judge = { provider: "anthropic", model: "m-1", keyVariable: "JUDGE_KEY" };
        const maker = { use: "anthropic", with: { model: "m-1" } };
        const refused = await place.lw(["validate", loopIn(place, [], { maker, verifiers: [SCORED, rubric([judge])] })]);
        const self = loopIn(place, ["0.9"], { verifiers: [SCORED, rubric([{ ...judge, sameModel: true }])] });
        const { said } = await place.json(["run", self], { env: { JUDGE_KEY: "k" } });
        const report = await place.lw(["show", said.run, "--report"]);

        expect(refused.stdout).toContain("is also the maker's model");
        expect(report.stdout).toContain("self-graded");
      },
    ));
});

const resumed = async (place: Place) => {
  const { exit, said } = await place.json(["resume", "tune"]);
  return { exit, said: said.runs[0] };
};

describe("a person who is asked", () => {
  const asking = { use: "human", id: "seen", with: { ask: "Is it sound?", within: "2d" } };

  it("is waited for in the inbox; a no goes to the next round with its reason, and a yes counts for that tree", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.9", "0.95"], { verifiers: [SCORED, asking] });

      const first = await place.json(["run", loop]);
      const inbox = await place.json(["inbox"]);
      const again = await resumed(place);
      const no = await place.lw(["review", "tune", "no", "--as", "ada", "--why", "Say why."]);
      const second = await resumed(place);
      const brief = (await place.json(["show", second.said.run, "--records"])).said.records;
      const yes = await place.lw(["review", "tune", "yes", "--as", "ada"]);
      const late = await place.lw(["review", "tune", "no", "--as", "grace"]);
      const last = await resumed(place);

      expect([first.exit, first.said.state, again.exit, second.exit]).toEqual([9, "open", 9, 9]);
      expect(inbox.said.items[0]).toMatchObject({ kind: "review", why: expect.stringContaining("Is it sound?") });
      expect([no.exit, yes.exit, late.exit]).toEqual([0, 0, 64]);
      expect(second.said.rounds[0].verdict).toMatchObject({ kind: "retry", because: "rejected" });
      expect(JSON.stringify(brief.filter(({ record }: { record: { kind: string } }) => record.kind === "round-opened").at(-1))).toContain(
        "Say why.",
      );
      expect(brief.filter(({ record }: { record: { kind: string } }) => record.kind === "review-asked")).toHaveLength(2);
      expect([last.exit, last.said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
    }));

  it("who says nothing has not said yes", () =>
    inPlace(async (place) => {
      const loop = loopIn(place, ["0.9"], {
        verifiers: [SCORED, { ...asking, with: { ...asking.with, within: "1ms" } }],
        metrics: undefined,
      });

      const first = await place.json(["run", loop]);
      const late = await place.lw(["review", "tune", "yes", "--as", "ada"]);
      const ended = await resumed(place);

      expect([first.exit, late.exit, ended.exit, ended.said.rest.because]).toEqual([9, 64, 4, "cannot-verify"]);
      expect(ended.said.rest.reason).toContain("silence is no yes");
    }));
});
