// What a team keeps and what it is kept to: the notebook's names, guards of the spec, hostile workers, and models on both wires.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";
import { type Asked, startModelServer } from "../support/model-server.ts";

const shell = (run: string) => ({ use: "shell", with: { run, spends: "nothing" } });
const json = { as: "json" };
const doing = (then: string, about: object): object => ({ ...about, then });

const specOf = (place: Place, about: object): string =>
  place.write(
    "brief.loop.json",
    JSON.stringify({
      name: "brief",
      intent: "Say in a page what there is to know.",
      level: "L2",
      target: { repo: place.repo.dir },
      verifiers: [{ id: "there", use: "command", with: { run: "test -s brief.md" } }],
      baseline: { when: "off" },
      box: UNBOXED,
      budget: { rounds: 1 },
      ...about,
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "one\n" } });
    return work(place);
  });

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
const teamIn = (said: any) => said.rounds.at(-1).evidence.proposal.team;
const documentOf = (place: Place, branch: string): string =>
  execFileSync("git", ["-C", `${place.home}/documents/brief.git`, "show", `${branch}:brief.md`], { encoding: "utf8" });

it("keeps under a name what its writers wrote, shows it to its readers, and refuses and records what others write there", () =>
  inShop(async (place) => {
    const note = (...entries: readonly string[]) => `printf '%s' '${entries.join("\n---\n")}' > "$LOOPWRIGHT_NOTES"`;
    const spec = specOf(place, {
      team: {
        workers: {
          finder: { role: "Find.", ...shell(`echo '{"fact": "caches forget"}' > finder.json`), gives: json },
          second: {
            role: "Find more.",
            ...shell(
              `${note('key: facts\n{"fact": "noted by hand"}', "key: facts\nno JSON", "key: facts\n{}", "key: plans\nsteal")}; echo '{"fact": "not kept"}' > second.json`,
            ),
            gives: json,
          },
          thief: {
            role: "Steal.",
            ...shell(`${note('key: facts\n{"fact": "FORGED"}', "nothing of a name")}; echo x > thief.txt`),
            gives: { as: "text" },
          },
          writer: {
            role: "Write.",
            ...shell('cp "$LOOPWRIGHT_BRIEF" brief.md'),
            reads: ["notes.facts"],
            after: ["finder", "second", "thief"],
            gives: { as: "markdown", file: "brief.md" },
          },
        },
        proposes: ["writer"],
      },
      notebook: {
        keep: "run",
        keys: {
          facts: {
            writes: ["finder", "second"],
            reads: ["writer"],
            most: 2,
            age: "1d",
            schema: { type: "object", required: ["fact"], properties: { fact: { type: "string" } } },
          },
          plans: { writes: ["finder"] },
        },
      },
    });

    const first = await place.json(["run", spec]);
    const document = documentOf(place, first.said.branch);
    const { said } = await place.json(["notes", "brief"]);
    const told = await place.lw(["notes", "brief"]);
    const { said: all } = await place.json(["show", "brief", "--records"]);
    const refused = all.records.flatMap(({ record }: { readonly record: { kind: string; by?: string; refused: readonly string[] } }) =>
      record.kind === "noted" ? record.refused.map((why) => `${record.by}: ${why}`) : [],
    );

    expect(first.exit).toBe(0);
    expect(
      said.notes.map(({ under, by, text }: { under: string; by: string; text: string }) => `${under} ${by} ${text}`).toSorted(),
    ).toEqual([
      'facts finder {"fact": "caches forget"}',
      'facts second {"fact": "noted by hand"}',
      'plans finder {"fact": "caches forget"}',
    ]);
    expect(told.stdout).toContain("facts, by finder");
    expect(refused.toSorted()).toEqual([
      "second: it has not the shape of what is kept under facts: it has no fact",
      "second: it has not the shape of what is kept under facts: it is no JSON",
      "second: second may not write under plans: finder may",
      "thief: it says no name under which it is kept; there is: facts, plans",
      "thief: thief may not write under facts: finder, second may",
    ]);
    expect(document).toContain("caches forget");
    expect(document).toContain("noted by hand");
    expect(document).not.toContain("FORGED");
    expect(document).not.toContain("not kept");
  }));

