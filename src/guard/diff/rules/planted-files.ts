// Files that became something else than files: links, submodules, scripts that may no longer be run.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";

const DECIDING = new Set(["test", "source", "ci", "settings", "harness", "snapshot", "fixture", "lock"]);

function links(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap((file): readonly Sighting[] => {
    const { path, before, after, role } = file;
    const now = after?.content;
    const isLink = now?.kind === "link" || after?.mode === "120000";
    if (!isLink) return [];
    const target = now?.kind === "link" ? now.target : "";
    const sighting = (severity: "high" | "medium" | "low", what: string): readonly Sighting[] => [
      { file: path, line: undefined, severity, confidence: "high", what, after: target },
    ];
    if (/(^|\/)\.git(\/|$)/.test(target)) return sighting("high", "is a link into git's own folder");
    if (leadsOut(path, target)) return sighting(before ? "high" : "medium", "is a link to outside the repository");
    const wasFile = before !== undefined && before.mode !== "120000" && before.content.kind !== "link";
    if (wasFile && DECIDING.has(role)) return sighting("high", `was a file and is a link to ${target}`);
    return [];
  });
}

function leadsOut(path: string, target: string): boolean {
  if (/^(\/|~|[a-z]:[\\/]|\\\\)/i.test(target)) return true;
  let depth = path.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

function submodules(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap(({ path, before, after }): readonly Sighting[] => {
    const [old, now] = [before?.content, after?.content];
    if (now?.kind !== "submodule") return [];
    if (old?.kind === "submodule")
      return old.commit === now.commit
        ? []
        : [
            {
              file: path,
              line: undefined,
              confidence: "high",
              what: "is a submodule that points to another commit, which was not looked at",
              before: old.commit,
              after: now.commit,
            },
          ];
    return [
      {
        file: path,
        line: undefined,
        severity: old ? "high" : "medium",
        confidence: "high",
        what: old ? "was a file and is a submodule now" : "is a new submodule, which was not looked at",
        after: now.commit,
      },
    ];
  });
}

/** Scripts that are run by their own name, and so need the right to be run. */
const isRunByName = ({ path, role }: FileView): boolean =>
  /\.(sh|bash|zsh)$|(^|\/)(gradlew|mvnw|configure|run[-_]?tests?[^/]*|tests?|check)$|(^|\/)(\.husky|\.githooks|hooks|bin)\/[^/]+$/.test(
    path,
  ) ||
  (role === "ci" && !/\.[^/]+$/.test(path));

function lostRight(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap((file): readonly Sighting[] => {
    if (file.before?.mode !== "100755" || file.after?.mode !== "100644" || !isRunByName(file)) return [];
    return [
      {
        file: file.path,
        line: undefined,
        confidence: "medium",
        what: "may no longer be run",
        before: file.before.mode,
        after: file.after.mode,
      },
    ];
  });
}

// The examples of a rule hold texts only: `planted.test.ts` shows links, submodules and modes.
export const plantedFileRules: readonly DiffRule[] = [
  {
    id: "link-planted",
    severity: "high",
    why: "A link stands where a file was, or leads out of the repository. Keep the file and its content.",
    find: links,
    examples: { flags: [], passes: [{ "src/a.js": ["a\n", "b\n"] }] },
  },
  {
    id: "submodule-moved",
    severity: "medium",
    why: "What a submodule points to cannot be seen in this change. Let a human move it.",
    find: submodules,
    examples: { flags: [], passes: [{ "src/a.js": ["a\n", "b\n"] }] },
  },
  {
    id: "script-not-executable",
    severity: "medium",
    why: "A script of the checks may no longer be run. Give it back its mode.",
    find: lostRight,
    examples: { flags: [], passes: [{ "ci/test.sh": ["a\n", "b\n"] }] },
  },
];
