// Files of other systems for tests, written here after their public formats: none of them is anybody else's.
import type { Bindings } from "../../src/dialects/translation.ts";

/** One file that says everything its format has words for, and one in which much is wrong. */
export interface ForeignFile {
  readonly dialect: string;
  readonly file: string;
  readonly sound: string;
  readonly bindings: Bindings;
  /** Text, and every problem of it as `line:col path [code]`. */
  readonly broken: { readonly text: string; readonly problems: readonly string[] };
}

export const NOTHING: Bindings = { providers: new Map(), use: undefined, test: undefined, set: new Map(), commits: false, libraries: [] };

const CLAUDE: Bindings = { ...NOTHING, use: { part: "claude-code", model: undefined }, test: "npm test" };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const STRIVE_TRIAGE = json({
  id: "watch-main",
  kind: "git-commit-triage",
  phase: "L1",
  cadence: "1d",
  paused: false,
  state_file: ".loop-state/state.json",
  target: { repo: ".", refs: ["main"], first_run_since: "7 days ago" },
  budget: { max_tokens: 50000, max_iterations: 1, wall_clock_secs: 300 },
});

export const strive = (changes: object = {}): string =>
  json({
    id: "fix-value",
    kind: "assisted-fix",
    phase: "L3",
    cadence: "6h",
    paused: false,
    priority: 95,
    state_file: ".loop-state/state.json",
    target: { repo: ".", base_ref: "main", refs: ["main"], first_run_since: "7 days ago" },
    budget: { max_tokens: 200000, max_iterations: 3, wall_clock_secs: 600 },
    task: "Make value() return 2.",
    test_command: "sh test.sh",
    maker: { type: "openai", model: "some-model", base_url: "https://models.example/v1", api_key_env: "SOME_KEY", note: "mine" },
    maker_command: "sh fix.sh",
    allowlist: { allow_globs: ["docs/**"], deny_globs: ["**/auth/**"], max_files: 5, max_lines: 80 },
    connectors: [{ name: "issues", scope: "read", write_tools: ["close"] }],
    ...changes,
  });

const LOOPGEN = `version: "0.1"
project: shop
generatedBy: loopgen
generatedAt: 2026-06-18T10:00:00.000Z
loops:
  - id: test-repair
    title: Repair failing tests
    category: maintenance
    audience: [developer]
    difficulty: standard
    expectedOutcome: The suite is green again.
    goal: Repair failing tests of shop.
    trigger: {type: test_failure, cadence: daily, sources: [tests]}
    contextSources: [README.md, package.json]
    actions: [Reproduce the failure first., Make the smallest change.]
    verification:
      commands: [npm run test]
      acceptanceCriteria: All tests pass.
      makerChecker: true
      requiresHumanCommandDefinition: false
    stopCriteria:
      maxIterations: 3
      timeoutMinutes: 45
      requireHumanInputOn: [Production credentials are needed.]
    stateFile: .loopgen/state/test-repair.md
    permissions:
      allowedCommands: [npm run test]
      forbiddenPaths: [.env, "secrets/**", "**/*credential*"]
      allowNetwork: false
      allowPrCreation: false
    adapters: [codex, claude]
`;

const HARNESS = json({
  name: "ci-sweeper",
  intent: "Keep the default branch green by proposing fixes.",
  level: "l2-assisted",
  cadence: "daily 04:00",
  budget: { max_input_tokens: 300000, max_output_tokens: null, max_total_tokens: 400000, max_iters_per_round: 20 },
  maker_prompt: "If CI is red, reproduce it and make the smallest fix.",
  checker_prompt: "Does the build pass, and did nothing else change?",
  action_kind: "apply-patch",
});

const SYMPHONY = `---
tracker:
  kind: linear
  api_key: $LINEAR_API_KEY
  project_slug: shop-board
  active_states: [Todo, In Progress]
  terminal_states: [Done]
polling:
  interval_ms: 30000
workspace:
  root: ~/work
hooks:
  after_create: git clone https://example.com/shop.git .
  before_run: make generate
  after_run: make fmt
  before_remove: rm -f lock
  timeout_ms: 120000
agent:
  max_concurrent_agents: 4
  max_turns: 8
  max_retry_backoff_ms: 300000
  max_concurrent_agents_by_state: {todo: 1}
codex:
  command: codex app-server
  model: some-model
  reasoning_effort: high
  approval_policy: never
  thread_sandbox: danger-full-access
  turn_timeout_ms: 3600000
  read_timeout_ms: 5000
  stall_timeout_ms: 300000
server: {port: 0}
---

You are working on {{ issue.identifier }}: {{ issue.title }}.

{{ issue.description }}
`;

