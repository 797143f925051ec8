// Patterns of thought: each runs against a model on a real wire, and what always holds of it is lost when its spec loses it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import type { MeasuredLoop } from "../../src/contract/pattern.ts";
import { patterns } from "../../src/patterns/index.ts";
import { measured } from "../../src/patterns/measured.ts";
import { bandOf, DIMENSIONS, type PerDimension } from "../../src/scoring/les/dimensions.ts";
import { compose, type Measure } from "../../src/scoring/les/score.ts";
import { sha256 } from "../../src/std/hash.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";
import { playing } from "../support/scripted-workers.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
type Said = any;

/** What a run came to, for whoever looks whether something always holds. */
interface Ran {
  readonly place: Place;
  readonly exit: number | string;
  readonly said: Said;
  readonly asked: readonly { readonly words: string; readonly body: Said }[];
  readonly file: string;
}

interface Trial {
  readonly files?: { readonly [path: string]: string };
  readonly test?: string;
  readonly input?: readonly string[];
  readonly script: Script;
  /** What is measured, where the trial itself does not come to its end. */
  readonly measured?: { readonly script: Script; readonly review?: "yes" };
  /** The spec without what makes it hold. */
  readonly broken: (text: string) => string;
  /** Everything that does not hold. */
  readonly violations: (ran: Ran) => Promise<readonly string[]> | readonly string[];
  /** That the sound one did its work at all. */
  readonly works: (ran: Ran) => void;
}

const FILES = { "readme.md": "x\n" };
const text = (said: string): ScriptedReply => ({ kind: "text", text: said });
const writes = (path: string, written: string, say = "All is well, trust me."): ScriptedReply => ({
  kind: "calls",
  calls: [
    { tool: "write", input: { path, text: written } },
    { tool: "finish", input: { summary: say } },
  ],
});
const isJudge = (words: string): boolean => words.includes("The number of this question is");
const marks = (words: string, dimension: string, mark: number): ScriptedReply =>
  text(
    JSON.stringify({ question: /number of this question is (\w+)/.exec(words)?.[1], marks: { [dimension]: mark }, hints: ["be better"] }),
  );
const roundIn = (words: string): number => Number(/This is round (\d+)/.exec(words)?.[1] ?? 0);
const accepted = ({ said }: Ran): Said | undefined => (said.rest.kind === "accept" && !said.rest.best ? said.rounds.at(-1) : undefined);
const proofOf = (round: Said, id: string): Said => round?.evidence?.proofs.find((proof: Said) => proof.id === id);
const fileOf = ({ place, said }: Ran, path: string): string => {
  const repo = said.rounds[0].evidence.proposal.kind === "document" ? `${place.home}/documents/${said.loop}.git` : place.repo.dir;
  return spawnSync("git", ["-C", repo, "show", `${said.branch}:${path}`], { encoding: "utf8" }).stdout;
};
const without = (part: string | RegExp) => (spec: string) => {
  const less = spec.replace(part, "");
  if (less === spec) throw new Error(`the spec has no ${part}`);
  return less;
};
const instead = (part: string | RegExp, other: string) => (spec: string) => {
  const changed = spec.replace(part, other);
  if (changed === spec) throw new Error(`the spec has no ${part}`);
  return changed;
};

/** Counts rounds of a maker whose work is scored by what it wrote. */
const scoring = (scores: readonly string[]): Script => {
  let made = 0;
  return () => writes("value.json", `{"score": ${scores[Math.min(made++, scores.length - 1)]}, "try": ${made}}`);
};
const SCORE = "cp value.json score.json";

/** Loops of the library that write: refused once by their judge, and then passed. */
function documentTrial(part: string, other: string): Omit<Trial, "violations"> {
  return {
    input: ["task=What is to be said of tea?"],
    script: playing({
      worker: (id, { nth }) => `${id} says this of tea, version ${nth}.`,
      judge: (_, { nth }) => (nth === 1 ? 0.4 : 0.95),
    }),
    broken: instead(part, other),
    works: (ran) => expect([ran.exit, ran.said.rounds.length, ran.said.rest.kind]).toEqual([0, 2, "accept"]),
  };
}

