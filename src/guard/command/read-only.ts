// Which calls are known to change nothing: all that an L1 loop may run.
import type { Call } from "./call.ts";
import { flagsOf } from "./flags.ts";

const READERS = new Set(
  "ls cat head tail less more grep egrep fgrep rg ag wc sort uniq cut tr nl tac rev od xxd hexdump strings file stat du df pwd echo printf true false test [ : date uname whoami id hostname which type basename dirname realpath readlink diff cmp comm join paste column fold fmt expand seq yes tree jq cal uptime free ps env printenv locale md5sum sha1sum sha256sum sha512sum cksum sum b2sum nproc arch tty logname groups lsblk lscpu cd sleep".split(
    " ",
  ),
);

const GIT_READS = new Set(
  "status log diff show ls-files ls-tree ls-remote rev-parse rev-list cat-file describe blame annotate shortlog grep name-rev merge-base for-each-ref show-ref show-branch whatchanged count-objects check-ignore check-attr var version help diff-tree diff-index diff-files cherry range-diff fsck verify-commit verify-tag".split(
    " ",
  ),
);

export function isReadOnly(call: Call): boolean {
  if (
    call.redirects.some(
      ({ operator, target }) =>
        operator.includes(">") && !/^\/dev\/(null|stdout|stderr|tty)$/.test(target.text) && !/^\d+$|^-$/.test(target.text),
    )
  )
    return false;
  const texts = call.args.map(({ text }) => text);
  switch (call.program) {
    case "git":
      return readsGit(texts);
    case "find":
      return !texts.some((text) => /^-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls|fprint0)$/.test(text));
    case "sed":
      return !texts.some((text) => /^-[a-zA-Z]*i|^--in-place/.test(text)) && !texts.some((text) => /(^|[;}\n0-9/])\s*[wWe]\s/.test(text));
    case "awk":
    case "gawk":
      return !texts.some((text) => /system\s*\(|\|\s*"|>\s*"|getline|print\s*>/.test(text)) && !texts.includes("-i");
    case "sort":
      return !flagsOf(call).has("o", "output");
    case "yes":
      return call.stdin.kind === "none";
    case "env":
      return texts.length === 0;
    case "xxd":
      return texts.filter((text) => !text.startsWith("-")).length < 2;
    case "rg":
      return !texts.some((text) => /^--(pre|hostname-bin)/.test(text));
    case "date":
    case "hostname":
      return !texts.some((text) => /^(-s|--set)/.test(text)) && (call.program === "date" || texts.every((text) => text.startsWith("-")));
    default:
      return READERS.has(call.program) || (texts.length === 1 && /^(--version|--help|-V)$/.test(texts[0]!));
  }
}

function readsGit(texts: readonly string[]): boolean {
  const at = texts.findIndex((text, index) => !text.startsWith("-") && !/^(-C|-c|--git-dir|--work-tree)$/.test(texts[index - 1] ?? ""));
  if (texts.slice(0, Math.max(0, at)).some((text) => text === "-c" || text.startsWith("--exec-path") || text === "--config-env"))
    return false;
  const verb = texts[at] ?? "";
  const rest = texts.slice(at + 1);
  if (rest.some((text) => /^(--output|--ext-diff|--textconv|--upload-pack|--exec|-o$|--open-files-in-pager|-O)/.test(text))) return false;
  if (GIT_READS.has(verb)) return true;
  const words = rest.filter((text) => !text.startsWith("-"));
  if (verb === "branch" || verb === "tag")
    return (
      words.length === 0 &&
      rest.every((text) =>
        /^(-a|-r|-v|-vv|-l|--list|--show-current|--merged|--no-merged|--contains|--sort=.*|--format=.*|--all|--remotes)$/.test(text),
      )
    );
  if (verb === "remote") return words.length === 0 || words[0] === "show" || words[0] === "get-url";
  if (verb === "stash") return words[0] === "list" || words[0] === "show";
  if (verb === "config") return rest.some((text) => /^(--get|--get-all|--list|-l|--get-regexp)$/.test(text));
  if (verb === "worktree" || verb === "submodule") return words[0] === "list" || words[0] === "status";
  return verb === "reflog" && (words.length === 0 || words[0] === "show");
}
