// Rules about version control: what loses work, rewrites history, or leads fetches and pushes elsewhere.
import type { Call } from "../call.ts";
import { type Flags, flagsOf } from "../flags.ts";
import type { CommandRule } from "../rule.ts";
import { skipOptions } from "../unwrap.ts";

const family = "git";

interface GitCall {
  readonly verb: string;
  readonly flags: Flags;
  readonly words: readonly string[];
  readonly texts: readonly string[];
}

/** Options before the verb (`git -C repo -c a=b push`) are git's own. */
function gitCall(call: Call, valued = "", long: readonly string[] = []): GitCall {
  const start = skipOptions(call.args, "Cc", ["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"]);
  const [verb, ...args] = call.args.slice(start);
  const flags = flagsOf({ args }, valued, long);
  return { verb: verb?.text ?? "", flags, words: flags.words.map(({ text }) => text), texts: args.map(({ text }) => text) };
}

/** Settings and variables by which the hooks of one call are somewhere else, or switched off. */
const WITHOUT_HOOKS = /^core\.hookspath=/i;
const OFF: { readonly [name: string]: RegExp } = { HUSKY: /^0$/, HUSKY_SKIP_HOOKS: /./, LEFTHOOK: /^(?:0|false)$/, SKIP: /./ };

const leavesHooksOut = ({ args, assigned }: Call): boolean =>
  args.some(({ text }, index) => WITHOUT_HOOKS.test(text.replace(/^-c/, "")) && (/^-c./.test(text) || args[index - 1]?.text === "-c")) ||
  assigned.some(({ name, value }) => Object.hasOwn(OFF, name) && OFF[name]?.test(value.text));

/** `valued` are the short options of the verb that take a value, where a value could be taken for an option. */
type GitRule = Omit<CommandRule, "family" | "programs" | "find"> & {
  readonly when: (git: GitCall, call: Call) => boolean;
  readonly valued?: string;
};

const rule = ({ when, valued, ...rest }: GitRule): CommandRule => ({
  ...rest,
  family,
  programs: ["git", "hub", "gh-git"],
  find: (call) => when(gitCall(call, valued), call),
});

/** The names under which branches that everybody builds on are known. */
const isShared = (ref: string): boolean => /^(refs\/heads\/)?(main|master|trunk|production|prod|release)$/.test(ref);

const everything = (words: readonly string[]): boolean => words.some((word) => /^(\.|\.\/|\*|:\/|:\/:|\/|\.\/\*)$/.test(word));

const isForced = ({ flags, words, texts }: GitCall): boolean =>
  flags.has("f", "force") ||
  flags.has("", "force-with-lease") ||
  texts.some((text) => /^--force/.test(text)) ||
  flags.has("", "mirror") ||
  words.some((word) => /^\+./.test(word));