const changing = (isWriter: boolean, words: string, says = "Change work.txt.") =>
  isWriter ? writes("work.txt", roundIn(words) > 1 ? "mended\n" : "still broken\n") : says;

/** Those that change a repository: red at first, and then green. */
const changeTrial = {
  test: "grep -q mended work.txt",
  files: { "work.txt": "broken\n" },
  broken: instead(/run: "grep -q mended work.txt"/, 'run: "true"'),
  violations: (ran: Ran) => (accepted(ran) && !fileOf(ran, "work.txt").includes("mended") ? ["it was accepted while the test is red"] : []),
  works: (ran: Ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]),
};

const TRIALS: { readonly [pattern: string]: Trial } = {
  reflection: {
    input: ["topic=tea"],
    script: ({ words }) =>
      isJudge(words)
        ? marks(words, "sound", words.includes("second thoughts") ? 0.9 : 0.2)
        : writes("note.md", roundIn(words) > 1 ? "Tea, on second thoughts.\n" : "Tea is coffee, surely.\n"),
    broken: without(/ {2}- id: reflect[\s\S]*?threshold: 0.7\nfeedback:\n.*\n/),
    async violations(ran) {
      await ran.place.lw(["approve", ran.said.run, "--as", "ada"]);
      const { said } = await ran.place.json(["show", ran.said.run]);
      const moved = said.proposal?.receipts?.length > 0 || said.proposal?.settled !== null;
      return moved && proofOf(accepted(ran), "reflect")?.outcome !== "holds" ? ["it moved without having been reflected upon"] : [];
    },
    works: (ran) => {
      expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]);
      expect(fileOf(ran, "note.md")).toContain("second thoughts");
    },
  },
  critique: {
    input: ["topic=tea"],
    script: ({ words }) => {
      if (isJudge(words)) return marks(words, "sound", words.includes("once more") ? 0.9 : 0.2);
      if (words.includes("Write a draft."))
        return {
          kind: "calls",
          calls: [{ tool: "finish", input: { result: "Tea is good for you.", summary: "MY-REASONING" } }],
          text: "MY-REASONING",
        };
      return text(
        words.includes("Say where it is wrong")
          ? "It says nothing of cups."
          : roundIn(words) > 1
            ? "Tea is good, also in cups, once more."
            : "Tea is good, also in cups.",
      );
    },
    broken: instead(/(critic: .*), tools: \[\] \}/, "$1 }"),
    violations: ({ asked }) =>
      asked.flatMap(({ words, body }) => {
        if (!words.includes("Say where it is wrong") || isJudge(words)) return [];
        const tools = JSON.stringify(body.tools ?? []);
        return [
          ...(words.includes("MY-REASONING") ? ["the critic sees the writer's reasoning"] : []),
          ...(/"(write|patch|run)"/.test(tools) ? ["the critic has tools that write"] : []),
        ];
      }),
    works: (ran) => expect(fileOf(ran, "page.md")).toBe("Tea is good, also in cups, once more."),
  },
  planning: {
    test: "grep -q done work.txt",
    script: ({ words }) =>
      words.includes("Plan the change")
        ? text(JSON.stringify({ steps: roundIn(words) > 1 ? [{ id: "s1", file: "work.txt" }] : [{ do: "something" }] }))
        : writes("work.txt", "done\n"),
    broken: without(" before: [doer],"),
    violations: ({ said }) =>
      said.rounds.flatMap((round: Said) => {
        const did = round.evidence.proposal.team.workers.find(({ id }: Said) => id === "doer").ended === "made";
        return did && proofOf(round, "plan")?.outcome !== "holds"
          ? [`round ${round.number}: somebody worked without a plan that holds`]
          : [];
      }),
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]),
  },
  verification: {
    test: "grep -q mended work.txt",
    files: { "work.txt": "broken\n" },
    script: ({ words }) => writes("work.txt", roundIn(words) > 1 ? "mended\n" : "still broken\n"),
    broken: instead(/run: "grep -q mended work.txt"/, 'run: "true"'),
    violations: (ran) =>
      accepted(ran) && !fileOf(ran, "work.txt").includes("mended") ? ["a claim was accepted while the test is red"] : [],
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]),
  },
  research: {
    script: () => writes("brief.md", `The door was mended in ${"ab12".repeat(10)}.\n`),
    measured: {
      script: ({ words }) =>
        writes("brief.md", roundIn(words) > 1 ? `It began in ${/\b([0-9a-f]{12}) start\b/.exec(words)?.[1]}.\n` : "It began somewhere.\n"),
    },
    broken: instead("citations: { least: 1 }", "words: { least: 3 }"),
    violations: (ran) => (accepted(ran) ? ["it cites a commit that nobody gathered"] : []),
    works: (ran) => {
      expect(ran.said.rounds.length).toBe(1);
      expect(proofOf(ran.said.rounds[0], "cited").outcome).toBe("fabricated");
    },
  },
  simulation: {
    test: SCORE,
    get script() {
      return scoring(["0.5", "0.95"]);
    },
    broken: without(/metrics:[\s\S]*?gain: 0.01 \}\]\n/),
    violations: (ran) => {
      const score = JSON.parse(accepted(ran) ? fileOf(ran, "value.json") : "{}").score ?? 1;
      return score < 0.9 ? ["it is done below its target"] : [];
    },
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]),
  },
  debate: {
    input: ["question=Tea?"],
    script: ({ words }) =>
      isJudge(words)
        ? marks(words, "fair", words.includes("once more") ? 0.8 : 0.2)
        : text(
            words.includes("Say what speaks against")
              ? "It stains the cups for good."
              : words.includes("Sum up")
                ? `Drink tea, says the chair${roundIn(words) > 1 ? ", once more" : ""}.`
                : "It is warm, says one.",
          ),
    broken: instead("proposes: [chair, con]", "proposes: [chair]"),
    violations: (ran) => [
      ...(accepted(ran) && !fileOf(ran, "against.md").includes("stains the cups") ? ["what speaks against it is gone"] : []),
      ...ran.asked.flatMap(({ words, body }) =>
        /Say what speaks/.test(words) && !isJudge(words) && /"(write|run)"/.test(JSON.stringify(body.tools ?? []))
          ? ["who argues can change something"]
          : [],
      ),
    ],
    works: (ran) => expect(fileOf(ran, "recommendation.md")).toContain("says the chair"),
  },
  exploration: {
    test: SCORE,
    get script() {
      return scoring(["0.5", "0.3", "0.6", "0.95"]);
    },
    broken: instead("undo: { drop: 0 }", "undo: { drop: 1 }"),
    async violations({ place, said }) {
      const { versions } = (await place.json(["evolve", said.loop])).said;
      const known = ["spec", ...versions.map(({ version }: Said) => version)];
      return versions.flatMap(({ version, parent, before, after, state }: Said) => [
        ...(known.includes(parent) ? [] : [`${version} comes from nowhere`]),
        ...(after !== null && after < before && state !== "undone" ? [`${version} is worse and stays`] : []),
      ]);
    },
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 4]),
  },
  optimization: {
    test: SCORE,
    get script() {
      return scoring(["0.5", "0.51", "0.96"]);
    },
    broken: without("  gain: 0.02\n"),
    async violations({ place, said }) {
      const { versions } = (await place.json(["evolve", said.loop])).said;
      return versions.flatMap(({ version, before, after, state }: Said) =>
        state === "tried" && after - before < 0.02 - 1e-9 ? [`${version} stays below the margin`] : [],
      );
    },
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 3]),
  },
  human: {
    test: "grep -q mended work.txt",
    script: () => writes("work.txt", "mended\n"),
    measured: { script: ({ words }) => writes("work.txt", roundIn(words) > 1 ? "mended\n" : "still broken\n"), review: "yes" },
    broken: without(/ {2}- \{ id: seen.*\n/),
    async violations(ran) {
      // Nobody answers, and the time runs out.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const said = ran.exit === 9 && !ran.said.rest ? (await ran.place.json(["resume", ran.said.loop])).said.runs[0] : ran.said;
      const main = ran.place.repo.git("log", "--format=%s", "main");
      return [
        ...(said.rest?.kind === "accept" ? ["silence was taken for a yes"] : []),
        ...(main.includes(ran.said.loop) ? ["something moved"] : []),
      ];
    },
    works: (ran) => expect(ran.exit).toBe(9),
  },
  memory: {
    input: ["question=Tea?"],
    script: ({ words }) => {
      if (isJudge(words)) return marks(words, "sound", words.includes("for good") ? 0.9 : 0.1);
      if (words.includes("Write down one thing"))
        return text(JSON.stringify(roundIn(words) > 1 ? { fact: "Tea stains.", confidence: 0.9 } : { rumour: "BAD-NOTE" }));
      return text(roundIn(words) > 1 ? "It stains cups for good." : "Tea is a hot drink.");
    },
    broken: without(/, schema: \{ type: object, required: \[fact.*?\} \} \}(?= \})/),
    violations: ({ asked }) =>
      asked.flatMap(({ words }) =>
        words.includes("Answer from what is known.") && !isJudge(words) && words.includes("BAD-NOTE")
          ? ["a note off its form was read"]
          : [],
      ),
    works: (ran) => {
      expect(ran.said.rounds.length).toBe(2);
      expect(ran.asked.some(({ words }) => words.includes("Answer from what is known.") && words.includes("Tea stains."))).toBe(true);
    },
  },
  envelope: {
    input: ["notes=Call Ada."],
    script: ({ words }) =>
      isJudge(words)
        ? marks(words, "faithful", 0.9)
        : text(
            words.includes("Say what is in it.")
              ? "Call Ada at ada@lovelace.example or +44 20 7946 0958."
              : "Call ada@lovelace.example soon.",
          ),
    measured: {
      script: ({ words }) =>
        isJudge(words)
          ? marks(words, "faithful", words.includes("once more") ? 0.9 : 0.2)
          : text(`Call Ada soon${roundIn(words) > 1 ? ", once more" : ""}.`),
    },
    broken: without(/guards:\n(?: {2}- .*\n)+?(?=verifiers)/),
    violations: (ran) => [
      ...(accepted(ran) && fileOf(ran, "summary.md").includes("ada@") ? ["what a guard refuses was proposed"] : []),
      ...ran.asked.flatMap(({ words }) =>
        words.includes("Write the summary.") && words.includes("ada@lovelace") ? ["it was handed on"] : [],
      ),
    ],
    works: (ran) => expect([ran.said.rest.kind, ran.exit === 0]).toEqual(["halt", false]),
  },
  "multi-agent": {
    files: { "front/a.txt": "1\n", "back/b.txt": "1\n" },
    test: "grep -q 2 front/a.txt && grep -q 2 back/b.txt",
    script: ({ words }) => {
      if (words.includes("Say what each")) return text(JSON.stringify({ goal: "both" }));
      if (words.includes("Change the front.")) return writes("front/a.txt", "2\n");
      // It reaches into the other's region at first.
      return roundIn(words) > 1
        ? writes("back/b.txt", "2\n")
        : {
            kind: "calls",
            calls: [
              { tool: "write", input: { path: "front/b.txt", text: "mine\n" } },
              { tool: "write", input: { path: "back/b.txt", text: "2\n" } },
              { tool: "finish", input: { summary: "" } },
            ],
          };
    },
    broken: without(', paths: ["back/**"]'),
    violations: (ran) => (accepted(ran) && fileOf(ran, "front/b.txt") !== "" ? ["one worker changed another's region"] : []),
    works: (ran) => expect([ran.exit, ran.said.rounds.length]).toEqual([0, 2]),
  },
  recursive: {
    test: "grep -q mended work.txt",
    files: { "work.txt": "broken\n" },
    script: ({ words }) => writes("work.txt", roundIn(words) > 2 ? "mended\n" : `broken ${roundIn(words)}\n`),
    broken: instead("use: propose", "use: refine"),
    async violations({ place, said, asked }) {
      const { versions } = (await place.json(["evolve", said.loop])).said;
      const touched = JSON.stringify(
        versions.map(({ instructions }: Said) => Object.values(instructions.of).flatMap((one: Said) => Object.keys(one))),
      );
      return [
        ...(versions.some(({ state }: Said) => state !== "waits") || asked.some(({ words }) => words.includes("## What to heed"))
          ? ["it changed itself alone"]
          : []),
        ...(touched.replaceAll(/"heed"|"with"|[[\],]/g, "") === "" ? [] : [`it could change ${touched}`]),
        ...(versions.length === 0 ? ["it proposes nothing"] : []),
      ];
    },
    works: (ran) => expect(ran.exit).toBe(0),
  },

  "research-agent": {
    ...documentTrial("proposes: [synthesizer, critic]", "proposes: [synthesizer]"),
    violations: (ran) => (accepted(ran) && fileOf(ran, "doubts.md") === "" ? ["what was doubted is gone"] : []),
  },
  "coding-agent": {
    ...changeTrial,
    input: ["task=Mend it."],
    script: playing({ worker: (id, { words }) => changing(id === "implementer", words), judge: () => 0.95 }),
  },
  "autonomous-debugger": {
    ...changeTrial,
    input: ["task=It is broken."],
    script: playing({
      worker: (id, { words }) =>
        id === "reproducer" && roundIn(words) < 2
          ? "I could see nothing."
          : changing(id === "patcher", words, "The check fails with exit 1."),
      judge: () => 0.95,
    }),
    broken: without(" before: [patcher],"),
    violations: ({ said }) =>
      said.rounds.flatMap((round: Said) => {
        const did = round.evidence.proposal.team.workers.find(({ id }: Said) => id === "patcher").ended === "made";
        return did && proofOf(round, "reproduced")?.outcome !== "holds" ? [`round ${round.number}: mended without having failed`] : [];
      }),
  },
  "writing-assistant": {
    ...documentTrial("threshold: 0.75", "threshold: 0.1"),
    violations: (ran) => (accepted(ran) && !fileOf(ran, "text.md").includes("version 2") ? ["what its judge refused was accepted"] : []),
  },
  "startup-validator": {
    ...documentTrial("proposes: [designer, skeptic]", "proposes: [designer]"),
    violations: (ran) => (accepted(ran) && fileOf(ran, "against.md") === "" ? ["what speaks against it is gone"] : []),
  },
  "business-strategy-agent": {
    ...documentTrial("proposes: [operator, strategist]", "proposes: [operator]"),
    violations: (ran) => (accepted(ran) && fileOf(ran, "options.md") === "" ? ["what was not chosen is gone"] : []),
  },
};

