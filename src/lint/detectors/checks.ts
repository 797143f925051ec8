// Detectors of checks that prove less than they seem to.
import { type AnatomyEdge, nodesOf } from "../../contract/anatomy.ts";
import { fieldsOf, listOf, numberOf } from "../../dialects/values.ts";
import type { Call } from "../../guard/command/call.ts";
import { canFail } from "../../guard/command/can-fail.ts";
import { lostExitsIn } from "../../guard/command/lost-exits.ts";
import { isReadOnly } from "../../guard/command/read-only.ts";
import { isSealedBy } from "../../guard/seal.ts";
import { type Path, quoted } from "../../spec/path.ts";
import { type Detector, type Flaw, ofOurs, type Subject } from "../detector.ts";

const verifying = (run: string) => ({ ours: { verifiers: [{ use: "command", with: { run } }] } });
const evaluators = (...entries: readonly object[]) => ({ lss: { evaluators: entries } });
const rubric = (change: object = {}, model = "gpt-4.1") => ({
  id: "quality",
  type: "llm_rubric",
  runs_after: ["*"],
  rubric: {
    dimensions: [{ name: "right", weight: 1, scale: [0, 1], criteria: "Every claim has a source." }],
    pass_threshold: 0.8,
    ...change,
  },
  model: { provider: "openai", name: model, temperature: 0 },
});