const GH_AW = `---
name: Weekly tidy
description: Tidies the documentation.
intent: Keep the documentation true.
on:
  schedule:
    - cron: "30 6 * * 1"
      timezone: Europe/Berlin
  push:
    branches: [main]
  workflow_dispatch:
    inputs:
      topic: {description: What to look at, required: true, type: string}
  issues:
    types: [opened]
permissions:
  contents: read
engine:
  id: claude
  model: some-model
network:
  allowed: [defaults, api.example.com]
tools:
  edit:
  bash: [make]
  github: {toolsets: [default]}
safe-outputs:
  create-pull-request: {labels: [docs], draft: true}
  add-comment: {}
runs-on: ubuntu-latest
timeout-minutes: 15
max-turns: 40
strict: true
steps:
  - run: make
---
Look at \${{ github.event.inputs.topic }} and tidy it.
`;

const ARCHON = `name: plan-and-build
description: Plan a change, build it, and check it.
provider: claude
model: some-model
tags: [demo]
interactive: false
worktree: {enabled: true}
budget: {max_spend_usd: 4, max_work_units: 12}
nodes:
  - id: plan
    description: Think first.
    prompt: Write a plan for $ARGUMENTS into PLAN.md.
    maxBudgetUsd: 1
    allowed_tools: [Read]
  - id: build
    depends_on: [plan]
    loop:
      prompt: Do the next step of the plan. $plan.output
      until: COMPLETE
      until_bash: npm run typecheck
      max_iterations: 6
      fresh_context: true
  - id: test
    depends_on: [build]
    bash: npm test
    timeout: 120000
  - id: approve
    depends_on: [test]
    trigger_rule: all_success
    approval: {message: Is it good?}
`;

const RALPH = json({
  project: "Shop",
  branchName: "ralph/task-priority",
  description: "Priorities for tasks",
  verificationCommands: { typecheck: "npm run typecheck", test: "npm test" },
  userStories: [
    {
      id: "US-002",
      title: "Show it",
      description: "As a user I see it.",
      acceptanceCriteria: ["A badge is there"],
      priority: 2,
      passes: false,
      notes: "Use the old badge.",
    },
    {
      id: "US-001",
      title: "Store it",
      description: "As a developer I store it.",
      acceptanceCriteria: ["A column is there"],
      priority: 1,
      passes: false,
      notes: "",
    },
    { id: "US-000", title: "Done already", description: "", acceptanceCriteria: [], priority: 0, passes: true, notes: "" },
  ],
});

const CLAUDE_TASK = `---
name: morning-tidy
description: Tidy what yesterday left behind.
model: some-model
allowed-tools: [Read]
---

Look at what landed yesterday and tidy what it left behind.
`;

