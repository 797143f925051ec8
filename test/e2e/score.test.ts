// What a loop is worth, as the command line tells it: by what happened, and by what a spec lets one expect.
import { expect, it } from "vitest";
import { CompareAnswer } from "../../src/contract/compare.ts";
import { ScoreAnswer } from "../../src/contract/score.ts";
import { SOUND_LSS } from "../support/lss.ts";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";

/** A loop whose check refuses base, unless it is told otherwise. */
const loop = (place: Place, name: string, changes: object = {}): string =>
  place.write(
    `${name}.loop.json`,
    JSON.stringify({
      name,
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "scripted", with: { scenes: [{ write: { "value.txt": "right\n" }, spend: { usd: 0.05, tokens: 100 } }] } },
      verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
      budget: { rounds: 2 },
      box: UNBOXED,
      ...changes,
    }),
  );

it("scores runs by what happened: a rock, an echo and a check that always says yes are bad, from the spec and from runs", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    loop(place, "good");
    loop(place, "rock", { maker: { use: "shell", with: { run: "true", spends: "nothing" } } });
    loop(place, "echo", { maker: { use: "shell", with: { run: "cat", spends: "nothing" } } });
    loop(place, "yes", { verifiers: [{ use: "command", with: { run: "true" } }] });
    for (const name of ["good", "rock", "echo", "yes"]) await place.lw(["run", `${name}.loop.json`]);

    const scores = async (of: (name: string) => string) => {
      const answers = await Promise.all(["good", "rock", "echo", "yes"].map((name) => place.json(["score", of(name)])));
      return answers.map(({ said }) => ScoreAnswer.parse(said));
    };
    const measured = await scores((name) => name);
    const lint = await scores((name) => `${name}.loop.json`);

    expect(measured.map((answer) => answer.kind === "measured" && [answer.loop, answer.band, answer.runs])).toEqual([
      ["good", "production-grade", 1],
      ["rock", "non-viable", 1],
      ["echo", "non-viable", 1],
      ["yes", "non-viable", 1],
    ]);
    expect(lint.map((answer) => answer.kind === "lint" && answer.band)).toEqual(["strong", "non-viable", "non-viable", "non-viable"]);
  }));

it("tells a run and a loop over time, every formula with its numbers, and what was not measured", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    loop(place, "good");
    await place.lw(["run", "good.loop.json"]);
    const { said } = await place.json(["run", "good.loop.json", "--again"]);

    const { said: all } = await place.json(["score", "good"]);
    const { stdout } = await place.lw(["score", said.run, "--explain"]);

    expect([all.runs, all.interval, all.over.length, all.versions.length]).toEqual([2, null, 2, 1]);
    expect(stdout).toContain("LES-1.0 (partial, 5 categories), 1 run(s)");
    expect(stdout).toMatch(/cost +100\.0 +measured +goal gained for a dollar; mean 20 of 1 run\(s\), where 1 is nothing and 10 is all/);
    expect(stdout).toMatch(/robustness +- +missing +it needs at least three kinds of disturbance/);
  }));

it("estimates a file of the standard, refuses what it says of itself, and gives the numbers of its tools as theirs", () =>
  inPlace(async (place) => {
    place.write("notes.yaml", SOUND_LSS);
    place.write("proud.yaml", `${SOUND_LSS}les_scores: {effectiveness: 1, safety: 1}\n`);
    place.write("broken.yaml", SOUND_LSS.replace("primary: true, ", ""));
    place.write(
      "trace.json",
      JSON.stringify({ trace_version: "1.0", iterations: [{ evaluator_scores: { q: 0.9 }, cost_usd: 0.05 }], success: true }),
    );

    const plain = await place.json(["score", "./notes.yaml"]);
    const proud = await place.json(["score", "proud.yaml"]);
    const broken = await place.lw(["score", "broken.yaml"]);
    const core = await place.json(["score", "notes.yaml", "--compat", "core"]);
    const trace = await place.json(["score", "trace.json", "--compat", "loopctl"]);
    const none = await place.lw(["score", "trace.json", "--compat", "loopnet"]);

    expect([plain.said.display, proud.said.display]).toEqual([72.3, 72.3]);
    expect(proud.said.refused).toEqual([{ at: "les_scores", says: '{"effectiveness":1,"safety":1}' }]);
    expect([broken.exit, broken.stderr]).toEqual([64, expect.stringContaining("none of them is primary")]);
    expect([ScoreAnswer.parse(core.said).kind, core.said.tool]).toEqual(["compat", "core"]);
    expect(trace.said.results[0].score).toBe(78.9);
    expect([none.exit, none.stderr]).toEqual([
      64,
      expect.stringContaining("nothing that loopnet would score: record 1: it has no trajectory"),
    ]);
  }));