/** What makes the end of a command say nothing about what came before it. */
const QUIETED = /\s*(?:\|\|\s*(?:true|:|exit\s+0|echo\b[^|&;<>$`]*)|;\s*(?:true|:|exit\s+0)|&&\s*true)\s*;?\s*$/;

/** The same command, ended by what it is about; undefined where that is not plainly meant. */
function unquieted(run: string): string | undefined {
  const plain = run.replace(QUIETED, "");
  return plain !== run && plain.trim() !== "" && canFail(plain) ? plain : undefined;
}

/** These hand on what they read, and end well whatever came before them. */
const PASSIVE = new Set("tee cat tail head sort uniq cut tr sed awk less more wc column nl fold tac ts pv".split(" "));

/** `grep -v` ends well as long as a line is left. */
const leavesOut = (program: string, args: Call["args"]): boolean =>
  /^[ef]?grep$/.test(program) && args.some(({ text }) => /^(?:-[a-zA-Z]*v[a-zA-Z]*|--invert-match)$/.test(text));

/** Options with which a runner runs no test, or is content with none. */
const SKIPPING: readonly { readonly programs: readonly string[]; readonly option: RegExp }[] = [
  { programs: ["jest", "vitest", "npx", "npm", "pnpm", "yarn", "bun"], option: /^--(pass-?with-?no-?tests|if-present)$/i },
  { programs: ["pytest", "py.test", "python", "python3", "uv", "poetry"], option: /^(--collect-only|--co|--setup-plan)$/ },
  {
    programs: ["mvn", "mvnw", "gradle", "gradlew"],
    option: /^(-DskipTests(=true)?|-Dmaven\.test\.skip(=true)?|-Dmaven\.test\.failure\.ignore(=true)?|-m|--dry-run|-fn|--fail-never)$/,
  },
  { programs: ["cargo"], option: /^(--no-run|--list)$/ },
  { programs: ["go"], option: /^(-list(=.*)?|-run=(\^\$|XXX|NONE))$/ },
  { programs: ["ctest", "meson"], option: /^(-N|--show-only|--list)$/ },
  { programs: ["make", "gmake"], option: /^(-n|--dry-run|--just-print|-i|--ignore-errors)$/ },
  { programs: ["rspec"], option: /^--dry-run$/ },
  { programs: ["dotnet"], option: /^(-t|--list-tests)$/ },
  { programs: ["phpunit", "playwright", "jest"], option: /^--list(-?tests)?$/i },
];

const skips = ({ program, args }: Call): string | undefined => {
  const options = SKIPPING.find(({ programs }) => programs.includes(program));
  // A value may stand behind its option, or in it.
  const joined = args.map(({ text }, index) => (text === "-run" ? `${text}=${args[index + 1]?.text ?? ""}` : text));
  return options && joined.find((text) => options.option.test(text));
};

/** Programs that ask a model what it thinks, and the makers that are the same program. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ["claude", "claude-code"],
  ["codex", "codex"],
  ["gemini", "gemini-cli"],
  ["opencode", "opencode"],
  ["aider", "aider"],
  ["cursor-agent", "cursor-agent"],
  ["copilot", "copilot-cli"],
  ["pi", "pi"],
  ["llm", "llm"],
  ["ollama", "ollama"],
]);

/** Whose commands make the change, where the maker is a command itself. */
function makersOf({ anatomy }: Subject): readonly string[] {
  return nodesOf(anatomy, "maker").flatMap(({ name, says }) => [name, AGENTS.get(/^\s*(?:\S*\/)?([\w-]+)/.exec(says)?.[1] ?? "") ?? ""]);
}

/** What a maker says to another is no check of it. */
const isWayBack = ({ kind, from }: AnatomyEdge): boolean => kind === "feedback" && !from.startsWith("maker-");

const checksAt: Path = ["verifiers"];
const evaluatorsAt: Path = ["evaluators"];

export const checkDetectors: readonly Detector[] = [
  {
    id: "nothing-can-refuse",
    failure: "F1",
    weight: "error",
    why: "No check of this loop could ever say no.",
    find(subject) {
      const checks = nodesOf(subject.anatomy, "verifier");
      if (checks.some(({ refuses }) => refuses === "yes")) return [];
      const isUnknown = checks.some(({ refuses }) => refuses === "unknown");
      return [
        {
          path: subject.lss ? evaluatorsAt : checksAt,
          problem: isUnknown ? "nobody here can tell whether any of its checks could ever say no" : "none of its checks could ever say no",
          instead: subject.lss
            ? "Add an evaluator that runs a test, counts, or asks another model by criteria that can be missed."
            : "Add a check that exits other than 0 when the work is wrong, such as the test suite.",
          ...(isUnknown ? { weight: "warning" as const } : {}),
        },
      ];
    },
    examples: {
      flags: [
        verifying("npm test || true"),
        evaluators(rubric({ pass_threshold: 0 })),
        evaluators({ id: "magic", type: "deterministic", implementation: "evaluators.magic", runs_after: ["*"] }),
      ],
      passes: [verifying("npm test"), evaluators(rubric())],
    },
  },
  {
    id: "cannot-fail",
    failure: "F5",
    weight: "error",
    why: "A check that says yes to everything proves nothing.",
    find: (subject) => [
      ...(subject.ours?.doubts ?? [])
        .filter(({ code }) => code === "cannot-fail")
        .map(({ path, problem, instead }): Flaw => {
          const run = subject.commands.find((command) => command.path.join() === path.join())?.run ?? "";
          const value = unquieted(run);
          return {
            path,
            problem,
            instead: value === undefined ? instead : `Write ${quoted(value)}.`,
            ...(value === undefined ? {} : { fix: { path, value } }),
          };
        }),
      ...(subject.ours
        ? []
        : nodesOf(subject.anatomy, "verifier").flatMap((check): readonly Flaw[] =>
            check.refuses === "no"
              ? [
                  {
                    path: subject.pathOf(check),
                    problem: `${quoted(check.name)} cannot say no: ${check.doubt}`,
                    instead: "Give it a threshold, a scale and criteria that can be missed, or a command that can fail.",
                  },
                ]
              : [],
          )),
    ],
    examples: {
      flags: [
        verifying("npm test || true"),
        verifying("npm test; exit 0"),
        verifying("true"),
        verifying("timeout 5 true"),
        verifying("echo ok"),
        evaluators(rubric({ pass_threshold: 0 })),
        evaluators(rubric({ dimensions: [{ name: "any", weight: 1, scale: [1, 1], criteria: "Is it right?" }] })),
        evaluators(rubric({ dimensions: [{ name: "any", weight: 1, scale: [0, 1], criteria: "Always passes." }] })),
      ],
      passes: [verifying("npm test"), verifying("npm run build && npm test"), evaluators(rubric())],
    },
  },
  {
    id: "exit-hidden",
    failure: "F5",
    weight: "warning",
    why: "A pipeline ends as its last program does: how the check itself ended is lost.",
    find: ({ commands }) =>
      commands.flatMap(({ path, run, line }): readonly Flaw[] => {
        if (run.includes("pipefail") || run.includes("PIPESTATUS")) return [];
        const last = line.calls.find(
          ({ program, args, stdin }) =>
            (PASSIVE.has(program) || leavesOut(program, args)) && stdin.kind === "piped" && stdin.from.some((call) => !isReadOnly(call)),
        );
        if (last === undefined) return [];
        return [
          {
            path,
            problem: `what comes before ${quoted(`| ${last.program}`)} may fail, and ${quoted(last.program)} ends well all the same`,
            instead: "Write the output to a file with `>`, or run it with `bash -o pipefail -c '…'`.",
          },
        ];
      }),
    examples: {
      flags: [verifying("npm test | tee out.log"), verifying("npm test 2>&1 | tail -20"), verifying("npm test 2>&1 | grep -v ERROR")],
      passes: [
        verifying("npm test > out.log"),
        verifying("bash -o pipefail -c 'npm test | tee out.log'"),
        verifying("git ls-files | sort | diff - files.txt"),
        verifying('test "$(cat version.txt)" = 2'),
      ],
    },
  },
  {
    id: "exit-turned",
    failure: "F5",
    weight: "error",
    why: "It ends well where the check itself does not.",
    find: ({ commands }) =>
      commands.flatMap(({ path, run, line }) =>
        lostExitsIn(run).flatMap((lost): readonly Flaw[] => {
          if (lost.kind === "excused")
            return [
              {
                path,
                problem: `${quoted(`|| ${lost.by}`)} lets some failures of the check pass`,
                instead: "Let the check itself be the last that is run.",
                weight: "warning",
              },
            ];
          // What only looks is often meant the other way round: `! grep -r TODO src`.
          const runs = line.calls.some((call) => call.program === lost.program && !isReadOnly(call));
          return runs
            ? [
                {
                  path,
                  problem: `${quoted(`! ${lost.program}`)} holds when the check fails, and fails when it holds`,
                  instead: "Leave `!` out.",
                },
              ]
            : [];
        }),
      ),
    examples: {
      flags: [verifying("! npm test"), verifying("timeout 10 npm test || test $? = 124")],
      passes: [verifying("npm test"), verifying("! grep -r TODO src && npm test"), verifying("npm test || npm run other")],
    },
  },
  {
    id: "tests-nothing",
    failure: "F5",
    weight: "warning",
    why: "It can fail, and still nothing of the target is tried: it only looks at what is there.",
    find: ({ commands, anatomy, ours }) =>
      ours?.spec.document !== undefined
        ? []
        : commands.flatMap(({ path, run, line }): readonly Flaw[] =>
            line.unclear.length === 0 && line.calls.length > 0 && line.calls.every(isReadOnly) && canFail(run) && !isLookedFor(line.calls)
              ? [
                  {
                    path,
                    problem: `${quoted(run)} runs nothing of the target, so that ${quoted(anatomy.name)} proves nothing by it`,
                    instead: "Run the tests, the compiler or a linter of the target.",
                  },
                ]
              : [],
          ),
    examples: {
      flags: [verifying("git status"), verifying("node --version"), verifying("ls dist && pwd"), verifying("test -f README.md")],
      passes: [
        verifying("npm test"),
        verifying("test -f dist/app.js && node dist/app.js --check"),
        verifying("git ls-files | sort | diff - files.txt"),
        verifying('test "$(cat version.txt)" = 2'),
      ],
    },
  },
  {
    id: "skips-tests",
    failure: "F5",
    weight: "error",
    why: "With this option the runner runs no tests, or is content with none.",
    find: ({ commands }) =>
      commands.flatMap(({ path, line }) =>
        line.calls.flatMap((call): readonly Flaw[] => {
          const option = skips(call);
          return option === undefined
            ? []
            : [{ path, problem: `${quoted(option)} lets ${quoted(call.program)} pass without a test`, instead: "Leave it out." }];
        }),
      ),
    examples: {
      flags: [
        verifying("npx vitest run --passWithNoTests"),
        verifying("mvn -DskipTests verify"),
        verifying("pytest --collect-only"),
        verifying("make -n test"),
        verifying("npm test --if-present"),
        verifying("dotnet test --list-tests"),
        verifying("go test -run XXX ./..."),
      ],
      passes: [
        verifying("npx vitest run"),
        verifying("mvn verify"),
        verifying("pytest -q"),
        verifying("make test"),
        verifying("go test -run TestSum ./..."),
      ],
    },
  },
  {
    id: "opinion-as-proof",
    failure: "F2",
    weight: "error",
    why: "A command that asks a model is an opinion, whatever it exits with, and here it would count as a proof.",
    find: (subject) =>
      subject.commands.flatMap(({ path, line }) =>
        line.calls.flatMap(({ program }): readonly Flaw[] => {
          const agent = AGENTS.get(program);
          if (agent === undefined) return [];
          const isSame = makersOf(subject).includes(agent);
          return [
            {
              path,
              problem: `${quoted(program)} is a model's opinion and counts as a proof here${isSame ? "; it is also the maker" : ""}`,
              instead: "Ask it with the verifier judge, quorum or rubric, beside a proof such as the tests.",
            },
          ];
        }),
      ),
    examples: {
      flags: [
        verifying("claude -p 'Is the change in this folder right?' | grep -q yes"),
        verifying("git diff HEAD~1 | llm 'is this good'"),
      ],
      passes: [verifying("npm test")],
    },
  },
  {
    id: "self-graded",
    failure: "F2",
    weight: "error",
    why: "A model finds its own work good.",
    find(subject) {
      const checks = nodesOf(subject.anatomy, "verifier");
      return checks
        .filter(({ isSelfGraded }) => isSelfGraded)
        .map((check): Flaw => {
          const others = checks.filter(({ refuses, isSelfGraded, about }) => refuses === "yes" && !isSelfGraded && about === "result");
          return {
            path: subject.pathOf(check),
            problem: `${quoted(check.model ?? "the model")} judges what it made itself${others.length === 0 ? ", and nobody else does" : ""}`,
            instead: "Ask a model of another maker, or prove it with a test.",
            ...(others.length > 0 ? { weight: "warning" } : {}),
          };
        });
    },
    examples: {
      flags: [
        evaluators(rubric({}, "gpt-4.1-mini")),
        {
          ours: {
            maker: { use: "anthropic", with: { model: "claude-sonnet-4-5" } },
            verifiers: [
              { use: "command", with: { run: "npm test" } },
              { use: "judge", with: { provider: "anthropic", model: "claude-sonnet-4-5", sameModel: true } },
            ],
          },
        },
      ],
      passes: [
        evaluators(rubric()),
        {
          ours: {
            maker: { use: "anthropic", with: { model: "claude-sonnet-4-5" } },
            verifiers: [
              { use: "command", with: { run: "npm test" } },
              { use: "judge", with: { provider: "ollama", model: "qwen3" } },
            ],
          },
        },
      ],
    },
  },
  {
    id: "form-only",
    failure: "F5",
    weight: "warning",
    why: "Its checks look at how large or where something is, and never at whether it is right.",
    find(subject) {
      const able = nodesOf(subject.anatomy, "verifier").filter(({ refuses }) => refuses === "yes");
      if (able.length === 0 || able.some(({ about }) => about === "result")) return [];
      return [
        {
          path: subject.pathOf(able[0]!),
          problem: `${able.map(({ name }) => quoted(name)).join(", ")} say nothing about whether the work is right`,
          instead: "Add a check of the result itself, such as the tests.",
        },
      ];
    },
    examples: {
      flags: [
        { ours: { verifiers: [{ use: "scope", with: { maxFiles: 5 } }] } },
        evaluators({ id: "short", type: "deterministic", implementation: "evaluators.word_count_max", runs_after: ["*"] }),
      ],
      passes: [
        {
          ours: {
            verifiers: [
              { use: "scope", with: { maxFiles: 5 } },
              { use: "command", with: { run: "npm test" } },
            ],
          },
        },
        evaluators(rubric()),
      ],
    },
  },
  {
    id: "no-way-back",
    failure: "F1",
    weight: "warning",
    why: "What a check refuses must come back to whoever works, else the next round is the same again.",
    find(subject) {
      const { anatomy, lss } = subject;
      const isOnce = anatomy.bounds.rounds === 1;
      if (isOnce || anatomy.composition !== "none" || anatomy.edges.some(isWayBack)) return [];
      return [
        {
          path: lss ? ["feedback_channels"] : [],
          problem: "nothing leads from a check back to a maker, and it goes round more than once",
          instead: lss ? "Add a channel from an evaluator to the worker that should mend it." : "Let a check be heard by the maker.",
        },
      ];
    },
    examples: {
      flags: [
        {
          lss: {
            feedback_channels: [{ id: "loose", source: "workers.writer", destination: "optimization_strategy", format: "structured" }],
          },
        },
      ],
      passes: [{ lss: {} }, { ours: {} }, { ours: { budget: { rounds: 1 } } }],
    },
  },
  {
    id: "judge-drifts",
    failure: "F3",
    weight: "warning",
    why: "A judge that is another one tomorrow, or answers by chance, asks something else of the same work.",
    find: (subject) => [
      ...nodesOf(subject.anatomy, "verifier").flatMap((check): readonly Flaw[] =>
        check.model !== undefined && /(^|[-:@])latest$/i.test(check.model)
          ? [
              {
                path: subject.pathOf(check),
                problem: `${quoted(check.model)} is another model whenever its provider likes`,
                instead: "Name the version.",
              },
            ]
          : [],
      ),
      ...(subject.lss?.evaluators ?? []).flatMap(({ path, fields }): readonly Flaw[] => {
        const temperature = numberOf(fieldsOf(fields.model).temperature) ?? 0;
        return temperature > 0
          ? [
              {
                path: [...path, "model", "temperature"],
                problem: `a judge at temperature ${temperature} gives the same work different marks`,
                instead: "Write 0.",
                fix: { path: [...path, "model", "temperature"], value: 0 },
              },
            ]
          : [];
      }),
    ],
    examples: {
      flags: [
        evaluators({ ...rubric(), model: { provider: "openai", name: "gpt-4.1", temperature: 0.7 } }),
        {
          ours: {
            verifiers: [
              { use: "command", with: { run: "npm test" } },
              { use: "judge", with: { provider: "ollama", model: "mistral:latest" } },
            ],
          },
        },
      ],
      passes: [evaluators(rubric())],
    },
  },
  {
    id: "checks-left-open",
    failure: "F3",
    weight: "warning",
    why: "Tests that the maker may rewrite ask of the change what the maker likes.",
    find: ofOurs(({ spec: { unseal, seal, verifiers, document } }) => {
      if (document !== undefined || unseal.length === 0 || verifiers.some(({ use }) => HARD_TO_FOOL.has(use))) return [];
      const isSealed = isSealedBy({ seal, unseal });
      const open = TESTS.find((path) => !isSealed(path));
      return open === undefined
        ? []
        : [
            {
              path: ["unseal"],
              problem: `tests such as ${quoted(open)} are left open to the maker, and decide about its change`,
              instead: "Seal them again, or add the verifier witness, holdout or mutation.",
            },
          ];
    }),
    examples: {
      flags: [{ ours: { unseal: ["**"] } }, { ours: { unseal: ["test/**"] } }],
      passes: [
        { ours: { unseal: ["package.json"] } },
        { ours: { unseal: ["test/**"], verifiers: [{ use: "mutation", with: { run: "npm test" } }] } },
      ],
    },
  },
  {
    id: "never-good-enough",
    failure: "F6",
    weight: "warning",
    why: "Hardly anything gets full marks from a model, so that right work is refused.",
    find: (subject) => [
      ...(subject.ours?.spec.verifiers ?? []).flatMap(({ use, with: options }, index): readonly Flaw[] =>
        use === "rubric" && numberOf(options?.threshold) === 1 ? [fullMarks(["verifiers", index, "with", "threshold"])] : [],
      ),
      ...(subject.lss?.evaluators ?? []).flatMap(({ path, fields }): readonly Flaw[] =>
        listOf(fieldsOf(fields.rubric).dimensions).length > 0 && (numberOf(fieldsOf(fields.rubric).pass_threshold) ?? 0) >= 1
          ? [fullMarks([...path, "rubric", "pass_threshold"])]
          : [],
      ),
    ],
    examples: { flags: [evaluators(rubric({ pass_threshold: 1 }))], passes: [evaluators(rubric({ pass_threshold: 0.9 }))] },
  },
];

const fullMarks = (path: Path): Flaw => ({ path, problem: "wants full marks of a model", instead: "Write what is good enough, e.g. 0.8." });

const HARD_TO_FOOL = new Set(["witness", "holdout", "mutation"]);
const TESTS = ["test/app.test.ts", "tests/test_app.py", "src/app.test.ts", "spec/app_spec.rb", "app_test.go", "src/test/java/AppTest.java"];

/** `grep -q` and `diff` compare: that is what they are run for. */
const isLookedFor = (calls: readonly Call[]): boolean =>
  calls.some(
    ({ program, args }) =>
      /^(e|f)?grep$|^rg$|^diff$|^cmp$|^comm$|^jq$|sum$/.test(program) ||
      // What a file says is held against what it should say.
      (/^(test|\[)$/.test(program) && calls.length > 1 && args.some(({ text }) => /^(!?=|==|-(eq|ne|lt|le|gt|ge))$/.test(text))),
  );