/** What every call takes, and what that costs: as the measurements say. */
const USAGE = { input: 1000, output: 200 };
const PRICE = { input: 3, output: 15 };

/** What a run came to, without what differs from one time to the next. */
async function measuredOf(name: string, { place, said, asked }: Ran): Promise<MeasuredLoop> {
  const { said: scored } = await place.json(["score", said.run]);
  const present = Object.entries<Said>(scored.dimensions).filter(([dimension, { basis }]) => basis === "measured" && dimension !== "speed");
  const dimensions = Object.fromEntries(present.map(([dimension, { value }]) => [dimension, Number(value.toFixed(3))]));
  const missing = { kind: "missing", why: "a scripted model answers at once, and nobody disturbed it" } as const;
  const score = compose(
    Object.fromEntries(
      DIMENSIONS.map((dimension) => {
        const value = dimensions[dimension];
        return [dimension, value === undefined ? missing : { kind: "estimated", value, how: "" }];
      }),
    ) as PerDimension<Measure>,
  );
  return {
    text: sha256(patterns.find((one) => one.name === name)!.text),
    ended: said.rounds.map(({ verdict }: Said) => verdict?.kind ?? "open").join(", "),
    calls: asked.length,
    usd: Number(said.cost.usd.toFixed(4)),
    score: Number((score * 100).toFixed(1)),
    band: bandOf(score),
    dimensions,
  };
}