export const FOREIGN: readonly ForeignFile[] = [
  {
    dialect: "strive",
    file: "loop.json",
    sound: strive(),
    bindings: NOTHING,
    broken: {
      text: '{"id": "", "kind": "assisted-fix", "phase": "L1", "cadence": "daily",\n "target": {"repo": "."}, "budget": {"max_tokens": -1}, "banana": 1}\n',
      problems: [
        "1:1 task [missing]",
        "1:1 test_command [missing]",
        "1:8 id [out-of-range]",
        "1:45 phase [phase-fits-kind]",
        "1:62 cadence [cadence]",
        "2:52 budget.max_tokens [out-of-range]",
        "2:57 banana [unknown-key]",
      ],
    },
  },
  {
    dialect: "loopgen",
    file: ".loopgen/loopgen.loop.yaml",
    sound: LOOPGEN,
    bindings: NOTHING,
    broken: {
      text: "generatedBy: loopgen\nloops:\n  - id: a\n    verification: {commands: test}\n    stopCriteria: {timeoutMinutes: 0}\n  - id: a\n",
      problems: [
        "3:5 loops[0].permissions [missing]",
        "4:30 loops[0].verification.commands [wrong-type]",
        "5:36 loops[0].stopCriteria.timeoutMinutes [out-of-range]",
        "6:5 loops[1].verification [missing]",
        "6:5 loops[1].stopCriteria [missing]",
        "6:5 loops[1].permissions [missing]",
        "6:9 loops[1].id [ids-unique]",
      ],
    },
  },
  {
    dialect: "harness-rs",
    file: "ci-sweeper.json",
    sound: HARNESS,
    bindings: {
      ...CLAUDE,
      set: new Map([
        ["judge", "anthropic:judge-model"],
        ["zone", "Europe/Berlin"],
      ]),
    },
    broken: {
      text: '{"name": "x", "maker_prompt": "", "level": "L1", "cadence": "daily 25:00",\n "budget": {"max_iters_per_round": 0}, "checker_prompt": 1}\n',
      problems: [
        "1:1 intent [missing]",
        "1:1 action_kind [missing]",
        "1:44 level [unknown-value]",
        "1:61 cadence [cadence]",
        "2:36 budget.max_iters_per_round [out-of-range]",
        "2:58 checker_prompt [wrong-type]",
      ],
    },
  },
  {
    dialect: "symphony",
    file: "WORKFLOW.md",
    sound: SYMPHONY,
    bindings: { ...NOTHING, test: "npm test" },
    broken: {
      text: "---\ntracker: {}\nagent: {max_turns: many}\nhooks: [a]\n---\n",
      problems: ["2:10 tracker.kind [missing]", "3:20 agent.max_turns [wrong-form]", "4:8 hooks [wrong-type]", "6:1 body [missing]"],
    },
  },
  {
    dialect: "gh-aw",
    file: ".github/workflows/weekly-tidy.md",
    sound: GH_AW,
    bindings: { ...NOTHING, test: "npm test", set: new Map([["repo", "octo/shop"]]) },
    broken: {
      text: "---\non: 7\nengine: 3\ntimeout-minutes: -1\n---\n",
      problems: ["2:5 on [unknown-value]", "3:9 engine [unknown-value]", "4:18 timeout-minutes [out-of-range]", "6:1 body [missing]"],
    },
  },
  {
    dialect: "archon",
    file: ".archon/workflows/plan.yaml",
    sound: ARCHON,
    bindings: NOTHING,
    broken: {
      text: "name: x\nnodes:\n  - {id: a, prompt: p, bash: b, depends_on: [z]}\n  - {id: a}\n  - {id: c, loop: {prompt: p}, depends_on: [c]}\n",
      problems: [
        "1:1 description [missing]",
        "3:5 nodes[0] [one-mode]",
        "3:46 nodes[0].depends_on[0] [names-exist]",
        "4:5 nodes[1] [one-mode]",
        "4:10 nodes[1].id [ids-unique]",
        "5:19 nodes[2].loop.max_iterations [missing]",
        "5:19 nodes[2].loop [loop-ends]",
        "5:44 nodes[2].depends_on [acyclic]",
      ],
    },
  },
  {
    dialect: "ralph",
    file: "prd.json",
    sound: RALPH,
    bindings: { ...NOTHING, use: { part: "claude-code", model: undefined } },
    broken: {
      text: '{"project": 3, "userStories": [{"id": "A", "title": ""}, {"id": "A", "title": "t", "passes": "no"}]}\n',
      problems: [
        "1:13 project [wrong-type]",
        "1:53 userStories[0].title [out-of-range]",
        "1:65 userStories[1].id [ids-unique]",
        "1:94 userStories[1].passes [wrong-type]",
      ],
    },
  },
  {
    dialect: "claude-task",
    file: "home/.claude/scheduled-tasks/morning-tidy/SKILL.md",
    sound: CLAUDE_TASK,
    bindings: { ...NOTHING, test: "npm test", set: new Map([["schedule", "0 9 * * 1-5"]]) },
    broken: {
      text: "---\nname: 3\ndescription: [a]\n---\n",
      problems: ["2:7 name [wrong-type]", "3:14 description [wrong-type]", "5:1 body [missing]"],
    },
  },
];
