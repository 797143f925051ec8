// Loops that change their own instructions: on record, undone where it did no good, and taken back by people; by the built program.
import { expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { startModelServer } from "../support/model-server.ts";

const SCORED = {
  id: "style",
  use: "check",
  with: { run: 'printf \'{"score": %s, "hints": ["be brief"]}\' "$(cat score.txt)" > out.json', answers: "score", file: "out.json" },
};

const specOf = (place: Place, about: object): string =>
  place.write(
    "tune.loop.json",
    JSON.stringify({
      name: "tune",
      intent: "Make the score high.",
      level: "L2",
      target: { repo: place.repo.dir },
      baseline: { when: "off" },
      verifiers: [SCORED],
      metrics: { quality: { from: "style", primary: true } },
      until: { success: [{ when: "quality >= 0.95" }] },
      feedback: [{ from: "style", to: "improve", tell: ["hints"] }],
      budget: { rounds: 4 },
      ...about,
    }),
  );

it("carries what stood on to the next run, shows the lineage, and lets a person go back by name", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "readme.md": "x\n" } });
    // The score is what its maker was set to; the copy is another in every round.
    const run = (score: string): string => `echo ${score} > score.txt; date +%N > try.txt; # ${score}`;
    const spec = specOf(place, {
      maker: { use: "shell", with: { run: run("0.5"), spends: "nothing" } },
      improve: { use: "search", space: { run: [run("0.5"), run("0.3"), run("0.7")] }, lasts: "loop" },
      budget: { rounds: 4 },
    });

    const first = await place.json(["run", spec]);
    const lineage = await place.json(["evolve", "tune"]);
    const shown = await place.lw(["evolve", "tune"]);
    await place.lw(["reject", first.said.run, "--as", "ada", "--why", "no"]);
    const second = await place.json(["run", spec]);
    await place.lw(["reject", second.said.run, "--as", "ada", "--why", "no"]);
    const stood = lineage.said.versions.find(({ state }: { state: string }) => state === "tried");
    const back = await place.json(["evolve", "tune", "--to", "spec", "--as", "ada", "--why", "too odd"]);
    const third = await place.json(["run", spec]);

    const scores = first.said.metrics.rounds.map(({ values }: { values: { quality: number } }) => values.quality);
    expect(first.exit).toBe(12);
    expect(scores[0]).toBe(0.5);
    expect(scores).toContain(0.3);
    expect(scores.at(-1)).toBe(0.7);
    expect(lineage.said.versions.map(({ before, after, state }: { [name: string]: unknown }) => [before, after, state])).toEqual(
      expect.arrayContaining([[0.5, 0.7, "tried"], expect.arrayContaining([0.3, "undone"])]),
    );
    expect(shown.stdout).toContain("undone: quality dropped by");
    expect(lineage.said.next).toBe(stood.version);
    expect(second.said.metrics.rounds[0].values.quality).toBe(0.7);
    expect(back.said).toMatchObject({ next: "spec", wentBack: [{ by: "ada", to: "spec", why: "too odd" }] });
    expect(third.said.metrics.rounds[0].values.quality).toBe(0.5);
  }));

it("refines by a model on a real wire, whose cost is on the ledger, and fences what it says", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "readme.md": "x\n" } });
    const server = await startModelServer(({ words }) => {
      const [, question] = /number of this question is (\d+)/.exec(words) ?? [];
      return { kind: "text", text: JSON.stringify({ question, heed: ["Be brief: nothing twice."] }) };
    });
    try {
      const spec = specOf(place, {
        maker: {
          use: "shell",
          with: {
            run: 'grep -q "nothing twice" "$LOOPWRIGHT_BRIEF" && echo 0.97 > score.txt || echo 0.5 > score.txt; cp "$LOOPWRIGHT_BRIEF" brief.md',
            spends: "nothing",
          },
        },
        improve: {
          use: "refine",
          with: {
            model: {
              provider: "openai-compatible",
              model: "small",
              baseUrl: `${server.url}/v1`,
              price: { input: "$1.00", output: "$1.00" },
            },
          },
        },
      });

      const { exit, said } = await place.json(["run", spec]);

      expect([exit, said.rounds.length]).toEqual([0, 2]);
      expect(place.repo.git("show", `${said.branch}:brief.md`)).toMatch(/## What to heed\n\n<data-[^>]*from="what earlier rounds taught"/);
      expect(said.cost.usd).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  }));

it("says how far a rubric agrees with people, within a budget, and puts that beside its verdicts", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "readme.md": "x\n" } });
    // Likes everything that is not short; one example it does not answer at all.
    const server = await startModelServer(({ words }) => {
      const [, question] = /number of this question is (\w+)/.exec(words) ?? [];
      if (words.includes("mumble")) return { kind: "text", text: "I like it." };
      return { kind: "text", text: JSON.stringify({ question, marks: { clear: words.includes("long enough") ? 5 : 1 }, hints: [] }) };
    });
    try {
      const judge = {
        provider: "openai-compatible",
        model: "judge",
        baseUrl: `${server.url}/v1`,
        price: { input: "$1.00", output: "$1.00" },
      };
      const rubric = { judges: [judge], dimensions: { clear: { criteria: "It is clear.", scale: [1, 5] } }, threshold: 0.5 };
      const spec = specOf(place, {
        maker: { use: "scripted", with: { scenes: [{ write: { "score.txt": "0.97", "text.md": "it is long enough\n" } }] } },
        verifiers: [SCORED, { id: "clarity", use: "rubric", with: rubric }],
        feedback: undefined,
      });
      const line = (text: string, label: string, clear: number): string => JSON.stringify({ text, label, marks: { clear } });
      const examples = [
        ...Array.from({ length: 8 }, (_, index) => line(`it is long enough ${index}`, "good", 4)),
        ...Array.from({ length: 7 }, (_, index) => line(`short ${index}`, "bad", 2)),
        line("short and good", "good", 3),
        line("mumble", "bad", 1),
      ].join("\n");
      const file = place.write("labelled.jsonl", examples);
      const broken = place.write("broken.jsonl", '{"text": "a", "label": "good"}\n{"text": "b"}\n{"text": "c", "marks": {"cleer": 3}}\n');

      const wrong = await place.lw(["calibrate", spec, "--examples", broken]);
      const dear = await place.lw(["calibrate", spec, "--examples", file, "--usd", "$0.0001"]);
      const before = await place.json(["run", spec]);
      await place.lw(["reject", before.said.run, "--as", "ada", "--why", "again"]);
      const { exit, said } = await place.json(["calibrate", spec, "--examples", file]);
      const after = await place.json(["run", spec, "--again"]);

      expect([wrong.exit, wrong.stderr]).toEqual([64, expect.stringMatching(/line 2 has neither label nor marks; line 3 marks "cleer"/)]);
      expect(dear.exit).not.toBe(0);
      expect(exit).toBe(0);
      expect(said.agreement.labels.confusion).toEqual({ yesYes: 8, yesNo: 1, noYes: 0, noNo: 7 });
      expect([said.agreement.silent, said.agreement.marks.clear.n]).toEqual([1, 16]);
      expect(said.agreement.labels.kappa.value).toBeCloseTo(0.875, 2);
      expect(said.costUsd).toBeGreaterThan(0);
      const detail = (ran: typeof before) => ran.said.rounds[0].evidence.proofs.find(({ id }: { id?: string }) => id === "clarity").detail;
      expect(detail(before)).not.toContain("calibration");
      expect(detail(after)).toContain("calibration: agrees with people on 94 % of 16 examples");
    } finally {
      await server.close();
    }
  }));