export const gitRules: readonly CommandRule[] = [
  rule({
    id: "git-force-push",
    severity: "critical",
    why: "A forced push rewrites history others build on.",
    instead: "Push a new branch and open a pull request.",
    when: (git) => git.verb === "push" && isForced(git),
    examples: {
      flags: [
        "git push --force origin main",
        "git push -f",
        "git push origin +main",
        "git push -uf origin main",
        "git push --forc origin main",
        "git -C /repo push --force origin main",
        "git -c a=b push -f",
        "git push --mirror",
        'git push "--force" origin main',
        "git push \\\n--force",
        "true && sh -c 'git push -f'",
        "echo $(git push -f)",
        "git push --force-with-lease",
      ],
      passes: [
        "git push origin fix-login",
        "echo 'git push --force'",
        'git commit -m "docs: never git push --force to main"',
        "git push origin main && tail -f log",
      ],
    },
  }),
  rule({
    id: "git-push-main",
    severity: "medium",
    why: "This pushes straight to a branch that everybody builds on, past every review.",
    instead: "Push a branch of your own and open a pull request.",
    when: (git) =>
      git.verb === "push" &&
      !git.flags.has("n", "dry-run") &&
      !isForced(git) &&
      (git.flags.has("", "all") ||
        git.flags.has("", "branches") ||
        git.words.slice(1).some((word) => isShared(word.split(":").at(-1) ?? ""))),
    examples: {
      flags: [
        "git push origin main",
        "git push -u origin master",
        "git push origin HEAD:main",
        "git push origin HEAD:refs/heads/main",
        "git push --all",
      ],
      passes: ["git push", "git push origin fix-login", "git push origin main:backup", "git push --dry-run origin main"],
    },
  }),
  rule({
    id: "git-skip-hooks",
    severity: "medium",
    why: "This goes around the checks that the project runs before a commit or a push.",
    instead: "Let the hooks run, and mend what they complain about.",
    valued: "mFCct",
    when: ({ verb, flags }, call) =>
      (verb === "commit" && flags.has("n", "no-verify")) ||
      (/^(push|merge|am|rebase)$/.test(verb) && flags.has("", "no-verify")) ||
      (/^(commit|push|merge|am|rebase)$/.test(verb) && leavesHooksOut(call)),
    examples: {
      flags: [
        "git commit --no-verify -m x",
        "git commit -nm x",
        "git push --no-verify",
        "git commit -am x -n",
        "git -c core.hooksPath=/dev/null commit -m x",
        "HUSKY=0 git push origin fix-login",
        "SKIP=lint git commit -m x",
      ],
      passes: [
        "git commit -m '--no-verify'",
        "git push -n",
        "git merge -n x",
        "git commit --verify -m x",
        "git -c user.name=A commit -m x",
        "HUSKY=1 git commit -m core.hooksPath=x",
      ],
    },
  }),
  rule({
    id: "git-delete-remote",
    severity: "high",
    why: "This deletes branches or tags on the remote.",
    instead: "Leave remote branches to a human.",
    when: ({ verb, flags, words }) =>
      verb === "push" && (flags.has("d", "delete") || flags.has("", "prune") || words.some((word) => /^:./.test(word))),
    examples: {
      flags: ["git push origin --delete main", "git push origin :main", "git push --prune origin", "git push -d origin x"],
      passes: ["git push origin main", "git push origin HEAD:refs/heads/x"],
    },
  }),
  rule({
    id: "git-back-to-commit",
    severity: "medium",
    why: "This throws away changes of tracked files that are in no commit; nothing brings them back.",
    instead: "Commit them or `git stash` them first.",
    when: ({ verb, flags, words, texts }) => {
      switch (verb) {
        case "reset":
          return flags.has("", "hard") || flags.has("", "merge");
        case "checkout":
          return texts.includes("--") || flags.has("f", "force") || everything(words) || flags.has("", "ours") || flags.has("", "theirs");
        case "switch":
          return flags.has("f", "force") || flags.has("", "discard-changes");
        case "restore":
          return !(flags.has("S", "staged") && !flags.has("W", "worktree"));
        default:
          return false;
      }
    },
    examples: {
      flags: [
        "git reset --hard",
        "git -C . reset --hard",
        "git reset -q --hard HEAD~5",
        "git reset HEAD~5 --hard",
        "git checkout -- .",
        "git checkout .",
        "git restore .",
        "git checkout -f main",
        "nice git reset --hard",
        "bash <<EOF\ngit reset --hard\nEOF",
      ],
      passes: [
        "git reset HEAD~1",
        "git checkout main",
        "git checkout -b x",
        "git restore --staged a.txt",
        "git log --grep='git reset --hard'",
      ],
    },
  }),
  rule({
    id: "git-discard-work",
    severity: "high",
    why: "This throws away files or stashes that are in no commit; nothing brings them back.",
    instead: "Commit them or `git stash --include-untracked` them first.",
    when: ({ verb, flags, words }) => {
      switch (verb) {
        case "clean":
          return (flags.has("f", "force") || flags.has("x") || flags.has("X")) && !flags.has("n", "dry-run");
        case "stash":
          return words[0] === "drop" || words[0] === "clear";
        case "worktree":
          return words[0] === "remove" && flags.has("f", "force");
        case "rm":
          return !flags.has("", "cached") && (flags.has("f", "force") || flags.has("r") || everything(words));
        case "checkout-index":
          return flags.has("f", "force") && flags.has("a", "all");
        case "read-tree":
          return flags.has("", "reset");
        case "submodule":
          return words[0] === "deinit" && flags.has("f", "force");
        default:
          return false;
      }
    },
    examples: {
      flags: ["git clean -fdx", "git clean -f -d", "git stash drop", "git stash clear"],
      passes: ["git clean -n", "git stash", "git stash pop", "git rm --cached x"],
    },
  }),
  rule({
    id: "git-delete-branch",
    severity: "medium",
    why: "This deletes or moves a branch, also where the commits only it held are merged nowhere; the reflog keeps them for a while.",
    instead: "Leave the branch, or delete it with `git branch -d`, which refuses to lose work.",
    when: ({ verb, flags, words }) =>
      verb === "branch" &&
      (flags.has("D") ||
        (flags.has("d", "delete") && flags.has("f", "force")) ||
        flags.has("M") ||
        flags.has("C") ||
        (flags.has("f", "force") && words.length > 0)),
    examples: {
      flags: ["git branch -D main", "git branch --delete --force x", "git branch -f main HEAD~3"],
      passes: ["git branch -d merged", "git branch", "git branch new"],
    },
  }),
  rule({
    id: "git-delete-ref",
    severity: "high",
    why: "This deletes or moves a ref behind git's own checks, or a tag that others go by.",
    instead: "Leave the ref as it is.",
    when: ({ verb, flags, words }) => {
      switch (verb) {
        case "update-ref":
          return true;
        case "symbolic-ref":
          return flags.has("d", "delete") || words.length > 1;
        case "tag":
          return flags.has("d", "delete") || flags.has("f", "force");
        case "replace":
          return words.length > 0;
        default:
          return false;
      }
    },
    examples: {
      flags: ["git update-ref -d refs/heads/main", "git update-ref refs/heads/main HEAD~5", "git update-ref --stdin", "git tag -d v1"],
      passes: ["git branch -d merged", "git tag v1", "git symbolic-ref HEAD"],
    },
  }),
  rule({
    id: "git-rewrite-history",
    severity: "high",
    why: "This rewrites history or removes what the reflog would bring back.",
    instead: "Make a new commit that corrects the old one.",
    when: ({ verb, flags, words, texts }) => {
      if (/^(filter-branch|filter-repo|prune|prune-packed)$/.test(verb)) return !flags.has("n", "dry-run");
      if (verb === "reflog") return words[0] === "expire" || words[0] === "delete";
      if (verb === "gc") return texts.some((text) => /^--prune(=(now|all|0))?$/.test(text));
      if (verb === "lfs") return words[0] === "prune" || words[0] === "migrate";
      return verb === "fast-import" && flags.has("", "force");
    },
    examples: {
      flags: [
        "git filter-branch --force HEAD",
        "git reflog expire --expire=now --all && git gc --prune=now",
        "git gc --aggressive --prune=now",
        "git prune",
      ],
      passes: ["git gc", "git reflog", "git remote prune origin --dry-run"],
    },
  }),
  rule({
    id: "git-rebase",
    severity: "medium",
    why: "A rebase or an amended commit replaces commits that others may have.",
    instead: "Merge, or make a new commit.",
    when: ({ verb, flags }) =>
      verb === "rebase" &&
      !flags.has("", "abort") &&
      !flags.has("", "continue") &&
      !flags.has("", "skip") &&
      !flags.has("", "quit") &&
      !flags.has("", "show-current-patch"),
    examples: {
      flags: ["git rebase main", "git -C /repo rebase main", "git rebase -i HEAD~3"],
      passes: ["git rebase --abort", "git rebase --continue", "git commit -m rebase"],
    },
  }),
  rule({
    id: "git-config-runs",
    severity: "high",
    why: "This setting makes git run a program, or sends fetches and pushes somewhere else.",
    instead: "Leave git's configuration as it is.",
    when: ({ verb, flags, words }) =>
      verb === "config" &&
      (flags.has("", "global") || flags.has("", "system")
        ? words.length > 1 &&
          !/^(user\.(name|email)|init\.|color\.|core\.(autocrlf|quotepath|longpaths|editor|pager)|safe\.directory|pull\.|push\.default|fetch\.|advice\.|alias\.\w+$|credential\.helper$)/i.test(
            words[0] ?? "",
          )
        : /^(core\.(hookspath|fsmonitor|sshcommand|pager|editor|gitproxy|worktree)|alias\.|filter\.|diff\.external|url\.|credential\.|remote\.[^.]+\.(url|pushurl)|http\.proxy|include)/i.test(
            words[0] ?? "",
          ) && words.length > 1),
    examples: {
      flags: [
        "git config core.hooksPath /tmp/h",
        "git config alias.x '!sh -c evil'",
        "git config --global url.https://evil/.insteadOf https://github.com/",
      ],
      passes: ["git config user.name", "git config --get remote.origin.url", "git config --global user.email me@example.com"],
    },
  }),
  rule({
    id: "git-remote-change",
    severity: "medium",
    why: "This changes where fetches and pushes go, or forgets a remote.",
    instead: "Leave the remotes as they are.",
    when: ({ verb, words }) => verb === "remote" && /^(remove|rm|set-url|rename|prune)$/.test(words[0] ?? ""),
    examples: {
      flags: ["git remote remove origin", "git remote set-url origin https://evil/x"],
      passes: ["git remote -v", "git remote add upstream https://example.com/x.git", "git remote show origin"],
    },
  }),
  {
    id: "vcs-discard",
    family,
    severity: "medium",
    why: "This throws away work or history of another version control system.",
    instead: "Commit it first, or leave it.",
    programs: ["hg", "svn", "jj", "bzr", "fossil", "p4", "sl"],
    find: ({ program, args, text }) => {
      const words = args.map((arg) => arg.text).filter((word) => !word.startsWith("-"));
      const verb = words[0] ?? "";
      if (program === "svn") return /^(delete|del|remove|rm|revert|cleanup)$/.test(verb) && (verb !== "cleanup" || /--remove/.test(text));
      if (program === "jj") return /^(abandon|restore|undo)$/.test(verb) || /^op(eration)? (restore|abandon|undo)/.test(words.join(" "));
      if (program === "p4") return /^(obliterate|revert|delete)$/.test(verb);
      return (
        /^(strip|rollback|purge|revert|uncommit|hide|prune|histedit|clean)$/.test(verb) ||
        (/^(update|up|checkout|co|goto)$/.test(verb) && /(^| )(-C|--clean)\b/.test(text))
      );
    },
    examples: {
      flags: ["hg strip tip", "svn revert -R .", "jj abandon @", "hg update -C"],
      passes: ["hg status", "svn update", "jj log", "hg commit -m x"],
    },
  },
];
