import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DEFAULT_BUDGET, fakeParts, GOOD, REPORT } from "../../test/support/fake-parts.ts";
import { builtIn } from "../app/crew.ts";
import { defineMaker } from "../contract/maker.ts";
import { makersOf } from "../contract/spec.ts";
import { judge } from "../verifiers/judge.ts";
import { quorum } from "../verifiers/quorum.ts";
import { replay } from "../verifiers/replay.ts";
import { formatProblem, readSpec } from "./read-spec.ts";

const read = (text: string, file = "loop.yaml") => readSpec(file, text, fakeParts);

/** Every problem of a refused spec, or every warning of one that was read, as a person sees them. */
function lines(text: string, file?: string): readonly string[] {
  const reading = read(text, file);
  return (reading.kind === "refused" ? reading.problems : reading.warnings).map(formatProblem);
}

function hashOf(text: string): string {
  const reading = read(text);
  return reading.kind === "read" ? reading.hash : reading.problems.map(formatProblem).join("\n");
}

describe("readSpec, given a sound spec", () => {
  it("gives the spec with every default filled in, and no warnings", () => {
    expect(read(GOOD)).toEqual({
      kind: "read",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      warnings: [],
      spec: {
        name: "keep-green",
        intent: "Keep main green.",
        level: "L2",
        target: { repo: "." },
        trigger: { use: "manual", with: {} },
        gather: [],
        workspace: { include: true, ports: 0 },
        brief: { tokens: "20k" },
        maker: { use: "shell", with: { run: "npm run fix", timeout: "5m", env: {} } },
        verifiers: [{ use: "tests", with: { run: "npm test" } }],
        seal: [],
        unseal: [],
        budget: DEFAULT_BUDGET,
        baseline: { when: "always", runs: 2, want: "any" },
        flakes: { quarantine: "7d" },
        gate: { all: [{ use: "ask", with: {} }], tampering: "escalate" },
        act: [],
        alert: { to: [] },
        outsiders: { level: "L2", network: "closed" },
        box: {
          maker: { when: "available", network: "open", reads: [], writes: [] },
          verifiers: { when: "available", network: "closed", reads: [] },
        },
        notify: [],
        referee: { protect: ["secrets", "loop", "submodules"], deny: [], allow: [] },
      },
    });
  });

  it("gives the same hash for another layout, another order of keys, JSON, a byte-order mark, and defaults written out", () => {
    const json = JSON.stringify(
      {
        verifiers: [{ use: "tests" }],
        maker: { with: { run: "npm run fix" }, use: "shell" },
        level: "L2",
        intent: "Keep main green.",
        name: "keep-green",
      },
      undefined,
      "\t",
    );
    const others = [
      json,
      `\uFEFF${GOOD}`,
      GOOD.replaceAll("\n", "\r\n"),
      `${GOOD}budget: {rounds: 3}\ntrigger:\n  use: manual\n`,
      `---\n${GOOD}...\n`,
    ];

    expect(others.map(hashOf)).toEqual(others.map(() => hashOf(GOOD)));
  });

  it("gives another hash for another spec", () => {
    expect(hashOf(GOOD.replace("npm run fix", "npm run mend"))).not.toBe(hashOf(GOOD));
  });

  it("gives the same spec when it reads what it gave", () => {
    const once = [GOOD, REPORT, `${GOOD}trigger: {use: every, with: {time: 1h}}\nseal: [test/**]\ntask: "  Mend it.  "\n`].map((text) =>
      read(text),
    );

    expect(once.map((reading) => (reading.kind === "read" ? read(JSON.stringify(reading.spec), "loop.json") : reading))).toEqual(once);
  });

  it("follows aliases", () => {
    const text = `${GOOD}seal: &tests [test/**]\n`.replace("npm run fix", "&run npm run fix, extra: *run");

    expect(read(text)).toMatchObject({ kind: "read", spec: { maker: { with: { run: "npm run fix", extra: "npm run fix" } } } });
  });

  it("warns that L3 does no more than L2 where a check will have nothing to look at", () => {
    const warningsWith = (level: string, run: string) => {
      const verifiers = [{ use: "tests" }, { use: "replay", with: { run, ifNone: "hold" } }];
      const gate = { all: [{ use: "allowlist", with: { allow: ["src/**"] } }] };
      const text = JSON.stringify({ name: "a", intent: "Keep it.", level, maker: { use: "shell", with: { run: "x" } }, verifiers, gate });
      const reading = readSpec("x.loop.json", text, { ...builtIn, verifiers: [...fakeParts.verifiers, replay] });
      return reading.kind === "read" ? reading.warnings.map(({ path, problem }) => `${path}: ${problem}`) : reading.problems;
    };

    expect(warningsWith("L3", "cargo test")).toEqual([
      expect.stringMatching(
        /^level: `replay` will have nothing to look at \(.*\), so that this loop never acts alone; it proposes like L2$/,
      ),
    ]);
    expect([warningsWith("L2", "cargo test"), warningsWith("L3", "npm test")]).toEqual([[], []]);
  });

  it("warns that L3 does no more than L2 without an allowlist", () => {
    expect(lines(GOOD.replace("L2", "L3"))).toEqual([
      "loop.yaml:4:8  level: no gate of this loop is an allowlist, so that it never acts alone; it proposes like L2. Write L2 to say so, or add {use: allowlist, with: {allow: [...]}} to gate.all.",
    ]);
  });

  it("warns that preparing has no effect on a report, and refuses what cannot be kept or is no glob", () => {
    const prepare = (more: string) => `prepare: {run: npm ci, ${more}}\n`;

    expect(lines(`${REPORT}${prepare("keep: [node_modules]")}`)).toEqual([
      "loop.yaml:7:10  prepare: has no effect: maker `digest` changes no files. Leave it out.",
    ]);
    expect(lines(`${GOOD}${prepare("keep: [../x], from: [/abs]")}`)).toEqual([
      expect.stringContaining("prepare.keep[0]: must be a folder inside the repository"),
      expect.stringContaining("prepare.from[0]: this glob is absolute"),
    ]);
    expect(lines(`${GOOD}${prepare("keep: [a, a/b]")}`)).toEqual([expect.stringContaining("must name each folder once")]);
  });

  it("warns of checks that cannot fail, and of no others", () => {
    const text = (run: string) =>
      `name: a\nintent: Keep it green.\nlevel: L2\nmaker: {use: shell, with: {run: fix}}\nverifiers:\n  - {use: command, with: {run: ${JSON.stringify(run)}}}\n`;
    const warned = (run: string) => {
      const reading = readSpec("loop.yaml", text(run), builtIn);
      return reading.kind === "read" ? reading.warnings.map(formatProblem) : reading.problems.map(formatProblem);
    };

    expect(warned("npm test || true")).toEqual([
      "loop.yaml:6:32  verifiers[0].with.run: `npm test || true` cannot fail, so that it proves nothing. Run something that exits other than 0 when it does not hold, such as the test suite.",
    ]);
    expect(warned("npm test")).toEqual([]);
  });

  it("refuses globs of a referee that are none", () => {
    expect(lines(`${GOOD}referee: {deny: [/abs], allow: ["a/../b"]}\n`)).toEqual([
      expect.stringContaining("referee.deny[0]: this glob is absolute"),
      expect.stringContaining("referee.allow[0]: this glob leads out"),
    ]);
  });

  it("warns that a seal has no effect on a report", () => {
    expect(lines(`${REPORT}seal: [test/**]\n`)).toEqual([
      "loop.yaml:7:7  seal: has no effect: maker `digest` changes no files. Leave it out.",
    ]);
  });
});

