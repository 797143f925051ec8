// Every command, as data. Nothing heavy is imported here: `lw --help` must be quick.
import type { CommandRow } from "./call.ts";

const HOME = ["--home <dir>", "where loopwright keeps its journal (default: $LOOPWRIGHT_HOME, else your state folder)"] as const;
const JSON_OUT = ["--json", "print the result as JSON"] as const;
const AS = ["--as <who>", "who decides (default: your login name)"] as const;
const WHY = ["--why <text>", "why, for the record"] as const;
const TREE = ["--tree <id>", "the tree you looked at; refused if another one is proposed now"] as const;

export const COMMANDS: readonly CommandRow[] = [
  {
    name: "demo",
    args: "",
    summary: "see one loop go all the way through, in a throw-away repository",
    about:
      "Makes a repository with a failing test, lets a scripted maker first cheat and then fix the bug, and proposes the fix. Needs no key and no network.",
    options: [["--dir <dir>", "where to make it (default: a new temporary folder)"], JSON_OUT],
    examples: [["lw demo", "under ten seconds"]],
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    name: "run",
    args: "<loop>",
    summary: "run a loop until it rests",
    about:
      "LOOP is a spec file, or the name of one in this folder, .loopwright/ or loops/. An interrupted run of the same spec is finished first.",
    options: [
      ["--if-due", "run only if the spec's trigger says that it is time"],
      ["--again", "run although the last proposal still waits for you"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw run fix.loop.yaml", "run a spec"],
      ["lw run fix --if-due", "from cron: run when it is time, exit 75 when it is not"],
      ["lw run fix --json | jq .exit", "how it ended, for machines"],
    ],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    args: "[loop]",
    summary: "go on with runs that were stopped or killed, and with loops that were paused or halted",
    about:
      "Without LOOP, every interrupted run is finished. What is on record is not done again. With LOOP, a pause or a halt of it ends; with --all, so does `lw stop --all`.",
    options: [AS, WHY, ["--all", "end what `lw stop --all` began"], HOME, JSON_OUT],
    examples: [
      ["lw resume", "finish whatever was interrupted"],
      ["lw resume fix", "only this loop"],
    ],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "status",
    args: "",
    summary: "where every loop stands",
    about: "Shows each loop's last run: how it ended, when, what it cost, and what waits for you.",
    options: [HOME, JSON_OUT],
    examples: [["lw status", "all loops, one line each"]],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "show",
    args: "<run>",
    summary: "what happened in a run, and what was proven",
    about: "RUN is a run id, the start of one, or a loop's name for its last run.",
    options: [
      ["--report", "print the run's report as Markdown"],
      ["--diff", "print the diff that the last round proposed"],
      ["--brief", "print what the maker of the last round was told"],
      ["--output <n>", "print everything that the n-th verifier of the last round printed"],
      ["--records", "print the run's journal records, one JSON a line"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw show fix", "the last run of the loop fix"],
      ["lw show fix --diff | git apply --stat", "what was proposed"],
    ],
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "inbox",
    args: "",
    summary: "everything that waits for you: proposals, questions, halted loops",
    about: "What nobody knows the end of comes first, then what has waited longest. Nothing goes from here before it is decided.",
    options: [
      ["--all", "also what was deferred"],
      ["--tell", "also tell those whom the specs name in `alert`, of what they have not heard"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw inbox", "what to look at, and what to do about it"],
      ["lw inbox --tell", "from cron: after quiet hours, tell what came up"],
    ],
    load: async () => (await import("./commands/inbox.ts")).inbox,
  },
  {
    name: "approve",
    args: "<id>",
    summary: "say yes to a proposal, to exactly the tree that you saw",
    about:
      "ID is a run, the start of its id, or a loop. The tree is verified once more in fresh copies; then the gates are asked, and what the spec names in `act` is done, each with a receipt. Exit 0 when it is settled, 9 when it still waits (for more people, a time, a gate), 1 when it no longer holds.",
    options: [
      AS,
      WHY,
      TREE,
      ["--expires <time>", "how long the yes counts (default: for ever)"],
      ["--dry-run", "say what would move, and move nothing"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw approve fix --as ada --why 'read it'", "the proposal of the loop fix"],
      ["lw approve fix --dry-run", "what would move"],
    ],
    load: async () => (await import("./commands/decide.ts")).approveCommand,
  },
  {
    name: "reject",
    args: "<id>",
    summary: "say no to a proposal, or take something from the inbox",
    about: "ID is a run, the start of its id, or a loop. Its branch stays; nothing of it is ever moved.",
    options: [AS, WHY, TREE, HOME, JSON_OUT],
    examples: [["lw reject fix --why 'wrong place'", "no"]],
    load: async () => (await import("./commands/decide.ts")).rejectCommand,
  },
  {
    name: "amend",
    args: "<id>",
    summary: "take your own commits on a proposal's branch for the proposal",
    about: "Commit to the branch first. From then on that tree is what is decided about; earlier approvals were of another one.",
    options: [AS, WHY, HOME, JSON_OUT],
    examples: [["lw amend fix", "after committing to its branch"]],
    load: async () => (await import("./commands/decide.ts")).amendCommand,
  },
  {
    name: "defer",
    args: "<id>",
    summary: "decide later about a proposal",
    about: "It is not shown until then, and stays where it is.",
    options: [AS, WHY, ["--for <time>", "for how long (default: 1d)"], HOME, JSON_OUT],
    examples: [["lw defer fix --for 3d", "not before the release"]],
    load: async () => (await import("./commands/decide.ts")).deferCommand,
  },
  {
    name: "answer",
    args: "<id> <text...>",
    summary: "answer the question that a maker ended with",
    about: "ID is a run, the start of its id, or a loop. The answer goes to the next round of the same run; go on with `lw resume`.",
    options: [AS, HOME, JSON_OUT],
    examples: [["lw answer fix 'Use the second one.'", "then lw resume fix"]],
    load: async () => (await import("./commands/decide.ts")).answerCommand,
  },
  {
    name: "pause",
    args: "<loop>",
    summary: "let a loop neither run nor move anything until it is resumed",
    about: "LOOP is a loop, or one of its runs. A run that is under way goes on; stop it with `lw stop`. `lw resume LOOP` ends the pause.",
    options: [AS, WHY, HOME, JSON_OUT],
    examples: [["lw pause fix --why 'release week'", "until lw resume fix"]],
    load: async () => (await import("./commands/pause.ts")).pause,
  },
  {
    name: "promote",
    args: "<loop>",
    summary: "what a loop's record says about the next level, and who lets it go there",
    about:
      "Shows what people thought of the last 30 runs, and what had to be taken back. Exit 0 when the record supports the next level, 9 when it does not. An L3 loop whose action was reverted or rejected, that tampered, or whose box was broken is held at L2 by itself, until somebody says --yes. The spec stays the upper bound.",
    options: [AS, WHY, ["--yes", "let it go one level further"], ["--anyway", "although the record does not support it"], HOME, JSON_OUT],
    examples: [
      ["lw promote fix", "what the record says"],
      ["lw promote fix --yes --as ada --why 'the revert was ours'", "let it go further again"],
    ],
    load: async () => (await import("./commands/promote.ts")).promoteCommand,
  },
  {
    name: "check-allowlist",
    args: "[run]",
    summary: "whether a change is inside an allowlist: exit 0, or 7",
    about:
      "RUN is a run with a proposal, judged by its own spec's allowlist and by what is on record about it; without it, two commits of a repository are compared. Every touched name counts, old and new; the list that is always in force counts too, and `lw check-allowlist entries` shows it. What the diff scanner finds closes it.",
    options: [
      ["--repo <dir>", "the repository (default: this folder)"],
      ["--base <commit>", "what the change starts from"],
      ["--head <commit>", "where it ends (default: HEAD)"],
      ["--spec <file>", "take the allowlist of this spec"],
      ["--allow <globs...>", "globs of what may be changed"],
      ["--deny <globs...>", "globs of what may not be changed all the same"],
      ["--loosen <names...>", "entries of the list in force that do not count"],
      ["--files <n>", "how many files may be changed (default: 10)"],
      ["--lines <n>", "how many lines may be changed (default: 200)"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw check-allowlist --base main --head fix --allow 'docs/**'", "two commits"],
      ["lw check-allowlist fix --spec stricter.loop.yaml", "the proposal of the loop fix, by another list"],
      ["lw check-allowlist entries", "what is closed in every loop"],
    ],
    load: async () => (await import("./commands/check-allowlist.ts")).checkAllowlistCommand,
  },
  {
    name: "judge",
    args: "<run>",
    summary: "judge the recorded evidence of a run again, by another spec",
    about:
      "RUN is a run id, the start of one, or a loop's name for its last run. The policy is a whole spec, or only those of level, gate, seal, unseal, budget, outsiders and verifiers that should be others. Nothing is made, run, asked or written. Says for each round what became of it and what would have become of it, and exits as the run would have; with 4, never with 0, where the policy wants to know what nobody looked at.",
    options: [["--policy <file>", "the spec to judge by"], HOME, JSON_OUT],
    examples: [
      ["lw judge fix --policy stricter.yaml", "would the last run of fix have passed?"],
      ["lw judge fix --policy stricter.yaml --json | jq .exit", "the same, for machines"],
    ],
    load: async () => (await import("./commands/judge.ts")).judge,
  },
  {
    name: "referee",
    args: "",
    summary: "judge a change that any agent or person made in a checkout, by a loop's spec",
    about:
      "Takes what lies in the checkout, committed or not, as objects: whatever the index, ignore lists, odd names or marks such as skip-worktree say. Judges it against the commit that it has in common with base, by the spec as it is on base: protected paths, the integrity scan, and the loop's verifiers in clean copies; then looks whether the checkout is still the same. Exit 0 only when it is proven, 7 when a protected path was touched, 4 when it cannot be told (nothing changed, a draft loop, no common commit, ignored protected files without a beginning). Nothing is proposed, moved or written into the checkout.",
    options: [
      ["--base <ref>", "what the change started from (default: the commit of `--begin`, else target.base of the spec)"],
      ["--loop <name>", "the loop on base, or the file of a spec (default: the only one that judges commits)"],
      ["--repo <dir>", "a folder in the checkout (default: this one)"],
      ["--head <commit>", "judge a commit, instead of what lies in the checkout"],
      ["--begin", "before the work: write down the commit, and the hashes of ignored files that are protected"],
      ["--session <id>", "begin, or judge by the beginning of, one session of an agent"],
      ["--sarif <file>", "also write findings and failed checks as SARIF 2.1.0"],
      AS,
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw referee --begin", "before an agent works in the checkout"],
      ["lw referee", "after it: is its change proven?"],
      ["lw referee --base origin/main --loop fix --sarif referee.sarif", "in CI"],
      ["lw referee --head HEAD --base origin/main --json | jq .exit", "only what is committed, for machines"],
    ],
    load: async () => (await import("./commands/referee.ts")).refereeCommand,
  },
  {
    name: "flakes",
    args: "[loop]",
    summary: "tests that are left out of verdicts, since base cannot make up its mind",
    about:
      "A test that now passes and now fails on base itself is put into quarantine by its id, for as long as `flakes.quarantine` of the spec says. Until then how it ends counts neither way; a change that removes or skips it is refused all the same. Without LOOP, those of all loops are shown.",
    options: [["--forget <id>", "end the quarantine of this test now; it counts again from the next run on"], HOME, JSON_OUT],
    examples: [
      ["lw flakes", "all of them, with when they were seen first and until when they are left out"],
      ["lw flakes fix --forget 'cart > adds up'", "it was mended"],
    ],
    load: async () => (await import("./commands/flakes.ts")).flakes,
  },
  {
    name: "spend",
    args: "",
    summary: "what loops have spent, and what is reserved",
    about:
      "Adds up the ledger: money, tokens, calls, time and the rest, by loop, day, maker or model, with the footing of every figure: reported, estimated or unknown. Shows today's caps and what is taken of them.",
    options: [
      ["--by <what>", "loop, day, maker or model (default: loop)"],
      ["--since <day>", "only from this day on, as 2026-11-01"],
      ["--csv", "print the lines as CSV"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw spend", "each loop, since ever"],
      ["lw spend --by day --since 2026-11-01 --csv > november.csv", "for a spreadsheet"],
      ["lw spend --by model --json | jq .lines", "for machines"],
    ],
    load: async () => (await import("./commands/spend.ts")).spend,
  },
  {
    name: "cost",
    args: "<loop>",
    summary: "what a run of a loop would cost, before it runs",
    about:
      "LOOP is a spec file, or the name of one. Tells what earlier runs of the loop came to; without any, what its budget allows at most. Says which of the two it is.",
    options: [HOME, JSON_OUT],
    examples: [["lw cost fix.loop.yaml", "from its history, or from its budget"]],
    load: async () => (await import("./commands/cost.ts")).cost,
  },
  {
    name: "notes",
    args: "<loop>",
    summary: "what makers of a loop wrote down for those who come after them",
    about:
      "Makers may leave notes, which outlive rounds and runs and are shown to later makers of the same loop, newest first, fenced as data. They are strangers' words: a note that reads like an injection is not kept, and those of rounds that read outsiders' text are shown only to rounds that did so too.",
    options: [["--clear", "forget all of them; the record of them stays"], HOME, JSON_OUT],
    examples: [
      ["lw notes fix", "all of them, with the rounds that wrote them"],
      ["lw notes fix --clear", "begin anew"],
    ],
    load: async () => (await import("./commands/notes.ts")).notes,
  },
  {
    name: "stop",
    args: "[loop]",
    summary: "stop a running loop, and leave it resumable",
    about:
      "Asks the process that runs the loop to end its maker and stop. With --abandon the interrupted run is closed for good. With --all, every loop stops and none runs until `lw resume --all`; the file STOP in the home folder does the same.",
    options: [
      ["--all", "stop every loop, and keep all from running"],
      ["--abandon", "close the run for good instead of leaving it resumable"],
      ["--wait <time>", "how long to wait for it to stop (default: 30s)"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw stop fix", "stop now, go on later with lw resume"],
      ["lw stop fix --abandon", "do not go on with it"],
    ],
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "validate",
    args: "<files...>",
    summary: "check specs without running them",
    about: "Reports every problem at once, with file, line and column, and what to write instead.",
    options: [JSON_OUT],
    examples: [["lw validate loops/*.loop.yaml", "exit 0 when all are sound, else 64"]],
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "schema",
    args: "",
    summary: "print the JSON Schema of specs, for editors",
    about: "Made from the same source as the checks. Point your editor at it with `# yaml-language-server: $schema=…`.",
    options: [],
    examples: [["lw schema > loop.schema.json", "then let your editor complete from it"]],
    load: async () => (await import("./commands/schema.ts")).schema,
  },
  {
    name: "parts",
    args: "[name]",
    summary: "list makers, verifiers and other parts, with their options",
    about: "NAME shows only parts of that name.",
    options: [JSON_OUT],
    examples: [
      ["lw parts", "all of them"],
      ["lw parts command", "only those called command"],
    ],
    load: async () => (await import("./commands/parts.ts")).parts,
  },
  {
    name: "guard",
    args: "[command...]",
    summary: "ask the command guard whether a shell command may run",
    about:
      "Parses the command as Bash and decides allow (exit 0), ask (exit 9) or deny (exit 2), with findings that say why. `lw guard rules` lists the rules.",
    options: [
      ["--explain", "also show which part of the command is meant, and which policy line settled it"],
      ["--cwd <dir>", "the folder it would run in (default: this one)"],
      ["--level <level>", "judge it for a loop of this level; at L1 only what is known to read passes"],
      ["--jsonl", 'read lines {"cmd": …, "cwd"?: …} and answer each with a line {"decision", "findings"}'],
      JSON_OUT,
    ],
    examples: [
      ['lw guard "git push --force"', "denied, and why"],
      ['lw guard "rm -rf node_modules"', "allowed: it is inside the folder"],
      ["lw guard rules", "what it looks for"],
    ],
    load: async () => (await import("./commands/guard.ts")).guard,
  },
  {
    name: "scan-diff",
    args: "[file]",
    summary: "see whether a change fakes its own success",
    about:
      "Reads a unified diff from FILE or standard input, or compares two commits of a repository, and looks for tests removed, disabled or weakened, checks loosened, and code that only pleases its tests. Exit 0 when nothing above low was found, 5 when something was, 4 when not all of it could be understood. `lw scan-diff rules` lists the rules.",
    options: [
      ["--repo <dir>", "compare commits of this repository (default: this folder)"],
      ["--base <ref>", "the commit before the change"],
      ["--head <ref>", "the commit after it (default: HEAD)"],
      ["--worktree", "compare base (default: HEAD) with what lies on disk, also what git ignores"],
      ["--jsonl", 'read lines {"id": …, "diff": …} and answer each with a line {"id", "verdict", "findings"}'],
      ["--sarif", "print SARIF 2.1.0, for code hosts"],
      JSON_OUT,
    ],
    examples: [
      ["lw scan-diff --base main --head fix", "what a branch changes, by objects, which no .gitattributes can hide"],
      ["git diff main... | lw scan-diff", "a diff that is piped in"],
      ["lw scan-diff --base origin/main --sarif > scan.sarif", "for a code host"],
      ["lw scan-diff rules", "what it looks for"],
    ],
    load: async () => (await import("./commands/scan-diff.ts")).scanDiffCommand,
  },
  {
    name: "scan-text",
    aliases: ["scan-injection"],
    args: "[file]",
    summary: "look for orders to an AI in text from outside",
    about:
      "FILE is a file, or - for standard input. Reads the text in every way it can be read (hidden, encoded, disguised, in nine languages) and adds up what it finds. Exit 0 when there is nothing or little, 6 for an injection, 4 when not all of it could be looked at. `lw scan-text --list` lists the signals.",
    options: [
      ["--jsonl", 'read lines {"id": …, "text": …} and answer each with a line {"id", "severity", "score", "signals"}'],
      ["--sarif", "print the result as SARIF 2.1.0"],
      ["--list", "list what it looks for"],
      JSON_OUT,
    ],
    examples: [
      ["lw scan-text page.html --json", "what was found, with its line, for machines"],
      ["gh issue view 7 --json body -q .body | lw scan-text -", "before an agent reads an issue"],
      ["lw scan-injection README.md --sarif > found.sarif", "for a code-scanning page"],
      ["lw scan-text --jsonl < texts.jsonl", "many at once; a line that cannot be read is answered with severity unknown"],
    ],
    load: async () => (await import("./commands/scan-text.ts")).scanTextCommand,
  },
  {
    name: "redact",
    args: "[file]",
    summary: "take secrets out of text",
    about:
      "FILE is a file, or - for standard input, which is also the default. Writes the same bytes with every key, token, password and private key replaced by a placeholder such as [redacted:github-token:3f9a2c1b]; the same secret gets the same placeholder. Values of your environment that look secret are found too, also encoded. Takes input of any size, and leaves bytes that are no text as they are.",
    options: [
      ["--check", "write nothing but where secrets are, and exit 1 when there are any"],
      ["--list", "list the kinds it knows"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw redact server.log > shown.log", "a log that can be shown to others"],
      ["npm test 2>&1 | lw redact", "the same, as it comes"],
      ["git diff --cached | lw redact --check -", "exit 1, with line and kind, when a commit would hold a secret"],
      ["lw redact server.log --json | jq .redactions", "what was found, and how often"],
    ],
    load: async () => (await import("./commands/redact.ts")).redact,
  },
  {
    name: "verify",
    args: "<repo> <ids...>",
    summary: "look cited commit ids up in a repository",
    about:
      "Every ID must be a commit of REPO: a full object id, or an abbreviation of at least 7 digits that stands for one object. Names, expressions and paths are not looked up. With - for an ID they are read from standard input, one a line. Exit 0 when all are commits, 3 when one is fabricated, 4 when it cannot be told: not a repository, somebody else's, shallow or partial, ambiguous, or git redirected by the environment.",
    options: [JSON_OUT],
    examples: [
      ["lw verify . 1a2b3c4 5d6e7f8", "exit 0 when both are commits, 3 when one is made up"],
      ["git log --format=%H | lw verify . -", "any number at once"],
      ["lw verify . 1a2b3c4 --json | jq .lookups", "what became of each, for machines"],
    ],
    load: async () => (await import("./commands/verify.ts")).verify,
  },
  {
    name: "verify-iso",
    args: "<repo> <ids...>",
    summary: "look commit ids up in two ways that must agree",
    about:
      "As verify, and besides: each object's id is derived again from its own bytes, and history is asked whether it is a commit. Where the two disagree, as with a damaged or forged object, that is a gap: exit 8.",
    options: [JSON_OUT],
    examples: [
      ["lw verify-iso . 1a2b3c4", "exit 0 only when both ways call it a commit"],
      ["git log --format=%H | lw verify-iso . -", "the whole history"],
    ],
    load: async () => (await import("./commands/verify.ts")).verifyIso,
  },
  {
    name: "hook",
    args: "<action> [agent]",
    summary: "put the command guard into another coding agent",
    about:
      "ACTION is install, uninstall, list, or run (which the agent calls). Installing merges into the agent's settings, shows what changes, can be repeated, and is undone by uninstall.",
    options: [
      ["--user", "for all your projects, instead of this one"],
      ["--dry-run", "show what would change, and write nothing"],
      JSON_OUT,
    ],
    examples: [
      ["lw hook list", "which agents, and what to know about each"],
      ["lw hook install claude-code --dry-run", "what would change"],
      ["lw hook install claude-code", "every shell command of the agent now passes the guard"],
      ["lw hook uninstall claude-code", "as it was before"],
    ],
    load: async () => (await import("./commands/hook.ts")).hook,
  },
  {
    name: "doctor",
    args: "",
    summary: "check what this machine has: git, Node, agents, sandbox, store",
    about: "Says unknown where it cannot tell. Exit 0 when everything a loop needs is there, else 1.",
    options: [HOME, JSON_OUT],
    examples: [["lw doctor", "before the first run"]],
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "completions",
    args: "<shell>",
    summary: "print completions for bash, zsh or fish",
    about: "SHELL is bash, zsh or fish.",
    options: [],
    examples: [
      ["lw completions bash > ~/.local/share/bash-completion/completions/lw", "bash"],
      ["lw completions fish > ~/.config/fish/completions/lw.fish", "fish"],
    ],
    load: async () => (await import("./commands/completions.ts")).completions,
  },
];