it("takes out, holds back or ends by what guards see, on record, and never goes on from what was held back", () =>
  inShop(async (place) => {
    const team = {
      workers: {
        finder: { role: "Find.", ...shell("echo 'Ask ada@analytical.org.' > finder.txt"), gives: { as: "text" } },
        writer: {
          role: "Write.",
          ...shell('cp "$LOOPWRIGHT_BRIEF" brief.md'),
          reads: ["finder"],
          gives: { as: "markdown", file: "brief.md" },
        },
      },
      proposes: ["writer"],
    };
    const guard = (then: string, about: object = {}) => ({
      guards: [doing(then, { id: "personal-data", rule: "personal", at: "result", ...about })],
    });
    const again = (about: object) => place.json(["run", specOf(place, { team, ...about }), "--again"]);
    const taken = await again(guard("redact", { of: ["finder"] }));
    const figures = { role: "Count.", ...shell("echo '{\"n\":4111111111111111}' > finder.json"), gives: { as: "json" } };
    const shaped = await again({
      team: { ...team, workers: { ...team.workers, finder: figures } },
      ...guard("redact", { of: ["finder"] }),
    });
    const halted = await again({ ...guard("halt"), budget: { rounds: 3 } });
    const held = await again({ ...guard("withhold"), until: { fail: [doing("halt", { on: "safety" })] } });
    const briefed = await again(guard("redact", { at: "brief", of: ["writer"] }));
    const proposed = await again(guard("escalate", { at: "proposal" }));

    expect(taken.exit).toBe(0);
    expect(documentOf(place, taken.said.branch)).toContain("Ask [personal:mail].");
    expect(taken.said.rounds[0].evidence.findings).toMatchObject([
      { rule: "guard-personal-data", where: "the worker finder", severity: "low" },
    ]);
    expect([shaped.exit, teamIn(shaped.said).workers[0].why]).toEqual([4, expect.stringContaining("is no JSON")]);
    expect(halted.said.rest).toMatchObject({ kind: "halt", because: "blocked" });
    expect(teamIn(halted.said).workers.map(({ ended, tries }: { ended: string; tries: number }) => [ended, tries])).toEqual([
      ["failed", 1],
      ["skipped", 0],
    ]);
    expect(halted.said.rounds).toHaveLength(1);
    expect(held.said.rest).toMatchObject({ kind: "halt", because: "blocked" });
    expect(documentOf(place, briefed.said.branch)).toContain("Ask [personal:mail].");
    expect(proposed.said.rest).toMatchObject({ kind: "escalate", because: "blocked", reason: expect.stringContaining("mail") });
  }));

it("calls made up what a worker cites and nobody gathered, in what is proposed and in what another would build on", () =>
  inShop(async (place) => {
    const cites = "echo 'It is so: https://made-up.example.org/study' > ";
    const team = {
      workers: {
        finder: { role: "Find.", ...shell(`${cites} finder.txt`), gives: { as: "text" } },
        writer: { role: "Write.", ...shell(`${cites} brief.md`), reads: ["finder"], gives: { as: "markdown", file: "brief.md" } },
      },
      proposes: ["writer"],
    };
    const measure = { use: "measure", with: { citations: { least: 1 } } };
    const proposed = await place.json(["run", specOf(place, { team, verifiers: [{ id: "cited", ...measure }] })]);
    const before = await place.json([
      "run",
      specOf(place, {
        team,
        verifiers: [
          { id: "cited", ...measure, of: ["finder"], before: ["writer"] },
          { use: "command", with: { run: "test -s brief.md" } },
        ],
      }),
      "--again",
    ]);

    expect(proposed.said.rest).toMatchObject({ kind: "escalate", because: "fabricated" });
    expect(before.said.rest).toMatchObject({ kind: "escalate", because: "fabricated" });
    expect(teamIn(before.said).workers[1]).toMatchObject({ id: "writer", ended: "skipped" });
  }));

it("refuses when it is read a guard or a name that could not be kept to", () =>
  inShop(async (place) => {
    const spec = specOf(place, {
      team: {
        workers: {
          a: { role: "A.", ...shell("true"), reads: ["notes.facts", "notes.fact"], gives: { as: "text" } },
          b: { role: "B.", ...shell("true"), gives: { as: "markdown", file: "brief.md" } },
        },
        proposes: ["b"],
      },
      notebook: { keep: "none", keys: { facts: { writes: ["c"], reads: ["b"], schema: { $ref: "#" } } } },
      guards: [
        doing("halt", { id: "a-guard", rule: "schema", at: "result" }),
        doing("halt", { id: "a-guard", rule: "personal", at: "note" }),
        doing("withhold", { id: "x", rule: "size", at: "result" }),
        doing("redact", { id: "y", rule: "injection", at: "brief", most: 7 }),
        doing("redact", { id: "z", rule: "secrets", at: "desk", of: ["a"] }),
      ],
    });

    const { exit, stdout, stderr } = await place.lw(["validate", spec]);

    expect(exit).toBe(64);
    for (const words of [
      "there is no `notes.fact`. Did you mean `notes.facts`?",
      "nothing is kept, and there are names to keep it under",
      "there is no worker `c`",
      "`facts` of the notebook is not for it",
      "none of these workers has a shape to keep to",
      "`a-guard` is the id of another guard too",
      "`halt` cannot be done about personal at `note`",
      "a size needs a bound",
      "`redact` cannot be done about injection at `brief`",
      "from 0 to 1",
      "is no worker's alone",
    ])
      expect(`${stdout}${stderr}`).toContain(words);
  }));

