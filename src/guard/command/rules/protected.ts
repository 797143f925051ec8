// Rules about places that belong to git, to the loop and to those who check it.
import type { Call } from "../call.ts";
import type { CommandRule } from "../rule.ts";

const family = "protected";

const WRITERS = new Set(["rm", "mv", "cp", "tee", "chmod", "ln", "truncate", "install", "touch", "unlink", "shred", "dd"]);

const WRITING = [">", ...WRITERS, "sed", "perl"];

/** What a call writes to, moves or removes, as far as its words tell. */
function written(call: Call): readonly string[] {
  const redirected = call.redirects.filter(({ operator }) => operator.includes(">")).map(({ target }) => target.text);
  const words = call.args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
  if (call.program === "sed" || call.program === "perl")
    return call.args.some(({ text }) => /^-[a-zA-Z]*i/.test(text)) ? [...redirected, ...words] : redirected;
  if (!WRITERS.has(call.program)) return redirected;
  if (call.program === "dd") return [...redirected, ...words.filter((word) => word.startsWith("of=")).map((word) => word.slice(3))];
  return [...redirected, ...(call.program === "cp" || call.program === "install" || call.program === "ln" ? words.slice(-1) : words)];
}

const find =
  (isMeant: RegExp): CommandRule["find"] =>
  (call) => {
    const path = written(call).find((text) => isMeant.test(text));
    return path === undefined ? undefined : `${call.program} … ${path}`;
  };

const DECISIONS = new Set(["approve", "reject", "amend", "defer", "answer", "promote", "pause", "resume", "stop"]);

export const protectedRules: readonly CommandRule[] = [
  {
    id: "git-folder-touched",
    family,
    severity: "high",
    why: "This writes into .git itself, past git.",
    instead: "Use git's own commands.",
    programs: WRITING,
    find: find(/(^|\/)\.git(\/(?!ignore|attributes|hub|modules$)|$)/),
    examples: {
      flags: ["rm -rf .git", "echo x > .git/config", "cp hook .git/hooks/pre-commit", "mv .git /tmp/x", "rm .git/index.lock"],
      passes: ["cat .git/config", "ls .git", "rm -f .gitignore", "cp .git/config /tmp/x"],
    },
  },
  {
    id: "loop-decisions",
    family,
    severity: "critical",
    why: "This decides about a loop: what it proposed, whether it runs, or how far it may go.",
    instead: "Leave that to a human.",
    programs: ["lw", "loopwright"],
    find: ({ program, args }) => {
      const verb = args.map(({ text }) => text).find((text) => !text.startsWith("-"));
      // Who is judged does not say since when.
      if (verb === "referee" && args.some(({ text }) => text === "--begin")) return `${program} referee --begin`;
      const words = args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
      if (verb === "parts" && /^(?:dis)?trust$/.test(words[1] ?? "")) return `${program} parts ${words[1]}`;
      return verb !== undefined && DECISIONS.has(verb) ? `${program} ${verb}` : undefined;
    },
    examples: {
      flags: [
        "lw approve fix --as ada",
        "lw promote fix --yes",
        "loopwright reject fix",
        "lw stop --all",
        "true && lw resume --all",
        "lw referee --begin",
        "lw parts trust ./checks/links.mjs",
      ],
      passes: [
        "lw inbox",
        "lw show fix",
        "lw referee --base main",
        "lw check-allowlist --base main --allow 'docs/**'",
        "echo lw approve fix",
      ],
    },
  },
  {
    id: "loop-files",
    family,
    severity: "critical",
    why: "This changes what governs the loop itself: its spec, its policy, or its journal.",
    instead: "Leave the loop's own files to a human.",
    programs: WRITING,
    find: find(
      /(^|\/)\.loopwright(\/|$)|\.loop\.(ya?ml|json)$|(^|\/)loopwright\/(journal|artifacts|locks|rounds)|(^|\/)journal\.(db|head)$/,
    ),
    examples: {
      flags: [
        "echo x > .loopwright/policy.yaml",
        "rm -rf .loopwright",
        "sed -i s/L2/L3/ fix.loop.yaml",
        "rm ~/.local/state/loopwright/journal.db",
        "cp evil .loopwright/policy.yaml",
      ],
      passes: ["cat .loopwright/policy.yaml", "lw validate fix.loop.yaml", "cp fix.loop.yaml /tmp/x", "sed -n 1p fix.loop.yaml"],
    },
  },
  {
    id: "ci-files",
    family,
    severity: "medium",
    why: "This changes what CI runs, and so what counts as passing.",
    instead: "Propose it as a change of its own, for a human to look at.",
    programs: WRITING,
    find: find(
      /(^|\/)(\.github\/(workflows|actions)\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.buildkite\/|Jenkinsfile$|azure-pipelines\.ya?ml$|\.travis\.yml$|\.drone\.yml$|\.woodpecker)/,
    ),
    examples: {
      flags: ["rm .github/workflows/ci.yml", "echo x >> .gitlab-ci.yml", "sed -i 's/test/true/' .circleci/config.yml"],
      passes: ["cat .github/workflows/ci.yml", "ls .github/workflows", "mkdir -p .github/workflows"],
    },
  },
];