describe("readSpec, given a spec with problems", () => {
  it("reports every one of them at once, in the order of the text", () => {
    const text = `name: Keep Green
intent: ''
level: L4
taks: x
seal: test/**
target: {repo: 5, base: -x}
maker:
  use: shel
  wiht: 1
verifiers: []
budget:
  time: 20
  usd: 2.5
  tokens: 200000
  rounds: 2.5
  tiem: 3m
notify:
  - use: file
  - file
`;

    expect(lines(text)).toEqual([
      "loop.yaml:1:7  name: must be lower-case letters, digits and dashes, beginning with a letter, 49 at most. Write e.g. keep-green.",
      "loop.yaml:2:9  intent: is empty. Write e.g. `Keep main green.`.",
      "loop.yaml:3:8  level: unknown value `L4`. Write one of: L1, L2, L3.",
      "loop.yaml:4:1  taks: unknown key `taks`. Did you mean `task`?",
      "loop.yaml:5:7  seal: must be a list, is a text. Write e.g. `[test/**]`.",
      "loop.yaml:6:16  target.repo: must be a text, is 5. Write e.g. `.`.",
      "loop.yaml:6:25  target.base: `-x` begins with a dash. Write e.g. main.",
      "loop.yaml:8:8  maker.use: unknown part `shel`. Did you mean `shell`? Write one of: shell, digest.",
      "loop.yaml:9:3  maker.wiht: unknown key `wiht`. Did you mean `with`?",
      "loop.yaml:10:12  verifiers: must have at least 1 entry. Write e.g. `[{use: tests}]`.",
      "loop.yaml:12:9  budget.time: needs a unit. Write e.g. 20m.",
      "loop.yaml:13:8  budget.usd: needs a unit. Write e.g. $2.5.",
      'loop.yaml:14:11  budget.tokens: needs a unit, or quotes. Write e.g. 200k, or "200000".',
      "loop.yaml:15:11  budget.rounds: must be a whole number, is 2.5. Write e.g. 3.",
      "loop.yaml:16:3  budget.tiem: unknown key `tiem`. Did you mean `time`?",
      "loop.yaml:19:5  notify[1]: must be a map, is a text. Write e.g. `{use: file}`.",
    ]);
  });

  it.each([
    ["time: 3600", "budget.time: needs a unit. Write e.g. 3600s."],
    ["time: 1 hour", "budget.time: `1 hour` is not how this is written. Did you mean `1h`?"],
    ["time: 90 minutes", "budget.time: `90 minutes` is not how this is written. Did you mean `90m`?"],
    ["time: 1 hour and 30 minutes", "budget.time: `1 hour and 30 minutes` is not how this is written. Did you mean `1h30m`?"],
    ["tokens: 500K", "budget.tokens: `500K` is not how this is written. Did you mean `500k`?"],
    ["tokens: '500,000'", "budget.tokens: `500,000` is not how this is written. Did you mean `500000`?"],
    ["tokens: 2m tokens", "budget.tokens: `2m tokens` is not how this is written. Did you mean `2M`?"],
    ["usd: 2.50 USD", "budget.usd: `2.50 USD` is not how this is written. Did you mean `$2.50`?"],
    ["disk: 2gb", "budget.disk: `2gb` is not how this is written. Did you mean `2GB`?"],
  ])("says what %s must mean", (line, complaint) => {
    expect(lines(`${GOOD}budget: {${line}}\n`).map((told) => told.replace(/^\S+ +/, ""))).toEqual([complaint]);
  });

  it("says below what a key belongs that was not indented", () => {
    expect(lines(`${GOOD}budget:\nrounds: 2\n`).at(-1)).toBe(
      "loop.yaml:11:1  rounds: unknown key `rounds`. It belongs below `budget`: indent it by two more spaces.",
    );
  });

  it("reports missing keys where the map begins that they should be in, with an example of each", () => {
    expect(lines("# Nothing much.\nlevel: l2\nmaker:\n  use: shell\ntrigger: {with: {}}\n")).toEqual([
      "loop.yaml:2:1  name: is missing. Add it, e.g. `name: keep-green`.",
      "loop.yaml:2:1  intent: is missing. Add it, e.g. `intent: Keep main green.`.",
      "loop.yaml:2:1  verifiers: is missing. Add it, e.g. `verifiers: [{use: tests}]`.",
      "loop.yaml:2:8  level: unknown value `l2`. Did you mean `L2`? Write one of: L1, L2, L3.",
      "loop.yaml:4:3  maker.with: is missing. Add it, e.g. `with: {run: npm run fix}`.",
      "loop.yaml:5:10  trigger.use: is missing. Add it, e.g. `use: manual`.",
    ]);
  });

  it("looks into the options of a part, and takes examples from its schema", () => {
    const text = GOOD.replace("{run: npm run fix}", "{run: '', timeout: 5, env: {A: 1}, retries: some, rnu: x}");

    expect(lines(text)).toEqual([
      "loop.yaml:7:15  maker.with.run: is empty. Write e.g. `npm run fix`.",
      "loop.yaml:7:28  maker.with.timeout: needs a unit. Write e.g. 5m.",
      "loop.yaml:7:40  maker.with.env.A: must be a text, is 1. Write a text.",
      "loop.yaml:7:53  maker.with.retries: has none of the forms that are allowed here. Write e.g. none.",
      "loop.yaml:7:59  maker.with.rnu: unknown key `rnu`. Did you mean `run`?",
    ]);
  });

  it("reports empty values, numbers that are none, keys written twice, merge keys, and keys of the prototype", () => {
    const text = `${GOOD}name: twice
__proto__: {a: 1}
constructor: 1
<<: {a: 1}
task:
budget: {rounds: .nan, usd: '2.50', time: ~, tokens: '0'}
notify: [.inf, .inf]
[a]: 1
`;

    expect(lines(text)).toEqual([
      "loop.yaml:10:1  name: the key `name` is written twice. Keep one of them.",
      "loop.yaml:11:1  __proto__: the key `__proto__` is not allowed. Leave it out.",
      "loop.yaml:12:1  constructor: the key `constructor` is not allowed. Leave it out.",
      'loop.yaml:13:1  "<<": merge keys are not used in specs. Write the keys out.',
      "loop.yaml:14:6  task: must be a text, is empty. Write e.g. `Make the failing tests pass.`.",
      "loop.yaml:15:18  budget.rounds: must be a finite number. Write digits.",
      "loop.yaml:15:29  budget.usd: needs a unit. Write e.g. $2.50.",
      "loop.yaml:15:43  budget.time: is no cap: write an amount above zero, or the word unlimited, which lifts it below L3. Write e.g. 30m.",
      "loop.yaml:15:54  budget.tokens: is no cap: write an amount above zero, or the word unlimited, which lifts it below L3. Write e.g. 200k.",
      "loop.yaml:16:10  notify[0]: must be a finite number. Write digits.",
      "loop.yaml:16:16  notify[1]: must be a finite number. Write digits.",
      'loop.yaml:17:1  "?": a key must be a plain word. Write `key: value`.',
    ]);
  });

  it("refuses numbers that are none and keys of the prototype also where a part takes anything", () => {
    expect(lines(GOOD.replace("fix}", 'fix, extra: {a: [.nan], prototype: 1, b: "\\ud800"}}'))).toEqual([
      "loop.yaml:7:40  maker.with.extra.a[0]: must be a finite number. Write digits.",
      "loop.yaml:7:47  maker.with.extra.prototype: the key `prototype` is not allowed. Leave it out.",
      "loop.yaml:7:64  maker.with.extra.b: contains half a character. Remove the \\u escape.",
    ]);
  });

  it.each([
    ["- a\n- b\n", "a list"],
    ["just text", "a text"],
    ["42", "42"],
  ])("refuses %j as a whole, with a whole example", (text, what) => {
    expect(lines(text)).toEqual([
      `loop.yaml:1:1  spec: must be a map, is ${what}. Write e.g. \`{name: keep-green, intent: Keep main green., level: L2, maker: {use: shell, with: {run: npm run fix}}, verifiers: [{use: tests}]}\`.`,
    ]);
  });

  it("shows what a stranger wrote without what would disturb a terminal", () => {
    expect(lines(`${GOOD}"\\e[31m\\u202e": 1\nnotify: [{use: "${"x".repeat(300)}"}]\n`)).toEqual([
      'loop.yaml:10:1  "\\u001b[31m\\u202e": unknown key `\\u001b[31m\\u202e`. Leave it out, or write one of: $schema, name, intent, level, target, task, inputs, document, trigger, wake, gather, prepare, workspace, brief, maker, team, verifiers, metrics, until, feedback, notebook, guards, improve, seal, unseal, budget, baseline, flakes, recheck, rooms, gate, act, parts, outsiders, box, alert, notify, referee.',
      `loop.yaml:11:16  notify[0].use: unknown part \`${"x".repeat(100)}…\`. Write file.`,
    ]);
  });
});