it("draws, levels, counts and explains a loop by file, by name and from its records", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    loop(place, "good");
    await place.lw(["run", "good.loop.json"]);
    place.write("notes.yaml", SOUND_LSS);

    const drawn = await place.lw(["diagram", "notes.yaml"]);
    const svg = await place.lw(["diagram", "good", "--svg", "--out", "good.svg"]);
    const level = await place.json(["level", "notes.yaml"]);
    const complexity = await place.json(["complexity", "good"]);
    const explained = await place.json(["explain", "good"]);
    const elsewhere = await place.lw(["explain", "good"], { cwd: place.home });

    expect(drawn.stdout).toMatch(/^flowchart LR\n[\s\S]*n_verifier-2 -\.->\|"feedback: score #60; pass_threshold"\| n_maker-2/);
    expect([svg.exit, place.read("good.svg").startsWith("<svg ")]).toEqual([0, true]);
    expect([level.said.level, level.said.name]).toEqual([2, "reflective"]);
    expect([complexity.said.makers, complexity.said.band]).toEqual([1, "simple"]);
    expect(explained.said.seen).toEqual({ runs: 1, rounds: 1, verdicts: { accept: 1 }, endings: { accept: 1 } });
    expect(elsewhere.stdout).toMatch(/lacks trigger +a person wakes it\n.*has +external verifier +command/);
  }));

it("compares the runs of two as far as so few allow, versions of one, and specs, by a schema and in eighty columns", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    loop(place, "good");
    const scene = (text: string) => ({ write: { "value.txt": text }, spend: { usd: 0.05, tokens: 100 } });
    loop(place, "slow", { maker: { use: "scripted", with: { scenes: [scene("still wrong\n"), scene("right\n")] } } });
    const runAll = async (times: number) => {
      for (const name of ["good", "slow"]) for (let time = 0; time < times; time++) await place.lw(["run", `${name}.loop.json`, "--again"]);
    };

    await runAll(2);
    const few = await place.lw(["compare", "slow", "good"]);
    await runAll(4);
    const more = await place.json(["compare", "slow", "good"]);
    const told = await place.lw(["compare", "slow", "good"]);
    const specs = await place.json(["compare", "slow.loop.json", "./good.loop.json"]);
    const specsTold = await place.lw(["compare", "slow.loop.json", "./good.loop.json"]);
    const hash: string = (await place.json(["score", "good"])).said.versions[0].specHash;
    const version = await place.json(["compare", `good@${hash.slice(0, 8)}`, "slow"]);
    const mixed = await place.lw(["compare", "slow.loop.json", "good"]);
    const nobody = await place.lw(["compare", "good@ffff0000ffff", "good"]);

    expect(few.stdout).toContain("Cannot tell which is better.");
    expect(few.stdout).toContain("cost: too few runs: chance alone makes even the clearest difference once in 3.");
    const answer = CompareAnswer.parse(more.said);
    expect(answer.kind === "runs" && [answer.proven.verdict, ...answer.figures.map(({ name, verdict }) => [name, verdict])]).toEqual([
      "same",
      ["score", expect.any(String)],
      ["cost", "a-higher"],
      ["time", expect.any(String)],
      ["rounds", "a-higher"],
    ]);
    expect(answer.verdict).toMatch(/^B is better in .*cost.*rounds\.$/);
    expect(CompareAnswer.parse(version.said).verdict).toMatch(/^A is better in .*cost.*rounds\.$/);
    expect(told.stdout).toMatch(/proven +6\/6 +6\/6 +same/);
    expect(told.stdout).toMatch(/cost +\$0\.1000 +\$0\.0500 +-\$0\.0500 \(.*\) +B lower/);
    expect(CompareAnswer.parse(specs.said)).toMatchObject({
      kind: "specs",
      a: { loop: "slow", refusing: 1 },
      verdict: "Both have the same lint score. Which is better cannot be told from specs: compare their runs.",
    });
    expect(
      [...few.stdout.split("\n"), ...told.stdout.split("\n"), ...specsTold.stdout.split("\n")].filter((line) => line.length > 80),
    ).toEqual([]);
    expect([mixed.exit, mixed.stderr]).toEqual([64, expect.stringContaining("Name two files, or two loops or runs")]);
    expect([nobody.exit, nobody.stderr]).toEqual([64, expect.stringContaining(`There is: ${hash.slice(0, 12)}.`)]);
  }));
