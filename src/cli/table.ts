// Every command, as data. Nothing heavy is imported here: `lw --help` must be quick.
import type { CommandRow } from "./call.ts";
import { WEB_OPTIONS } from "./web-options.ts";

const HOME = ["--home <dir>", "where loopwright keeps its journal (default: $LOOPWRIGHT_HOME, else your state folder)"] as const;
const JSON_OUT = ["--json", "print the result as JSON"] as const;
const AS = ["--as <who>", "who decides (default: your login name)"] as const;
const NO_WAIT = ["--no-wait", "do not wait where another run writes to the same repository: say who does, and exit 75"] as const;
const WHY = ["--why <text>", "why, for the record"] as const;
const TREE = ["--tree <id>", "the tree you looked at; refused if another one is proposed now"] as const;

const EDITING = "Editing a loop";
const ABOUT_LOOPS = "What a loop is and what it is worth";

const FROM = [
  "--from <dialect>",
  "whose file it is, where its shape does not tell: lss, strive, loopgen, harness-rs, symphony, gh-aw, archon, ralph, claude-task",
] as const;

const LIBRARY = ["--library <folder...>", "where files that it refers to are looked for, besides its own folder"] as const;

/** What a file of another system cannot know. */
const BINDINGS = [
  FROM,
  [
    "--provider <name=url...>",
    "where models of a provider are asked, the variable of its key, and whose form is spoken there: openai=https://HOST/v1,VARIABLE,anthropic",
  ],
  ["--use <part>", "who works where the file names no model: a maker, or a provider and a model, such as anthropic:MODEL"],
  ["--test <command>", "how the tests are run"],
  [
    "--set <name=value...>",
    "what else is asked: length.most=100, ID.run=COMMAND for an evaluator that only has a name, ids=rename, merge.strategy=synthesize",
  ],
  ["--commits", "results become commits of the repository"],
  LIBRARY,
] as const;

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
    name: "init",
    aliases: ["new", "start"],
    args: "[dir]",
    summary: "write a loop for this repository, from what can be seen of it",
    about:
      "Looks at the repository that DIR (default: this folder) is in (`lw scan`), runs its tests once on base in a clean copy, with no agent called, asks what cannot be seen, and writes .loopwright/NAME.loop.yaml with a comment on every choice, after showing what would change. A second time nothing is changed: what you edited stays, and only what is said with --agent, --test and --at is changed, each by itself. Where no tests are found, the loop only reports.",
    options: [
      ["--yes", "ask nothing: take what was seen, and write"],
      ["--agent <maker>", "who makes the changes (default: the agent on the PATH)"],
      ["--test <command>", "how the tests are run (default: as seen)"],
      ["--at <time>", "when it wakes by itself every day, or `by hand`"],
      ["--name <name>", "what the loop is called (default: by the repository)"],
      ["--no-try", "do not run the tests"],
      ["--dry-run", "write nothing"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw init", "look, ask, show, write"],
      ["lw init --yes && lw run fix-shop", "the same without questions, and the first run"],
      ["lw init --yes --agent codex --at 05:00", "who, and when"],
      ["lw init --dry-run --json | jq -r .text", "only the text"],
    ],
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "intent",
    args: "<sentence...>",
    summary: "from one sentence to a loop for this repository",
    about:
      "Reads SENTENCE by its structure: what should be done, to what, and when; never by single words. Takes the loop that fits (mend, watch, format, lint, upkeep, tests, change, or, to think something through, a ready-made one of `lw patterns`), fills it with what `lw scan` sees, and prints its spec; what it was read as, why, and the runner-up go to standard error. Where the sentence does not say, it asks one question, or ends with exit 64 and says so.",
    options: [
      ["--out <file>", "write it there instead of printing it; a file that is there stays as it is"],
      ["--agent <maker>", "who makes the changes (default: the agent on the PATH)"],
      ["--level <level>", "L1, L2 or L3 (default: by what it does)"],
      ["--means <what>", "what is meant, where the sentence does not say: mend, watch, format, lint, upkeep, tests, change or think"],
      [
        "--ask-model <provider:model>",
        "ask this model where the sentence does not say; no model is ever asked otherwise, and this costs $0.50 at most",
      ],
      ["--base-url <url>", "where that model is asked"],
      ["--repo <dir>", "the repository (default: this folder)"],
      JSON_OUT,
    ],
    examples: [
      ['lw intent "Whenever a test breaks on main, repair it"', "print the spec"],
      ['lw intent "Tell me every morning what landed" --out .loopwright/morning.loop.yaml', "write it"],
      ['lw intent "Make it better" --means change', "say what a sentence leaves open"],
    ],
    load: async () => (await import("./commands/intent.ts")).intent,
  },
  {
    name: "scan",
    args: "[dir]",
    summary: "what can be seen of a repository: commands, tests, CI, agents; each with where it stands",
    about:
      "Reads the files of the repository that DIR (default: this folder) is in, runs nothing of it and writes nothing. Tells languages, packages and workspaces, package managers, commands for tests, lint, types, build and format, what CI runs, how the result of every test can be read, the default branch, the forge, and agents on the PATH; how sure each is, and what was not found.",
    options: [JSON_OUT],
    examples: [
      ["lw scan", "this repository"],
      ["lw scan ../shop --json | jq '.scan.checks[0]'", "how its tests are run and read"],
    ],
    load: async () => (await import("./commands/scan.ts")).scan,
  },
  {
    name: "run",
    args: "<loop>",
    summary: "run a loop until it rests",
    about:
      "LOOP is a spec file, or the name of one in this folder, .loopwright/ or loops/. An interrupted run of the same spec is finished first. A file of the Loop Specification Standard is run as it is where everything that it says has a counterpart; what it cannot know is told by --provider, --use, --test, --set and --commits.",
    options: [
      ["--if-due", "run only if a time of its trigger came since its last run, or since `lw add`; at once where neither was"],
      ["--again", "run although the last proposal still waits for you"],
      NO_WAIT,
      ["--input <name=value...>", "what the run is told, as the spec's `inputs` declare it; lists and maps as JSON"],
      ["--input-file <name=path...>", "the same from a file, or from standard input with `-`"],
      ...BINDINGS,
      ["--waking <key>", "for `lw serve`: run a loop of this home for a waking that is due, and for no other"],
      ["--resuming <run>", "for `lw serve`: take up a run of it that was interrupted, if its repository and the machine have room"],
      ["--trial", "for `lw serve`: one round of the spec on standard input, as if it lay at LOOP, and at most a proposal"],
      ["--telling", "for `lw serve`: tell what is heard of the run on descriptor 4, one JSON a line"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw run fix.loop.yaml", "run a spec"],
      ["lw run brief --input topic=caches --input-file notes=notes.md", "tell it what this run is about"],
      ["lw run fix --if-due", "from cron: run when it is time, exit 75 when it is not"],
      ["lw run fix --json | jq .exit", "how it ended, for machines"],
    ],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "serve",
    args: "",
    summary: "wake the loops of this home when it is time, until it is stopped",
    about:
      "Looks after the specs that were added with `lw add`, wakes each loop by its trigger, and shows what wakes and rests. Serves the dashboard and prints the link to it, which has the home's token in it; where the usual port is taken, it says so and goes on without. Each run is a process of its own. The first stop wakes nothing more and lets runs finish for a while (`drain` in machine.yaml), then stops them so that they can be resumed; the second stops at once. A hang-up signal reads everything again, unless it comes from the terminal.",
    options: [
      [
        "--once",
        "do one tick, wait for what it started and let those go on who had no room, and end with the gravest exit of them, 64 where a spec is wrong: for cron and CI; without the dashboard",
      ],
      ...WEB_OPTIONS,
      ["--as <who>", "who decides in the dashboard (default: your login name)"],
      HOME,
      ["--json", "print one JSON a line"],
    ],
    examples: [
      ["lw serve", "in the foreground; `lw open` shows the dashboard"],
      ["lw serve --listen 127.0.0.1:8080", "with the dashboard at another port"],
      ["lw serve --once", "from cron, where nothing may stay"],
    ],
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "service",
    args: "<action>",
    summary: "keep the daemon running as a service of yours: systemd or launchd",
    about:
      "ACTION is install, remove or status. Writes a unit or an agent of your own user that starts `lw serve` for this home, with this Node and this PATH, and starts it.",
    options: [["--dry-run", "show what install would write or remove would take away, and do nothing"], HOME, JSON_OUT],
    examples: [
      ["lw service install --dry-run", "what it would be"],
      ["lw service install", "from now on"],
    ],
    load: async () => (await import("./commands/service.ts")).service,
  },
  {
    name: "resume",
    args: "[loop]",
    summary: "go on with runs that were stopped or killed, with what was approved, and with loops that were paused or halted",
    about:
      "Without LOOP, every interrupted run is finished, and what was approved and is not settled is carried out. What is on record is not done again. With LOOP, a pause or a halt of it ends, and an account that has reached a limit is tried all the same; with --all, so does `lw stop --all`. Then nothing that was approved before moves yet: the next `lw run`, `lw approve` or `lw resume` carries it out.",
    options: [AS, WHY, ["--all", "end what `lw stop --all` began"], NO_WAIT, HOME, JSON_OUT],
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
    about:
      "Shows each loop's last run: how it ended, when, what it cost, and what waits for you; and which accounts of makers have reached a limit.",
    options: [HOME, JSON_OUT],
    examples: [["lw status", "all loops, one line each"]],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "open",
    args: "",
    summary: "open the dashboard in the browser",
    about:
      "Prints the link to the dashboard of this home and opens it. The link has the home's token in it: whoever has it may look and decide. `lw serve` serves it.",
    options: [["--print", "only print the link"], HOME, JSON_OUT],
    examples: [
      ["lw open", "see every loop, and decide, in the browser"],
      ["lw open --print", "only the link, to open it elsewhere"],
    ],
    load: async () => (await import("./commands/open.ts")).open,
  },
  {
    name: "add",
    args: "<paths...>",
    summary: "let this home look after loops, so that they are woken by themselves",
    about:
      "PATHS are spec files, and folders whose *.loop.yaml, *.loop.yml and *.loop.json are specs, those that come later too. A file that changes is read again; one that is wrong is told once, and its loop is not woken until it is right. A spec that a loop merged by itself is not obeyed before somebody adds it. Exit 64 when something is wrong; what is right is added all the same. A loop is first woken at its next time, or with --now once as soon as possible.",
    options: [["--now", "also wake each of these loops once, as soon as `lw serve` runs"], AS, HOME, JSON_OUT],
    examples: [
      ["lw add fix.loop.yaml", "one loop"],
      ["lw add ~/loops .loopwright", "every spec in two folders, and those that come there later"],
      ["lw add fix.loop.yaml --now", "and do not wait for its first time"],
    ],
    load: async () => (await import("./commands/loops.ts")).add,
  },
  {
    name: "remove",
    args: "<what...>",
    summary: "let this home look after loops no more",
    about:
      "WHAT is a loop, its spec file, or a folder that was added. Nothing is deleted: what is on record stays, and `lw add` brings it back. A loop that comes from a folder which stays is left out of it. A run that is under way goes on.",
    options: [AS, HOME, JSON_OUT],
    examples: [
      ["lw remove fix", "one loop"],
      ["lw remove ~/loops", "all that come from this folder"],
    ],
    load: async () => (await import("./commands/loops.ts")).remove,
  },
  {
    name: "loops",
    args: "",
    summary: "the loops that this home looks after",
    about: "Shows where each spec lies, what wakes its loop and when next, and what is wrong or keeps it. `lw status` tells of their runs.",
    options: [HOME, JSON_OUT],
    examples: [
      ["lw loops", "all of them"],
      ["lw loops --json | jq '.loops[] | select(.isRight | not)'", "those whose spec is wrong"],
    ],
    load: async () => (await import("./commands/loops.ts")).loops,
  },
  {
    name: "schedule",
    args: "[loop]",
    summary: "when loops wake next, what became of their last wakings, and why one did not run",
    about:
      "Without LOOP, all that this home looks after. Every time at which a loop should have run has a record of what became of it: it ran, was skipped and why, was missed since nothing was running, joined another, or could not be started. Nothing is written.",
    options: [
      ["--simulate <time>", "list the times of the next so long, with jitter, windows and changes of the clocks"],
      ["--why", "explain why LOOP did not run: now, or at the time given with --at"],
      ["--at <moment>", "with --why: the moment, as an ISO time; one that names no zone is of this machine's"],
      ["--last <n>", "list so many of the last wakings of each loop instead of 3"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw schedule", "next and last wakings of every loop"],
      ["lw schedule fix --last 50", "what became of its last fifty times"],
      ["lw schedule fix --simulate 30d", "what its spec would do in the next month"],
      ["lw schedule ./fix.loop.yaml --simulate 30d", "the same of a file, before it is added"],
      ["lw schedule fix --why --at 2026-11-01T02:00:00Z", "what became of that night"],
    ],
    load: async () => (await import("./commands/schedule.ts")).schedule,
  },
  {
    name: "tick",
    args: "",
    summary: "what would wake at a moment",
    about:
      "Decides as `lw serve` would decide at that moment, by what is on record now and as if there were room for every run, and writes nothing.",
    options: [["--now <moment>", "the moment, as an ISO time (default: now)"], HOME, JSON_OUT],
    examples: [
      ["lw tick", "what is due now"],
      ["lw tick --now 2026-11-01T02:00:00Z --json", "what would be due then, for machines"],
    ],
    load: async () => (await import("./commands/schedule.ts")).tick,
  },
  {
    name: "show",
    args: "<run>",
    summary: "what happened in a run, and what was proven",
    about: "RUN is a run id, the start of one, or a loop's name for its last run.",
    options: [
      ["--report", "print the run's report as Markdown"],
      ["--diff", "print the diff that the last round proposed, or that a person is asked about"],
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
    name: "report",
    args: "<run>",
    summary: "the proof report of a run, as Markdown or as a page",
    about:
      "RUN is a run id, the start of one, or a loop's name for its last run. Tells what was asked, made, checked, found, decided and moved, with hashes and outputs, from the records alone. Nothing that a command printed can leave its block or pass for a line of the report. The page stands alone: it loads nothing and runs nothing.",
    options: [["--html", "as one HTML page"], ["--out <file>", "write it there instead of printing it"], HOME, JSON_OUT],
    examples: [
      ["lw report fix", "the last run of the loop fix, as Markdown"],
      ["lw report fix --html --out proof.html", "as a page to send around"],
    ],
    load: async () => (await import("./commands/report.ts")).report,
  },
  {
    name: "inbox",
    args: "",
    summary: "everything that waits for you: proposals, questions, halted loops, what did not come",
    about:
      "What nobody knows the end of comes first, then what has waited longest. Nothing goes from here before it is decided. Goes by the records alone: a proposal that you merged or threw away by hand leaves it with --tell, or when its loop is woken or decided about next.",
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
    name: "refresh",
    args: "<id>",
    summary: "put a proposal on the base of today, and verify it there",
    about:
      "For a proposal whose base moved since it was verified. Where the change applies cleanly, it becomes a commit on base as it is now, is verified again in full, and keeps its run, its cost and, as long as it is the same change in the same files, every yes. Where others changed the same files, it is verified too, and what people said of it counts no more. Where they changed the same lines, nothing is moved, and the next run of the loop is told what it was. The same is done by itself before a yes is carried out.",
    options: [AS, HOME, JSON_OUT],
    examples: [["lw refresh fix", "after somebody else merged something"]],
    load: async () => (await import("./commands/decide.ts")).refreshCommand,
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
    name: "review",
    args: "<id> <yes|no>",
    summary: "say yes or no to what a run asks a person",
    about:
      "ID is a run, the start of its id, or a loop. A run whose spec has the verifier `human` waits in the inbox once every other check holds. What is said counts for exactly the tree that was asked about, once, and only in time: silence is never a yes. Go on with `lw resume`.",
    options: [AS, WHY, HOME, JSON_OUT],
    examples: [
      ["lw review fix yes", "then lw resume fix"],
      ["lw review fix no --why 'It drops the old name.'", "the reason goes to the next round"],
    ],
    load: async () => (await import("./commands/review.ts")).reviewCommand,
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
      "LOOP is a spec file, or the name of one. Tells what a run and a day by its trigger come to, in money, tokens and time, as a range: from its own runs where at least three are in the ledger, else from 2,000 runs that are played through round by round, with everything assumed said. Beside it stand the caps of the budget and of the machine.",
    options: [HOME, JSON_OUT],
    examples: [
      ["lw cost fix.loop.yaml", "from its history, or from a simulation"],
      ["lw cost fix --json | jq .forecast.day.spent.microUsd.high", "what one day of ten goes beyond, in millionths of a dollar"],
    ],
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
    name: "evolve",
    args: "<loop>",
    summary: "how a loop's own changes of its instructions did, and a way back",
    about:
      "A loop with `improve` may change what its maker or its workers are told or set to. Shows every version, what it was made from, the metric before and after it, and why it was undone. With --to, the next runs begin with that version, or with `spec`: the instructions as they are written; who said so is on record. That is also how a version is taken that was only proposed. New instructions never act alone.",
    options: [
      ["--to <version>", "what the next runs begin with: a version, its first letters, or spec"],
      AS,
      ["--why <text>", "why, for the record"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw evolve brief", "the lineage, oldest first"],
      ["lw evolve brief --to spec --as ada", "begin again with what the spec says"],
      ["lw evolve brief --json | jq '.versions[] | [.version, .before, .after]'", "for machines"],
    ],
    load: async () => (await import("./commands/evolve.ts")).evolve,
  },
  {
    name: "calibrate",
    args: "<loop>",
    summary: "hold a rubric against examples that people labelled",
    about:
      'Asks the judges of a rubric about each example, as if it had been proposed, and says how far they agree with people: how often, how much of that is more than chance (Cohen\'s kappa), whether they order things alike (Spearman), for each dimension, with the range in which each figure lies nineteen times in twenty; and no more than so many examples allow. An example is a line of JSON: {"text": …} with "label" (good or bad, yes or no, pass or fail, true or false), "marks" by dimension on the rubric\'s own scale, or "score" from 0 to 1. What it costs goes through the meter and counts for the spec\'s budget. The result is on record, and stands beside every later verdict of exactly this rubric.',
    options: [
      ["--examples <file>", "labelled examples, one JSON value a line; - for standard input"],
      ["--verifier <id>", "which rubric, where the spec has more than one"],
      ["--usd <amount>", "what all of it may cost, instead of the spec's budget"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw calibrate brief --examples labelled.jsonl", "how far its rubric agrees with people"],
      ["lw calibrate brief.loop.yaml --examples labelled.jsonl --usd '$0.50' --json | jq .agreement.labels.kappa", "for machines"],
    ],
    load: async () => (await import("./commands/calibrate.ts")).calibrateCommand,
  },
  {
    name: "patterns",
    args: "[action] [name]",
    summary: "ready-made loops and ways of thinking: list, show, write",
    about:
      "ACTION is list (which is what it does without one), show or write. Each is a spec that runs as it is: fourteen ways of thinking, and six whole loops. Told are its level in the taxonomy, what it needs, what always holds of it, and what one run on a scripted model cost and scored: measured, and by what a model of yours does only its own runs tell. The models and the test command are yours to name.",
    options: [
      ["--out <file>", "of write: where to"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      ["--to <format>", "of show and write: lss for a document of the Loop Specification Standard"],
      ["--provider <name>", "who is asked: a maker of `lw parts` that asks a model, such as anthropic or openai-compatible"],
      ["--model <model>", "the model that makes"],
      ["--judge <model>", "the model that judges: another one"],
      ["--base-url <url>", "where both are asked"],
      ["--test <command>", "the command that proves a change, or writes its score"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw patterns", "which there are, and what always holds of each"],
      ["lw patterns show planning", "the text of one"],
      ["lw patterns write verification --out fix.loop.yaml --test 'npm test'", "one of your own"],
      ["lw patterns write writing-assistant --to lss --out writing-assistant.yaml", "a loop of the library for tools of the standard"],
    ],
    load: async () => (await import("./commands/patterns.ts")).patterns,
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
    args: "<paths...>",
    summary: "check specs without running them",
    about:
      "Reports every problem at once, with file, line and column, and what to write instead. A folder stands for the specs in it. Together they are checked as a home would: two of one name, loops that would wake one another for ever or in too long a chain. A file of another system is recognised by its shape, and checked by that system's own schema and rules: the Loop Specification Standard, Strive, loopgen, harness-rs, Symphony and Sortie, gh-aw, Archon, Ralph.",
    options: [FROM, LIBRARY, JSON_OUT],
    examples: [
      ["lw validate loops/", "all specs of a folder, also against one another; exit 0 when all are sound, else 64"],
      ["lw validate research.lss.yaml", "LSS 1.0, 1.1, LSS-min or the list dialect before them"],
      ["lw validate WORKFLOW.md prd.json", "files of other systems"],
    ],
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "lint",
    args: "[paths...]",
    summary: "what is wrong with loops, and what can go wrong with them, before they run",
    about:
      "PATHS are specs, files of other systems, and folders with loops in them (default: this folder). Besides every problem that `lw validate` tells, it looks for the twelve ways in which loops fail: checks that cannot say no or judge their own work, loops without an end, budgets that do not hold or cannot be kept, workers that nobody reads, goals that are met by chance, guards that are off, secrets. Each finding has its place, why, and what to write. Exit 0 when nothing weighs (notes do not), 1 when something does, 64 when a file is no sound loop. Nothing is run.",
    options: [
      ["--fix", "write what is certain into the files, one value at a time; all else stays as it is"],
      ["--rules", "list what is looked for"],
      ["--sarif", "print SARIF 2.1.0, which code hosts show beside the lines"],
      JSON_OUT,
    ],
    examples: [
      ["lw lint", "every loop below this folder"],
      ["lw lint fix.loop.yaml --fix", "mend what is certain"],
      ["lw lint research.lss.yaml --json | jq '.files[0].findings'", "a document of the Loop Specification Standard"],
    ],
    load: async () => (await import("./commands/lint.ts")).lint,
  },
  {
    name: "audit",
    args: "<loop>",
    summary: "what level a loop is ready for, by its spec and its record, and what is missing",
    about:
      "LOOP is a spec file, the name of one in this folder, .loopwright/ or loops/, or a file of another system. Holds what `lw lint` finds and what is on record against what each level asks for: L1 wants a loop that is not in vain, L2 nothing wrong with it, a proof and proven runs, L3 an allowlist and people who took its proposals as they were. Only runs with the same maker and the same checks count. It is never ready for more than both show. Exit 0 when it is ready for what it claims, 1 when it claims more, 64 when it is no sound spec.",
    options: [HOME, JSON_OUT],
    examples: [
      ["lw audit fix", "what it is ready for, and what is missing"],
      ["lw audit fix --json | jq .readyFor", "for machines"],
    ],
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  {
    name: "fmt",
    args: "<files...>",
    group: EDITING,
    summary: "lay specs out in one settled form, with every comment and in their order",
    about:
      "Writes the files anew: two spaces, one kind of quotes, room in braces. Comments, order and what the spec says stay; a file of which that could not be kept is left alone. Doing it twice is doing it once.",
    options: [["--check", "write nothing; exit 1 where a file differs"], JSON_OUT],
    examples: [
      ["lw fmt .loopwright/*.loop.yaml", "all of them"],
      ["lw fmt --check loops/*.loop.yaml", "in CI"],
    ],
    load: async () => (await import("./commands/fmt.ts")).fmt,
  },
  {
    name: "minify",
    args: "<file>",
    group: EDITING,
    summary: "the shortest text of the same spec",
    about: "Leaves out comments and whatever holds anyway. The spec's hash, by which runs know it, is the same.",
    options: [
      ["--out <file>", "write it there instead of printing it"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      JSON_OUT,
    ],
    examples: [["lw minify fix.loop.yaml", "what it says beyond what holds anyway"]],
    load: async () => (await import("./commands/minify.ts")).minify,
  },
  {
    name: "fork",
    args: "<from> <name>",
    group: EDITING,
    summary: "a new loop from an existing one, with changes",
    about:
      "Writes NAME.loop.yaml beside FROM, a spec or the name of one, with its comments and in its order. What the new loop may do that the old one may not is told, and written only with --yes; else exit 9. Its record starts anew.",
    options: [
      ["--set <path=value...>", "a value by its path, such as budget.usd=$1.00 or verifiers[0].with.run='npm test'"],
      ["--mix <overlays...>", "lay overlays over it; `lw mix --list` shows them"],
      ["--out <file>", "where it is written"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      ["--yes", "also where something is loosened"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw fork fix fix-docs --set 'task=Mend the links in docs.' --mix careful", "stricter, and about something else"],
      ["lw fork fix fix-more --set budget.usd=$10.00 --yes", "what is loosened must be meant"],
    ],
    load: async () => (await import("./commands/fork.ts")).fork,
  },
  {
    name: "mix",
    args: "[loop] [overlays...]",
    group: EDITING,
    summary: "lay overlays such as careful, cheap and nightly over a loop",
    about:
      "An overlay is a piece of a spec: maps are gone into, lists are added to, values are replaced. What it would loosen is left as it is and told, unless --yes says that it is meant. Besides careful, cheap and nightly, those in `overlays/NAME.yaml` of the home are known; `mix: [careful, …]` in one makes a recipe of others. Prints the spec, or writes it with --write or --out.",
    options: [
      ["--list", "which overlays there are"],
      ["--write", "write it into its own file, and show what changed"],
      ["--out <file>", "write it there"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      ["--yes", "also what is loosened"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw mix --list", "what there is"],
      ["lw mix fix careful nightly --write", "stricter, and every night"],
    ],
    load: async () => (await import("./commands/fork.ts")).mix,
  },
  {
    name: "compose",
    args: "<name> <loops...>",
    group: EDITING,
    summary: "one loop of several that change the same target",
    about:
      "Each of LOOPS becomes a worker of a team, with its own maker, task and share of the budget. In a row each begins with what the one before it changed; with --side all begin with base, and what they changed is brought together. Every check, seal and gate of every one of them holds for the whole, at L2. What would be lost is refused or told.",
    options: [
      ["--side", "side by side instead of in a row"],
      ["--out <file>", "write it there instead of printing it"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      JSON_OUT,
    ],
    examples: [
      ["lw compose mend-and-tidy fix.loop.yaml format.loop.yaml --out mend-and-tidy.loop.yaml", "first mend, then tidy what that left"],
    ],
    load: async () => (await import("./commands/compose.ts")).compose,
  },
  {
    name: "import",
    args: "<file>",
    summary: "put another system's loop into a spec of ours",
    about:
      "Reads a file of the Loop Specification Standard, Strive (loop.json), loopgen, harness-rs, Symphony or Sortie (WORKFLOW.md), GitHub Agentic Workflows, Archon, Ralph (prd.json) or a scheduled task of Claude Code, prints the spec, and says what became of each thing that the file says: translated, tightened, always so, added, without meaning, or lost. Nothing is loosened without being called lost, and nothing that the file cannot know is made up. Exit 0 when all that matters was kept, 9 when something was lost, 64 when something must be said first.",
    options: [
      ["--out <file>", "write the spec to a file instead of printing it"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      ...BINDINGS,
      JSON_OUT,
    ],
    examples: [
      ["lw import coding-agent.yaml --commits --test 'npm test'", "the spec, and on stderr what became of the file"],
      ["lw import repair.yaml --use claude-code --test 'npm test' --out repair.loop.yaml", "a file that names no model"],
      ["lw import prd.json --use claude-code --test 'npm test'", "the open stories of a Ralph loop as one task"],
      ["lw import NOTES.md --from symphony --test 'npm test'", "a file whose shape does not tell whose it is"],
    ],
    load: async () => (await import("./commands/import.ts")).importSpec,
  },
  {
    name: "export",
    args: "<file>",
    summary: "put a loop into another system's words",
    about:
      "Writes a spec of ours as a document of the Loop Specification Standard, or a document of the standard in another of its forms; or what another system needs to start the loop: a workflow of GitHub Actions, a skill by which Claude Code does the task with the referee behind it, lines for crontab, or a timer of systemd. Says what that has no room for.",
    options: [
      ["--to <system>", "lss, github-actions, claude-code, crontab or systemd"],
      ["--form <form>", "lss: 1.0, 1.1 or min (default: 1.1)"],
      ["--out <file>", "write it to a file instead of printing it; in JSON if its name ends in .json"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      JSON_OUT,
    ],
    examples: [
      ["lw export fix.loop.yaml --to lss --out fix.lss.yaml", "what the standard has no words for is on stderr"],
      ["lw export research.lss.yaml --to lss --form min", "what a system prompt needs of it"],
      ["lw export fix.loop.yaml --to github-actions --out .github/workflows/fix.yml", "a workflow that runs it at its times"],
      ["lw export fix.loop.yaml --to claude-code --out .claude/skills/fix/SKILL.md", "a skill with the referee behind it"],
    ],
    load: async () => (await import("./commands/export.ts")).exportSpec,
  },
  {
    name: "score",
    args: "<of>",
    group: ABOUT_LOOPS,
    summary: "what a loop is worth: measured on its runs, or estimated from its spec",
    about:
      "OF is a loop for all its runs over time, a run or the start of its id, or a file: a spec of ours or one of the Loop Specification Standard. Gives the Loop Effectiveness Score, each of its eight dimensions measured on named runs, estimated from the spec alone (then it is called lint score), or missing and left out of the sum. What a file says of its own worth is refused, and told. With --compat, FILE is scored as one of the standard's own tools does, to its digit: core and loopctl take specs, loopctl also a Loop Trace, loopnet and loopgym records, loopbench a submission with --task. `schema/score.schema.json` is the schema of --json.",
    options: [
      ["--explain", "show every formula with its numbers"],
      ["--compat <tool>", "the number of core, loopctl, loopnet, loopbench or loopgym, named as theirs"],
      ["--task <files...>", "with --compat loopbench: the tasks that it is about; write it last"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw score fix", "all runs of fix, with how sure that is"],
      ["lw score fix.loop.yaml --explain", "what its spec lets one expect, and why"],
      ["lw score research.yaml --compat loopctl", "what loopctl would say of it"],
      ["lw score submission.json --compat loopbench --task LB-CR-1.task.yaml", "what LoopBench would say, from its runs"],
    ],
    load: async () => (await import("./commands/score.ts")).score,
  },
  {
    name: "compare",
    args: "<a> <b>",
    group: ABOUT_LOOPS,
    summary: "which of two is better: specs by what they say, runs by what happened",
    about:
      "A and B are two files (specs of ours or of the Loop Specification Standard), or two that are on record: a loop for all its runs, LOOP@HASH for those of one version of its spec (`lw score LOOP` lists them), or a run. Of runs it tells how many were proven, scores, cost, time and rounds, by exact tests that suppose no shape: what so few runs do not show is told as cannot tell, with how many would be the least. Of specs it tells lint scores, bounds and parts; which of them is better only runs can show. `schema/compare.schema.json` is the schema of --json.",
    options: [HOME, JSON_OUT],
    examples: [
      ["lw compare fix fix-with-critic", "the runs of two loops"],
      ["lw compare fix@3f2a fix@9c1b", "the runs of two versions of one"],
      ["lw compare fix.loop.yaml research.yaml", "what two specs let one expect"],
    ],
    load: async () => (await import("./commands/compare.ts")).compare,
  },
  {
    name: "diagram",
    args: "<loop>",
    group: ABOUT_LOOPS,
    summary: "draw a loop from its spec, as Mermaid or SVG",
    about:
      "LOOP is a file, ours or one of the Loop Specification Standard, the name of a spec here, or a loop or run that is on record. Draws inputs, memory, guards, makers, verifiers, the way back, gates, actions, ends and the loops inside it. Labels are escaped. Mermaid draws at most 500 edges: of a larger loop the first of each kind are shown, and how many more there are; the SVG has all.",
    options: [
      ["--svg", "an SVG that stands alone, instead of Mermaid"],
      ["--out <file>", "write it to this file"],
      ["--force", "with --out, also over a file that is there; never over what it is made of"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw diagram fix", "Mermaid, for a page that draws it"],
      ["lw diagram research.yaml --svg --out research.svg", "a picture"],
    ],
    load: async () => (await import("./commands/anatomy.ts")).diagram,
  },
  {
    name: "level",
    args: "<loop>",
    group: ABOUT_LOOPS,
    summary: "which of the six levels of the taxonomy a loop is of, and why",
    about:
      "LOOP as with diagram. Single-step, reflective, multi-agent, evolutionary, self-modifying or recursive meta, by the deepest that goes on inside one round; with what would raise or lower it, and what its level wants that it lacks. The level in a file is told and not believed. How far a loop may go by itself (L1 to L3) is another thing: `lw promote`.",
    options: [HOME, JSON_OUT],
    examples: [["lw level fix", "and what would raise it"]],
    load: async () => (await import("./commands/anatomy.ts")).level,
  },
  {
    name: "complexity",
    args: "<loop>",
    group: ABOUT_LOOPS,
    summary: "how much there is to a loop: parts, ways through it, calls at most",
    about: "LOOP as with diagram. Counts what stands in it, how its makers wait for each other, and how often somebody is called at most.",
    options: [HOME, JSON_OUT],
    examples: [["lw complexity crew.yaml", "before somebody pays for it"]],
    load: async () => (await import("./commands/anatomy.ts")).complexity,
  },
  {
    name: "explain",
    args: "<loop>",
    group: ABOUT_LOOPS,
    summary: "tell a loop as L = (S, A, O, T, E, M, τ), and what it lacks of a loop",
    about:
      "LOOP as with diagram. Its state, actions, observations, transitions, evaluators, memory and ends, from its spec and, where it ran, from its records; and which of trigger, external verifier, durable state and stop rule it lacks.",
    options: [HOME, JSON_OUT],
    examples: [["lw explain fix", "what it is, formally"]],
    load: async () => (await import("./commands/anatomy.ts")).explain,
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
      ["--jsonl", 'read lines {"cmd": …, "cwd"?: …} and answer each with a line {"decision", "findings"}; ends like the gravest'],
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
      ["--jsonl", 'read lines {"id": …, "diff": …} and answer each with a line {"id", "verdict", "findings"}; ends like the gravest'],
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
      [
        "--jsonl",
        'read lines {"id": …, "text": …} and answer each with a line {"id", "severity", "score", "signals"}; ends like the gravest',
      ],
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
    name: "annotate",
    args: "<sarif>",
    summary: "show findings in a GitHub job: annotations beside the lines, and a summary that no output can forge",
    about:
      "SARIF is a file of `lw referee` or `lw scan-diff --sarif`, or - for standard input. Prints workflow commands, or with --summary Markdown for $GITHUB_STEP_SUMMARY. Exits as the first step of --ended that did not end well; findings that cannot be read are 4.",
    options: [
      ["--summary", "print the job's summary in place of annotations"],
      ["--ended <steps>", "how the steps ended, e.g. referee=5,ledger=0; one without a number was not heard of and is never good"],
      JSON_OUT,
    ],
    examples: [
      ["lw annotate referee.sarif", "annotations, one a line"],
      ['lw annotate referee.sarif --summary --ended referee=0,ledger=0 >> "$GITHUB_STEP_SUMMARY"', "the summary of the job"],
    ],
    load: async () => (await import("./commands/annotate.ts")).annotate,
  },
  {
    name: "hook",
    args: "<action> [agent]",
    summary: "put the command guard, and the referee, into another coding agent or before a push",
    about:
      "ACTION is install, uninstall, list, or run (which the agent calls). Installing merges into the agent's settings, shows what changes, can be repeated, and is undone by uninstall. With --referee the agent's change is also judged before it stops, by a beginning that is written down when its session starts; after three refusals in a row it may stop all the same, and the record says so. AGENT git puts the referee before every push of this repository, and never over a hook of yours; with --wake it tells the daemon to look at refs when somebody commits, merges or pushes here.",
    options: [
      ["--referee", "also judge what the agent did before it stops, or what git pushes"],
      ["--loop <name>", "with --referee: the loop to judge by (default: the only one that judges commits)"],
      ["--base <ref>", "with --referee: what the change started from (default: where the session began, or what the remote has)"],
      ["--remote <name>", "which remote git pushes to; for its own hook"],
      ["--wake", "with git: tell the daemon to look, instead of waiting until it does"],
      ["--user", "for all your projects, instead of this one"],
      ["--dry-run", "show what would change, and write nothing"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw hook list", "which agents, and what to know about each"],
      ["lw hook install claude-code --dry-run", "what would change"],
      ["lw hook install claude-code", "every shell command of the agent now passes the guard"],
      ["lw hook install claude-code --referee --loop fix", "and it does not stop before its change is proven"],
      ["lw hook install git --referee", "nothing is pushed from here that is not proven"],
      ["lw hook install git --wake", "loops that wait for a ref wake as soon as it moves"],
      ["lw hook uninstall claude-code", "as it was before"],
    ],
    load: async () => (await import("./commands/hook.ts")).hook,
  },
  {
    name: "receipt",
    args: "<what> <of>",
    summary: "the signed proof of a run: show, export or verify it, or sign it once more in CI",
    about:
      "OF is a run, the start of its id, a loop for its last run, a commit that a loop made, or a file. Receipts are in-toto statements in DSSE envelopes. With --key nothing but the file is looked at: verify needs no home, no journal and no network. Exit 0 when it is genuine, 4 when nothing could be checked, 5 when it is not what was signed. Genuine says who signed it, not that the run was accepted: it tells that too.",
    options: [
      ["--key <files...>", "public keys that count (default: those of this home, and those that receipts.yaml trusts)"],
      ["--repo <dir>", "look its commit up in this repository"],
      ["--commit <id>", "it must be about this commit"],
      ["--out <file>", "export, sign: write it to this file"],
      ["--sigstore [bundle]", "sign: with the identity of this CI job; verify: this bundle, against what is pinned"],
      ["--identity <id>", "verify: who must have signed the bundle; `*` at its end, after / or @, is any rest"],
      ["--issuer <url>", "verify: who must vouch for that identity"],
      ["--trusted-root <file>", "verify: the trusted_root.json of the Sigstore instance that you trust"],
      ["--fulcio-url <url>", "sign: another certificate authority than the public one"],
      ["--rekor-url <url>", "sign: another log than the public one"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw receipt show fix", "what the last run of fix was, and what proves it"],
      ["lw receipt export fix --out fix.receipt.json", "for somebody else"],
      ["lw receipt verify fix.receipt.json --key loopwright.pub", "by somebody else, offline"],
      ["lw receipt sign fix --sigstore --out fix.sigstore.json", "in a CI job that has an identity"],
      [
        "lw receipt verify fix.receipt.json --sigstore fix.sigstore.json --identity 'https://github.com/ada/app/.github/workflows/check.yml@*' --issuer https://token.actions.githubusercontent.com --trusted-root trusted_root.json",
        "by somebody who knows which job to expect",
      ],
    ],
    load: async () => (await import("./commands/receipt.ts")).receipt,
  },
  {
    name: "ledger",
    args: "<what> [paths...]",
    summary: "the journal as proof: verify, export, checkpoint, check; and what it all came to: summary, aggregate",
    about:
      "verify reads everything of this home, with the outputs, diffs and reports that records name by their hash, and compares it with what was signed; or it checks exported chains: exit 0 when whole, 4 when nothing could be checked, 5 when something was changed, and the first bad record is named. export writes every record and a signed end. checkpoint signs now. check is a merge gate: every loop in --require must have proven exactly this commit, the latest result wins, and nothing on record fails. summary counts the runs of this home. aggregate counts those in files and folders at any depth: homes of Loopwright, exported chains, and the ledgers of loopgen and Strive; copies of a run count once, and a bad file is named and hides nothing. Both exit 0 only when every source is whole, else 4.",
    options: [
      ["--key <files...>", "verify, check, aggregate: public keys that count; write paths before it"],
      ["--out <file>", "export: write to this file"],
      ["--require <loops>", "check: loops that must have proven it, with commas between"],
      ["--commit <id>", "check: the commit (default: HEAD)"],
      ["--repo <dir>", "check: the repository (default: this folder)"],
      ["--html <file>", "summary, aggregate: also write a page that stands alone"],
      HOME,
      JSON_OUT,
    ],
    examples: [
      ["lw ledger verify", "this home"],
      ["lw ledger export --out journal.jsonl", "all of it, with a signed end"],
      ["lw ledger verify journal.jsonl --key loopwright.pub", "on another machine"],
      ["lw ledger check --require fix --commit HEAD", "as a merge gate"],
      ["lw ledger summary", "every run of this home, counted"],
      ["lw ledger aggregate ~/code /mnt/backup --html ledger.html", "many repositories on one page"],
    ],
    load: async () => (await import("./commands/ledger.ts")).ledger,
  },
  {
    name: "key",
    args: "<what>",
    summary: "the key that receipts are signed with: show, export, rotate",
    about:
      "It is made on first use and lies in loopwright's home, where only you may read it. export prints the public half. rotate makes a new one, which the old one signs in; the old private half is deleted.",
    options: [["--all", "export: also the keys that were in use before"], AS, HOME, JSON_OUT],
    examples: [
      ["lw key export > loopwright.pub", "for those who check your receipts"],
      ["lw key rotate --as ada", "when somebody may have seen it"],
    ],
    load: async () => (await import("./commands/key.ts")).key,
  },
  {
    name: "doctor",
    args: "",
    summary: "check what this machine has: git, Node, agents, sandbox, store",
    about:
      "Says unknown where it cannot tell. Exit 0 when everything a loop needs is there, else 1. With --box it says instead what commands of a loop's maker and verifiers would see.",
    options: [["--box <loop>", "what the boxes of this loop would show and hide"], HOME, JSON_OUT],
    examples: [
      ["lw doctor", "before the first run"],
      ["lw doctor --box fix", "when a command does not find something"],
    ],
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
    load: async () => (await import("./commands/completions.ts")).completionsOf(COMMANDS),
  },
];