it("has a trial for every pattern", () => {
  expect(Object.keys(TRIALS).toSorted()).toEqual(patterns.map(({ name }) => name).toSorted());
});

async function run(
  place: Place,
  name: string,
  spoil: (text: string) => string,
  script: Script = TRIALS[name]!.script,
): Promise<Ran & { close(): Promise<void> }> {
  const { files = {}, test = "true", input = [] } = TRIALS[name]!;
  // Of today: what lies further back than a week is not gathered.
  place.repo.commit("start", { files: { ...FILES, ...files }, at: new Date().toISOString() });
  const server = await startModelServer((asked, number) => ({ ...script(asked, number), usage: USAGE }) as ScriptedReply);
  place.write("home/prices.yaml", JSON.stringify({ models: { writer: PRICE, judge: PRICE } }));
  const bound = [
    "--provider",
    "openai-compatible",
    "--base-url",
    `${server.url}/v1`,
    "--model",
    "writer",
    "--judge",
    "judge",
    "--test",
    test,
  ];
  const out = `${place.dir}/${name}.loop.yaml`;
  const written = await place.lw(["patterns", "write", name, "--out", out, ...bound]);
  expect([written.exit, written.stderr]).toEqual([0, expect.anything()]);
  const quick = `target: { repo: ${JSON.stringify(place.repo.dir)} }\nbox: { maker: { when: "off" }, verifiers: { when: "off" } }\n`;
  const sound = place.read(`${name}.loop.yaml`).replace("within: 2d", "within: 1s");
  place.write(`${name}.loop.yaml`, `${spoil(sound)}${quick}`);
  const { exit, said } = await place.json(["run", out, ...input.flatMap((one) => ["--input", one])]);
  return { place, exit, said, asked: server.asked, file: out, close: () => server.close() };
}

