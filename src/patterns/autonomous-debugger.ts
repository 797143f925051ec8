// Autonomous debugger: reproduce, diagnose, mend, with tests that decide.
import type { Pattern } from "../contract/pattern.ts";

export const autonomousDebugger: Pattern = {
  kind: "loop",
  name: "autonomous-debugger",
  purpose: "Reproduce a failure, find its cause, and mend that.",
  invariant: "Nothing is mended before somebody wrote down how it fails, and only the tests say that it is mended.",
  needs: ["a model", "a command that fails because of the bug"],
  text: `name: autonomous-debugger
intent: Find why the check fails, mend the cause, and leave everything else as it is.
level: L2
inputs:
  task: { type: text, about: What fails, required: true }
team:
  workers:
    reproducer: { role: "Say how it fails, with the command and what it prints.", use: {{use}}, with: {{with}}, reads: [inputs.task, repo], tools: [list, read, search, run], gives: { as: markdown, file: failure.md } }
    diagnostician: { role: Rank what may cause it by what was seen., use: {{use}}, with: {{with}}, reads: [reproducer, repo], tools: [list, read, search], gives: { as: markdown } }
    patcher: { role: Mend the cause with the least change., use: {{use}}, with: {{with}}, reads: [inputs.task, reproducer, diagnostician], gives: { as: commit } }
  proposes: [patcher]
verifiers:
  - { id: reproduced, use: check, of: [reproducer], before: [patcher], with: { run: "grep -Eqi 'fails|error|exit' failure.md" } }
  - { id: tests, use: command, with: { run: {{test}} } }
  - { id: small, use: scope, with: { maxFiles: 10, maxLines: 300 } }
budget: { rounds: 8, usd: $4.00, perRound: { usd: $1.00 } }
`,
};