it("works with models on both wires at once: side by side, with their own tools, and each hears only what is for it", async () => {
  const begun: string[] = [];
  const roleOf = ({ words }: Asked): string => /Your role\s+([A-Z]+)/.exec(words.replaceAll("\\n", "\n"))?.[1] ?? "?";
  let meet = (): void => {};
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const server = await startModelServer(async (asked) => {
    const role = roleOf(asked);
    begun.push(`${role} ${asked.wire}`);
    if (role === "WRITER") return { kind: "text", text: asked.words.includes("GAPS-TO-FILL") ? "# Brief\n\nfilled" : "# Brief\n\nbare" };
    if (role === "CRITIC")
      return { kind: "calls", calls: [{ tool: "finish", input: { result: '{"gaps": ["GAPS-TO-FILL"], "score": 0.3}' } }] };
    // Both finders are asked before either hears an answer: who worked one after the other would wait for ever.
    if (new Set(begun.filter((one) => one.startsWith("FINDER"))).size >= 2) meet();
    await both;
    if (!asked.words.includes("there is no tool called")) return { kind: "calls", calls: [{ tool: "run", input: { command: "id" } }] };
    return { kind: "calls", calls: [{ tool: "finish", input: { result: `facts of ${role}` } }] };
  });
  try {
    await inShop(async (place) => {
      const model = (use: string) => ({
        use,
        with: { model: `m-${use}`, baseUrl: `${server.url}/v1`, keyVariable: "MODEL_KEY", price: { input: "$1.00", output: "$1.00" } },
      });
      const spec = specOf(place, {
        inputs: { topic: { type: "text", about: "What it is about", default: "TOPIC-OF-THE-DAY" } },
        budget: { rounds: 2 },
        team: {
          workers: {
            one: { role: "FINDERA", ...model("anthropic"), reads: ["inputs.topic"], gives: { as: "text" }, tools: ["read"] },
            two: { role: "FINDERB", ...model("openai-compatible"), reads: ["inputs.topic"], gives: { as: "text" }, tools: [] },
            writer: {
              role: "WRITER",
              ...model("anthropic"),
              reads: ["one", "two"],
              gives: { as: "markdown", file: "brief.md" },
              tools: [],
            },
            critic: { role: "CRITIC", ...model("openai-compatible"), reads: ["writer"], gives: json, tools: [] },
          },
          proposes: ["writer"],
        },
        verifiers: [{ id: "filled", use: "command", with: { run: "grep -q filled brief.md" } }],
        metrics: { gaps: { from: "critic.score", primary: true } },
        feedback: [{ from: "critic", to: "writer", tell: ["gaps"] }],
      });

      const { exit, said } = await place.json(["run", spec], { env: { MODEL_KEY: "k3y-of-nobody" } });
      const heard = (role: string): readonly Asked[] => server.asked.filter((asked) => roleOf(asked) === role);

      expect([exit, said.rounds.length]).toEqual([0, 2]);
      expect(documentOf(place, said.branch)).toContain("filled");
      expect(new Set(begun)).toEqual(new Set(["FINDERA anthropic", "FINDERB openai-chat", "WRITER anthropic", "CRITIC openai-chat"]));
      expect(heard("FINDERA")[0]?.words).toContain("TOPIC-OF-THE-DAY");
      expect(heard("WRITER")[0]?.words).toContain("facts of FINDERB");
      expect(JSON.stringify(heard("FINDERB")[0]?.body.tools ?? [])).not.toContain('"run"');
      expect(["FINDERA", "FINDERB", "CRITIC"].flatMap(heard).filter(({ words }) => words.includes("GAPS-TO-FILL"))).toEqual([]);
      expect(heard("WRITER").some(({ words }) => words.includes("GAPS-TO-FILL"))).toBe(true);
      expect(said.rounds[1].evidence.metrics.values).toEqual({ gaps: 0.3 });
    });
  } finally {
    await server.close();
  }
});