const found = new Map<string, MeasuredLoop>();
const IS_WRITING = process.env.LOOPWRIGHT_MEASURE === "write";

async function measureApart(name: string, { script, review }: NonNullable<Trial["measured"]>): Promise<void> {
  await inPlace(async (place) => {
    const ran = await run(place, name, (spec) => spec.replace("within: 1s", "within: 1h"), script);
    try {
      if (review !== undefined) await place.lw(["review", ran.said.loop, "yes", "--as", "ada"]);
      const said = review === undefined ? ran.said : (await place.json(["resume", ran.said.loop])).said.runs[0];
      found.set(name, await measuredOf(name, { ...ran, said }));
    } finally {
      await ran.close();
    }
  });
}

afterAll(() => {
  if (!IS_WRITING) return;
  const path = "src/patterns/measured.ts";
  const all = Object.fromEntries(patterns.flatMap(({ name }) => (found.has(name) ? [[name, found.get(name)]] : [])));
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/= \{[\s\S]*\};\n$/, () => `= ${JSON.stringify(all, null, 2)};\n`),
  );
});

it.each(Object.keys(TRIALS))(
  "%s runs as it is written, and holds what it promises, which is lost where its spec loses it",
  async (name) => {
    const trial = TRIALS[name]!;
    const attempt = (spoil: (text: string) => string, look: (ran: Ran) => Promise<void>) =>
      inPlace(async (place) => {
        const ran = await run(place, name, spoil);
        try {
          await look(ran);
        } finally {
          await ran.close();
        }
      });

    await attempt(
      (spec) => spec,
      async (ran) => {
        trial.works(ran);
        if (trial.measured === undefined) found.set(name, await measuredOf(name, ran));
        expect(await trial.violations(ran)).toEqual([]);
      },
    );
    if (trial.measured !== undefined) await measureApart(name, trial.measured);
    if (IS_WRITING) return;
    expect(found.get(name)).toEqual(measured[name]);
    await attempt(trial.broken, async (ran) => expect(await trial.violations(ran)).not.toEqual([]));
  },
);