describe("readSpec, given fields that do not go together", () => {
  it.each([
    [
      "a maker of commits at L1",
      GOOD.replace("L2", "L1"),
      ["loop.yaml:4:8  level: L1 only reports, and maker `shell` proposes commits. Write L2, or use a maker that reports: digest."],
    ],
    [
      "opinions only",
      GOOD.replace("tests", "review"),
      ["loop.yaml:9:3  verifiers: all of these are opinions, and an opinion proves nothing. Use one of: tests."],
    ],
    [
      "a verifier of reports for a maker of commits",
      `${GOOD}  - use: citations\n`,
      ["loop.yaml:10:10  verifiers[1].use: `citations` proves reports, and maker `shell` proposes commits. Use one of: tests, review."],
    ],
    [
      "makers that do not propose the same",
      GOOD.replace(
        "maker:\n  use: shell\n  with: {run: npm run fix}",
        "maker:\n  - {use: shell, with: {run: npm run fix}}\n  - {use: digest}",
      ),
      [
        "loop.yaml:7:11  maker[1].use: `digest` proposes reports, and maker `shell` proposes commits. All makers of a list must propose the same; make it a loop of its own.",
      ],
    ],
    [
      "a report on nothing",
      REPORT.replace("gather: [{use: git-log}]\n", ""),
      ["loop.yaml:1:1  gather: maker `digest` reports on what was gathered, and nothing is. Add at least one of: git-log."],
    ],
    [
      "a report on an empty list",
      REPORT.replace("[{use: git-log}]", "[]"),
      ["loop.yaml:4:9  gather: maker `digest` reports on what was gathered, and nothing is. Add at least one of: git-log."],
    ],
    [
      "seals that no file can have",
      `${GOOD}seal: [/etc/x, test/**, a/../b]\n`,
      [
        "loop.yaml:10:8  seal[0]: this glob is absolute: it must start inside the repository. Write e.g. `test/**`.",
        "loop.yaml:10:25  seal[2]: this glob leads out of the repository with its two dots. Write e.g. `test/**`.",
      ],
    ],
  ])("refuses %s", (_, text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  it.each(["HEAD~1", "a..b", "x y", "a\\tb", "a^", "a:b", "a?", "a*", "a[", "a\\\\b"])("refuses the base %s", (base) => {
    expect(lines(`${GOOD}target: {base: "${base}"}\n`)).toEqual([
      expect.stringMatching(
        /^loop\.yaml:10:16 {2}target\.base: `.*` contains what no branch, tag or commit has in its name\. Write e\.g\. main\.$/,
      ),
    ]);
  });

  it.each(["main", "release/1.x", "v1.0", "0123456789abcdef", "feature/a-b_c"])("takes the base %s", (base) => {
    expect(lines(`${GOOD}target: {base: ${base === "0123456789abcdef" ? `"${base}"` : base}}\n`)).toEqual([]);
  });
});

describe("a list of makers", () => {
  const listing = (makers: string): string => GOOD.replace("maker:\n  use: shell\n  with: {run: npm run fix}", `maker: ${makers}`);
  const problemsOf = (text: string) => {
    const reading = readSpec("loop.yaml", text, fakeParts);
    return reading.kind === "refused" ? reading.problems.map(formatProblem) : [];
  };

  it("is read in its order, each with its defaults", () => {
    const reading = readSpec("loop.yaml", listing("[{use: shell, with: {run: a}}, {use: shell, with: {run: b}}]"), fakeParts);

    expect(reading.kind === "read" && makersOf(reading.spec)).toEqual([
      { use: "shell", with: { run: "a", timeout: "5m", env: {} } },
      { use: "shell", with: { run: "b", timeout: "5m", env: {} } },
    ]);
  });

  it.each([
    ["[]", ["loop.yaml:5:8  maker: must have at least 1 entry. Write e.g. `{use: shell, with: {run: npm run fix}}`."]],
    [
      "[{use: shell, with: {run: a}}, {use: sheel}]",
      ["loop.yaml:5:45  maker[1].use: unknown part `sheel`. Did you mean `shell`? Write one of: shell, digest."],
    ],
    [
      "[{use: shell, with: {rum: a}}]",
      [
        "loop.yaml:5:28  maker[0].with.run: is missing. Add it, e.g. `run: npm run fix`.",
        "loop.yaml:5:29  maker[0].with.rum: unknown key `rum`. Did you mean `run`?",
      ],
    ],
    [
      "{use: shell, with: {rum: a}}",
      [
        "loop.yaml:5:27  maker.with.run: is missing. Add it, e.g. `run: npm run fix`.",
        "loop.yaml:5:28  maker.with.rum: unknown key `rum`. Did you mean `run`?",
      ],
    ],
    ["shell", ["loop.yaml:5:8  maker: has none of the forms that are allowed here. Write e.g. `{use: shell, with: {run: npm run fix}}`."]],
  ])("%s is refused where it is wrong", (makers, problems) => {
    expect(problemsOf(listing(makers))).toEqual(problems);
  });
});

describe("a judge", () => {
  const registries = {
    ...fakeParts,
    makers: [
      defineMaker({
        name: "some-model",
        summary: "Asks a model.",
        options: z.strictObject({ model: z.string().optional() }),
        edit: () => Promise.reject(new Error("not run here")),
      }),
    ],
    verifiers: [...fakeParts.verifiers, judge, quorum],
  };
  const specWith = (makerModel: string, verifier: object): string =>
    JSON.stringify({
      name: "keep-green",
      intent: "Keep main green.",
      level: "L2",
      maker: { use: "some-model", with: { model: makerModel } },
      verifiers: [{ use: "tests" }, verifier],
    });
  const problemsOf = (text: string) => {
    const reading = readSpec("x.loop.json", text, registries);
    return reading.kind === "refused" ? reading.problems.map(({ path, problem }) => `${path}: ${problem}`) : [];
  };
  const refusal = "and a model finds its own work good";

  it.each([
    ["claude-sonnet-4-5", "claude-sonnet-4-5"],
    ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5-20250929"],
    ["Qwen3", "qwen3:latest"],
  ])("is refused when the maker uses %s and it is %s", (makers, judges) => {
    const alone = problemsOf(specWith(makers, { use: "judge", with: { provider: "ollama", model: judges } }));
    const among = problemsOf(
      specWith(makers, {
        use: "quorum",
        with: {
          agree: 2,
          judges: [
            { provider: "ollama", model: "other" },
            { provider: "ollama", model: judges },
          ],
        },
      }),
    );

    expect(alone).toEqual([expect.stringMatching(`verifiers\\[1\\].with.model: .*${refusal}`)]);
    expect(among).toEqual([expect.stringMatching(`verifiers\\[1\\].with.judges\\[1\\].model: .*${refusal}`)]);
  });

  it("may be the maker's model where the spec says that it is meant, and another one in any case", () => {
    const meant = { use: "judge", with: { provider: "ollama", model: "qwen3", sameModel: true } };
    const other = { use: "judge", with: { provider: "ollama", model: "llama4" } };

    expect([problemsOf(specWith("qwen3", meant)), problemsOf(specWith("qwen3", other))]).toEqual([[], []]);
  });

  it("needs a majority that there can be", () => {
    const quorumOf = (agree: number) => ({
      use: "quorum",
      with: { agree, judges: ["a", "b", "c", "d"].map((model) => ({ provider: "ollama", model })) },
    });

    expect([2, 3, 4, 5].map((agree) => problemsOf(specWith("m", quorumOf(agree))).length)).toEqual([1, 0, 0, 1]);
  });

  it("is refused with a key in its address, or with an address that sends it in the clear", () => {
    const at = (baseUrl: string) =>
      problemsOf(specWith("m", { use: "judge", with: { provider: "openai-compatible", model: "o", baseUrl } }));

    expect(at("http://127.0.0.1:1234/v1")).toEqual([]);
    expect([at("http://models.example/v1").length, at("https://a:b@models.example/v1").length]).toEqual([1, 1]);
  });
});
